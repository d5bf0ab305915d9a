#include "geo/property/parcel_buildings.hpp"

#include "geo/shapes/shape_algebra.hpp"

namespace geo {
namespace {

constexpr double kWholeShare = 0.9;  // share on the parcel from which the footprint stays as it is
constexpr double kMostlyShare = 0.5;
constexpr double kSmallestPartHere_m2 = 4;      // of a building that stands mostly here
constexpr double kSmallestPartOfOther_m2 = 25;  // of one that stands mostly elsewhere
constexpr double kNarrowestPart_m = 2;          // a neighbour's wall drawn askew is a long sliver

void append_on_parcel(const Polygon& parcel, const Polygon& footprint, std::vector<Polygon>& out) {
  const double whole_m2 = area_m2(footprint);
  std::vector<Polygon> parts = intersection(footprint, parcel);
  double inside_m2 = 0;
  for (const Polygon& part : parts) inside_m2 += area_m2(part);
  if (inside_m2 >= kWholeShare * whole_m2) return out.push_back(footprint);
  const double smallest_m2 =
      inside_m2 >= kMostlyShare * whole_m2 ? kSmallestPartHere_m2 : kSmallestPartOfOther_m2;
  for (Polygon& part : parts)
    if (area_m2(part) >= smallest_m2 && mean_width_m(part) >= kNarrowestPart_m)
      out.push_back(std::move(part));
}

}  // namespace

std::vector<Polygon> buildings_on(const Polygon& parcel, const std::vector<Polygon>& footprints,
                                  const RunControl& control) {
  std::vector<Polygon> out;
  for (const Polygon& footprint : footprints) {
    control.checkpoint();
    append_on_parcel(parcel, footprint, out);
  }
  return out;
}

}  // namespace geo
