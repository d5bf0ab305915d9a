#include "geo/roof/partition.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using geo::RoofPartition;

constexpr double kFar = 1000;

double sum_of_faces(const RoofPartition& partition) {
  double sum = 0;
  for (std::size_t i = 0; i < partition.faces().size(); ++i)
    sum += geo::signed_area(partition.ring(static_cast<int>(i)));
  return sum;
}

TEST(RoofPartition, KeepsTheWholeAreaHoweverItIsCut) {
  RoofPartition partition({0, 0, 20, 10});
  for (int i = 0; i < 12; ++i) {
    const double angle = 0.37 * i;
    partition.cut(
        {{10 + 3 * std::cos(2.1 * i), 5 + 2 * std::sin(1.7 * i)}, {std::cos(angle), std::sin(angle)}}, -kFar,
        kFar);
  }
  EXPECT_GT(partition.faces().size(), 30u);
  EXPECT_NEAR(sum_of_faces(partition), 200, 1e-6);
}

TEST(RoofPartition, GivesEveryInnerEdgeAFaceOnBothSides) {
  RoofPartition partition({0, 0, 20, 10});
  partition.cut({{7, 0}, {0, 1}}, -kFar, kFar);
  partition.cut({{0, 4}, {1, 0}}, 0, 6);  // ends in the left part
  ASSERT_EQ(partition.faces().size(), 3u);
  int border_edges = 0;
  for (const auto& loop : partition.faces())
    for (std::size_t i = 0; i < loop.size(); ++i)
      border_edges += partition.face_left_of(loop[(i + 1) % loop.size()], loop[i]) < 0;
  EXPECT_EQ(border_edges, 7) << "four sides, cut by three ends of lines";
}

TEST(RoofPartition, TakesACornerNearALineToLieOnIt) {
  RoofPartition partition({0, 0, 10, 10});
  partition.cut({{0.1, 0}, {std::sqrt(0.5), std::sqrt(0.5)}}, -kFar, kFar);
  ASSERT_EQ(partition.faces().size(), 2u);
  EXPECT_EQ(partition.corners().size(), 4u) << "a diagonal, no slivers at its ends";
}

TEST(RoofPartition, OutlinesACourtyardAsAHole) {
  RoofPartition partition({0, 0, 9, 9});
  for (double at : {3.0, 6.0}) {
    partition.cut({{at, 0}, {0, 1}}, -kFar, kFar);
    partition.cut({{0, at}, {1, 0}}, -kFar, kFar);
  }
  std::vector<int> all_but_the_middle;
  for (int i = 0; i < 9; ++i)
    if (!geo::contains(partition.ring(i), {4.5, 4.5})) all_but_the_middle.push_back(i);
  const auto outlines = partition.outlines(all_but_the_middle);
  ASSERT_EQ(outlines.size(), 1u);
  EXPECT_EQ(outlines[0].outer.size(), 4u) << "corners on a straight stretch are none";
  ASSERT_EQ(outlines[0].holes.size(), 1u);
  EXPECT_NEAR(geo::area(outlines[0]), 72, 1e-9);
  EXPECT_LT(geo::signed_area(outlines[0].holes[0]), 0);
}

TEST(RoofPartition, MakesTwoPolygonsOfFacesThatTouchAtACornerOnly) {
  RoofPartition partition({0, 0, 10, 10});
  partition.cut({{5, 0}, {0, 1}}, -kFar, kFar);
  partition.cut({{0, 5}, {1, 0}}, -kFar, kFar);
  std::vector<int> diagonal;
  for (int i = 0; i < 4; ++i)
    if (geo::contains(partition.ring(i), {2, 2}) || geo::contains(partition.ring(i), {8, 8}))
      diagonal.push_back(i);
  EXPECT_EQ(partition.outlines(diagonal).size(), 2u);
}

}  // namespace
