// The strip below a map: a scale bar with metres on the left, the north arrow on the right. Pixels.
#pragma once
#include "geo/drawing/map_view.hpp"

namespace geo {

struct TypeScale;

/// A round length (1, 2 or 5 times a power of ten) that is no wider than `most_px`.
double round_length_m(double px_per_m, double most_px);

/// Returns the strip's height.
double draw_map_margin(SvgElement& parent, const MapView& view, const TypeScale& type);

}  // namespace geo
