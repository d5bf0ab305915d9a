#include "geo/roof/labelling.hpp"

#include <cmath>

#include "geo/roof/minimum_cut.hpp"

namespace geo {
namespace {

using Cost = MinimumCut::Cost;

Cost thousandths(double cost) { return static_cast<Cost>(std::llround(cost * 1000)); }

/// The labels of one problem's nodes while they are improved. What depends on the problem alone is worked out
/// once, and lies in memory in the order in which it is read: that is most of the time of a large roof.
class Labels {
 public:
  /// Each node's cheapest label.
  explicit Labels(const LabellingProblem& problem)
      : problem_(problem),
        label_of_(size_of(problem.nodes), 0),
        cost_of_(label_of_.size()),
        candidates_(size_of(problem.labels)),
        neighbours_(label_of_.size()),
        slot_(label_of_.size(), kStays),
        surplus_(label_of_.size(), 0) {
    for (int node = 0; node < problem.nodes; ++node) {
      for (int label = 0; label < problem.labels; ++label) {
        const double cost = problem.at(node, label);
        if (cost < problem.at(node, label_of(node))) label_of(node) = label;
        if (cost < LabellingProblem::kForbidden)
          candidates_[size_of(label)].push_back({node, thousandths(cost)});
      }
      cost_of(node) = thousandths(problem.at(node, label_of(node)));
    }
    for (const auto& pair : problem.pairs) {
      const Cost weight = thousandths(pair.weight);
      neighbours_[size_of(pair.a)].push_back({pair.b, true, weight, pair.weight});
      neighbours_[size_of(pair.b)].push_back({pair.a, false, weight, pair.weight});
    }
  }

  /// Lets each node take `alpha` or keep its label, whichever costs least in all. By how much the cost falls;
  /// when it does not, the labels stay as they are.
  double expand(int alpha) {
    constexpr double kNoise = 1e-9;  // costs are doubles
    const std::vector<Candidate> active = may_take(alpha);
    if (active.empty()) return 0;
    MinimumCut cut(active.size());
    for (const Candidate& candidate : active) add_to(cut, candidate, alpha);
    const std::vector<bool> takes = cut.sink_side();
    std::vector<Candidate> takers;
    for (std::size_t i = 0; i < active.size(); ++i) {
      slot_[size_of(active[i].node)] = kStays;
      if (takes[i]) takers.push_back(active[i]);
    }
    const double saved = saved_by(takers, alpha);
    if (saved <= kNoise) return 0;
    for (const Candidate& taker : takers) {
      label_of(taker.node) = alpha;
      cost_of(taker.node) = taker.cost;
    }
    return saved;
  }

  std::vector<int> take() { return std::move(label_of_); }

 private:
  static constexpr int kStays = -1, kTakes = -2;
  struct Candidate {
    int node;
    Cost cost;  ///< of the label
  };
  struct Neighbour {
    int node;
    bool second;  ///< the pair's second node, and the node itself its first
    Cost weight;
    double exact_weight;
  };

  static std::size_t size_of(int number) { return static_cast<std::size_t>(number); }
  int& label_of(int node) { return label_of_[size_of(node)]; }
  int label_of(int node) const { return label_of_[size_of(node)]; }
  Cost& cost_of(int node) { return cost_of_[size_of(node)]; }
  bool stays(int node) const { return slot_[size_of(node)] == kStays; }

  /// The nodes that may gain by taking `alpha`, with their slots in the cut. A node that pays more for it
  /// than for all its borders to nodes that have it or may take it is sure to keep its label. Then its
  /// neighbours can save less, too. Most nodes drop out, and the cut is small.
  std::vector<Candidate> may_take(int alpha) {
    std::vector<Candidate> active;
    for (const Candidate& candidate : candidates_[size_of(alpha)])
      if (label_of(candidate.node) != alpha) {
        slot_[size_of(candidate.node)] = 0;
        active.push_back(candidate);
      }
    for (const auto& [node, cost] : active) {
      Cost surplus = cost - cost_of(node);
      for (const Neighbour& n : neighbours_[size_of(node)])
        if (!stays(n.node) || label_of(n.node) == alpha) surplus -= n.weight;
      surplus_[size_of(node)] = surplus;
    }
    std::vector<int> dropped;
    const auto drop_if_sure = [&](int node) {
      if (surplus_[size_of(node)] <= 0) return;
      slot_[size_of(node)] = kStays;
      dropped.push_back(node);
    };
    for (const Candidate& candidate : active) drop_if_sure(candidate.node);
    while (!dropped.empty()) {
      const int node = dropped.back();
      dropped.pop_back();
      for (const Neighbour& n : neighbours_[size_of(node)]) {
        if (stays(n.node)) continue;
        surplus_[size_of(n.node)] += n.weight;
        drop_if_sure(n.node);
      }
    }
    std::erase_if(active, [this](const Candidate& candidate) { return stays(candidate.node); });
    for (std::size_t i = 0; i < active.size(); ++i) slot_[size_of(active[i].node)] = static_cast<int>(i);
    return active;
  }

  /// Source's side: keep the label; sink's side: take alpha.
  void add_to(MinimumCut& cut, const Candidate& candidate, int alpha) {
    const int node = candidate.node, own = slot_[size_of(node)], label = label_of(node);
    cut.add_cost(own, cost_of(node), candidate.cost);
    for (const Neighbour& n : neighbours_[size_of(node)]) {
      const int other = slot_[size_of(n.node)], other_label = label_of(n.node);
      // keep/keep costs w when they differ now; keep/take and take/keep cost w; take/take nothing.
      const Cost now = label != other_label ? n.weight : 0;
      if (other == kStays) {
        cut.add_cost(own, now, other_label != alpha ? n.weight : 0);
      } else if (n.second) {
        cut.add_cost(own, now, n.weight);
        cut.add_cost(other, n.weight, 0);
        cut.add_edge(own, other, 2 * n.weight - now);
      }
    }
  }

  double saved_by(const std::vector<Candidate>& takers, int alpha) {
    double saved = 0;
    for (const Candidate& taker : takers) slot_[size_of(taker.node)] = kTakes;
    for (const auto& [node, cost] : takers) {
      saved += problem_.at(node, label_of(node)) - problem_.at(node, alpha);
      for (const Neighbour& n : neighbours_[size_of(node)]) {
        const bool both_take = slot_[size_of(n.node)] == kTakes;
        if (both_take && !n.second) continue;  // counted from the other side
        const bool differ = label_of(node) != label_of(n.node);
        const bool will_differ = !both_take && label_of(n.node) != alpha;
        saved += (differ - will_differ) * n.exact_weight;
      }
    }
    for (const Candidate& taker : takers) slot_[size_of(taker.node)] = kStays;
    return saved;
  }

  const LabellingProblem& problem_;
  std::vector<int> label_of_;
  std::vector<Cost> cost_of_;                       // of the node's label
  std::vector<std::vector<Candidate>> candidates_;  // by label: the nodes within its reach
  std::vector<std::vector<Neighbour>> neighbours_;
  // While a label is expanded:
  std::vector<int> slot_;      // in the cut
  std::vector<Cost> surplus_;  // what taking it costs more than it can save at borders
};

}  // namespace

std::vector<int> share_out(const LabellingProblem& problem, int sweeps, const RunControl& control) {
  constexpr double kLeast = 1e-6;  // that a sweep must bring
  Labels labels(problem);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double saved = 0;
    for (int alpha = 0; alpha < problem.labels; ++alpha) {
      control.checkpoint();
      saved += labels.expand(alpha);
    }
    if (saved < kLeast) break;
  }
  return labels.take();
}

}  // namespace geo
