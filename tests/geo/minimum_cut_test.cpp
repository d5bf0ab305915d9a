#include "geo/roof/minimum_cut.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

using geo::MinimumCut;
using testing::ElementsAre;

TEST(MinimumCut, PutsANodeWhereItCostsLess) {
  MinimumCut cut(2);
  cut.add_cost(0, 3, 5);
  cut.add_cost(1, 5, 3);
  EXPECT_THAT(cut.sink_side(), ElementsAre(false, true));
}

TEST(MinimumCut, KeepsNodesTogetherThatADearEdgeJoins) {
  MinimumCut cut(2);
  cut.add_cost(0, 3, 5);
  cut.add_cost(1, 6, 3);
  cut.add_edge(0, 1, 10);
  EXPECT_THAT(cut.sink_side(), ElementsAre(true, true));
}

TEST(MinimumCut, PaysForAnEdgeInItsDirectionOnly) {
  MinimumCut cut(2);
  cut.add_cost(0, 5, 3);
  cut.add_cost(1, 3, 5);
  cut.add_edge(0, 1, 10);
  EXPECT_THAT(cut.sink_side(), ElementsAre(true, false));
}

TEST(MinimumCut, PutsOnTheSinksSideWhateverCostsThereAsLittle) {
  MinimumCut cut(3);
  cut.add_cost(0, 4, 4);
  cut.add_cost(1, 0, 7);
  cut.add_cost(2, 7, 0);
  cut.add_edge(1, 2, 9);  // apart they cost 9, together on either side 7
  EXPECT_THAT(cut.sink_side(), ElementsAre(true, true, true));
}

TEST(MinimumCut, GivesTheSameWhateverTheOrderOfTheEdges) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const int nodes = 9;
    struct Edge {
      int a, b, cost;
    };
    std::vector<Edge> edges;
    for (int i = 0; i < 20; ++i)
      edges.push_back({static_cast<int>(random() % nodes), static_cast<int>(random() % nodes),
                       static_cast<int>(random() % 4)});
    std::vector<int> source_side, sink_side;
    for (int i = 0; i < nodes; ++i) {
      source_side.push_back(static_cast<int>(random() % 6));
      sink_side.push_back(static_cast<int>(random() % 6));
    }
    const auto solved = [&] {
      MinimumCut cut(nodes);
      for (int i = 0; i < nodes; ++i)
        cut.add_cost(i, source_side[static_cast<std::size_t>(i)], sink_side[static_cast<std::size_t>(i)]);
      for (const Edge& e : edges)
        if (e.a != e.b) cut.add_edge(e.a, e.b, e.cost);
      return cut.sink_side();
    };
    const auto first = solved();
    std::shuffle(edges.begin(), edges.end(), random);
    EXPECT_EQ(solved(), first);
  }
}

}  // namespace
