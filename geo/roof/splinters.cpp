#include "geo/roof/splinters.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "geo/roof/leaves.hpp"
#include "geo/roof/roughness.hpp"
#include "geo/shapes/plane_geometry.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace geo {
namespace {

constexpr double kSmall_m2 = 11;  // in plan
constexpr double kHouse = 4;      // how much larger the rest of the house is, at least
constexpr double kOddsAgainstCrown = 100, kOddsAboveLeaves = 1000;  // against a crown
constexpr double kMostOutside = 0.4;                                // of its area
constexpr double kTouching_m = 0.3;

/// A plane that goes on beyond a gap meets crowns and hedges by accident, so a small piece apart from its
/// plane's largest is not roof (in the sample regions true of five in six).
void remove_pieces_apart(std::vector<SegmentOutline>& surfaces) {
  constexpr double kSmallestApart_m2 = 10;
  std::map<int, double> largest_m2;
  for (const SegmentOutline& s : surfaces)
    largest_m2[s.segment] = std::max(largest_m2[s.segment], area(s.outline));
  std::erase_if(surfaces, [&](const SegmentOutline& s) {
    return area(s.outline) < std::min(kSmallestApart_m2, largest_m2[s.segment]);
  });
}

/// The large surfaces of a house, and the directions it is built in: those of the largest one's fall line.
struct House {
  std::vector<const SegmentOutline*> surfaces;
  double area_m2 = 0;  ///< of all its surfaces
  Point along{1, 0};
};

House house_of(const RoofSegmentation& roof, const std::vector<SegmentOutline>& surfaces) {
  House house;
  double largest_m2 = 0;
  for (const SegmentOutline& s : surfaces) {
    const double own_m2 = area(s.outline);
    house.area_m2 += own_m2;
    if (own_m2 < kSmall_m2) continue;
    house.surfaces.push_back(&s);
    if (own_m2 <= largest_m2) continue;
    largest_m2 = own_m2;
    const Plane& plane = roof.segments[static_cast<std::size_t>(s.segment)].fit.plane;
    const Point fall{plane.gx, plane.gy};
    house.along = length(fall) > 0 ? fall * (1 / length(fall)) : Point{1, 0};
  }
  return house;
}

Polygon rectangle_around(const House& house) {
  const Point u = house.along, v{-u.y, u.x};
  double u0 = 1e300, u1 = -1e300, v0 = 1e300, v1 = -1e300;
  for (const SegmentOutline* s : house.surfaces)
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

/// A surface much smaller than the rest of its house, and what tells it from a crown beside it.
struct SmallSurface {
  const SegmentOutline* surface;
  RoofOdds odds;
  bool stands_out;  // sticks out of the rectangle around the house
};

std::vector<SmallSurface> small_surfaces(const RoofSite& site, const RoofSegmentation& roof,
                                         const std::vector<SegmentOutline>& surfaces) {
  const House house = house_of(roof, surfaces);
  if (house.surfaces.empty()) return {};
  const Polygon rectangle = rectangle_around(house);
  const Grid<char> leaves = leaf_cells(site, roof);
  std::vector<SmallSurface> out;
  for (const SegmentOutline& s : surfaces) {
    const double own_m2 = area(s.outline);
    if (house.area_m2 - own_m2 > kHouse * own_m2)
      out.push_back({&s, roof_odds(roof, s.segment, leaves, site.height),
                     own_m2 < kSmall_m2 && share_outside(s.outline, rectangle) > kMostOutside});
  }
  return out;
}

/// What sticks out of its house may be a porch or a crown (in the sample regions a third was roof), so its
/// cells must rule out the crown. Surfaces that touch, such as the halves of a garage, support each other.
bool is_outgrown_crown(const SmallSurface& small, const std::vector<SmallSurface>& all) {
  if (!small.stands_out) return false;
  double together = 0;
  for (const SmallSurface& o : all)
    if (o.stands_out && distance_m(o.surface->outline, small.surface->outline) < kTouching_m)
      together += o.odds.log_odds;
  return together < std::log(kOddsAgainstCrown);
}

/// No leaves are seen below a roof, and a few cells above leaves can be even by chance (in the sample regions
/// one in six of such surfaces was roof).
bool is_crowns_skin(const SmallSurface& small) {
  return small.odds.leaves_below > 0 && small.odds.log_odds < std::log(kOddsAboveLeaves);
}

void remove_crowns(const RoofSite& site, const RoofSegmentation& roof,
                   std::vector<SegmentOutline>& surfaces) {
  const std::vector<SmallSurface> all = small_surfaces(site, roof, surfaces);
  std::vector<const SegmentOutline*> crowns;
  for (const SmallSurface& s : all)
    if (is_outgrown_crown(s, all) || is_crowns_skin(s)) crowns.push_back(s.surface);
  std::vector<SegmentOutline> kept;
  for (const SegmentOutline& s : surfaces)
    if (std::find(crowns.begin(), crowns.end(), &s) == crowns.end()) kept.push_back(s);
  surfaces = std::move(kept);
}

}  // namespace

void remove_splinters(const RoofSite& site, const RoofSegmentation& roof,
                      std::vector<SegmentOutline>& surfaces) {
  remove_pieces_apart(surfaces);
  remove_crowns(site, roof, surfaces);
}

}  // namespace geo
