// Gathers the surfaces of a city model, in whichever format an office ships it, into truth for surveys.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/geo/accuracy_models.hpp"
#include "geo/failure.hpp"
#include "geo/roof/fit.hpp"

namespace bench {

/// What a surface is to a survey from above.
enum class CitySurface { roof, ground, wall };

/// By the names that CityGML and CityJSON share. None for what is none of the three: closures, ceilings,
/// windows. A terrace (OuterFloorSurface) is a roof to a laser.
std::optional<CitySurface> city_surface_called(std::string_view name);

using CityRing = std::vector<geo::HeightPoint>;  ///< not closed

/// Flat, somewhere in space.
struct CityPolygon {
  std::vector<CityRing> rings;  ///< the outer one first
};

/// "FILE: why", the one sentence that a file ends with that cannot be read.
tl::unexpected<geo::Failure> city_refusal(const std::string& path, const std::string& why);

class CityModelBuilder {
 public:
  /// The number of the building, which is there from now on, whether or not a surface of it can be used.
  int building(const std::string& id);

  /// A roof without a plane over the ground (a wall's) and a shape without an area are dropped.
  void add(int building, CitySurface surface, const CityPolygon& polygon);

  /// A solid of which nobody says what is roof: what of it looks up is (city_solid.hpp). Its lowest corner is
  /// the ground below each of these faces.
  void add_solid(int building, const std::vector<CityPolygon>& shell);

  /// Without the buildings that have no roof or stand on nothing. invalid_input when none is left.
  geo::Result<BuildingModel> finished(const std::string& path, const std::string& crs_wkt);

 private:
  void stand_on_walls();
  void leave_out_incomplete();
  BuildingModel model_;
  std::map<std::string, int> numbers_;
  std::map<int, double> lowest_wall_m_;  ///< by building
};

}  // namespace bench
