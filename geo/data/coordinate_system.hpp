// What the code asks of coordinate systems, as WKT or whatever OGR understands.
#pragma once
#include <string>

#include "geo/failure.hpp"
#include "geo/shapes/shapes.hpp"

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

/// Whether positions mean the same in both.
bool same_positions(const std::string& a, const std::string& b);

/// Where a run works when its surface model has degrees or feet: the place's UTM zone (ETRS89), as WKT.
std::string local_system(LonLat place);

}  // namespace geo
