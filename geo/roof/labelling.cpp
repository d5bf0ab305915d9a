#include "geo/roof/labelling.hpp"

#include <algorithm>
#include <cmath>

#include "geo/roof/minimum_cut.hpp"

namespace geo {
namespace {

using Cost = MinimumCut::Cost;

Cost thousandths(double cost) { return static_cast<Cost>(std::llround(cost * 1000)); }

/// The labels of all nodes while they are improved. What does not change is worked out once, because
/// expansions take most of the time of a large roof.
class Labels {
 public:
  /// Each node's cheapest label.
  explicit Labels(const LabellingProblem& problem)
      : problem_(problem),
        label_of_(problem.choices.size()),
        cost_of_(label_of_.size()),
        exact_cost_of_(label_of_.size()),
        candidates_(index(problem.labels)),
        may_gain_(candidates_.size(), true),
        neighbours_(label_of_.size()),
        slot_(label_of_.size(), kStays),
        surplus_(label_of_.size(), 0) {
    for (std::size_t i = 0; i < problem.choices.size(); ++i) {
      const auto node = static_cast<int>(i);
      for (const auto& [label, cost] : problem.choices[i])
        candidates_[index(label)].push_back({node, thousandths(cost), cost});
      const auto& cheapest = *std::min_element(problem.choices[i].begin(), problem.choices[i].end(),
                                               [](auto& a, auto& b) { return a.cost < b.cost; });
      give({node, thousandths(cheapest.cost), cheapest.cost}, cheapest.label);
    }
    for (const auto& pair : problem.pairs) {
      const Cost weight = thousandths(pair.weight);
      neighbours_[index(pair.a)].push_back({pair.b, true, weight, pair.weight});
      neighbours_[index(pair.b)].push_back({pair.a, false, weight, pair.weight});
    }
  }

  /// Lets each node take `alpha` or keep its label, so that the whole cost is least. Returns by how much it
  /// falls; changes nothing when it does not fall.
  double expand(int alpha) {
    constexpr double kNoise = 1e-9;  // a smaller fall may be a rounding error
    if (!may_gain_[index(alpha)]) return 0;
    may_gain_[index(alpha)] = false;
    const std::vector<Candidate> active = choose_active(alpha);
    if (active.empty()) return 0;
    MinimumCut cut(active.size());
    for (const Candidate& candidate : active) add_node(cut, candidate, alpha);
    const std::vector<bool> takes = std::move(cut).sink_side();
    std::vector<Candidate> takers;
    for (std::size_t i = 0; i < active.size(); ++i) {
      slot_[index(active[i].node)] = kStays;
      if (takes[i]) takers.push_back(active[i]);
    }
    const double saved = saved_by(takers, alpha);
    if (saved <= kNoise) return 0;
    for (const Candidate& taker : takers) {
      give(taker, alpha);
      look_again_at(taker.node, alpha);
    }
    return saved;
  }

  std::vector<int> into_labels() { return std::move(label_of_); }

 private:
  static constexpr int kStays = -1, kTakes = -2, kCandidate = 0;
  struct Candidate {
    int node;
    Cost cost;          ///< of the label
    double exact_cost;  ///< the same, not rounded
  };
  struct Neighbour {
    int node;
    bool is_second;  ///< in the pair: of the pair's two entries only this one adds its edge
    Cost weight;
    double exact_weight;
  };

  static std::size_t index(int number) { return static_cast<std::size_t>(number); }
  int& label_of(int node) { return label_of_[index(node)]; }
  int label_of(int node) const { return label_of_[index(node)]; }
  Cost& cost_of(int node) { return cost_of_[index(node)]; }
  void give(const Candidate& taker, int label) {
    label_of(taker.node) = label;
    cost_of(taker.node) = taker.cost;
    exact_cost_of_[index(taker.node)] = taker.exact_cost;
  }
  /// An expansion finds the best there is for its label, so its own givings leave nothing to find. It can
  /// find more only after another label was given to one of the nodes that may have it, or beside one.
  void look_again_at(int node, int given) {
    const auto mark = [&](int at) {
      for (const auto& choice : problem_.choices[index(at)])
        if (choice.label != given) may_gain_[index(choice.label)] = true;
    };
    mark(node);
    for (const Neighbour& n : neighbours_[index(node)]) mark(n.node);
  }
  bool stays(int node) const { return slot_[index(node)] == kStays; }

  /// Returns the nodes that may gain by taking `alpha`, and gives them their slots in the cut. A node surely
  /// keeps its label when `alpha` costs it more than it can save on pairs with nodes that have or may take
  /// `alpha`. Dropping it lowers what its neighbours can save, so they are looked at again. Most nodes drop
  /// out, and the cut is small.
  std::vector<Candidate> choose_active(int alpha) {
    std::vector<Candidate> active;
    for (const Candidate& candidate : candidates_[index(alpha)])
      if (label_of(candidate.node) != alpha) {
        slot_[index(candidate.node)] = kCandidate;
        active.push_back(candidate);
      }
    for (const Candidate& candidate : active) {
      const int node = candidate.node;
      Cost surplus = candidate.cost - cost_of(node);
      for (const Neighbour& n : neighbours_[index(node)])
        if (!stays(n.node) || label_of(n.node) == alpha) surplus -= n.weight;
      surplus_[index(node)] = surplus;
    }
    std::vector<int> dropped;
    const auto drop_if_sure = [&](int node) {
      if (surplus_[index(node)] <= 0) return;
      slot_[index(node)] = kStays;
      dropped.push_back(node);
    };
    for (const Candidate& candidate : active) drop_if_sure(candidate.node);
    while (!dropped.empty()) {
      const int node = dropped.back();
      dropped.pop_back();
      for (const Neighbour& n : neighbours_[index(node)]) {
        if (stays(n.node)) continue;
        surplus_[index(n.node)] += n.weight;
        drop_if_sure(n.node);
      }
    }
    std::erase_if(active, [this](const Candidate& candidate) { return stays(candidate.node); });
    for (std::size_t i = 0; i < active.size(); ++i) slot_[index(active[i].node)] = static_cast<int>(i);
    return active;
  }

  /// Source's side: keep the label; sink's side: take alpha. The costs of a pair are `weight` too high in
  /// each case, which does not change the cut: an edge must not cost less than nothing.
  void add_node(MinimumCut& cut, const Candidate& candidate, int alpha) {
    const int node = candidate.node, own = slot_[index(node)], label = label_of(node);
    cut.add_cost(own, cost_of(node), candidate.cost);
    for (const Neighbour& n : neighbours_[index(node)]) {
      const int other = slot_[index(n.node)], other_label = label_of(n.node);
      // keep/keep costs w when they differ now; keep/take and take/keep cost w; take/take nothing.
      const Cost now = label != other_label ? n.weight : 0;
      if (other == kStays) {
        cut.add_cost(own, now, other_label != alpha ? n.weight : 0);
      } else if (n.is_second) {
        cut.add_cost(own, now, n.weight);
        cut.add_cost(other, n.weight, 0);
        cut.add_edge(own, other, 2 * n.weight - now);
      }
    }
  }

  /// By how much the exact cost falls when these nodes take `alpha`; below 0 when it rises, as the cut counts
  /// in whole thousandths.
  double saved_by(const std::vector<Candidate>& takers, int alpha) {
    double saved = 0;
    for (const Candidate& taker : takers) slot_[index(taker.node)] = kTakes;
    for (const Candidate& taker : takers) {
      const int node = taker.node;
      saved += exact_cost_of_[index(node)] - taker.exact_cost;
      for (const Neighbour& n : neighbours_[index(node)]) {
        const bool both_take = slot_[index(n.node)] == kTakes;
        if (both_take && !n.is_second) continue;  // counted from the other side
        const bool differ = label_of(node) != label_of(n.node);
        const bool will_differ = !both_take && label_of(n.node) != alpha;
        saved += (differ - will_differ) * n.exact_weight;
      }
    }
    for (const Candidate& taker : takers) slot_[index(taker.node)] = kStays;
    return saved;
  }

  const LabellingProblem& problem_;
  std::vector<int> label_of_;
  std::vector<Cost> cost_of_;  // of the node's label
  std::vector<double> exact_cost_of_;
  std::vector<std::vector<Candidate>> candidates_;  // by label: the nodes that may have it
  std::vector<bool> may_gain_;                      // by label
  std::vector<std::vector<Neighbour>> neighbours_;
  // While a label is expanded:
  std::vector<int> slot_;      // in the cut, or one of the constants above
  std::vector<Cost> surplus_;  // what alpha costs more, less what it can save on pairs at most
};

}  // namespace

std::vector<int> share_out(const LabellingProblem& problem, int sweeps, const RunControl& control) {
  constexpr double kLeastFall = 1e-6;  // a sweep that brings less is the last
  Labels labels(problem);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double saved = 0;
    for (int alpha = 0; alpha < problem.labels; ++alpha) {
      control.checkpoint();
      saved += labels.expand(alpha);
    }
    if (saved < kLeastFall) break;
  }
  return labels.into_labels();
}

}  // namespace geo
