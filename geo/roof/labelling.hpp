// Shares nodes out among labels: every node has a cost for each label, every pair of neighbours a cost for
// differing (Potts). Alpha expansion by graph cuts (Boykov, Veksler & Zabih 2001). Used for the cells of a
// roof and for the faces of its plan. Costs have no unit.
#pragma once
#include <vector>

#include "geo/run_control.hpp"

namespace geo {

struct LabellingProblem {
  struct Choice {
    int label;
    double cost;
  };
  int labels = 0;
  std::vector<std::vector<Choice>> choices;  ///< by node: the labels it may have, ascending, at least one
  struct Pair {
    int a, b;
    double weight;  ///< at least 0: cost when their labels differ
  };
  std::vector<Pair> pairs;
};

/// Starts from each node's cheapest label; at most `sweeps` over all labels. The same problem gives the same
/// answer: costs are counted in whole thousandths.
std::vector<int> share_out(const LabellingProblem& problem, int sweeps, const RunControl& control);

}  // namespace geo
