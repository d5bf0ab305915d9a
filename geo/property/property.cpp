#include "geo/property/property.hpp"

#include <algorithm>

#include "geo/property/building_outlines.hpp"
#include "geo/property/footprints.hpp"
#include "geo/property/parcel_buildings.hpp"
#include "geo/shapes/box.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace geo {
namespace {

constexpr double kNearby_m = 25;             // from the address point to its building
constexpr double kOutbuilding_m = 15;        // from the building to its outbuildings
constexpr double kGarages_m = 50;            // around the address: the first search for garages
constexpr double kWallToWall_m = 0.7;        // between outlines read from cells of a metre
constexpr double kHouse_m2 = 40;             // a smaller one may be a garage in front of the house
constexpr double kOutbuildingAlone_m2 = 60;  // where no neighbour's address tells houses from outbuildings

using Index = std::size_t;

/// The shape nearest to `p` within 25 m, of those with at least `smallest_m2`.
std::optional<Index> nearest(const std::vector<Polygon>& shapes, Point p, double smallest_m2) {
  std::optional<Index> best;
  double best_m = kNearby_m;
  for (Index i = 0; i < shapes.size(); ++i) {
    const double d = distance_m(shapes[i], p);
    if (d > best_m || (best && d == best_m) || area_m2(shapes[i]) < smallest_m2) continue;
    best = i;
    best_m = d;
  }
  return best;
}

/// The shape that holds the point, else the nearest house, else the nearest shape of any size.
std::optional<Index> building_at(const std::vector<Polygon>& shapes, Point p) {
  for (Index i = 0; i < shapes.size(); ++i)
    if (holds(shapes[i], p)) return i;
  const auto house = nearest(shapes, p, kHouse_m2);
  return house ? house : nearest(shapes, p, 0);
}

/// The smallest of the parcels that hold the point: a parcel may lie in a hole of another, and the hole may
/// be badly cut out.
std::optional<Polygon> parcel_at(const std::vector<Polygon>& parcels, Point p) {
  const Polygon* best = nullptr;
  for (const Polygon& parcel : parcels)
    if (holds(parcel, p) && (best == nullptr || area_m2(parcel) < area_m2(*best))) best = &parcel;
  return best ? std::optional(*best) : std::nullopt;
}

/// The parcel that carries the largest part of a building.
std::optional<Polygon> parcel_under(const std::vector<Polygon>& parcels, const Polygon& building) {
  const Polygon* best = nullptr;
  double best_m2 = 0;
  for (const Polygon& parcel : parcels) {
    double shared_m2 = 0;
    for (const Polygon& part : intersection(parcel, building)) shared_m2 += area_m2(part);
    if (shared_m2 <= best_m2) continue;
    best = &parcel;
    best_m2 = shared_m2;
  }
  return best ? std::optional(*best) : std::nullopt;
}

/// The parcel and what stands on it. The point may lie in the street, which is a parcel of its own: then the
/// building next to it says which parcel is meant.
struct Plot {
  std::optional<Polygon> parcel;
  std::vector<Polygon> buildings;
};

Plot plot_of(const PropertyInput& input, const std::vector<Polygon>& shapes, const RunControl& control) {
  if (auto parcel = parcel_at(input.parcels, input.address)) {
    auto buildings = buildings_on(*parcel, shapes, control);
    if (!buildings.empty()) return {std::move(parcel), std::move(buildings)};
  }
  const auto neighbour = building_at(shapes, input.address);
  if (!neighbour) return {};
  auto parcel = parcel_under(input.parcels, shapes[*neighbour]);
  if (!parcel) return {};
  auto buildings = buildings_on(*parcel, shapes, control);
  return {std::move(parcel), std::move(buildings)};
}

/// Footprints that are the house of another address: the one that holds its point, else the nearest.
std::vector<bool> houses_of_others(const std::vector<Polygon>& footprints,
                                   const std::vector<Point>& addresses, const RunControl& control) {
  std::vector<bool> claimed(footprints.size(), false);
  for (const Point& address : addresses) {
    control.checkpoint();
    if (const auto house = building_at(footprints, address)) claimed[*house] = true;
  }
  return claimed;
}

/// Garages and sheds within 15 m of the house that are no other address's house and not nearer to one.
std::vector<Polygon> with_outbuildings(Index house, const PropertyInput& input, const RunControl& control) {
  const std::vector<Polygon>& all = input.footprints;
  const auto claimed = houses_of_others(all, input.other_addresses, control);
  std::vector<Polygon> out{all[house]};
  for (Index i = 0; i < all.size(); ++i) {
    control.checkpoint();
    if (i == house || claimed[i]) continue;
    const double to_house_m = distance_m(all[house], all[i]);
    if (to_house_m > kOutbuilding_m) continue;
    if (input.other_addresses.empty() && area_m2(all[i]) > kOutbuildingAlone_m2) continue;
    bool nearer_to_another = false;
    for (Index other = 0; other < all.size() && !nearer_to_another; ++other)
      nearer_to_another = other != house && claimed[other] && distance_m(all[other], all[i]) <= to_house_m;
    if (!nearer_to_another) out.push_back(all[i]);
  }
  return out;
}

/// For outlines read from the heights: the house and what stands wall to wall with it, mainly garages.
std::vector<Polygon> block_of(Index house, const std::vector<Polygon>& shapes, const RunControl& control) {
  std::vector<Index> block{house};
  std::vector<bool> taken(shapes.size(), false);
  taken[house] = true;
  for (Index next = 0; next < block.size(); ++next)
    for (Index i = 0; i < shapes.size(); ++i) {
      control.checkpoint();
      if (taken[i] || distance_m(shapes[block[next]], shapes[i]) > kWallToWall_m) continue;
      taken[i] = true;
      block.push_back(i);
    }
  std::vector<Polygon> out;
  for (Index i : block) out.push_back(shapes[i]);
  return out;
}

/// The house first, the others by their distance from the point.
std::vector<Building> as_buildings(std::vector<Polygon> shapes, Point address, bool from_footprints,
                                   const std::optional<Polygon>& parcel) {
  std::stable_sort(shapes.begin(), shapes.end(), [&](const Polygon& a, const Polygon& b) {
    return distance_m(a, address) < distance_m(b, address);
  });
  if (const auto house = building_at(shapes, address))
    std::rotate(shapes.begin(), shapes.begin() + static_cast<std::ptrdiff_t>(*house),
                shapes.begin() + static_cast<std::ptrdiff_t>(*house) + 1);
  std::vector<Building> out;
  for (Polygon& shape : shapes)
    out.push_back({.footprint = std::move(shape), .from_footprints = from_footprints, .parcel = parcel});
  return out;
}

Property property_among(const std::vector<Polygon>& shapes, const PropertyInput& input,
                        const RunControl& control) {
  const bool from_footprints = !input.footprints.empty();
  if (Plot plot = plot_of(input, shapes, control); !plot.buildings.empty())
    return Property{as_buildings(std::move(plot.buildings), input.address, from_footprints, plot.parcel),
                    plot.parcel};
  const auto house = building_at(shapes, input.address);
  if (!house) return Property{};
  return Property{.buildings = as_buildings(from_footprints ? with_outbuildings(*house, input, control)
                                                            : block_of(*house, shapes, control),
                                            input.address, from_footprints, {})};
}

/// `garages`: the area to search for garages.
Result<Property> property_from_heights(const PropertyInput& input, const Box& garages, RectangleFits& fits,
                                       const RunControl& control) {
  const auto outlines = building_outlines(input.dsm, input.terrain, garages, fits, control);
  if (!outlines) return tl::make_unexpected(outlines.error());
  std::vector<Polygon> shapes;
  for (const BuildingOutline& outline : *outlines) shapes.push_back(outline.shape);
  Property property = property_among(shapes, input, control);
  for (Building& building : property.buildings)  // a rectangle cut by a parcel's border is none
    building.rectangle = std::any_of(outlines->begin(), outlines->end(), [&](const BuildingOutline& o) {
      return o.rectangle && o.shape == building.footprint;
    });
  return property;
}

/// The area where a garage may belong to this property.
Box reach_of(const Property& property) {
  Box reach;
  for (const Building& building : property.buildings)
    reach = reach.united(bounding_box(building.footprint.outer).grown(kOutbuilding_m));
  return property.parcel ? reach.united(bounding_box(property.parcel->outer)) : reach;
}

}  // namespace

Result<Property> find_property(const PropertyInput& input, const RunControl& control) {
  if (!input.footprints.empty()) {
    std::vector<Point> addresses = input.other_addresses;
    addresses.push_back(input.address);
    PropertyInput distinct = input;
    distinct.footprints = one_footprint_a_building(input.footprints, addresses, control);
    return property_among(distinct.footprints, distinct, control);
  }
  const Box near = bounding_box({input.address}).grown(kGarages_m);
  RectangleFits fits;
  auto property = property_from_heights(input, near, fits, control);
  if (!property) return property;
  const Box reach = near.united(reach_of(*property));
  return reach == near ? property : property_from_heights(input, reach, fits, control);
}

}  // namespace geo
