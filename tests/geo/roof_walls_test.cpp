// Cells that a wall cuts: which rasters have them, and what they are not taken for.
#include "geo/grid/walls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "geo/data/gdal.hpp"
#include "geo/grid/cell_kind.hpp"
#include "geo/shapes/plane_geometry.hpp"
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

test::HeightOf height_of_houses(double flat_roof_m, double width_m = 3) {
  return [flat_roof_m, width_m](Point p) {
    for (int n = 0; n < kHouses; ++n) {
      const Point own = TurnedHouse::number(n).own(p);
      if (test::in_rectangle(own, -7, -5, 4, 5)) return 104 + 0.7 * (5 - std::abs(own.y));
      if (test::in_rectangle(own, 4, -5, 4 + width_m, 5)) return flat_roof_m;
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
TEST(Walls, ATileThatWasResampledIsKnownAndOneOfTheHighestReturnsIsTakenForSingleReturns) {
  ROOF_NEEDS_SHARED_DATA();
  const std::string tile = test::shared_file("data/nrw/dsm.tif");
  const test::TemporaryFolder folder;
  const auto kind_of = [](const std::string& path) {
    const auto raster = geo::Raster::open(path);
    return geo::cell_kind(*raster->read(raster->bounds()));
  };
  EXPECT_EQ(kind_of(tile), geo::CellKind::interpolated);
  const auto resampled_by = [&](const std::string& method) {
    return kind_of(hostile::warped(tile, folder.file(method + ".tif"),
                                   {"-t_srs", "EPSG:25833", "-tr", "1", "1", "-r", method}));
  };
  for (const std::string method : {"bilinear", "average", "cubic", "cubicspline"})
    EXPECT_EQ(resampled_by(method), geo::CellKind::resampled) << method;
  EXPECT_EQ(resampled_by("near"), geo::CellKind::interpolated) << "its cells are the tile's, moved";
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

/// Heights from west to east, the same in every row, and what of them a wall explains: one letter a cell.
std::string explained(std::vector<float> heights, int mixed_cells) {
  constexpr int kRows = 7;
  const int width = static_cast<int>(heights.size());
  geo::Grid<float> grid(width, kRows, 0, kRows, 1);
  for (std::size_t i = 0; i < grid.values.size(); ++i) grid.values[i] = heights[i % heights.size()];
  const geo::Grid<std::uint8_t> found = geo::wall_cells(grid, mixed_cells);
  std::string letters;
  for (int col = 0; col < width; ++col) letters += found.at(col, kRows / 2) ? 'w' : '.';
  return letters;
}

TEST(Walls, CellsBetweenTwoEvenSidesAreAWallsUpToAsManyAsItMixes) {
  EXPECT_EQ(explained({9, 9, 9, 6, 3, 3, 3}, 1), "...w...");
  EXPECT_EQ(explained({9, 9, 9, 6, 3, 3, 3}, 2), "...w...");
  EXPECT_EQ(explained({9, 9, 9, 7.5, 4.5, 3, 3, 3}, 1), "........");
  EXPECT_EQ(explained({9, 9, 9, 7.5, 4.5, 3, 3, 3}, 2), "...ww...");
  EXPECT_EQ(explained({9, 9, 9, 6, 3, 3, 3}, 0), ".......");
  EXPECT_EQ(explained({9, 9, 9, 8, 6, 4, 3, 3, 3}, 2), ".........") << "three cells";
}

TEST(Walls, ARoofIsNoWallHoweverSteepOrNarrow) {
  EXPECT_EQ(explained({3, 3, 3, 4, 5, 6, 7, 6, 5, 4, 3, 3, 3}, 2), ".............") << "a gable";
  EXPECT_EQ(explained({3, 3, 3, 5, 7, 9, 9, 9}, 2), "........") << "a slope of 63 degrees";
  EXPECT_EQ(explained({0, 0, 0, 3, 3, 6, 6, 6}, 2), "........") << "a flat roof two cells wide below a wall";
  EXPECT_EQ(explained({0, 0, 0, 2, 3, 6, 6, 6}, 2), "........") << "a slope two cells wide below a wall";
  EXPECT_EQ(explained({3, 3, 3, 3.6F, 4.2F, 4.2F, 4.2F}, 2), ".......") << "a low step";
}

TEST(Walls, WhereHeightsAreMissingThereIsNone) {
  EXPECT_EQ(explained({9, 9, 9, NAN, 3, 3, 3}, 2), ".......");
  EXPECT_EQ(explained({9, 9, NAN, 6, 3, 3, 3}, 2), ".......");
  EXPECT_EQ(explained({9, 6, 3}, 2), "...");
}

/// The heights of a scene as they come over a grid that lies askew to its own: means there, bilinear between
/// them here.
geo::Grid<float> resampled(const test::HeightOf& surface, const test::RoofScene& scene) {
  constexpr double kTurn_rad = 0.035;
  const Point middle{kSize_m / 2.0, kSize_m / 2.0};
  const auto turned = [&](Point p, double angle_rad) {
    const double c = std::cos(angle_rad), s = std::sin(angle_rad);
    const Point off = p - middle;
    return middle + Point{c * off.x - s * off.y, s * off.x + c * off.y};
  };
  const geo::Grid<float> askew =
      test::scene([&](Point p) { return surface(turned(p, kTurn_rad)); }, {}, kSize_m).dsm;
  const Point corner{scene.dsm.west, scene.dsm.north - kSize_m};
  geo::Grid<float> heights = scene.dsm;
  for (std::size_t i = 0; i < heights.values.size(); ++i) {
    const Point p = turned(scene.dsm.centre(i) - corner, -kTurn_rad);
    const double x = p.x - 0.5, y = kSize_m - p.y - 0.5;
    const int col = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
    const double s = x - col, t = y - row;
    const auto at = [&](int c, int r) {
      return double{askew.at(std::clamp(c, 0, kSize_m - 1), std::clamp(r, 0, kSize_m - 1))};
    };
    heights.values[i] = static_cast<float>((1 - t) * ((1 - s) * at(col, row) + s * at(col + 1, row)) +
                                           t * ((1 - s) * at(col, row + 1) + s * at(col + 1, row + 1)));
  }
  return heights;
}

enum class Made { means, resampled };

/// Segments steeper than 43 degrees among those of 75 houses, none of which has such a slope.
int steep_segments(Made made, geo::CellKind cells, double width_m = 3) {
  std::vector<geo::Building> buildings;
  for (int n = 0; n < kHouses; ++n) buildings.push_back({.footprint = TurnedHouse::number(n).outline()});
  int steep = 0;
  for (const double flat_roof_m : {102.0, 103.0, 104.0}) {
    const test::HeightOf surface = height_of_houses(flat_roof_m, width_m);
    test::RoofScene scene = test::scene(surface, buildings, kSize_m);
    if (made == Made::resampled) scene.dsm = resampled(surface, scene);
    for (int n = 0; n < kHouses; ++n) {
      geo::RoofSite site = geo::make_roof_site(scene.dsm, scene.terrain, scene.buildings, n, {}, {});
      site.cells = cells;
      const geo::RoofSegmentation roof = geo::segment_roof(site, {});
      steep += static_cast<int>(std::count_if(
          roof.segments.begin(), roof.segments.end(),
          [](const geo::RoofSegment& s) { return std::hypot(s.fit.plane.gx, s.fit.plane.gy) > 0.95; }));
    }
  }
  return steep;
}

TEST(Walls, RowsOfCellsAtWallsAreNoSegmentsWhereCellsAreMeansOrInterpolated) {
  EXPECT_GE(steep_segments(Made::means, geo::CellKind::single_return), 4) << "there are such rows";
  EXPECT_LE(steep_segments(Made::means, geo::CellKind::mean), 1);
  EXPECT_LE(steep_segments(Made::means, geo::CellKind::interpolated), 1);
}

TEST(Walls, TwoRowsOfCellsAtWallsAreNoSegmentsWhereCellsAreResampled) {
  EXPECT_GE(steep_segments(Made::resampled, geo::CellKind::single_return), 40) << "there are such rows";
  EXPECT_LE(steep_segments(Made::resampled, geo::CellKind::resampled), 1);
}

/// Twice 75 houses whose lower roof is too narrow to show an even side beside the wall.
int steep_segments_at_narrow_roofs(Made made, geo::CellKind cells) {
  int steep = 0;
  for (const double width_m : {1.4, 2.0}) steep += steep_segments(made, cells, width_m);
  return steep;
}

TEST(Walls, FewRowsOfCellsBetweenAWallAndANarrowRoofAreSegments) {
  EXPECT_GE(steep_segments_at_narrow_roofs(Made::means, geo::CellKind::single_return), 100);
  EXPECT_LE(steep_segments_at_narrow_roofs(Made::means, geo::CellKind::mean), 24);
  EXPECT_LE(steep_segments_at_narrow_roofs(Made::means, geo::CellKind::interpolated), 62);
  EXPECT_LE(steep_segments_at_narrow_roofs(Made::resampled, geo::CellKind::resampled), 22);
}

/// 75 houses and what is found of them.
struct Houses {
  test::RoofScene scene;
  std::vector<geo::RoofPlane> planes;
};

std::vector<Houses> detected_houses(double width_m, geo::CellKind cells) {
  std::vector<geo::Building> buildings;
  for (int n = 0; n < kHouses; ++n) buildings.push_back({.footprint = TurnedHouse::number(n).outline()});
  std::vector<Houses> found;
  for (const double flat_roof_m : {102.0, 103.0, 104.0}) {
    Houses houses{test::scene(height_of_houses(flat_roof_m, width_m), buildings, kSize_m), {}};
    houses.scene.options.cells = cells;
    houses.planes = houses.scene.detect();
    found.push_back(std::move(houses));
  }
  return found;
}

/// Surfaces steeper than 43 degrees of twice 75 houses with a narrow lower roof. None of them has such a
/// slope.
int steep_surfaces_at_narrow_roofs(geo::CellKind cells) {
  int steep = 0;
  for (const double width_m : {1.4, 2.0})
    for (const Houses& houses : detected_houses(width_m, cells))
      steep += static_cast<int>(
          std::count_if(houses.planes.begin(), houses.planes.end(),
                        [](const geo::RoofPlane& p) { return std::hypot(p.plane.gx, p.plane.gy) > 0.95; }));
  return steep;
}

TEST(Walls, FewRowsOfCellsBetweenAWallAndANarrowRoofAreSurfaces) {
  EXPECT_LE(steep_surfaces_at_narrow_roofs(geo::CellKind::mean), 42);
  EXPECT_LE(steep_surfaces_at_narrow_roofs(geo::CellKind::interpolated), 56);
  EXPECT_LE(steep_surfaces_at_narrow_roofs(geo::CellKind::single_return), 84);
}

/// Of 75 houses those whose narrow lower roof is a surface of its own, and level.
int level_roofs_found(double width_m, geo::CellKind cells) {
  int found = 0;
  for (const Houses& houses : detected_houses(width_m, cells)) {
    const Point corner{houses.scene.dsm.west, houses.scene.dsm.north - kSize_m};
    for (int n = 0; n < kHouses; ++n) {
      const Point middle = corner + TurnedHouse::number(n).map({4 + width_m / 2, 0});
      found += std::any_of(houses.planes.begin(), houses.planes.end(), [&](const geo::RoofPlane& p) {
        return geo::contains(p.outline, middle) && std::hypot(p.plane.gx, p.plane.gy) < 0.05;
      });
    }
  }
  return found;
}

TEST(Walls, MoreThanHalfOfTheLevelRoofsTwoMetresWideBesideAWallAreFoundLevel) {
  EXPECT_GE(level_roofs_found(2.0, geo::CellKind::mean), 41);
  EXPECT_GE(level_roofs_found(2.0, geo::CellKind::interpolated), 38);
  EXPECT_GE(level_roofs_found(2.8, geo::CellKind::mean), 75);
}

}  // namespace
