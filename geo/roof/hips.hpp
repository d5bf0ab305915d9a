// Hips and half-hips too small to be seen as planes by themselves: at an end of a ridge the roof may fall
// along the ridge. What the cells there would cost with such a plane, the roof being the lowest of the three,
// is compared with what they cost without (a parametric primitive, in the manner of Maas & Vosselman 1999).
// Local metres.
#pragma once
#include "geo/roof/segments.hpp"

namespace geo {

/// Adds a segment for each hip found; its cells leave the segments that held them.
void add_hips(RoofSegmentation& segmentation, const RunControl& control);

}  // namespace geo
