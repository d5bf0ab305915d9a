#include "geo/roof/labelling.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "tests/geo/roof_test_scene.hpp"

namespace {

int nodes(const geo::LabellingProblem& p) { return static_cast<int>(p.choices.size()); }

/// Infinite for a label that the node may not have.
double cost_of(const geo::LabellingProblem& p, int node, int label) {
  for (const auto& choice : p.choices[static_cast<std::size_t>(node)])
    if (choice.label == label) return choice.cost;
  return std::numeric_limits<double>::infinity();
}

double cost_of(const geo::LabellingProblem& p, const std::vector<int>& labels) {
  double sum = 0;
  for (int i = 0; i < nodes(p); ++i) sum += cost_of(p, i, labels[static_cast<std::size_t>(i)]);
  for (const auto& pair : p.pairs)
    if (labels[static_cast<std::size_t>(pair.a)] != labels[static_cast<std::size_t>(pair.b)])
      sum += pair.weight;
  return sum;
}

geo::LabellingProblem grid_problem(int width, int height, int labels, double weight) {
  geo::LabellingProblem p;
  p.labels = labels;
  p.choices.resize(static_cast<std::size_t>(width * height));
  std::uint64_t count = 0;
  for (auto& choices : p.choices)
    for (int label = 0; label < labels; ++label)
      choices.push_back({label, std::round(1000 * test::hash01(count++)) / 1000});
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
  for (int code = 0; code < 1 << nodes(p); ++code) {
    std::vector<int> labels;
    for (int i = 0; i < nodes(p); ++i) labels.push_back(code >> i & 1);
    best = std::min(best, cost_of(p, labels));
  }
  EXPECT_NEAR(cost_of(p, geo::share_out(p, 10, {})), best, 1e-9)
      << "two labels are solved exactly by the cut";
}

/// Expansions where every set of nodes is tried: of the cheapest, the largest.
std::vector<int> expanded_by_trial(const geo::LabellingProblem& p, int sweeps) {
  std::vector<int> labels;
  for (int i = 0; i < nodes(p); ++i) {
    int best = 0;
    for (int l = 1; l < p.labels; ++l) best = cost_of(p, i, l) < cost_of(p, i, best) ? l : best;
    labels.push_back(best);
  }
  for (int turn = 0; turn < sweeps * p.labels; ++turn) {
    std::vector<int> best = labels;
    double least = cost_of(p, labels);
    int most = 0;
    for (int code = 1; code < 1 << nodes(p); ++code) {
      std::vector<int> tried = labels;
      for (int i = 0; i < nodes(p); ++i)
        if (code >> i & 1) tried[static_cast<std::size_t>(i)] = turn % p.labels;
      int taken = 0;
      for (int i = 0; i < nodes(p); ++i)
        taken += tried[static_cast<std::size_t>(i)] != labels[static_cast<std::size_t>(i)];
      const double cost = cost_of(p, tried);
      if (cost > least + 1e-9 || (cost > least - 1e-9 && taken <= most)) continue;
      best = tried;
      least = cost;
      most = taken;
    }
    if (least < cost_of(p, labels) - 1e-9) labels = best;
  }
  return labels;
}

/// Costs in tenths, so that many answers cost the same; not every label everywhere; pairs of either order,
/// some twice.
geo::LabellingProblem problem_with_ties(std::mt19937& random) {
  const auto tenths = [&random](unsigned end) { return static_cast<double>(random() % end) / 10; };
  geo::LabellingProblem p{.labels = 3};
  p.choices.resize(7);
  for (auto& choices : p.choices)
    for (int label = 0; label < 3; ++label)
      if (label == 2 || random() % 5 != 0) choices.push_back({label, tenths(6)});
  for (int i = 0; i < 12; ++i)
    if (const int a = static_cast<int>(random() % 7), b = static_cast<int>(random() % 7); a != b)
      p.pairs.push_back({a, b, tenths(3)});
  return p;
}

TEST(RoofLabelling, GivesWhatTryingEverySetOfNodesGives) {
  for (const double weight : {0.05, 0.2, 0.35, 0.5})
    for (const int labels : {2, 3, 4}) {
      const auto p = grid_problem(4, 2, labels, weight);
      EXPECT_EQ(geo::share_out(p, 3, {}), expanded_by_trial(p, 3)) << weight << ", " << labels;
    }
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    const auto p = problem_with_ties(random);
    EXPECT_EQ(geo::share_out(p, 3, {}), expanded_by_trial(p, 3)) << "round " << round;
  }
}

TEST(RoofLabelling, IsNeverDearerThanEachNodesOwnChoice) {
  const auto p = grid_problem(12, 9, 5, 0.4);
  std::vector<int> alone;
  for (int i = 0; i < nodes(p); ++i) {
    int best = 0;
    for (int l = 1; l < p.labels; ++l) best = cost_of(p, i, l) < cost_of(p, i, best) ? l : best;
    alone.push_back(best);
  }
  EXPECT_LT(cost_of(p, geo::share_out(p, 10, {})), cost_of(p, alone));
}

TEST(RoofLabelling, GivesAllNodesOneLabelWhereDifferingIsDear) {
  const auto labels = geo::share_out(grid_problem(6, 6, 3, 50), 10, {});
  for (int label : labels) EXPECT_EQ(label, labels[0]);
}

TEST(RoofLabelling, NeverGivesALabelThatIsNoChoice) {
  auto p = grid_problem(5, 5, 2, 2);
  p.choices[7].erase(p.choices[7].begin());
  p.choices[13].pop_back();
  const auto labels = geo::share_out(p, 10, {});
  EXPECT_EQ(labels[7], 1);
  EXPECT_EQ(labels[13], 0);
}

}  // namespace
