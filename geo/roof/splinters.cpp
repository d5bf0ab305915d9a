#include "geo/roof/splinters.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "geo/roof/roughness.hpp"
#include "geo/roof/shapes.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace geo {
namespace {

constexpr double kSmall_m2 = 11;      // in plan; all of the crowns that were found as roofs are smaller
constexpr double kHouse = 4;          // of the small surface's area, at least
constexpr double kOdds = 100;         // against a crown
constexpr double kMostOutside = 0.4;  // of its area
constexpr double kTouching_m = 0.3;

/// Beyond a gap a plane that goes on meets crowns and hedges by accident: a small piece apart from its
/// plane's largest is no roof. (Of those in the sample regions five in six were wrong.)
void remove_pieces_apart(std::vector<RoofSurface>& surfaces) {
  constexpr double kSmallestApart_m2 = 10;
  std::map<int, double> largest_m2;
  for (const RoofSurface& s : surfaces)
    largest_m2[s.segment] = std::max(largest_m2[s.segment], area(s.outline));
  std::erase_if(surfaces, [&](const RoofSurface& s) {
    return area(s.outline) < std::min(kSmallestApart_m2, largest_m2[s.segment]);
  });
}

/// The surfaces that make the house, all large, and the directions it is built in: those of the largest one's
/// fall line.
struct House {
  std::vector<const RoofSurface*> surfaces;
  double area_m2 = 0;
  Point along{1, 0};
};

House house_of(const RoofSegmentation& roof, const std::vector<RoofSurface>& surfaces) {
  House house;
  double largest_m2 = 0;
  for (const RoofSurface& s : surfaces) {
    const double own_m2 = area(s.outline);
    if (own_m2 < kSmall_m2) continue;
    house.surfaces.push_back(&s);
    house.area_m2 += own_m2;
    if (own_m2 <= largest_m2) continue;
    largest_m2 = own_m2;
    const Plane& plane = roof.segments[static_cast<std::size_t>(s.segment)].fit.plane;
    const Point fall{plane.gx, plane.gy};
    house.along = length(fall) > 0 ? fall * (1 / length(fall)) : Point{1, 0};
  }
  return house;
}

/// The rectangle around a house.
Polygon rectangle_around(const House& house) {
  const Point u = house.along, v{-u.y, u.x};
  double u0 = 1e300, u1 = -1e300, v0 = 1e300, v1 = -1e300;
  for (const RoofSurface* s : house.surfaces)
    for (Point p : s->outline.outer) {
      u0 = std::min(u0, dot(u, p)), u1 = std::max(u1, dot(u, p));
      v0 = std::min(v0, dot(v, p)), v1 = std::max(v1, dot(v, p));
    }
  return {{u * u0 + v * v0, u * u1 + v * v0, u * u1 + v * v1, u * u0 + v * v1}, {}};
}

double share_outside(const Polygon& outline, const Polygon& rectangle) {
  double inside_m2 = 0;
  for (const Polygon& part : intersection(outline, rectangle)) inside_m2 += area(part);
  return 1 - inside_m2 / area(outline);
}

struct Outgrowth {
  const RoofSurface* surface;
  double log_odds;  // that it is a roof
};

/// The small surfaces that stand out of the rectangle around their house.
std::vector<Outgrowth> outgrowths_of(const RoofSite& site, const RoofSegmentation& roof,
                                     const std::vector<RoofSurface>& surfaces) {
  const House house = house_of(roof, surfaces);
  if (house.surfaces.empty()) return {};
  const Polygon rectangle = rectangle_around(house);
  std::vector<Outgrowth> out;
  for (const RoofSurface& s : surfaces) {
    const double own_m2 = area(s.outline);
    if (own_m2 < kSmall_m2 && house.area_m2 > kHouse * own_m2 &&
        share_outside(s.outline, rectangle) > kMostOutside)
      out.push_back({&s, log_odds_of_roof(site, roof, s.segment)});
  }
  return out;
}

/// An outgrowth is a porch at times and a crown beside the house as often (in the sample regions a third was
/// roof): its cells must rule out the crown. Those that touch, the halves of a garage, speak for each other.
std::vector<RoofSurface> without_crowns(const std::vector<RoofSurface>& surfaces,
                                        const std::vector<Outgrowth>& outgrowths) {
  const auto is_crown = [&](const RoofSurface& s) {
    double together = 0;
    bool is_outgrowth = false;
    for (const Outgrowth& o : outgrowths) {
      is_outgrowth |= o.surface == &s;
      if (distance_m(o.surface->outline, s.outline) < kTouching_m) together += o.log_odds;
    }
    return is_outgrowth && together < std::log(kOdds);
  };
  std::vector<RoofSurface> kept;
  for (const RoofSurface& s : surfaces)
    if (!is_crown(s)) kept.push_back(s);
  return kept;
}

}  // namespace

void remove_splinters(const RoofSite& site, const RoofSegmentation& roof,
                      std::vector<RoofSurface>& surfaces) {
  remove_pieces_apart(surfaces);
  surfaces = without_crowns(surfaces, outgrowths_of(site, roof, surfaces));
}

}  // namespace geo
