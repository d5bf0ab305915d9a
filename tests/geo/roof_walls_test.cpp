// Cells that a wall cuts: which rasters have them, and what they are not taken for.
#include "geo/roof/walls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geo/data/gdal.hpp"
#include "geo/roof/cell_kind.hpp"
#include "tests/geo/hostile_catalogue.hpp"
#include "tests/geo/roof_test_scene.hpp"
#include "tests/shared_data.hpp"

namespace {

using geo::Point;

constexpr int kSize_m = 150, kHouses = 25;
constexpr double kHigh_m = 109;

/// Houses, each turned by another angle: a gable of 35 degrees over 11 m by 10 m, and along its end a flat
/// roof of 3 m by 10 m.
struct TurnedHouse {
  Point middle;
  double angle_rad;

  static TurnedHouse number(int n) {
    const int row = n / 5;
    return {{15.3 + 30.1 * (n % 5), 15.7 + 29.8 * row}, 0.17 * n};
  }
  Point own(Point p) const {
    const double c = std::cos(angle_rad), s = std::sin(angle_rad);
    return {c * (p.x - middle.x) + s * (p.y - middle.y), c * (p.y - middle.y) - s * (p.x - middle.x)};
  }
  Point map(Point p) const {
    const double c = std::cos(angle_rad), s = std::sin(angle_rad);
    return middle + Point{c * p.x - s * p.y, s * p.x + c * p.y};
  }
  geo::Polygon outline() const { return {{map({-7, -5}), map({7, -5}), map({7, 5}), map({-7, 5})}, {}}; }
};

test::HeightOf height_of_houses(double flat_roof_m) {
  return [flat_roof_m](Point p) {
    for (int n = 0; n < kHouses; ++n) {
      const Point own = TurnedHouse::number(n).own(p);
      if (test::in_rectangle(own, -7, -5, 4, 5)) return 104 + 0.7 * (5 - std::abs(own.y));
      if (test::in_rectangle(own, 4, -5, 7, 5)) return flat_roof_m;
    }
    return 100.0;
  };
}

/// Each cell has the height at its middle.
geo::Grid<float> heights_at_middles() {
  geo::Grid<float> heights(kSize_m, kSize_m, 0, kSize_m, 1);
  const test::HeightOf height = height_of_houses(103);
  for (std::size_t i = 0; i < heights.values.size(); ++i)
    heights.values[i] = static_cast<float>(height(heights.centre(i)));
  return heights;
}

/// All walls run through the middle of their cells.
TEST(Walls, MeansOfReturnsAreToldFromSingleReturns) {
  const auto means = test::scene(
      [](Point p) {
        const Point own{std::remainder(p.x - 15.5, 30.0), std::remainder(p.y - 15.5, 30.0)};
        return test::in_rectangle(own, -7, -5, 7, 5) ? kHigh_m : 100.0;
      },
      {}, kSize_m);
  EXPECT_GT(geo::mixed_wall_share(means.dsm), 0.64);
  EXPECT_EQ(geo::cell_kind(means.dsm), geo::CellKind::mean);
  EXPECT_LT(geo::mixed_wall_share(heights_at_middles()), 0.1);
  EXPECT_EQ(geo::cell_kind(heights_at_middles()), geo::CellKind::single_return);
}

/// An office's tile as it is, and as operators make it fit: by GDAL, into the zone beside its own.
TEST(Walls, ATileThatWasResampledIsTakenForMeansAndOneOfTheHighestReturnsForSingleReturns) {
  ROOF_NEEDS_SHARED_DATA();
  const std::string tile = test::shared_file("data/nrw/dsm.tif");
  const test::TemporaryFolder folder;
  const auto kind_of = [](const std::string& path) {
    const auto raster = geo::Raster::open(path);
    return geo::cell_kind(*raster->read(raster->bounds()));
  };
  EXPECT_EQ(kind_of(tile), geo::CellKind::unknown);
  for (const std::string method : {"bilinear", "cubic", "average"})
    EXPECT_EQ(kind_of(hostile::warped(tile, folder.file(method + ".tif"),
                                      {"-t_srs", "EPSG:25833", "-tr", "1", "1", "-r", method})),
              geo::CellKind::mean)
        << method;
  EXPECT_EQ(kind_of(test::shared_file("data/delft/dsm.tif")), geo::CellKind::single_return);
}

TEST(Walls, WithoutWallsNothingIsSaidOfTheCells) {
  EXPECT_EQ(geo::cell_kind(test::scene(test::flat, {}).dsm), geo::CellKind::unknown);
  EXPECT_EQ(geo::mixed_wall_share(test::scene(test::flat, {}).dsm), 0);
  EXPECT_EQ(geo::mixed_wall_share(geo::Grid<float>(2, 2, 0, 2, 1)), 0);
  geo::Grid<float> missing = heights_at_middles();
  std::fill(missing.values.begin(), missing.values.end(), NAN);
  EXPECT_EQ(geo::mixed_wall_share(missing), 0);
}

/// A high level, a row of `steps` cells that leads down, and a low level; each is a segment, in this order.
struct Flight {
  explicit Flight(int steps) {
    constexpr int kLevel = 4, kRows = 6;
    const int width = 2 * kLevel + steps;
    site.height = geo::Grid<float>(width, kRows, 0, kRows, 1);
    site.zone = site.height.like(geo::RoofZone::inside);
    const double fall = 6.0 / (steps + 1);
    for (int row = 0; row < kRows; ++row)
      for (int col = 0; col < width; ++col)
        site.height.at(col, row) =
            static_cast<float>(109 - fall * std::clamp(col - kLevel + 1, 0, steps + 1));
    roof.cells = geo::roof_cells(site);
    roof.segments.resize(3);
    roof.segments[0].fit.plane = {.z0 = 109};
    roof.segments[1].fit.plane = {.x0 = kLevel - 0.5, .z0 = 109, .gx = -fall};
    roof.segments[2].fit.plane = {.z0 = 103};
    for (const geo::HeightPoint& p : roof.cells.points)
      roof.segment_of.push_back(p.x < kLevel ? 0 : p.x < kLevel + steps ? 1 : 2);
    geo::gather_cells(roof);
  }
  std::size_t wall_cells(int segment) const { return geo::wall_cells(site, roof, segment).size(); }

  geo::RoofSite site;
  geo::RoofSegmentation roof;
};

TEST(Walls, ASteepRowOfCellsBetweenTwoLevelsIsAWall) {
  const Flight row(1);
  EXPECT_EQ(row.wall_cells(1), row.roof.segments[1].cells.size());
  EXPECT_EQ(row.wall_cells(0), 0U);
  EXPECT_EQ(row.wall_cells(2), 0U);
}

TEST(Walls, ASlopeOfTwoCellsAndMoreIsNone) {
  for (const int steps : {2, 3, 4}) EXPECT_EQ(Flight(steps).wall_cells(1), 0U) << steps;
}

/// Segments steeper than 43 degrees among those of 75 houses, none of which has such a slope.
int steep_segments(bool mean_cells) {
  std::vector<geo::Building> buildings;
  for (int n = 0; n < kHouses; ++n) buildings.push_back({.footprint = TurnedHouse::number(n).outline()});
  int steep = 0;
  for (const double flat_roof_m : {102.0, 103.0, 104.0}) {
    const test::RoofScene scene = test::scene(height_of_houses(flat_roof_m), buildings, kSize_m);
    for (int n = 0; n < kHouses; ++n) {
      geo::RoofSite site = geo::make_roof_site(scene.dsm, scene.terrain, scene.buildings, n, {}, {});
      site.mean_cells = mean_cells;
      const geo::RoofSegmentation roof = geo::segment_roof(site, {}, {});
      steep += static_cast<int>(std::count_if(
          roof.segments.begin(), roof.segments.end(),
          [](const geo::RoofSegment& s) { return std::hypot(s.fit.plane.gx, s.fit.plane.gy) > 0.95; }));
    }
  }
  return steep;
}

TEST(Walls, RowsOfCellsAtWallsAreNoSegmentsWhereCellsAreMeans) {
  EXPECT_GE(steep_segments(false), 4) << "there are such rows";
  EXPECT_LE(steep_segments(true), 1);
}

}  // namespace
