// What sun and shading cost: a run for a detached house has half a second of computing, a row of twenty
// houses two.
#include <benchmark/benchmark.h>

#include "geo/solar/horizon.hpp"
#include "geo/solar/yield.hpp"

namespace {

const geo::RunControl kRun;

/// Houses of a street grid under trees, 1 km in width.
geo::Grid<float> settlement() {
  geo::Grid<float> grid(1000, 1000, -500, 500, 1, 0.0f);
  for (int row = 0; row < grid.height; ++row) {
    for (int col = 0; col < grid.width; ++col) {
      const bool house = col % 25 < 10 && row % 30 < 12;
      const bool tree = (col * 7919 + row * 104729) % 97 == 0;
      grid.at(col, row) = house  ? 8.0f - 0.5f * static_cast<float>(std::abs(row % 30 - 6))
                          : tree ? 9.0f
                                 : 0.0f;
    }
  }
  return grid;
}

geo::Grid<float> hills() {
  geo::Grid<float> grid(1200, 1200, -30000, 30000, 50, 0.0f);
  for (int row = 0; row < grid.height; ++row)
    for (int col = 0; col < grid.width; ++col)
      grid.at(col, row) = static_cast<float>(200 + 200 * std::sin(col * 0.05) * std::cos(row * 0.03));
  return grid;
}

void far_horizon_of_a_place(benchmark::State& state) {
  const auto surface = settlement(), relief = hills();
  const geo::HeightField near{.heights = &surface}, far{.heights = &relief};
  for (auto _ : state) benchmark::DoNotOptimize(geo::HorizonScene(near, &far, kRun));
}
BENCHMARK(far_horizon_of_a_place)->Unit(benchmark::kMillisecond);

void horizon_of_a_point(benchmark::State& state) {
  const auto surface = settlement(), relief = hills();
  const geo::HeightField near{.heights = &surface}, far{.heights = &relief};
  const geo::HorizonScene scene(near, &far, kRun);
  const geo::Plane roof{.z0 = 5, .gy = 0.5};
  for (auto _ : state)
    benchmark::DoNotOptimize(
        scene.line_from({.map = {3, 4}, .height_m = roof.height_at({3, 4}) + 0.1, .own_plane = roof}, kRun));
}
BENCHMARK(horizon_of_a_point)->Unit(benchmark::kMicrosecond);

void solar_year_of_a_place(benchmark::State& state) {
  const auto climate = *geo::climate_at({16.37, 48.21}, 190);
  for (auto _ : state) benchmark::DoNotOptimize(geo::solar_year(climate, kRun));
}
BENCHMARK(solar_year_of_a_place)->Unit(benchmark::kMillisecond);

void yield_of_ten_surfaces_with_five_points(benchmark::State& state) {
  const auto year = geo::solar_year(*geo::climate_at({16.37, 48.21}, 190), kRun);
  geo::HorizonLine line;
  for (int i = 0; i < geo::kHorizonSectors; ++i) line.elevation_deg[i] = static_cast<float>(i % 15);
  const geo::SurfaceInput surface{38, 10, std::vector(5, line)};
  for (auto _ : state)
    for (int i = 0; i < 10; ++i) benchmark::DoNotOptimize(geo::surface_yield(year, surface, {}, kRun));
}
BENCHMARK(yield_of_ten_surfaces_with_five_points)->Unit(benchmark::kMillisecond);

}  // namespace
