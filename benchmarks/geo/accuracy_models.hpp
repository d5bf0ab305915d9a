// Building models that others made (LoD2), as truth for surveys of real roofs.
#pragma once
#include <string>
#include <vector>

#include "benchmarks/geo/accuracy_scene.hpp"
#include "geo/failure.hpp"
#include "geo/shapes/box.hpp"
#include "geo/shapes/plane.hpp"
#include "geo/shapes/shapes.hpp"

namespace bench {

/// One plane of a roof, map metres.
struct ModelFace {
  geo::Polygon outline;
  geo::Plane plane;
  int building = 0;
};

/// What a building stands on.
struct ModelGround {
  geo::Polygon outline;
  double height_m = 0;
  int building = 0;
};

struct BuildingModel {
  std::string name;  ///< the file's, without its endings
  std::string crs_wkt;
  std::vector<ModelFace> faces;
  std::vector<ModelGround> grounds;
  int left_out = 0;  ///< buildings of the file without a roof or without anything they stand on
};

/// A GeoPackage (city_geopackage.hpp), CityJSON (city_json.hpp) or CityGML (city_gml.hpp), told by its
/// content, or one of these two packed by gzip. What cannot be read is said in one sentence with the file's
/// name.
geo::Result<BuildingModel> read_building_model(const std::string& path);

/// The model turned about its middle, counter-clockwise: a survey's grid then lies askew to its streets.
BuildingModel turned(BuildingModel model, double degrees);

/// The buildings whose grounds lie within the box: a part of a model.
BuildingModel within(const BuildingModel& model, const geo::Box& box);

/// The buildings that stand on at most `most_m2`. Two halls would hold a quarter of an old town's surfaces.
BuildingModel up_to(const BuildingModel& model, double most_m2);

/// The surfaces to be found. Touching faces within a degree and 10 cm of one plane are one surface, across
/// buildings only where `across_buildings`: without footprints nobody sees where in an even roof one house
/// ends.
std::vector<TruePlane> true_surfaces(const BuildingModel& model, bool across_buildings,
                                     const geo::PlaceFrame& frame);

}  // namespace bench
