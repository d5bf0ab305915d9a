// Horizons against what geometry says and against an independent slow march that takes tiny steps along each
// ray.
#include "geo/solar/horizon.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geo/data/gdal.hpp"
#include "geo/shapes/angle.hpp"
#include "geo/solar/shading.hpp"
#include "tests/geo/simple_shapes.hpp"
#include "tests/shared_data.hpp"

namespace {

using geo::kDegree;
using test::kRun;

/// A level_grid surface at height 0, place in its middle.
geo::Grid<float> level_grid(int cells, double cell_m = 1) {
  const double half = cells * cell_m / 2;
  return geo::Grid<float>(cells, cells, -half, half, cell_m, 0.0f);
}

void raise(geo::Grid<float>& grid, double west, double south, double east, double north, float height) {
  for (int row = 0; row < grid.height; ++row) {
    for (int col = 0; col < grid.width; ++col) {
      const geo::Point c = grid.centre(col, row);
      if (c.x > west && c.x < east && c.y > south && c.y < north) grid.at(col, row) = height;
    }
  }
}

geo::HeightField field(const geo::Grid<float>& grid) { return {.heights = &grid, .place = {0, 0}}; }

geo::HorizonLine line(const geo::Grid<float>& surface, const geo::Eye& eye,
                      const geo::HeightField* relief = nullptr) {
  return geo::HorizonScene(field(surface), relief, kRun).line_from(eye, kRun);
}

/// Bilinear between cell centres; NaN where a corner is missing. Written apart from the code under test.
double slow_height(const geo::Grid<float>& grid, double x, double y) {
  const double c = (x - grid.west) / grid.cell_m - 0.5, r = (grid.north - y) / grid.cell_m - 0.5;
  const int i = static_cast<int>(std::floor(c)), j = static_cast<int>(std::floor(r));
  if (i < 0 || j < 0 || i + 1 >= grid.width || j + 1 >= grid.height) return std::nan("");
  const double u = c - i, v = r - j;
  return (1 - u) * (1 - v) * grid.at(i, j) + u * (1 - v) * grid.at(i + 1, j) +
         (1 - u) * v * grid.at(i, j + 1) + u * v * grid.at(i + 1, j + 1);
}

double slow_horizon_deg(const geo::HeightField& surface, const geo::Eye& eye, double azimuth_deg,
                        double to_m) {
  const double bearing = (azimuth_deg + 180) * kDegree;
  const Eigen::Vector2d step =
      surface.true_per_map.inverse() * Eigen::Vector2d(std::sin(bearing), std::cos(bearing));
  double best = 0;
  // A wall rises by 17 m within a cell: steps must be small against the distance.
  for (double t = 1; t < to_m; t *= 1 + 4e-5) {
    const geo::Point p{eye.map.x + step.x() * t, eye.map.y + step.y() * t};
    const double z = slow_height(*surface.heights, p.x, p.y);
    if (std::isnan(z)) continue;
    if (eye.own_plane && t < 30 && z < eye.own_plane->height_at(p) + 0.3) continue;
    best = std::max(best, std::atan2(z - t * t * 0.87 / (2 * 6371000.0) - eye.height_m, t) / kDegree);
  }
  return best;
}

/// Returns the largest difference in degrees.
double expect_like_slow_march(const geo::HeightField& surface, const geo::Eye& eye, int every) {
  double largest = 0;
  const geo::HorizonLine fast = geo::HorizonScene(surface, nullptr, kRun).line_from(eye, kRun);
  for (int i = 0; i < geo::kHorizonSectors; i += every) {
    const double azimuth = geo::HorizonLine::azimuth_deg(i);
    const double slow = slow_horizon_deg(surface, eye, azimuth, 1500);
    EXPECT_NEAR(fast.elevation_deg[i], slow, 0.1) << "azimuth " << azimuth;
    largest = std::max(largest, std::abs(fast.elevation_deg[i] - slow));
  }
  return largest;
}

TEST(Horizon, IsFreeOnFlatGround) {
  const auto surface = level_grid(200);
  for (float angle : line(surface, {.map = {0.3, 0.2}, .height_m = 1}).elevation_deg) EXPECT_EQ(angle, 0);
}

TEST(Horizon, SeesAWallInTheSouthAtTheAngleOfItsTop) {
  auto surface = level_grid(400);
  raise(surface, -200, -60, 200, -50, 21);
  const auto seen = line(surface, {.map = {0, 0}, .height_m = 1});
  // The first row of cell centres beyond 50 m lies at 50.5 m.
  EXPECT_NEAR(seen.at(0), std::atan(20 / 50.5) / kDegree, 0.01);
  EXPECT_NEAR(seen.at(40), std::atan(20 / 50.5 * std::cos(40 * kDegree)) / kDegree, 0.01);
  EXPECT_EQ(seen.at(180), 0);
  EXPECT_EQ(seen.at(100), 0);
}

TEST(Horizon, LiesEastAtNegativeAzimuth) {
  auto surface = level_grid(200);
  raise(surface, 30, -5, 40, 5, 10);
  const auto seen = line(surface, {.map = {0, 0}, .height_m = 0});
  EXPECT_GT(seen.at(-90), 15);
  EXPECT_EQ(seen.at(90), 0);
}

TEST(Horizon, TurnsWithTheMapsGrid) {
  // Grid north points 5 degrees east of true north: a tower due grid south stands at 5 degrees west of south.
  auto surface = level_grid(400);
  raise(surface, -4, -102, 4, -98, 30);
  geo::HeightField turned = field(surface);
  turned.true_per_map << std::cos(5 * kDegree), std::sin(5 * kDegree), -std::sin(5 * kDegree),
      std::cos(5 * kDegree);
  const auto seen = geo::HorizonScene(turned, nullptr, kRun).line_from({.map = {0, 0}}, kRun);
  EXPECT_GT(seen.at(4), 15);
  EXPECT_GT(seen.at(6), 15);
  EXPECT_EQ(seen.at(0), 0);
  EXPECT_EQ(seen.at(-4), 0);
}

TEST(Horizon, PassesOverCellsWithoutData) {
  auto surface = level_grid(200);
  raise(surface, -100, -40, 100, -30, geo::kNoData);
  raise(surface, -100, -60, 100, -50, 25);
  const auto seen = line(surface, {.map = {0, 0}, .height_m = 5});
  EXPECT_NEAR(seen.at(0), std::atan(20 / 50.5) / kDegree, 0.01);
}

TEST(Horizon, IsNotRaisedByTheNoiseOfTheOwnRoofButByItsChimney) {
  // A roof falling to the south by 40 degrees, with 0.2 m of noise.
  auto surface = level_grid(60);
  const geo::Plane plane{.z0 = 10, .gy = 0.84};
  for (int row = 0; row < 60; ++row)
    for (int col = 0; col < 60; ++col)
      surface.at(col, row) = static_cast<float>(plane.height_at(surface.centre(col, row)) +
                                                0.2 * ((col * 7 + row * 13) % 5 - 2) / 2);
  const geo::Eye eye{.map = {0.3, 0.1}, .height_m = plane.height_at({0.3, 0.1}) + 0.1, .own_plane = plane};
  geo::HorizonLine free;
  const auto noisy = line(surface, eye);
  const double plane_in_the_west = 0;
  EXPECT_NEAR(noisy.at(90), plane_in_the_west, 1e-6);
  EXPECT_NEAR(geo::sky_view_factor(noisy, 40, 0), geo::sky_view_factor(free, 40, 0), 1e-4);

  raise(surface, 2, -1, 4, 1, static_cast<float>(12));
  const auto chimney = line(surface, eye);
  EXPECT_GT(chimney.at(-90), 25);
  EXPECT_EQ(chimney.at(90), 0);
}

TEST(Horizon, AgreesWithASlowMarchOverSteepSyntheticCells) {
  auto surface = level_grid(300);
  for (int row = 0; row < 300; ++row)
    for (int col = 0; col < 300; ++col)
      surface.at(col, row) = static_cast<float>((col * 7919 + row * 104729 + col * row) % 17);
  geo::HeightField turned = field(surface);
  turned.true_per_map << 1.001, 0.07, -0.07, 0.998;
  expect_like_slow_march(turned, {.map = {3.7, -8.2}, .height_m = 15.2}, 7);
}

TEST(Horizon, AgreesWithASlowMarchOnARealSurfaceModel) {
  const auto path = test::shared_file("data/nrw/dsm.tif");
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << "the reference elevation data are not beside the project";
  auto raster = geo::Raster::open(path.string());
  ASSERT_TRUE(raster);
  const auto surface = raster->read(raster->bounds());
  ASSERT_TRUE(surface);
  double largest_deg = 0;
  for (const auto& [x, y] : {std::pair{356500.3, 5699500.4}, {356250.8, 5699710.2}}) {
    const auto at = surface->at(surface->col_of(x), surface->row_of(y));
    ASSERT_FALSE(std::isnan(at));
    geo::HeightField field{.heights = &*surface, .place = {x, y}};
    double off_deg = expect_like_slow_march(field, {.map = {x, y}, .height_m = at + 0.5}, 5);
    const geo::Plane roof{.x0 = x, .y0 = y, .z0 = at, .gx = 0.1, .gy = 0.4};
    off_deg = std::max(
        off_deg, expect_like_slow_march(field, {.map = {x, y}, .height_m = at + 0.1, .own_plane = roof}, 5));
    largest_deg = std::max(largest_deg, off_deg);
  }
  RecordProperty("largest_difference_deg", std::to_string(largest_deg));
}

TEST(FarHorizon, SinksWithTheEarthsCurveAndRisesWithRefraction) {
  const auto surface = level_grid(1000);
  auto relief = level_grid(700, 100);
  raise(relief, -40000, -20400, 40000, -20000, 1000);
  const geo::HeightField far = field(relief);
  const auto seen = line(surface, {.map = {0, 0}, .height_m = 200}, &far);
  // 20 km away 27.3 m are hidden: (1 - 0.13) d^2 / (2 R). Without the curve it would be 0.08 degrees more.
  const double distance = 20050;
  const double sunk = 0.87 * distance * distance / (2 * 6371000.0);
  EXPECT_NEAR(seen.at(0), std::atan((800 - sunk) / distance) / kDegree, 0.01);
  EXPECT_GT(std::atan(800 / distance) / kDegree - seen.at(0), 0.06);
  EXPECT_EQ(seen.at(180), 0);
}

TEST(FarHorizon, EndsAtThirtyKilometres) {
  const auto surface = level_grid(1000);
  auto relief = level_grid(700, 100);
  raise(relief, -40000, -34000, 40000, -31000, 3000);
  const geo::HeightField far = field(relief);
  EXPECT_EQ(line(surface, {.map = {0, 0}, .height_m = 10}, &far).at(0), 0);
}

TEST(FarHorizon, TakesOverWhereTheSurfaceModelEndsAndCountsNothingTwice) {
  const auto surface = level_grid(1000);  // level_grid and free to 500 m
  auto relief = level_grid(100, 25);      // a hill that the relief puts within the surface model's reach
  raise(relief, -100, -350, 100, -250, 80);
  const geo::HeightField far = field(relief);
  EXPECT_EQ(line(surface, {.map = {0, 0}, .height_m = 5}, &far).at(0), 0);

  auto missing = surface;  // the same hill where the surface model has no data further out than 200 m
  raise(missing, -600, -600, 600, -200, geo::kNoData);
  EXPECT_GT(line(missing, {.map = {0, 0}, .height_m = 5}, &far).at(0), 10);
}

TEST(FarHorizon, AgreesWithASlowMarchFromPointsBesideThePlaceAtSeveralHeights) {
  const auto surface = level_grid(1000);
  auto relief = level_grid(600, 90);
  for (int row = 0; row < 600; ++row)
    for (int col = 0; col < 600; ++col)
      relief.at(col, row) = static_cast<float>(300 + 280 * std::sin(col * 0.11) * std::cos(row * 0.07) +
                                               60 * std::sin(col * 0.9 + row * 0.5));
  const geo::HeightField far = field(relief);
  for (const geo::Eye& eye :
       {geo::Eye{.map = {0, 0}, .height_m = 300}, {.map = {18, -14}, .height_m = 312}}) {
    const auto seen = line(surface, eye, &far);
    for (int i = 0; i < geo::kHorizonSectors; i += 9) {
      const double azimuth = geo::HorizonLine::azimuth_deg(i), bearing = (azimuth + 180) * kDegree;
      const Eigen::Vector2d direction(std::sin(bearing), std::cos(bearing));
      double slow = 0;
      for (double t = 1; t < 30000; t += 2) {
        const Eigen::Vector2d at = Eigen::Vector2d(eye.map.x, eye.map.y) + t * direction;
        if (at.cwiseAbs().maxCoeff() < 499.5) continue;  // within the surface model
        const double z = slow_height(relief, at.x(), at.y());
        if (!std::isnan(z))
          slow = std::max(slow, std::atan2(z - t * t * 0.87 / (2 * 6371000.0) - eye.height_m, t) / kDegree);
      }
      EXPECT_NEAR(seen.elevation_deg[i], slow, 0.1) << "azimuth " << azimuth;
    }
  }
}

/// Parts of the relief that lie behind others are not looked at. Where eyes may be anywhere, all of it is.
TEST(FarHorizon, LosesNothingThatAnEyeSees) {
  auto relief = level_grid(620, 100);
  for (int row = 0; row < relief.height; ++row)
    for (int col = 0; col < relief.width; ++col)
      relief.at(col, row) = static_cast<float>(500 + 300 * std::sin(col * 0.031) * std::cos(row * 0.043) +
                                               90 * std::sin(col * 0.7 + row * 0.4) * std::cos(row * 0.9));
  const geo::HeightField far = field(relief);
  const double lowest_m = 320, off_place_m = 700;
  const auto horizon = [&](double eyes_off_place_m) {
    return geo::FarHorizon(far, {}, 30000, 0.13, {.lowest_m = lowest_m, .off_place_m = eyes_off_place_m},
                           kRun);
  };
  const geo::FarHorizon fast = horizon(off_place_m), whole = horizon(1e9);
  int raised = 0;
  for (const double height_m : {lowest_m, lowest_m + 15, lowest_m + 150, lowest_m + 400})
    for (const Eigen::Vector2d& offset : {Eigen::Vector2d(0, 0), {-490, 490}, {699, 0}, {20, -650}})
      for (int i = 0; i < geo::kHorizonSectors; ++i) {
        const double seen = whole.beyond(i, offset, height_m);
        EXPECT_EQ(fast.beyond(i, offset, height_m), seen) << "sector " << i << ", height " << height_m;
        raised += seen > 0;
      }
  EXPECT_GT(raised, geo::kHorizonSectors);
}

TEST(Shading, LeavesTheWholeSkyUnderAFreeHorizonAndHalfOfItBehindAWall) {
  geo::HorizonLine free, wall;
  for (int i = 0; i < geo::kHorizonSectors; ++i) wall.elevation_deg[i] = 30;
  EXPECT_DOUBLE_EQ(geo::sky_view_factor(free, 35, 20), 1);
  // A ring of 30 degrees takes sin^2(30) of a horizontal plane's sky (Nusselt's analogue).
  EXPECT_NEAR(geo::sky_view_factor(wall, 0, 0), 0.75, 1e-5);

  geo::HorizonLine behind;  // uphill of a steep plane, below its own edge of sight
  for (int i = 0; i < geo::kHorizonSectors; ++i)
    if (std::abs(geo::HorizonLine::azimuth_deg(i)) > 150) behind.elevation_deg[i] = 45;
  EXPECT_NEAR(geo::sky_view_factor(behind, 60, 0), 1, 1e-4);
  EXPECT_LT(geo::sky_view_factor(behind, 60, 180), 0.9);
}

}  // namespace
