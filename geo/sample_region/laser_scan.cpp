#include "geo/sample_region/laser_scan.hpp"

#include <algorithm>
#include <cmath>

#include "geo/sample_region/cell_returns.hpp"
#include "geo/sample_region/random.hpp"
#include "geo/sample_region/terrain_model.hpp"

namespace geo::sample {
namespace {

constexpr double kReturnsPerM2 = 6, kDenseReturnsPerM2 = 16;
constexpr double kPositionNoise_m = 0.1;
constexpr double kHeightNoise_m = 0.04;
constexpr double kCrownStops = 0.72;       // of the pulses, at a crown's upper side
constexpr double kCrownHolds = 0.92;       // including those that end inside it
constexpr double kGroundBelowCrown = 0.3;  // later returns that reach the ground
constexpr double kCrownNoise_m = 0.15;
constexpr double kGapStays = 0.1;  // of the cells without a return; the others take a neighbour's height

/// What one pulse meets: its first return and, perhaps, a last one from the ground.
struct Pulse {
  double z = 0;
  bool reaches_ground = false;
  double ground_z = 0;
};

Pulse fire(const Scene& scene, Point at, Random& random) {
  const Solid solid = scene.solid(at);
  const bool open_ground = !solid.body;
  Pulse pulse{solid.z, open_ground, solid.z};
  const auto leaf = scene.leaf(at, solid.ground_z);
  if (!leaf || leaf->z <= solid.z) return pulse;
  const double luck = random.uniform();
  if (luck >= kCrownHolds) return pulse;
  if (luck < kCrownStops)
    pulse.z = leaf->z + random.normal(kCrownNoise_m);
  else
    pulse.z = random.uniform(std::min(leaf->z, std::max(leaf->base_z, solid.z)), leaf->z);
  pulse.reaches_ground = open_ground && random.chance(kGroundBelowCrown);
  return pulse;
}

/// The nearest neighbour's height, NaN when all eight are empty too.
float neighbour_height(const Grid<float>& grid, int col, int row) {
  static constexpr int kSteps[8][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (const auto& step : kSteps)
    if (grid.contains(col + step[0], row + step[1]) && !std::isnan(grid.at(col + step[0], row + step[1])))
      return grid.at(col + step[0], row + step[1]);
  return kNoData;
}

void fill_gaps(Grid<float>& grid, Random random) {
  const Grid<float> measured = grid;
  for (int row = 0; row < grid.height; ++row)
    for (int col = 0; col < grid.width; ++col)
      if (std::isnan(measured.at(col, row)) && !random.chance(kGapStays))
        grid.at(col, row) = neighbour_height(measured, col, row);
}

float gridded(const CellReturns& cell, double cell_m, Gridding gridding) {
  if (cell.count() == 0) return kNoData;
  switch (gridding) {
    case Gridding::mean:
      return static_cast<float>(cell.mean());
    case Gridding::nearest:
      return static_cast<float>(cell.nearest());
    default:
      return static_cast<float>(cell.levelled(cell_m));
  }
}

}  // namespace

Gridding chosen_gridding(const SampleRegionOptions& options) {
  if (options.gridding != Gridding::by_seed) return options.gridding;
  static constexpr Gridding kAll[] = {Gridding::levelled, Gridding::mean, Gridding::nearest};
  return kAll[Random(options.seed, Stream::gridding).integer(0, 2)];
}

const char* name_of(Gridding gridding) {
  switch (gridding) {
    case Gridding::levelled:
      return "levelled";
    case Gridding::mean:
      return "mean";
    case Gridding::nearest:
      return "nearest";
    case Gridding::by_seed:
      return "by_seed";
  }
  return "";
}

Result<ElevationModels> scanned(const Scene& scene, const PlaceFrame& frame, const Box& area,
                                const SampleRegionOptions& options) {
  const double cell_m = options.cell_m, returns_per_m2 = cell_m < 1 ? kDenseReturnsPerM2 : kReturnsPerM2;
  const int width = static_cast<int>((area.max_x - area.min_x) / cell_m),
            height = static_cast<int>((area.max_y - area.min_y) / cell_m);
  Grid<CellReturns> first(width, height, area.min_x, area.max_y, cell_m);
  Grid<CellReturns> ground = first.like<CellReturns>();
  Random random(options.seed, Stream::returns);
  const double exp_minus_mean = std::exp(-returns_per_m2 * cell_m * cell_m * frame.area_scale());
  const Eigen::Matrix2d map_per_true = frame.true_per_map().inverse();
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      for (int n = random.poisson(exp_minus_mean); n > 0; --n) {
        const Point map{area.min_x + cell_m * col + cell_m * random.uniform(),
                        area.max_y - cell_m * row - cell_m * random.uniform()};
        const Eigen::Vector2d hit = frame.to_true(map);
        const Pulse pulse = fire(scene, {hit.x(), hit.y()}, random);
        const double east = random.normal(kPositionNoise_m), north = random.normal(kPositionNoise_m);
        const Eigen::Vector2d shift = map_per_true * Eigen::Vector2d(east, north);
        const Point recorded{map.x + shift.x(), map.y + shift.y()};
        const double z_noise = random.normal(kHeightNoise_m);
        const int c = first.col_of(recorded.x), r = first.row_of(recorded.y);
        if (!first.contains(c, r)) continue;
        const Point centre = first.centre(c, r);
        const double dx = recorded.x - centre.x, dy = recorded.y - centre.y;
        first.at(c, r).add(dx, dy, pulse.z + z_noise);
        if (pulse.reaches_ground) ground.at(c, r).add(dx, dy, pulse.ground_z + z_noise);
      }
  const Gridding gridding = chosen_gridding(options);
  ElevationModels models{first.like<float>(kNoData), {}};
  for (std::size_t i = 0; i < first.values.size(); ++i)
    models.surface.values[i] = gridded(first.values[i], cell_m, gridding);
  fill_gaps(models.surface, Random(options.seed, Stream::gaps));
  auto terrain = terrain_model(ground, Random(options.seed, Stream::ground_noise));
  if (!terrain) return tl::make_unexpected(terrain.error());
  models.terrain = std::move(*terrain);
  return models;
}

}  // namespace geo::sample
