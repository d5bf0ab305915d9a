#include "geo/roof/labelling.hpp"

#include <gtest/gtest.h>

#include "tests/geo/roof_test_scene.hpp"

namespace {

double cost_of(const geo::LabellingProblem& p, const std::vector<int>& labels) {
  double sum = 0;
  for (int i = 0; i < p.nodes; ++i) sum += p.at(i, labels[static_cast<std::size_t>(i)]);
  for (const auto& pair : p.pairs)
    if (labels[static_cast<std::size_t>(pair.a)] != labels[static_cast<std::size_t>(pair.b)])
      sum += pair.weight;
  return sum;
}

geo::LabellingProblem grid_problem(int width, int height, int labels, double weight) {
  geo::LabellingProblem p;
  p.nodes = width * height;
  p.labels = labels;
  for (int i = 0; i < p.nodes * labels; ++i)
    p.cost.push_back(std::round(1000 * test::hash01(static_cast<std::uint64_t>(i))) / 1000);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      if (col + 1 < width) p.pairs.push_back({row * width + col, row * width + col + 1, weight});
      if (row + 1 < height) p.pairs.push_back({row * width + col, (row + 1) * width + col, weight});
    }
  return p;
}

TEST(RoofLabelling, FindsTheCheapestAnswerOfTwoLabels) {
  const auto p = grid_problem(4, 3, 2, 0.3);
  double best = 1e300;
  for (int code = 0; code < 1 << p.nodes; ++code) {
    std::vector<int> labels;
    for (int i = 0; i < p.nodes; ++i) labels.push_back(code >> i & 1);
    best = std::min(best, cost_of(p, labels));
  }
  EXPECT_NEAR(cost_of(p, geo::share_out(p, 10, {})), best, 1e-9)
      << "two labels are solved exactly by the cut";
}

TEST(RoofLabelling, IsNeverDearerThanEachNodesOwnChoice) {
  const auto p = grid_problem(12, 9, 5, 0.4);
  std::vector<int> alone;
  for (int i = 0; i < p.nodes; ++i) {
    int best = 0;
    for (int l = 1; l < p.labels; ++l) best = p.at(i, l) < p.at(i, best) ? l : best;
    alone.push_back(best);
  }
  EXPECT_LT(cost_of(p, geo::share_out(p, 10, {})), cost_of(p, alone));
}

TEST(RoofLabelling, GivesAllNodesOneLabelWhereDifferingIsDear) {
  const auto labels = geo::share_out(grid_problem(6, 6, 3, 50), 10, {});
  for (int label : labels) EXPECT_EQ(label, labels[0]);
}

TEST(RoofLabelling, NeverGivesAForbiddenLabel) {
  auto p = grid_problem(5, 5, 2, 2);
  p.at(7, 0) = p.at(13, 1) = geo::LabellingProblem::kForbidden;
  const auto labels = geo::share_out(p, 10, {});
  EXPECT_EQ(labels[7], 1);
  EXPECT_EQ(labels[13], 0);
}

}  // namespace
