#include "benchmarks/geo/accuracy_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace bench {
namespace {

double pct(int part, int whole) { return whole ? 100.0 * part / whole : 0; }

std::string text(const char* format, double a, double b = 0, double c = 0) {
  char line[200];
  std::snprintf(line, sizeof line, format, a, b, c);
  return line;
}

/// Errors against those of the plain fit: 1.1 times at the median, 1.2 times at the 90th percentile.
void add_ratios(const std::string& what, const std::vector<double>& own, const std::vector<double>& plain,
                std::vector<Verdict>& out) {
  const double median = quantile(own, .5) / quantile(plain, .5),
               high = quantile(own, .9) / quantile(plain, .9);
  out.push_back({what + ", times the plain fit's",
                 text("%.2f (median), %.2f (90th percentile)", median, high), "<= 1.1, <= 1.2",
                 median <= 1.1 && high <= 1.2});
}

void add_honesty(const Score& s, bool with_area, std::vector<Verdict>& out) {
  const auto honest = [](double share) { return share >= 60 && share <= 75; };
  const double tilt = pct(s.tilt_within, s.found), azimuth = pct(s.azimuth_within, s.azimuths);
  const double area = pct(s.area_within, s.found);
  out.push_back(
      {s.name + ": true error within the stated one",
       text("tilt %.1f %%, azimuth %.1f %%", tilt, azimuth) + (with_area ? text(", area %.1f %%", area) : ""),
       "60-75 %", honest(tilt) && honest(azimuth) && (!with_area || honest(area))});
}

void add_sample(const Score& s, std::vector<Verdict>& out) {
  const double found = pct(s.found, s.true_planes), right = pct(s.right, s.surfaces);
  out.push_back({s.name + ": found, right", text("%.1f %%, %.1f %%", found, right), ">= 97 %, >= 97 %",
                 found >= 97 && right >= 97});
  add_ratios(s.name + ": tilt error", s.tilt_error, s.plain_tilt_error, out);
  add_ratios(s.name + ": azimuth error", s.azimuth_error, s.plain_azimuth_error, out);
  const double area = quantile(s.area_error_pct, .5), iou = quantile(s.iou, .5);
  out.push_back({s.name + ": area, median", text("%+.1f %%", area), "within 2 %", std::abs(area) <= 2});
  out.push_back({s.name + ": outline IoU, median", text("%.3f", iou), ">= 0.88", iou >= 0.88});
  out.push_back(
      {s.name + ": overlap of surfaces", text("%.3f m2", s.overlap_m2), "0", s.overlap_m2 < 0.0005});
  out.push_back(
      {s.name + ": surfaces where no roof is (trees)", text("%.0f", s.invented), "0", s.invented == 0});
  out.push_back(
      {s.name + ": outlines that are no simple polygon", text("%.0f", s.invalid), "0", s.invalid == 0});
  add_honesty(s, true, out);
}

std::string json_of(const Score& s) {
  char line[1600];
  std::snprintf(
      line, sizeof line,
      "{\"name\": \"%s\", \"true_planes\": %d, \"found_pct\": %.1f, \"surfaces\": %d, \"right_pct\": %.1f, "
      "\"invented\": %d, \"invalid\": %d,\n"
      "   \"tilt_error_deg\": {\"median\": %.3f, \"p90\": %.3f, \"plain_median\": %.3f, \"plain_p90\": "
      "%.3f},\n"
      "   \"azimuth_error_deg\": {\"median\": %.3f, \"p90\": %.3f, \"plain_median\": %.3f, \"plain_p90\": "
      "%.3f},\n"
      "   \"area_error_pct\": {\"median\": %.2f, \"p10\": %.2f, \"p90\": %.2f}, \"iou_median\": %.3f,\n"
      "   \"within_stated_error_pct\": {\"tilt\": %.0f, \"azimuth\": %.0f, \"area\": %.0f},\n"
      "   \"overlap_m2\": %.4f, \"on_neighbour_m2\": %.3f, \"on_other_parcel_m2\": %.3f, \"seconds\": %.3f}",
      s.name.c_str(), s.true_planes, pct(s.found, s.true_planes), s.surfaces, pct(s.right, s.surfaces),
      s.invented, s.invalid, quantile(s.tilt_error, .5), quantile(s.tilt_error, .9),
      quantile(s.plain_tilt_error, .5), quantile(s.plain_tilt_error, .9), quantile(s.azimuth_error, .5),
      quantile(s.azimuth_error, .9), quantile(s.plain_azimuth_error, .5), quantile(s.plain_azimuth_error, .9),
      quantile(s.area_error_pct, .5), quantile(s.area_error_pct, .1), quantile(s.area_error_pct, .9),
      quantile(s.iou, .5), pct(s.tilt_within, s.found), pct(s.azimuth_within, s.azimuths),
      pct(s.area_within, s.found), s.overlap_m2, s.on_neighbour_m2, s.on_other_parcel_m2, s.seconds);
  return line;
}

struct Series {
  const std::vector<double>* values;
  const char* colour;
  const char* name;
};

/// Bars side by side; the last bin holds what lies beyond.
void write_histogram(const std::string& path, const std::string& title, double from, double to,
                     const std::vector<Series>& all) {
  constexpr int kBins = 25;
  constexpr double kWidth = 640, kHeight = 300, kLeft = 30, kBottom = 260;
  std::ofstream out(path);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << kWidth << "\" height=\"" << kHeight
      << "\" font-family=\"sans-serif\" font-size=\"12\"><rect width=\"100%\" height=\"100%\" "
         "fill=\"white\"/><text x=\""
      << kLeft << "\" y=\"18\">" << title << "</text>\n";
  const double bar = (kWidth - 2 * kLeft) / kBins / static_cast<double>(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::vector<int> count(kBins, 0);
    for (double v : *all[k].values)
      ++count[static_cast<std::size_t>(
          std::clamp(static_cast<int>((v - from) / (to - from) * kBins), 0, kBins - 1))];
    const double most = std::max<double>(1, static_cast<double>(all[k].values->size()));
    for (int b = 0; b < kBins; ++b) {
      const double height = 500 * count[static_cast<std::size_t>(b)] / most;
      out << "<rect x=\"" << kLeft + (b * static_cast<double>(all.size()) + static_cast<double>(k)) * bar
          << "\" y=\"" << kBottom - std::min(height, 230.0) << "\" width=\"" << bar * 0.9 << "\" height=\""
          << std::min(height, 230.0) << "\" fill=\"" << all[k].colour << "\"/>\n";
    }
    out << "<text x=\"" << 330 + 100 * static_cast<double>(k) << "\" y=\"18\" fill=\"" << all[k].colour
        << "\">" << all[k].name << "</text>\n";
  }
  for (int b = 0; b <= 5; ++b)
    out << "<text x=\"" << kLeft + b * (kWidth - 2 * kLeft) / 5 - 8 << "\" y=\"" << kBottom + 18 << "\">"
        << text("%.3g", from + b * (to - from) / 5) << "</text>\n";
  out << "</svg>\n";
}

}  // namespace

void print_head() {
  std::printf(
      "%-28s %4s %5s %5s %5s %3s | tilt med/p90 (plain) | azimuth med/p90 (plain) | area%% width iou invalid "
      "| within stated t a m2 | overlap neighbour parcel | s\n",
      "scene", "true", "found", "right", "small", "inv");
}

void print(const Score& s) {
  std::printf(
      "%-28s %4d %5.1f %5.1f %5.1f %3d | %.2f/%.2f (%.2f/%.2f) | %.2f/%.2f (%.2f/%.2f) | %5.1f %4.1f %.3f %d "
      "| %2.0f %2.0f %2.0f | %.3f %.2f %.2f | %.2f\n",
      s.name.c_str(), s.true_planes, pct(s.found, s.true_planes), pct(s.right, s.surfaces),
      pct(s.small_right, s.small_surfaces), s.invented, quantile(s.tilt_error, .5),
      quantile(s.tilt_error, .9), quantile(s.plain_tilt_error, .5), quantile(s.plain_tilt_error, .9),
      quantile(s.azimuth_error, .5), quantile(s.azimuth_error, .9), quantile(s.plain_azimuth_error, .5),
      quantile(s.plain_azimuth_error, .9), quantile(s.area_error_pct, .5),
      quantile(s.area_error_pct, .9) - quantile(s.area_error_pct, .1), quantile(s.iou, .5), s.invalid,
      pct(s.tilt_within, s.found), pct(s.azimuth_within, s.azimuths), pct(s.area_within, s.found),
      s.overlap_m2, s.on_neighbour_m2, s.on_other_parcel_m2, s.seconds);
}

std::vector<Verdict> verdicts(const Report& report) {
  std::vector<Verdict> out;
  if (report.with.true_planes > 0) {
    add_sample(report.with, out);
    out.push_back({report.with.name + ": surfaces on a neighbour's parcel",
                   text("%.2f m2", report.with.on_other_parcel_m2), "0",
                   report.with.on_other_parcel_m2 < 0.01});
  }
  if (report.without.true_planes > 0) add_sample(report.without, out);
  for (const Score& d : {report.delft, report.bare_delft}) {
    if (d.true_planes == 0) continue;
    const double found = pct(d.found, d.true_planes), tilt = quantile(d.tilt_error, .5),
                 azimuth = quantile(d.azimuth_error, .5);
    out.push_back({d.name + ": found", text("%.1f %%", found), ">= 95 %", found >= 95});
    out.push_back({d.name + ": tilt, azimuth, median", text("%.2f, %.2f degrees", tilt, azimuth),
                   "<= 1.2, <= 1.0", tilt <= 1.2 && azimuth <= 1.0});
    add_honesty(d, false, out);
  }
  if (const LayoutCheck& l = report.layout; l.surfaces > 0) {
    out.push_back({"modules against an exhaustive packing",
                   text("%.0f against %.0f, fewer on %.0f surfaces", l.modules, l.searched, l.fewer),
                   "never fewer", l.fewer == 0});
    out.push_back(
        {"modules too near to an edge or an obstacle", text("%.0f", l.outside), "0", l.outside == 0});
  }
  return out;
}

bool all_met(const std::vector<Verdict>& all) {
  return !all.empty() && std::all_of(all.begin(), all.end(), [](const Verdict& v) { return v.met; });
}

void print(const std::vector<Verdict>& all) {
  for (const Verdict& v : all)
    std::printf("%-6s %s: %s (target %s)\n", v.met ? "met" : "MISSED", v.what.c_str(), v.figure.c_str(),
                v.target.c_str());
}

void write_json(const std::string& path, const Report& report, const std::vector<Verdict>& all) {
  std::ofstream out(path);
  out << "{\"scenes\": [";
  for (std::size_t i = 0; i < report.scenes.size(); ++i)
    out << (i ? ",\n  " : "\n  ") << json_of(report.scenes[i]);
  out << "],\n \"verdicts\": [";
  for (std::size_t i = 0; i < all.size(); ++i)
    out << (i ? ",\n  " : "\n  ") << "{\"what\": \"" << all[i].what << "\", \"figure\": \"" << all[i].figure
        << "\", \"target\": \"" << all[i].target << "\", \"met\": " << (all[i].met ? "true" : "false") << "}";
  out << "]}\n";
}

void write_histograms(const std::string& folder, const Report& r) {
  const auto three = [&](const char* file, const char* title, double from, double to, auto field) {
    write_histogram(folder + "/" + file, title, from, to,
                    {{&(r.with.*field), "#1f6fb2", "with"},
                     {&(r.without.*field), "#d07020", "without"},
                     {&(r.delft.*field), "#3a8f3a", "delft"}});
  };
  three("tilt_error.svg", "Tilt error, degrees", 0, 5, &Score::tilt_error);
  three("azimuth_error.svg", "Azimuth error, degrees", 0, 5, &Score::azimuth_error);
  three("area_error.svg", "Area error, per cent", -25, 25, &Score::area_error_pct);
  three("outline_iou.svg", "IoU of the outlines", 0.5, 1, &Score::iou);
}

}  // namespace bench
