// The edges of hips too small to have a usable contour: each begins where the hip and the two halves of its
// gable meet in one point, and falls from there to the hip's eave. Local metres.
#pragma once
#include <utility>
#include <vector>

#include "geo/roof/roof_line.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// The two edges in which a hip meets the gable's halves, from the point where all three meet; none when it
/// does not meet both. They end at the eaves among `lines`, or where the hip's cells end.
std::vector<RoofLine> hip_edges(const RoofSegmentation& roof, const RoofSegment& hip,
                                const std::vector<RoofLine>& lines);

/// A gable's ridge ends where a hip cuts it off: beyond that point it would cut the hip in two. `gable`: its
/// two segments, the lower index first.
void end_at_hips(const RoofSegmentation& roof, const std::pair<int, int>& gable, RoofLine& ridge);

/// A hip's eave reaches as far as its edges: the hip may have cells in the middle only.
void reach_edges(RoofLine& eave, const std::vector<RoofLine>& edges);

}  // namespace geo
