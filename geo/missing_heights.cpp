#include "geo/missing_heights.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geo/german_words.hpp"
#include "geo/shapes/box.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

constexpr double kTooMuch = 1.0 / 3;     // of a building
constexpr double kWorthAWord = 0.03;     // lone cells without a return are common
constexpr double kTooMuchBorder = 0.12;  // of an outline along the end of the heights
constexpr double kBorderWorthAWord = 0.04;
constexpr double kNearby_m = 25;  // around an address
constexpr double kStep_m = 0.5;   // along a border
// How far something may cast shade that counts, and the share of the way there that may be unknown. Surface
// models often have no heights on water, which casts none; where a relief ends, it ends for good.
constexpr double kNear_m = 100, kMostUnknownNear = 0.5;
constexpr int kFar_km = 10;
constexpr double kMostUnknownFar = 0.4;

bool known(const Grid<float>& heights, Point p) {
  const int col = heights.col_of(p.x), row = heights.row_of(p.y);
  return heights.contains(col, row) && !std::isnan(heights.at(col, row));
}

/// Share without a height among the points of a box for which `counts` is true.
template <class Counts>
double share_unknown(const Box& box, const Grid<float>& heights, const Counts& counts) {
  int all = 0, unknown = 0;
  for (int row = heights.row_of(box.max_y); row <= heights.row_of(box.min_y); ++row)
    for (int col = heights.col_of(box.min_x); col <= heights.col_of(box.max_x); ++col) {
      const Point p = heights.centre(col, row);
      if (!counts(p)) continue;
      ++all;
      unknown += !known(heights, p);
    }
  return all > 0 ? static_cast<double>(unknown) / all : 0;
}

/// Share of the outline that has no height next to it, a cell and a half outside.
double share_of_border(const Ring& outline, const Grid<float>& heights) {
  int all = 0, unknown = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point a = outline[i], b = outline[(i + 1) % outline.size()];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const int steps = static_cast<int>(std::ceil(length / kStep_m));
    for (int k = 0; k < steps; ++k) {
      const double t = (k + 0.5) / steps, out = 1.5 * heights.cell_m / length;
      const Point outside{a.x + t * (b.x - a.x) + out * (b.y - a.y),
                          a.y + t * (b.y - a.y) - out * (b.x - a.x)};
      ++all;
      unknown += !known(heights, outside);
    }
  }
  return all > 0 ? static_cast<double>(unknown) / all : 0;
}

/// Share without a height of the ways to `reach_m`, from the frame's own place, 15 degrees about a direction.
double share_unknown_towards(double azimuth_deg, const Grid<float>& heights, const PlaceFrame& frame,
                             double reach_m) {
  constexpr int kSteps = 20;
  int all = 0, unknown = 0;
  for (const double turn_deg : {-15, 0, 15}) {
    const double bearing = (azimuth_deg + turn_deg + 180) * std::numbers::pi / 180;
    for (int step = 0; step < kSteps; ++step) {
      const double way_m = reach_m * (step + 0.5) / kSteps;
      ++all;
      unknown += !known(heights, frame.from_true({way_m * std::sin(bearing), way_m * std::cos(bearing)}));
    }
  }
  return static_cast<double>(unknown) / all;
}

/// "Nach Osten und Südosten": where more than `most` is unknown. Without the north, from where the sun casts
/// no shade; empty when enough is known everywhere.
std::string unknown_directions(const Grid<float>& heights, const PlaceFrame& frame, double reach_m,
                               double most) {
  constexpr int kStep_deg = 45, kDirections = 7;
  std::vector<std::string> towards;
  for (int i = 1; i <= kDirections; ++i) {
    const double azimuth_deg = kStep_deg * i - 180;
    if (share_unknown_towards(azimuth_deg, heights, frame, reach_m) > most)
      towards.push_back(compass_point(azimuth_deg) + "en");
  }
  if (towards.empty()) return {};
  return towards.size() == kDirections ? "Ringsum" : "Nach " + listed(towards);
}

enum class Completeness { whole, incomplete, unknown };

Completeness graded(double share, double worth_a_word, double too_much) {
  if (share > too_much) return Completeness::unknown;
  return share > worth_a_word ? Completeness::incomplete : Completeness::whole;
}

Completeness completeness(const Building& building, const Grid<float>& heights) {
  const auto of_area = graded(share_without_heights(building.footprint, heights), kWorthAWord, kTooMuch);
  if (building.from_footprints) return of_area;
  return std::max(
      of_area, graded(share_of_border(building.footprint.outer, heights), kBorderWorthAWord, kTooMuchBorder));
}

std::string of_building(const Building& building, const Grid<float>& heights) {
  const double percent = 100 * share_without_heights(building.footprint, heights);
  return percent < 1 ? "einem Teil" : std::to_string(std::lround(percent)) + " %";
}

/// An outline that was read from the heights ends where they do: then nobody knows how much is missing.
std::string what_is_missing(const Building& building, const Grid<float>& heights) {
  return share_without_heights(building.footprint, heights) > kTooMuch
             ? "fehlt mehr als ein Drittel in den Höhendaten"
             : "fehlt in den Höhendaten vielleicht ein Teil, denn sie enden an ihm";
}

}  // namespace

double share_without_heights(const Polygon& shape, const Grid<float>& heights) {
  return share_unknown(bounding_box(shape.outer), heights, [&](Point p) { return contains(shape, p); });
}

Result<std::vector<std::string>> leave_out_unknown_buildings(Property& property, const Grid<float>& heights) {
  std::vector<std::string> warnings;
  std::vector<Building> known;
  for (Building& building : property.buildings) {
    const Completeness complete = completeness(building, heights);
    const bool house = &building == &property.buildings.front();
    if (complete == Completeness::unknown && house)
      return fail(FailureKind::no_roof, "Von dem Gebäude an dieser Adresse " +
                                            what_is_missing(building, heights) +
                                            "; eine Auswertung wäre nicht verlässlich.");
    if (complete == Completeness::unknown) {
      warnings.push_back("Von einem Nebengebäude " + what_is_missing(building, heights) +
                         "; es ist nicht ausgewertet.");
      continue;
    }
    known.push_back(std::move(building));
    if (complete == Completeness::incomplete)
      warnings.push_back("Zu " + of_building(known.back(), heights) + " von Gebäude " +
                         std::to_string(known.size()) +
                         " liegen keine Höhendaten vor; Flächen dort fehlen oder sind unvollständig.");
  }
  property.buildings = std::move(known);
  return warnings;
}

std::vector<std::string> unknown_shade_warnings(const Site& site) {
  std::vector<std::string> warnings;
  const std::string near = unknown_directions(site.surroundings, site.frame, kNear_m, kMostUnknownNear);
  if (!near.empty())
    warnings.push_back(near +
                       " liegen in der Nähe nur zum Teil Höhendaten vor; Schatten von dort kann fehlen.");
  if (!site.relief) {
    warnings.push_back(site.relief_contradiction.value_or(
        "Der Fernhorizont ist nicht berücksichtigt; es liegt kein Relief vor."));
    return warnings;
  }
  const std::string far =
      unknown_directions(site.relief->cells->heights, site.relief->frame, 1000.0 * kFar_km, kMostUnknownFar);
  if (!far.empty())
    warnings.push_back(far + " reicht das Relief keine " + std::to_string(kFar_km) +
                       " km weit; was dahinter aufragt, fehlt im Fernhorizont.");
  return warnings;
}

std::string no_building_text(const Grid<float>& heights, Point address) {
  const Box nearby = bounding_box({address}).grown(kNearby_m);
  return share_unknown(nearby, heights, [](Point) { return true; }) > kTooMuch
             ? "An dieser Adresse fehlen Höhendaten; ein Gebäude ist darin nicht zu erkennen."
             : "An dieser Adresse wurde kein Gebäude gefunden.";
}

}  // namespace geo
