// Which buildings belong to the property of an address. The parcel decides; without parcels the footprint at
// the address and its outbuildings; without footprints the group of cells there that looks like a building.
// An address point may lie on the roof, at the entrance or in the street. Map metres.
#pragma once
#include <optional>
#include <vector>

#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/property/building.hpp"
#include "geo/run_control.hpp"

namespace geo {

/// What is known about the surroundings; an empty list means that there is no data.
struct PropertyInput {
  const Grid<float>& dsm;
  const Grid<float>& terrain;
  Point address;
  std::vector<Polygon> parcels = {};
  std::vector<Polygon> footprints = {};
  std::vector<Point> other_addresses = {};  ///< of the neighbours
};

struct Property {
  std::vector<Building> buildings;  ///< the one at the address first; empty: there is none
  std::optional<Polygon> parcel;
};

Result<Property> find_property(const PropertyInput& input, const RunControl& control);

}  // namespace geo
