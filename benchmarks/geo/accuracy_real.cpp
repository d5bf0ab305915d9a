#include "benchmarks/geo/accuracy_real.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "benchmarks/geo/accuracy_picture.hpp"
#include "geo/grid/grid_window.hpp"
#include "geo/property/property.hpp"
#include "geo/property/terrain.hpp"
#include "geo/roof/address_roof.hpp"
#include "geo/roof/detection.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace bench {
namespace {

constexpr double kMostlyStraddling = 0.5, kSameSurface = 0.5;
constexpr double kAnswered = 1 / 3.0;      // of the asked house's roof
constexpr double kPropertyRadius_m = 150;  // geo/site.cpp
constexpr double kNeighbours_m = 130;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template <std::size_t n>
std::size_t class_of(double value, const std::array<double, n>& borders) {
  return static_cast<std::size_t>(std::upper_bound(borders.begin(), borders.end(), value) - borders.begin());
}

/// Of the widest circle within.
double width_m(const geo::Polygon& shape) {
  const geo::Point p = inner_point(shape);
  return 2 * geo::distance_to_boundary(shape, p);
}

double straddling_share(const SurveyedScene& place, const geo::Polygon& outline) {
  const geo::Grid<char>& g = place.straddles;
  const geo::Box box = geo::bounding_box(outline.outer);
  int all = 0, straddling = 0;
  for (int r = std::max(0, g.row_of(box.max_y)); r <= std::min(g.height - 1, g.row_of(box.min_y)); ++r)
    for (int c = std::max(0, g.col_of(box.min_x)); c <= std::min(g.width - 1, g.col_of(box.max_x)); ++c)
      if (geo::contains(outline, g.centre(c, r))) ++all, straddling += g.at(c, r);
  return all ? static_cast<double>(straddling) / all : 0;
}

RealScore scored(const SurveyedScene& place, const Scene& scene, const std::vector<geo::RoofPlane>& planes) {
  RealScore out;
  out.score = score(scene, planes);
  out.budget = budget(scene, planes, out.score);
  for (std::size_t i = 0; i < scene.truth.size(); ++i) {
    const TruePlane& t = scene.truth[i];
    if (!t.judged) continue;
    const bool found = !std::count(out.score.missed.begin(), out.score.missed.end(), static_cast<int>(i));
    out.by_width[class_of(width_m(t.outline), kWidths_m)].add({1, found});
    out.by_area[class_of(geo::area(t.outline), kAreas_m2)].add({1, found});
  }
  for (int i : out.score.wrong) {
    const geo::Polygon& outline = planes[static_cast<std::size_t>(i)].outline;
    if (straddling_share(place, outline) <= kMostlyStraddling) continue;
    const bool is_there = std::any_of(scene.truth.begin(), scene.truth.end(), [&](const TruePlane& t) {
      const double common = common_m2(outline, t.outline);
      return common >= kSameSurface * (geo::area(outline) + geo::area(t.outline) - common);
    });
    out.slivers += !is_there;
  }
  return out;
}

/// The run of one address as the service makes it where there are no footprints.
void ask(const SurveyedScene& place, std::size_t house, AskedHouses& asked) {
  const geo::Point at = place.houses[house];
  const geo::Box window{at.x - kPropertyRadius_m, at.y - kPropertyRadius_m, at.x + kPropertyRadius_m,
                        at.y + kPropertyRadius_m};
  const geo::Grid<float> dsm = geo::cells_in(place.scene.dsm, window),
                         dtm = geo::cells_in(place.scene.terrain, window);
  std::vector<geo::Point> others;
  for (std::size_t i = 0; i < place.houses.size(); ++i)
    if (i != house && place.house_building[i] != place.house_building[house] &&
        geo::length(place.houses[i] - at) < kNeighbours_m)
      others.push_back(place.houses[i]);
  const geo::RunControl control;
  const auto start = Clock::now();
  const geo::Grid<float> terrain = geo::terrain_on(dsm, dtm, control);
  const auto property = geo::find_property(
      {.dsm = dsm, .terrain = terrain, .address = at, .other_addresses = std::move(others)}, control);
  std::vector<geo::RoofPlane> planes;
  if (property && !property->buildings.empty())
    planes = geo::detect_roof_planes(dsm, terrain, property->buildings, place.scene.frame,
                                     place.scene.detection, control);
  const bool stands = !planes.empty() && geo::roof_stands_at(at, planes, property->buildings, dsm, terrain);
  asked.seconds.push_back(seconds_since(start));
  if (!stands) return void(++asked.refused);
  double roof_m2 = 0, covered_m2 = 0;
  for (const TruePlane& t : place.scene.truth) {
    double common = 0;
    for (const geo::RoofPlane& p : planes) common += common_m2(p.outline, t.outline);
    const bool own = t.building == place.house_building[house];
    (own ? asked.own_m2 : asked.others_m2) += common;
    if (own) roof_m2 += geo::area(t.outline), covered_m2 += common;
  }
  ++(covered_m2 >= kAnswered * roof_m2 ? asked.answered : asked.another);
}

void print_wrong(const SurveyedScene& place, const Scene& scene, const std::vector<geo::RoofPlane>& planes,
                 const Score& score) {
  for (int i : score.wrong) {
    const geo::RoofPlane& p = planes[static_cast<std::size_t>(i)];
    const geo::Point at = p.outline.outer[0];
    std::printf("    wrong %d: building %d at %.1f %.1f, %.1f m2, tilt %.0f, cells %d, straddling %.2f: %s\n",
                i, p.building, at.x, at.y, geo::area(p.outline), geo::tilt_deg({p.plane.gx, p.plane.gy}),
                p.fit.cells, straddling_share(place, p.outline), name_of(cause_of_error(scene, p)));
  }
  for (int i : score.missed) {
    const TruePlane& t = scene.truth[static_cast<std::size_t>(i)];
    std::printf("    missed %d: building %d at %.1f %.1f, %.1f m2, width %.1f, tilt %.0f: %s\n", i,
                t.building, t.outline.outer[0].x, t.outline.outer[0].y, geo::area(t.outline),
                width_m(t.outline), t.tilt_deg, name_of(cause_of_loss(scene, planes, t)));
  }
}

/// Pictures of 60 m by 60 m around houses: the true outlines on the left, the found ones on the right.
void draw_houses(const SurveyedScene& place, const Scene& scene, const std::vector<geo::RoofPlane>& planes,
                 const Score& score, const std::string& stem) {
  constexpr double kHalf_m = 25;
  constexpr std::size_t kPictures = 24;
  const std::size_t step = std::max<std::size_t>(1, place.houses.size() / kPictures);
  for (std::size_t h = 0; h < place.houses.size(); h += step) {
    const geo::Point at = place.houses[h];
    const geo::Box box{at.x - kHalf_m, at.y - kHalf_m, at.x + kHalf_m, at.y + kHalf_m};
    const geo::Grid<float> once = geo::cells_in(scene.dsm, box);
    const int aside = once.width + 2;
    geo::Grid<float> twice(2 * once.width + 2, once.height, once.west, once.north, once.cell_m, geo::kNoData);
    for (int row = 0; row < once.height; ++row)
      for (int col = 0; col < once.width; ++col)
        twice.at(col, row) = twice.at(col + aside, row) = once.at(col, row);
    const geo::Point shift{aside * once.cell_m, 0};
    Picture picture(twice, 10);
    const auto in_box = [&](const geo::Polygon& p) { return box.overlaps(geo::bounding_box(p.outer)); };
    for (const TruePlane& t : scene.truth)
      if (in_box(t.outline)) picture.draw(t.outline, {0, 200, 0}, 0);
    for (const geo::Building& b : scene.buildings)
      if (in_box(b.footprint)) picture.draw(geo::translated(b.footprint, shift), {90, 90, 255});
    for (std::size_t i = 0; i < planes.size(); ++i) {
      if (!in_box(planes[i].outline)) continue;
      const bool wrong = std::count(score.wrong.begin(), score.wrong.end(), static_cast<int>(i));
      picture.draw(geo::translated(planes[i].outline, shift),
                   wrong ? Colour{255, 60, 0} : Colour{255, 230, 0}, 1);
    }
    for (int i : score.missed)
      if (in_box(scene.truth[static_cast<std::size_t>(i)].outline))
        picture.draw(scene.truth[static_cast<std::size_t>(i)].outline, {255, 60, 60}, 2);
    picture.write(stem + "-" + std::to_string(h) + ".png");
  }
}

RealScore detected(const SurveyedScene& place, const Scene& scene, const RealOptions& options,
                   const std::string& stem) {
  const auto start = Clock::now();
  const auto planes = geo::detect_roof_planes(scene.dsm, scene.terrain, scene.buildings, scene.frame,
                                              scene.detection, geo::RunControl{});
  const double seconds = seconds_since(start);
  RealScore out = scored(place, scene, planes);
  out.score.seconds = seconds;
  if (options.details) print_wrong(place, scene, planes, out.score);
  if (!options.pictures.empty()) draw_houses(place, scene, planes, out.score, options.pictures + "/" + stem);
  return out;
}

double share_pct(int part, int whole) { return whole ? 100.0 * part / whole : 0; }

template <std::size_t n>
void print(const char* what, const std::array<ClassCount, n>& classes) {
  std::printf(" | %s", what);
  for (const ClassCount& c : classes) std::printf(" %3.0f(%d)", share_pct(c.found, c.all), c.all);
}

std::string figure(const char* format, double a, double b) {
  char line[120];
  std::snprintf(line, sizeof line, format, a, b);
  return line;
}

}  // namespace

void AskedHouses::add(const AskedHouses& o) {
  answered += o.answered, refused += o.refused, another += o.another;
  own_m2 += o.own_m2, others_m2 += o.others_m2;
  seconds.insert(seconds.end(), o.seconds.begin(), o.seconds.end());
}

void RealScore::add(const RealScore& o) {
  score.add(o.score);
  budget.add(o.budget);
  for (std::size_t i = 0; i < by_width.size(); ++i)
    by_width[i].add(o.by_width[i]), by_area[i].add(o.by_area[i]);
  slivers += o.slivers;
  asked.add(o.asked);
}

geo::Result<RealSet> measured(const BuildingModel& model, const Survey& survey, const RealOptions& options) {
  auto place = surveyed(model, survey);
  if (!place) return tl::make_unexpected(place.error());
  RealSet set{.name = place->scene.name, .cells = survey.cells};
  if (options.footprints) set.with = detected(*place, place->scene, options, set.name + " with");
  if (!options.heights) return set;
  Scene bare{.name = place->scene.name,
             .dsm = place->scene.dsm,
             .terrain = place->scene.terrain,
             .frame = std::move(*geo::PlaceFrame::create(model.crs_wkt, place->scene.frame.place())),
             .detection = place->scene.detection};
  if (auto done = forget_footprints(bare); !done) return tl::make_unexpected(done.error());
  bare.truth = place->joined;
  set.without = detected(*place, bare, options, set.name + " without");
  const std::size_t step = std::max<std::size_t>(
      1, place->houses.size() / static_cast<std::size_t>(std::max(1, options.addresses)));
  if (options.addresses > 0)
    for (std::size_t house = 0; house < place->houses.size(); house += step)
      ask(*place, house, set.without.asked);
  return set;
}

void print_real_head() {
  std::printf(
      "%-26s %5s %6s %6s | found by width < 2, 3, 5 m, wider | by area < 15, 25, 50 m2, larger | slivers, "
      "where no roof is | "
      "tilt, azimuth over plain fit, median / p90 | within stated tilt, azimuth, area | area off, median | "
      "asked: answered, refused, "
      "another; on others' roofs; s p95, most\n",
      "set", "true", "found", "right");
}

namespace {

void print_line(const std::string& name, const RealScore& r, bool asked) {
  const Score& s = r.score;
  const auto ratio = [](const std::vector<double>& own, const std::vector<double>& plain, double at) {
    return plain.empty() ? 0 : quantile(own, at) / quantile(plain, at);
  };
  std::printf("%-26s %5d %6.1f %6.1f", name.c_str(), s.true_planes, share_pct(s.found, s.true_planes),
              share_pct(s.right, s.surfaces));
  print("w", r.by_width);
  print("a", r.by_area);
  std::printf(" | %d %d | t %.2f/%.2f a %.2f/%.2f | %2.0f %2.0f %2.0f | %+.1f %%", r.slivers, s.invented,
              ratio(s.tilt_error, s.plain_tilt_error, .5), ratio(s.tilt_error, s.plain_tilt_error, .9),
              ratio(s.azimuth_error, s.plain_azimuth_error, .5),
              ratio(s.azimuth_error, s.plain_azimuth_error, .9), share_pct(s.tilt_within, s.found),
              share_pct(s.azimuth_within, s.azimuths), share_pct(s.area_within, s.found),
              quantile(s.area_error_pct, .5));
  std::printf(" | lost");
  for (int n : r.budget.lost) std::printf(" %d", n);
  std::printf(" wrong");
  for (int n : r.budget.wrong) std::printf(" %d", n);
  if (asked)
    std::printf(" | %d %d %d; %.0f %%; %.2f %.2f s", r.asked.answered, r.asked.refused, r.asked.another,
                100 * r.asked.others_m2 / std::max(1.0, r.asked.own_m2 + r.asked.others_m2),
                quantile(r.asked.seconds, .95), quantile(r.asked.seconds, 1));
  std::printf(" | %.1f s\n", s.seconds);
  std::fflush(stdout);
}

}  // namespace

void print(const RealSet& set) {
  if (set.with.score.true_planes) print_line(set.name + " with", set.with, false);
  if (set.without.score.true_planes) print_line(set.name + " without", set.without, true);
}

std::vector<Verdict> real_verdicts(const std::vector<RealSet>& sets) {
  std::vector<Verdict> out;
  for (const RealSet& set : sets) {
    const bool village = set.name.starts_with("nrw");
    const double less = set.cells == Cells::highest ? 3 : 0;
    for (const bool with : {true, false}) {
      const RealScore& r = with ? set.with : set.without;
      const Score& s = r.score;
      if (!s.true_planes) continue;
      const std::string name = set.name + (with ? " with footprints" : " without");
      const double want_found = (with ? (village ? 98 : 96) : (village ? 95 : 90)) - less;
      const double want_right = (with ? (village ? 98 : 96) : (village ? 96 : 92)) - less;
      const double found = share_pct(s.found, s.true_planes), right = share_pct(s.right, s.surfaces);
      out.push_back({name + ": found, right", figure("%.1f, %.1f %%", found, right),
                     figure(">= %.0f, >= %.0f %%", want_found, want_right),
                     found >= want_found && right >= want_right});
      const double narrow = share_pct(r.by_width[1].found, r.by_width[1].all), want_narrow = with ? 94 : 80;
      if (r.by_width[1].all > 0)
        out.push_back({name + ": found of those 2 to 3 m wide",
                       figure("%.0f %% of %.0f", narrow, r.by_width[1].all),
                       figure(">= %.0f %%", want_narrow, 0), narrow >= want_narrow});
      out.push_back({name + ": slivers on walls, surfaces where no roof is",
                     figure("%.0f, %.0f", r.slivers, s.invented), "0, 0", r.slivers == 0 && s.invented == 0});
      const auto beside_plain = [&](const char* what, const std::vector<double>& own,
                                    const std::vector<double>& plain) {
        const double median = quantile(own, .5) / quantile(plain, .5),
                     high = quantile(own, .9) / quantile(plain, .9);
        out.push_back({name + ": " + what + " error, times the plain fit's",
                       figure("%.2f (median), %.2f (90th percentile)", median, high), "<= 0.9, <= 1.0",
                       median <= 0.9 && high <= 1});
      };
      beside_plain("tilt", s.tilt_error, s.plain_tilt_error);
      beside_plain("azimuth", s.azimuth_error, s.plain_azimuth_error);
      const double tilt = share_pct(s.tilt_within, s.found),
                   azimuth = share_pct(s.azimuth_within, s.azimuths),
                   area = share_pct(s.area_within, s.found);
      const auto honest = [](double share) { return share >= 60 && share <= 75; };
      out.push_back({name + ": true error within the stated one",
                     figure("tilt %.0f, azimuth %.0f", tilt, azimuth) + figure(", area %.0f %%", area, 0),
                     "60-75 %", honest(tilt) && honest(azimuth) && honest(area)});
      if (with || r.asked.seconds.empty()) continue;
      out.push_back({name + ": another house than the asked one",
                     figure("%.0f of %.0f", r.asked.another, static_cast<double>(r.asked.seconds.size())),
                     "0", r.asked.another == 0});
      const double p95 = quantile(r.asked.seconds, .95), most = quantile(r.asked.seconds, 1);
      out.push_back({name + ": a run takes", figure("%.2f s (95th percentile), %.2f s (most)", p95, most),
                     "< 1, < 2 s", p95 < 1 && most < 2});
    }
  }
  return out;
}

}  // namespace bench
