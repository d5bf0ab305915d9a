// The rectangle that is fitted to the cells of a garage or shed: its sides, and how near it comes.
#include "geo/property/rectangle_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geo/grid/cell_kind.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace {

using geo::Point;
using geo::RectangleRoof;

double height_on(const RectangleRoof& roof, Point p) {
  const Point at = roof.distances(p);
  if (roof.gable) return roof.top_m - roof.slope_v * std::abs(at.y);
  return roof.top_m + roof.slope_u * at.x + roof.slope_v * at.y;
}

constexpr int kReach_m = 9;

/// Cells of 1 m over level ground, each the mean of what lies in it, with 2 cm of noise.
std::vector<geo::RoofEdgeCell> cells_around(const RectangleRoof& roof, std::mt19937& random) {
  std::normal_distribution<double> noise_m(0, 0.02);
  std::vector<geo::RoofEdgeCell> cells;
  for (double y = -kReach_m; y <= kReach_m; ++y)
    for (double x = -kReach_m; x <= kReach_m; ++x) {
      double sum = 0;
      for (int row = 0; row < 20; ++row)
        for (int column = 0; column < 20; ++column) {
          const Point p{x - 0.475 + 0.05 * column, y - 0.475 + 0.05 * row};
          sum += roof.outside_m(p) <= 0 ? height_on(roof, p) : 0;
        }
      cells.push_back({{x, y}, sum / 400 + noise_m(random), 0});
    }
  return cells;
}

/// The same moved to a grid that lies between these cells, bilinearly.
std::vector<geo::RoofEdgeCell> resampled(const std::vector<geo::RoofEdgeCell>& cells) {
  constexpr std::size_t kRow = 2 * kReach_m + 1;
  constexpr double kEast = 0.4, kNorth = 0.6;
  std::vector<geo::RoofEdgeCell> out;
  for (std::size_t i = 0; i + kRow + 1 < cells.size(); ++i)
    if (i % kRow + 1 < kRow)
      out.push_back({{cells[i].at.x + kEast, cells[i].at.y + kNorth},
                     (1 - kNorth) * ((1 - kEast) * cells[i].z + kEast * cells[i + 1].z) +
                         kNorth * ((1 - kEast) * cells[i + kRow].z + kEast * cells[i + kRow + 1].z),
                     0});
  return out;
}

std::vector<Point> seen_in(const std::vector<geo::RoofEdgeCell>& cells) {
  std::vector<Point> seen;
  for (const geo::RoofEdgeCell& cell : cells)
    if (cell.z > 1) seen.push_back(cell.at);
  return seen;
}

RectangleRoof any_roof(std::mt19937& random) {
  const auto between = [&](double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(random);
  };
  RectangleRoof roof;
  roof.middle = {between(-0.5, 0.5), between(-0.5, 0.5)};
  roof.direction_rad = between(0, M_PI);
  roof.half_u = between(2.6, 4), roof.half_v = between(1.6, 2.5);
  roof.gable = between(0, 1) < 0.5;
  roof.top_m = roof.gable ? 4 : 2.7;
  roof.slope_v = roof.gable ? between(0.3, 0.9) : between(-0.1, 0.1);
  return roof;
}

double shared_area(const RectangleRoof& a, const RectangleRoof& b) {
  double sum = 0;
  for (const geo::Polygon& part : geo::intersection({a.corners(), {}}, {b.corners(), {}}))
    sum += geo::area_m2(part);
  return sum;
}

/// Intersection over union.
double overlap(const RectangleRoof& a, const RectangleRoof& b) {
  const double shared = shared_area(a, b);
  return shared / (a.area() + b.area() - shared);
}

TEST(RectangleRoof, ASideThatIsMovedLeavesTheOthersWhereTheyAre) {
  std::mt19937 random(5);
  for (int k = 0; k < 50; ++k) {
    const RectangleRoof roof = any_roof(random);
    for (const Point side : RectangleRoof::kSides) {
      const RectangleRoof moved = roof.with_side_moved(side, 0.7);
      for (const Point other : RectangleRoof::kSides) {
        const Point before = roof.place({other.x * roof.half_u, other.y * roof.half_v});
        const bool same = other == side;
        EXPECT_NEAR(moved.outside_m(before), same ? -0.7 : 0, 1e-9);
      }
    }
  }
}

TEST(RectangleRoof, TurningItKeepsItsMiddleAndItsSize) {
  std::mt19937 random(6);
  const RectangleRoof roof = any_roof(random), turned = roof.turned(M_PI / 2);
  EXPECT_EQ(turned.middle, roof.middle);
  EXPECT_DOUBLE_EQ(turned.area(), roof.area());
  const Point end = turned.distances(roof.place({roof.half_u, 0}));
  EXPECT_NEAR(end.x, 0, 1e-9);
  EXPECT_NEAR(end.y, -roof.half_u, 1e-9) << "what lay ahead lies to the right after a turn to the left";
}

TEST(RectangleFit, FindsGaragesInAnyDirectionFromCellsThatMixRoofAndGround) {
  std::mt19937 random(7);
  constexpr int kRoofs = 60;
  int right_kind = 0;
  double least = 1, sum = 0, worst_height_m = 0;
  for (int k = 0; k < kRoofs; ++k) {
    const RectangleRoof roof = any_roof(random);
    const auto cells = cells_around(roof, random);
    const RectangleRoof found = geo::fit_rectangle_roof(cells, seen_in(cells), {.noise_per_slope_m = 0.1});
    ASSERT_LT(found.cost, 1e300);
    const double iou = overlap(roof, found);
    least = std::min(least, iou), sum += iou;
    right_kind += found.gable == roof.gable;
    if (found.gable == roof.gable)
      worst_height_m = std::max(worst_height_m, std::abs(found.top_m - roof.top_m));
  }
  std::printf("overlap: mean %.3f, least %.3f; kind right %d of %d; top off by %.2f m at most\n",
              sum / kRoofs, least, right_kind, kRoofs, worst_height_m);
  EXPECT_GT(sum / kRoofs, 0.9);
  EXPECT_GT(least, 0.75);
  EXPECT_GE(right_kind, kRoofs - 2) << "the narrowest gables may pass for a plane";
  EXPECT_LT(worst_height_m, 0.25);
}

/// Over how many cells a height is a mean shows in how well the roof explains them.
TEST(RectangleFit, ExplainsResampledCellsByTheSquareThatTheyAreMeansOf) {
  std::mt19937 random(8);
  const double support_m = geo::support_in_cells(geo::CellKind::resampled);
  int nearer = 0, likelier = 0;
  constexpr int kRoofs = 40;
  for (int k = 0; k < kRoofs; ++k) {
    const RectangleRoof roof = any_roof(random);
    const auto cells = resampled(cells_around(roof, random));
    const auto fitted = [&](double m) {
      return geo::fit_rectangle_roof(cells, seen_in(cells), {.support_m = m, .noise_per_slope_m = 0.1});
    };
    const RectangleRoof right = fitted(support_m), wrong = fitted(1);
    nearer += overlap(roof, right) >= overlap(roof, wrong);
    likelier += right.cost < wrong.cost;
  }
  std::printf("nearer %d, likelier %d of %d\n", nearer, likelier, kRoofs);
  EXPECT_GE(likelier, kRoofs * 3 / 4);
  EXPECT_GE(nearer, kRoofs * 3 / 4);
}

}  // namespace
