// What the code asks of coordinate systems, as WKT or whatever OGR understands. Reading a system and finding
// the way from one to another takes PROJ milliseconds, so each thread keeps those that it has used last.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "geo/failure.hpp"
#include "geo/shapes/box.hpp"
#include "geo/shapes/shapes.hpp"

class OGRCoordinateTransformation;
class OGRSpatialReference;

namespace geo {

/// A data set's system, apart from that of its heights: positions are compared and transformed without
/// heights.
struct CoordinateSystem {
  std::string wkt;             ///< of the positions alone
  std::string heights;         ///< name of the heights' system; empty: not stated
  double height_unit_m = 1;    ///< of the heights' system
  bool in_map_metres = false;  ///< projected, in metres: a run can work in it
};

/// invalid_input for text that is not understood, and for a system that says nothing about the earth.
Result<CoordinateSystem> coordinate_system(const std::string& text);

/// A heights' system as it is compared: a catalogue's "DHHN2016", a file's "DHHN2016 height" and "EPSG:7837"
/// are one. Empty when the name says nothing: "", "unknown".
std::string comparable_height_system(const std::string& name);

std::string wkt_of(const OGRSpatialReference& system);

/// Whether the way from a system to WGS84 is known. Of a system on an old ellipsoid that does not say its
/// datum it is not: PROJ would take its places as they are, in Germany 140 m beside where they lie.
bool states_its_datum(const OGRSpatialReference& system);
inline constexpr const char* kNoDatum =
    "its coordinate reference system does not say its datum, so places would lie elsewhere; state it as "
    "\"crs\", such as EPSG:31468";

/// Lets go of what this thread keeps.
void forget_coordinate_systems();

/// False also for text that is not understood.
bool is_projected(const std::string& crs);

/// Whether positions mean the same in both.
bool same_positions(const std::string& a, const std::string& b);

/// Where a run works when its surface model has degrees or feet: the place's UTM zone (ETRS89), as WKT.
std::string local_system(LonLat place);

/// East before north, longitude before latitude. For the thread that has asked for it.
using TransformationHandle = std::shared_ptr<OGRCoordinateTransformation>;
/// From WGS84 (longitude, latitude) to a system; null for an unknown one.
TransformationHandle transformation_from_wgs84(const std::string& crs);
TransformationHandle transformation_to_wgs84(const std::string& crs);
/// Between two systems; null for an unknown one.
TransformationHandle transformation_between(const std::string& from, const std::string& to);
/// The box around a box in the other system; none where it has no place there.
std::optional<Box> transformed(const Box& box, OGRCoordinateTransformation& transformation);

}  // namespace geo
