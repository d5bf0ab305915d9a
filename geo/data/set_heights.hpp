// The heights of one data set in a window, from one file or from the tiles of an index.
#pragma once
#include <optional>
#include <vector>

#include "geo/data/catalogue.hpp"
#include "geo/data/file_state.hpp"
#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/box.hpp"

namespace geo {

/// Tiles of one window at most. A relief of 60 km has a dozen of 20 km; of 1 km it would have thousands, each
/// with an opening of its own.
inline constexpr std::size_t kMostTiles = 400;

struct SetHeights {
  Grid<float> heights;     ///< empty: the set has none there
  std::vector<int> years;  ///< of the files that gave them, each once; that of the window's middle first
  std::vector<std::optional<FileState>> tiles{};  ///< whose cells were read; none where nobody tells it
};

/// Cells that touch `window`, in the set's system, grown by so many metres; cells finer than `smallest_m` are
/// averaged to that size. Tiles are joined before anything is interpolated, the newest on top; what is nodata
/// in one comes from the next. A tile that is not here is a gap, unless the set is read at the office. Fails
/// as reading does.
Result<SetHeights> heights_of(const DataSet& set, const Box& window, double grown_m, double smallest_m,
                              const RunControl& control);

}  // namespace geo
