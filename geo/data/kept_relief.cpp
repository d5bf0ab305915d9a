#include "geo/data/kept_relief.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "geo/data/gdal.hpp"
#include "geo/data/kept_open.hpp"

namespace geo {
namespace {

constexpr double kSquare_m = 4000;
constexpr std::size_t kMostModels = 8;  // beyond, looking whether they have changed costs too much

/// What the cells were read from: equal only while no file has changed. Without files: not to be kept.
struct Origin {
  std::string crs;
  Box window;
  double smallest_m = 0;
  std::vector<DataSet> sets;                       ///< as the catalogue describes them
  std::vector<std::shared_ptr<const void>> files;  ///< as the thread keeps them open
  friend bool operator==(const Origin&, const Origin&) = default;
};

struct KeptRelief : AfterGdalsContext {
  Origin origin;
  std::vector<std::optional<FileState>> tiles;  ///< that were read: an index does not tell of their changes
  std::shared_ptr<const ReliefCells> cells;

  bool is_of(const Origin& now) const {
    return !now.files.empty() && now == origin &&
           std::all_of(tiles.begin(), tiles.end(), [](const std::optional<FileState>& tile) {
             return tile && state_of(tile->path) == tile;
           });
  }
};
KeptRelief& this_threads_relief() {
  thread_local KeptRelief of_this_thread;
  return of_this_thread;
}

Box window_of(Point centre, double radius_m) {
  const auto below = [](double at) { return std::floor(at / kSquare_m) * kSquare_m; };
  const auto above = [&](double at) { return below(at) + kSquare_m; };
  return {below(centre.x) - radius_m, below(centre.y) - radius_m, above(centre.x) + radius_m,
          above(centre.y) + radius_m};
}

Result<std::shared_ptr<const void>> kept_file(const DataSet& set) {
  if (set.tiled) return kept_tile_index(set.path, set.crs);
  return kept_raster(set.path, set.crs);
}

Origin origin_of(const HeightModels& models, const std::string& crs, const Box& window, double smallest_m) {
  Origin origin{crs, window, smallest_m, {}, {}};
  const bool on_this_machine =
      std::all_of(models.sets().begin(), models.sets().end(), [](const DataSet* set) {
        std::error_code error;
        return std::filesystem::is_regular_file(set->path, error);
      });
  if (!on_this_machine || models.sets().size() > kMostModels) return origin;
  for (const DataSet* set : models.sets()) {
    auto file = kept_file(*set);
    if (!file) return Origin{crs, window, smallest_m, {}, {}};  // the place may not need it
    origin.sets.push_back(*set);
    origin.files.push_back(std::move(*file));
  }
  return origin;
}

ReliefCells relief_of(const HeightModels& models, HeightWindow window) {
  ReliefCells cells;
  cells.heights = std::move(window.heights);
  cells.maxima = block_maxima(cells.heights);
  for (UsedModel& used : window.used)
    cells.used.push_back(
        {static_cast<std::size_t>(std::find(models.sets().begin(), models.sets().end(), used.set) -
                                  models.sets().begin()),
         std::move(used.years)});
  return cells;
}

}  // namespace

Result<std::shared_ptr<const ReliefCells>> kept_relief(const HeightModels& models, const std::string& crs,
                                                       Point centre, double radius_m, double smallest_m,
                                                       const RunControl& control) {
  Origin origin = origin_of(models, crs, window_of(centre, radius_m), smallest_m);
  KeptRelief& kept = this_threads_relief();
  if (kept.is_of(origin)) return kept.cells;
  forget_relief();  // never two of them in memory
  auto window = models.read(crs, origin.window, smallest_m, control);
  if (!window) return tl::make_unexpected(window.error());
  auto tiles = std::move(window->tiles);
  auto cells = std::make_shared<const ReliefCells>(relief_of(models, std::move(*window)));
  if (!origin.files.empty()) {
    kept.origin = std::move(origin);
    kept.tiles = std::move(tiles);
    kept.cells = cells;
  }
  return cells;
}

void forget_relief() {
  KeptRelief& kept = this_threads_relief();
  kept.origin = {};
  kept.tiles.clear();
  kept.cells.reset();
}

}  // namespace geo
