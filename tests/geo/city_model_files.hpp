// Two houses as surveying offices ship their building models, in each of the formats and dialects: the one
// with a gable, the other of two parts, a higher gable and a flat roof around a court.
#pragma once
#include <string>
#include <vector>

#include "geo/roof/fit.hpp"

namespace test {

/// Rings run counter-clockwise seen from outside, holes the other way, as the standards ask.
struct DrawnFace {
  std::string kind;  ///< RoofSurface, GroundSurface, WallSurface
  std::vector<std::vector<geo::HeightPoint>> rings;
};
struct DrawnPart {
  std::vector<DrawnFace> faces;
};
struct DrawnHouse {
  std::string id;
  std::vector<DrawnPart> parts;  ///< one: the building itself
};

/// In EPSG:25832, on its middle meridian.
std::vector<DrawnHouse> two_houses();

struct CityJsonForm {
  std::string version = "2.0";
  std::string system = "https://www.opengis.net/def/crs/EPSG/0/25832";
  bool sequence = false;
  bool semantics = true;
};
/// As 3DBAG: parts of each building, a footprint (LoD0) and a block (LoD1.2) beside the roofs (LoD2.2).
/// Version 1.0 as converters write it: metres, and no parts where a building has one.
std::string city_json(const std::vector<DrawnHouse>& houses, const CityJsonForm& form = {});

struct CityGmlForm {
  std::string version = "1.0";
  std::string prefix = "core:";  ///< or empty: the default namespace
  std::string system = "urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH";
  bool system_on_surfaces = false;  ///< on each gml:MultiSurface or gml:Solid, not on the model's envelope
  bool single_positions = false;    ///< gml:pos
  bool semantics = true;            ///< false: solids alone, of faces without names
  bool linked_surfaces = false;     ///< the solid has the polygons, the surfaces link to them
};
/// As the offices of the German states, unless the form says otherwise.
std::string city_gml(const std::vector<DrawnHouse>& houses, const CityGmlForm& form = {});

/// Layers roofs and grounds, as in the shared models.
void write_city_geopackage(const std::vector<DrawnHouse>& houses, const std::string& path);

}  // namespace test
