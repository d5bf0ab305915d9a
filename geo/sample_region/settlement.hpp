// The sample settlement as a plain value: what stands where, with the exact geometry. Region metres (true
// east and north of the place), heights in metres; nothing here knows a coordinate system.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "geo/sample_region/body.hpp"
#include "geo/sample_region/hills.hpp"
#include "geo/sample_region/place_names.hpp"
#include "geo/sample_region/roof_shapes.hpp"
#include "geo/sample_region/street_plan.hpp"
#include "geo/sample_region/vegetation.hpp"

namespace geo::sample {

enum class BuildingUse { house, row_house, garage };
const char* name_of(BuildingUse use);

struct Address {
  std::string street;
  std::string number;
  Point at;  ///< on its building
  int building = 0;
};

struct SampleBuilding {
  BuildingUse use = BuildingUse::house;
  RoofKind roof = RoofKind::gable;
  Polygon walls;
  int cluster = 0;
  int parcel = 0;
  int address = -1;  ///< -1: none (an outbuilding)
  bool main() const { return use != BuildingUse::garage; }
};

struct Parcel {
  std::string number;
  Polygon outline;
};

struct Settlement {
  std::vector<Cluster> clusters;
  std::vector<SampleBuilding> buildings;  ///< Body::building is an index into these
  std::vector<Address> addresses;
  std::vector<Parcel> parcels;
  std::vector<Ring> roads;      ///< asphalt
  std::vector<Ring> pavements;  ///< beside and under the roads
  std::vector<Ring> paving;     ///< drives and terraces
  std::vector<Ring> pools;
  std::vector<Tree> trees;
  std::vector<Hedge> hedges;
};

/// Streets, parcels and houses: exactly `addresses` main buildings (settlement.cpp), then gardens
/// (planting.cpp).
Settlement build_settlement(std::uint32_t seed, int addresses, const PlaceNames& names,
                            const Terrain& terrain);
void plant(Settlement& settlement, std::uint32_t seed, const Terrain& terrain);

}  // namespace geo::sample
