// Numbers that stand for "no data" in rasters that do not say so: tools write 0, -99, or 8888 where they have
// nothing, and copy them from file to file.
#pragma once
#include "geo/grid/grid.hpp"

namespace geo {

/// Makes such cells NaN. Ground, walls and trees leave no gap between the heights of a window of hundreds of
/// metres; a single value far below all others, or whatever lies far above them, is none of a place. Metres.
/// What was averaged with its neighbours is not found.
void drop_fill_values(Grid<float>& heights);

}  // namespace geo
