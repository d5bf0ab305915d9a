// bench_accuracy: how well roof detection finds what is there, as a table and as JSON.
//   bench_accuracy [JSON file] [--pictures=DIR] [--seeds=N] [--addresses=N] [--only=SCENE] [--details]
// Sample regions in three coordinate systems, with and without footprints, and Delft when ROOF_SHARED holds
// it.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "benchmarks/geo/accuracy_picture.hpp"
#include "benchmarks/geo/accuracy_scene.hpp"
#include "benchmarks/geo/accuracy_score.hpp"
#include "geo/roof/detection.hpp"
#include "geo/roof/shapes.hpp"

namespace {

using namespace bench;

struct Arguments {
  std::string json, pictures;
  int seeds = 2;
  int addresses = 40;
  std::string only;  ///< the one scene to run, like 2056-1
  bool details = false;
};

Arguments arguments(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    auto value = [&](const std::string& name) {
      return word.rfind(name, 0) == 0 ? word.substr(name.size()) : std::string();
    };
    if (auto v = value("--pictures="); !v.empty())
      a.pictures = v;
    else if (auto v = value("--seeds="); !v.empty())
      a.seeds = std::stoi(v);
    else if (auto v = value("--addresses="); !v.empty())
      a.addresses = std::stoi(v);
    else if (auto v = value("--only="); !v.empty())
      a.only = v;
    else if (word == "--details")
      a.details = true;
    else
      a.json = word;
  }
  return a;
}

geo::Grid<float> around_buildings(const Scene& scene) {
  const geo::Grid<float>& g = scene.dsm;
  geo::Ring all;
  for (const geo::Building& b : scene.buildings)
    all.insert(all.end(), b.footprint.outer.begin(), b.footprint.outer.end());
  const geo::Box box = geo::bounding_box(all).grown(8);
  const int col0 = std::max(0, g.col_of(box.min_x)), col1 = std::min(g.width, g.col_of(box.max_x) + 1);
  const int row0 = std::max(0, g.row_of(box.max_y)), row1 = std::min(g.height, g.row_of(box.min_y) + 1);
  geo::Grid<float> out(col1 - col0, row1 - row0, g.west + col0 * g.cell_m, g.north - row0 * g.cell_m,
                       g.cell_m);
  for (int row = row0; row < row1; ++row)
    for (int col = col0; col < col1; ++col) out.at(col - col0, row - row0) = g.at(col, row);
  return out;
}

void draw(const Scene& scene, const std::vector<geo::RoofPlane>& planes, const Score& score,
          const std::string& path) {
  Picture picture(around_buildings(scene), 10);
  for (const TruePlane& t : scene.truth)
    if (!t.outline.outer.empty())
      picture.draw(t.outline, {0, 200, 0}, 0);
    else
      picture.draw(t.at, {0, 255, 0});
  for (const geo::Building& b : scene.buildings) picture.draw(b.footprint, {90, 90, 255});
  for (const geo::RoofPlane& p : planes) {
    picture.draw(p.outline, {255, 230, 0}, 1);
    for (const geo::Polygon& o : p.obstacles) picture.draw(o, {255, 0, 255});
  }
  for (int i : score.missed) {
    const TruePlane& t = scene.truth[static_cast<std::size_t>(i)];
    picture.number(t.outline.outer.empty() ? t.at : t.outline.outer[0], i, {255, 60, 60});
  }
  for (int i : score.wrong)
    picture.number(planes[static_cast<std::size_t>(i)].outline.outer[0], i, {255, 160, 0});
  picture.write(path);
}

void print_details(const Scene& scene, const std::vector<geo::RoofPlane>& planes, const Score& score) {
  for (int i : score.missed) {
    const TruePlane& t = scene.truth[static_cast<std::size_t>(i)];
    const geo::Grid<float> drawn = around_buildings(scene);
    const geo::Point at = t.outline.outer.empty() ? t.at : t.outline.outer[0];
    std::printf(
        "    missed %d: building %d %s %.1f m2 tilt %.0f azimuth %.0f%s, in the picture at %.0f %.0f\n", i,
        t.building, t.kind.c_str(), t.area_m2, t.tilt_deg, t.azimuth_deg, t.below_tree ? " below a tree" : "",
        (at.x - drawn.west) * 10, (drawn.north - at.y) * 10);
    if (t.outline.outer.empty()) continue;
    const Miss why = explain_miss(scene, planes, t);
    std::printf("      on buildings %.0f %%, on surfaces %.0f %%, best surface %d: IoU %.2f, normal off %.0f deg\n",
                100 * why.on_buildings, 100 * why.covered, why.best, why.iou, why.normal_deg);
  }
  for (int i : score.wrong) {
    const geo::RoofPlane& p = planes[static_cast<std::size_t>(i)];
    std::printf("    wrong %d: building %d %.1f m2 cells %d residual %.2f coverage %.0f\n", i, p.building,
                geo::area(p.outline), p.fit.cells, p.fit.residual_m, p.fit.coverage_pct);
  }
}

double pct(int part, int whole) { return whole ? 100.0 * part / whole : 0; }

void print(const Score& s) {
  std::printf(
      "%-28s %4d %5.1f %5.1f %5.1f %3d | %.2f/%.2f (%.2f/%.2f) | %.2f/%.2f (%.2f/%.2f) | %5.1f %4.1f %.3f %d "
      "| %2.0f %2.0f %2.0f | %.3f %.2f | %.2f\n",
      s.name.c_str(), s.true_planes, pct(s.found, s.true_planes), pct(s.right, s.surfaces),
      pct(s.small_right, s.small_surfaces), s.invented, quantile(s.tilt_error, .5),
      quantile(s.tilt_error, .9), quantile(s.plain_tilt_error, .5), quantile(s.plain_tilt_error, .9),
      quantile(s.azimuth_error, .5), quantile(s.azimuth_error, .9), quantile(s.plain_azimuth_error, .5),
      quantile(s.plain_azimuth_error, .9), quantile(s.area_error_pct, .5),
      quantile(s.area_error_pct, .9) - quantile(s.area_error_pct, .1), quantile(s.iou, .5), s.invalid,
      pct(s.tilt_within, s.found), pct(s.azimuth_within, s.azimuths), pct(s.area_within, s.found),
      s.overlap_m2, s.on_neighbour_m2, s.seconds);
}

void write_json(const std::string& path, const std::vector<Score>& scores) {
  std::ofstream out(path);
  out << "[";
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Score& s = scores[i];
    char line[1200];
    std::snprintf(
        line, sizeof line,
        "%s\n {\"name\": \"%s\", \"true_planes\": %d, \"found_pct\": %.1f, \"surfaces\": %d, \"right_pct\": "
        "%.1f, \"invented\": %d,\n"
        "  \"tilt_error_deg\": {\"median\": %.3f, \"p90\": %.3f, \"plain_median\": %.3f, \"plain_p90\": "
        "%.3f},\n"
        "  \"azimuth_error_deg\": {\"median\": %.3f, \"p90\": %.3f, \"plain_median\": %.3f, \"plain_p90\": "
        "%.3f},\n"
        "  \"area_error_pct\": {\"median\": %.2f, \"p10\": %.2f, \"p90\": %.2f}, \"iou_median\": %.3f,\n"
        "  \"within_stated_error_pct\": {\"tilt\": %.0f, \"azimuth\": %.0f, \"area\": %.0f},\n"
        "  \"overlap_m2\": %.4f, \"on_neighbour_m2\": %.3f, \"seconds\": %.3f}",
        i ? "," : "", s.name.c_str(), s.true_planes, pct(s.found, s.true_planes), s.surfaces,
        pct(s.right, s.surfaces), s.invented, quantile(s.tilt_error, .5), quantile(s.tilt_error, .9),
        quantile(s.plain_tilt_error, .5), quantile(s.plain_tilt_error, .9), quantile(s.azimuth_error, .5),
        quantile(s.azimuth_error, .9), quantile(s.plain_azimuth_error, .5),
        quantile(s.plain_azimuth_error, .9), quantile(s.area_error_pct, .5), quantile(s.area_error_pct, .1),
        quantile(s.area_error_pct, .9), quantile(s.iou, .5), pct(s.tilt_within, s.found),
        pct(s.azimuth_within, s.azimuths), pct(s.area_within, s.found), s.overlap_m2, s.on_neighbour_m2,
        s.seconds);
    out << line;
  }
  out << "\n]\n";
}

Score run(const Scene& scene, const Arguments& arguments) {
  const geo::RunControl control;
  const auto start = std::chrono::steady_clock::now();
  const auto planes =
      geo::detect_roof_planes(scene.dsm, scene.terrain, scene.buildings, scene.frame, {}, control);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const bool by_points = !scene.truth.empty() && scene.truth[0].outline.outer.empty();
  Score s = by_points ? score_by_points(scene, planes) : score(scene, planes);
  s.seconds = seconds;
  print(s);
  if (arguments.details) print_details(scene, planes, s);
  if (!arguments.pictures.empty()) draw(scene, planes, s, arguments.pictures + "/" + scene.name + ".png");
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments a = arguments(argc, argv);
  const std::string work = (std::filesystem::temp_directory_path() / "roof_accuracy").string();
  std::printf(
      "%-28s %4s %5s %5s %5s %3s | tilt med/p90 (plain) | azimuth med/p90 (plain) | area%% width iou invalid "
      "| within stated t a m2 | overlap neighbour | s\n",
      "scene", "true", "found", "right", "small", "inv");
  std::vector<Score> scores;
  Score with, without;
  with.name = "all with footprints", without.name = "all without footprints";
  for (const char* crs : {"EPSG:25832", "EPSG:3035", "EPSG:2056"})
    for (int seed = 1; seed <= a.seeds; ++seed) {
      if (!a.only.empty() && a.only != std::string(crs + 5) + "-" + std::to_string(seed)) continue;
      auto scene = sample_scene(crs, static_cast<std::uint32_t>(seed), a.addresses, work);
      if (!scene) return std::printf("%s\n", scene.error().text.c_str()), 1;
      scores.push_back(run(*scene, a));
      with.add(scores.back());
      if (auto done = forget_footprints(*scene); !done)
        return std::printf("%s\n", done.error().text.c_str()), 1;
      scores.push_back(run(*scene, a));
      without.add(scores.back());
    }
  const char* shared = std::getenv("ROOF_SHARED");
  if (a.only.empty() || a.only == "delft")
    if (auto delft = delft_scene(shared ? shared : "../shared")) scores.push_back(run(*delft, a));
  for (const Score& s : {with, without}) {
    scores.push_back(s);
    print(s);
  }
  if (!a.json.empty()) write_json(a.json, scores);
}
