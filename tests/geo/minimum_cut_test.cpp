#include "geo/roof/minimum_cut.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <utility>

namespace {

using geo::MinimumCut;
using testing::ElementsAre;

TEST(MinimumCut, PutsANodeWhereItCostsLess) {
  MinimumCut cut(2);
  cut.add_cost(0, 3, 5);
  cut.add_cost(1, 5, 3);
  EXPECT_THAT(std::move(cut).sink_side(), ElementsAre(false, true));
}

TEST(MinimumCut, KeepsNodesTogetherThatADearEdgeJoins) {
  MinimumCut cut(2);
  cut.add_cost(0, 3, 5);
  cut.add_cost(1, 6, 3);
  cut.add_edge(0, 1, 10);
  EXPECT_THAT(std::move(cut).sink_side(), ElementsAre(true, true));
}

TEST(MinimumCut, PaysForAnEdgeInItsDirectionOnly) {
  MinimumCut cut(2);
  cut.add_cost(0, 5, 3);
  cut.add_cost(1, 3, 5);
  cut.add_edge(0, 1, 10);
  EXPECT_THAT(std::move(cut).sink_side(), ElementsAre(true, false));
}

TEST(MinimumCut, PutsOnTheSinksSideWhateverCostsThereAsLittle) {
  MinimumCut cut(3);
  cut.add_cost(0, 4, 4);
  cut.add_cost(1, 0, 7);
  cut.add_cost(2, 7, 0);
  cut.add_edge(1, 2, 9);  // apart they cost 9, together on either side 7
  EXPECT_THAT(std::move(cut).sink_side(), ElementsAre(true, true, true));
}

struct Edge {
  int a, b, cost;
};

struct Nodes {
  std::vector<std::pair<int, int>> costs;  // on the source's side, on the sink's
  std::vector<Edge> edges;

  int cost(unsigned sink_side) const {
    int sum = 0;
    const auto on_sink_side = [sink_side](int node) { return (sink_side >> node & 1U) != 0; };
    for (std::size_t i = 0; i < costs.size(); ++i)
      sum += on_sink_side(static_cast<int>(i)) ? costs[i].second : costs[i].first;
    for (const Edge& e : edges) sum += !on_sink_side(e.a) && on_sink_side(e.b) ? e.cost : 0;
    return sum;
  }
  /// The cheapest of all splits, the one with the most nodes on the sink's side.
  unsigned cut_by_trial() const {
    unsigned best = 0;
    for (unsigned tried = 1; tried < 1U << costs.size(); ++tried)
      if (const int less = cost(best) - cost(tried);
          less > 0 || (less == 0 && std::popcount(tried) > std::popcount(best)))
        best = tried;
    return best;
  }
  unsigned cut() const {
    MinimumCut cut(costs.size());
    for (std::size_t i = 0; i < costs.size(); ++i)
      cut.add_cost(static_cast<int>(i), costs[i].first, costs[i].second);
    for (const Edge& e : edges) cut.add_edge(e.a, e.b, e.cost);
    const std::vector<bool> sink_side = std::move(cut).sink_side();
    unsigned code = 0;
    for (std::size_t i = 0; i < sink_side.size(); ++i) code |= sink_side[i] ? 1U << i : 0;
    return code;
  }
};

TEST(MinimumCut, IsTheCheapestOfAllSplitsWhateverTheOrderOfTheEdges) {
  std::mt19937 random(7);
  const auto below = [&random](unsigned end) { return static_cast<int>(random() % end); };
  for (int round = 0; round < 300; ++round) {
    Nodes nodes;
    for (int i = 0; i < 9; ++i) nodes.costs.push_back({below(6), below(6)});
    for (int i = 0; i < 20; ++i)
      if (const int a = below(9), b = below(9); a != b) nodes.edges.push_back({a, b, below(4)});
    const unsigned expected = nodes.cut_by_trial();
    EXPECT_EQ(nodes.cut(), expected);
    std::shuffle(nodes.edges.begin(), nodes.edges.end(), random);
    EXPECT_EQ(nodes.cut(), expected);
  }
}

}  // namespace
