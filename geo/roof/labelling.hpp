// Shares nodes out among labels: every node has a cost for each label, every pair of neighbours a cost for
// differing (Potts). Alpha expansion by graph cuts (Boykov, Veksler & Zabih 2001). Used for the cells of a
// roof and for the faces of its plan. Costs have no unit.
#pragma once
#include <vector>

#include "geo/run_control.hpp"

namespace geo {

struct LabellingProblem {
  int nodes = 0;
  int labels = 0;
  std::vector<double> cost;  ///< [node * labels + label], finite; at least kForbidden: never
  struct Pair {
    int a, b;
    double weight;  ///< at least 0: cost when their labels differ
  };
  std::vector<Pair> pairs;

  static constexpr double kForbidden = 1e6;
  double& at(int node, int label) {
    return cost[static_cast<std::size_t>(node) * static_cast<std::size_t>(labels) +
                static_cast<std::size_t>(label)];
  }
  double at(int node, int label) const {
    return cost[static_cast<std::size_t>(node) * static_cast<std::size_t>(labels) +
                static_cast<std::size_t>(label)];
  }
};

/// Starts from each node's cheapest label; at most `sweeps` over all labels. The same problem gives the same
/// answer: costs are counted in whole thousandths.
std::vector<int> share_out(const LabellingProblem& problem, int sweeps, const RunControl& control);

}  // namespace geo
