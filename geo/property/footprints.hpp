// One footprint a building. Data sets draw a building more than once: two of them do, shifted by half a
// metre, or one holds a building and its parts, or a block and its houses. Map metres.
#pragma once
#include <vector>

#include "geo/run_control.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

/// Footprints of which no two overlap and which cover the buildings that the given ones do:
/// - of those that share most of the larger one's area the first counts: surveys differ by half a metre;
/// - those that share most of the smaller one's area are one building, their union;
/// - one that holds the houses of several addresses is the outline of a block: the houses count, and of the
///   block what they leave;
/// - what two still share stays with the smaller one.
/// One that overlaps no other comes as it is; one that is only a sliver is no building. The order is that of
/// each building's first footprint.
std::vector<Polygon> one_footprint_a_building(const std::vector<Polygon>& drawn,
                                              const std::vector<Point>& addresses, const RunControl& control);

}  // namespace geo
