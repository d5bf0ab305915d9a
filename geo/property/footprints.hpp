// One footprint for each building. Data sets may draw a building more than once: two data sets draw it half a
// metre apart, or one holds both a building and its parts, or both a block and its houses. Map metres.
#pragma once
#include <vector>

#include "geo/run_control.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

/// Footprints of which no two overlap and which cover the buildings that the given ones do:
/// - where two share most of the larger one's area, the first counts: surveys differ by half a metre;
/// - where two share most of the smaller one's area, they are one building, their union;
/// - one that holds the houses of several addresses is the outline of a block: the houses count, and of the
///   block only what they leave;
/// - what two still share stays with the smaller one.
/// A footprint that overlaps no other stays as it is; slivers are dropped. The order is that of each
/// building's first footprint.
std::vector<Polygon> one_footprint_a_building(const std::vector<Polygon>& drawn,
                                              const std::vector<Point>& addresses, const RunControl& control);

}  // namespace geo
