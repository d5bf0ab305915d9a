#include "geo/data/set_heights.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "geo/data/gap_filling.hpp"
#include "geo/data/kept_open.hpp"
#include "geo/data/tile_index.hpp"
#include "geo/fetch/network.hpp"
#include "geo/grid/grid_window.hpp"

namespace geo {
namespace {

constexpr double kSameCell = 1e-3;  // of a cell: what programs make of the same edge

/// What to read, in units of the set's system.
struct Wanted {
  Box window;
  double smallest_cell;
};

Wanted wanted(const DataSet& set, const Box& window, double grown_m, double smallest_m) {
  const double units_per_m = set.cell / set.cell_m;
  return {window.grown(grown_m * units_per_m), smallest_m * units_per_m};
}

/// What fails before anything is read of it; nothing when all is well.
using Fits = std::function<Result<void>(const Raster&)>;

Result<Grid<float>> cells_of(const std::string& path, const std::string& crs, const Fits& fits,
                             const Wanted& what, const RunControl& control) {
  Grid<float> cells;
  const auto done = read_kept_raster(path, crs, [&](const Raster& raster) -> Result<void> {
    if (auto unfit = fits(raster); !unfit) return unfit;
    auto read = raster.read(what.window, what.smallest_cell, control);
    if (!read) return tl::make_unexpected(read.error());
    cells = std::move(*read);
    return {};
  });
  if (!done) return tl::make_unexpected(done.error());
  return cells;
}

/// Both boxes' edges, apart by so much at most.
bool same_box(const Box& a, const Box& b, double most) {
  return std::abs(a.min_x - b.min_x) <= most && std::abs(a.min_y - b.min_y) <= most &&
         std::abs(a.max_x - b.max_x) <= most && std::abs(a.max_y - b.max_y) <= most;
}

/// A window is made for what the catalogue has seen. In a file that lies otherwise it would be another place,
/// or the same with cells of another size.
tl::unexpected<Failure> changed(const DataSet& set) {
  return fail(FailureKind::data_unreachable,
              set.path + ": has changed its system, cells or extent: take it anew (roofd geodata reload)");
}

Result<SetHeights> of_file(const DataSet& set, const Box& window, double grown_m, double smallest_m,
                           const RunControl& control) {
  const auto fits = [&](const Raster& raster) -> Result<void> {
    const double most = kSameCell * set.cell;
    if (same_positions(raster.crs_wkt(), set.crs_wkt) && std::abs(raster.cell_m() - set.cell) <= most &&
        same_box(raster.bounds(), set.bounds, most))
      return {};
    return changed(set);
  };
  auto cells = cells_of(set.path, set.crs, fits, wanted(set, window, grown_m, smallest_m), control);
  if (!cells) return tl::make_unexpected(cells.error());
  SetHeights out{std::move(*cells), {}};
  if (set.year) out.years = {*set.year};
  return out;
}

Result<Grid<float>> cells_of_tile(const std::string& path, const Tile& tile, const DataSet& set,
                                  const Wanted& what, const RunControl& control) {
  const auto fits = [&](const Raster& raster) -> Result<void> {
    constexpr double kMostCells = 1.001;  // offices differ by half a cell in what they call a tile's edge
    if (same_box(raster.bounds(), tile.bounds, kMostCells * raster.cell_m())) return {};
    return fail(FailureKind::data_unreachable, path + ": lies elsewhere than " + set.path + " says");
  };
  return cells_of(path, set.crs.empty() ? set.crs_wkt : set.crs, fits, what, control);
}

Box common(const Box& a, const Box& b) {
  return {std::max(a.min_x, b.min_x), std::max(a.min_y, b.min_y), std::min(a.max_x, b.max_x),
          std::min(a.max_y, b.max_y)};
}

/// The years of tiles, each once.
class Years {
 public:
  /// Tiles come newest first, so the first that holds the middle is the one whose cell lies there.
  void add(int year, bool holds_middle) {
    const auto known = std::find(years_.begin(), years_.end(), year);
    if (holds_middle && !middle_known_) {
      if (known != years_.end()) years_.erase(known);
      years_.insert(years_.begin(), year);
      middle_known_ = true;
    } else if (known == years_.end()) {
      years_.push_back(year);
    }
  }
  std::vector<int> taken() { return std::move(years_); }

 private:
  std::vector<int> years_;
  bool middle_known_ = false;
};

Result<SetHeights> of_tiles(const DataSet& set, const Box& window, double grown_m, double smallest_m,
                            const RunControl& control) {
  const auto index = kept_tile_index(set.path, set.crs);
  if (!index) return tl::make_unexpected(index.error());
  if (!same_positions((*index)->crs().wkt, set.crs_wkt)) return changed(set);
  const Wanted what = wanted(set, window, grown_m, smallest_m);
  const auto tiles = (*index)->touching(what.window, kMostTiles);
  if (!tiles) return tl::make_unexpected(tiles.error());
  Box reached;
  for (const Tile& tile : *tiles) reached = reached.united(common(tile.bounds, what.window));
  const Point middle{(window.min_x + window.max_x) / 2, (window.min_y + window.max_y) / 2};
  SetHeights out;
  Years years;
  for (const Tile& tile : *tiles) {
    const std::string path = (*index)->path_of(tile, set.remote);
    if (path.empty()) continue;
    auto state = state_of(path);
    const auto cells = cells_of_tile(path, tile, set, what, control);
    // What an office's file is, is known once it has been asked for it.
    out.tiles.push_back(state ? std::move(state) : state_of(path));
    if (!cells && tile.location.empty() && is_offline()) continue;  // nobody may be asked for it
    if (!cells) return tl::make_unexpected(cells.error());
    if (cells->values.empty()) continue;
    if (out.heights.values.empty())
      out.heights = grid_over(reached, {cells->west, cells->north}, cells->cell_m);
    if (!fill_gaps(out.heights, *cells, nullptr, control)) continue;
    if (const auto year = tile.year ? tile.year : set.year) years.add(*year, tile.bounds.contains(middle));
    if (!lacks_cells(out.heights)) break;
  }
  out.years = years.taken();
  return out;
}

}  // namespace

Result<SetHeights> heights_of(const DataSet& set, const Box& window, double grown_m, double smallest_m,
                              const RunControl& control) {
  const auto& read = set.tiled ? of_tiles : of_file;
  return read(set, window, grown_m, smallest_m, control);
}

}  // namespace geo
