#include "geo/roof/labelling.hpp"

// GCC 12 mistakes the optional in Boost.Graph's edge iterators for uninitialised.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <cmath>
#include <cstdint>

namespace geo {
namespace {

using Capacity = std::int64_t;
using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Graph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS,
    boost::property<boost::vertex_color_t, boost::default_color_type,
                    boost::property<boost::vertex_distance_t, long,
                                    boost::property<boost::vertex_predecessor_t, Traits::edge_descriptor>>>,
    boost::property<boost::edge_capacity_t, Capacity,
                    boost::property<boost::edge_residual_capacity_t, Capacity,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

Capacity thousandths(double cost) { return static_cast<Capacity>(std::llround(cost * 1000)); }

class Cut {
 public:
  explicit Cut(int nodes)
      : graph_(static_cast<std::size_t>(nodes) + 2), terminal_(static_cast<std::size_t>(nodes), 0) {}

  /// Cost of a node on the source's side and on the sink's side.
  void add_cost(int node, Capacity source_side, Capacity sink_side) {
    terminal_[static_cast<std::size_t>(node)] += sink_side - source_side;
  }
  /// `forward` is paid when a is on the source's side and b on the sink's, `backward` the other way round.
  void add_edge(int a, int b, Capacity forward, Capacity backward) {
    auto capacity = boost::get(boost::edge_capacity, graph_);
    auto reverse = boost::get(boost::edge_reverse, graph_);
    const auto there = boost::add_edge(vertex(a), vertex(b), graph_).first;
    const auto back = boost::add_edge(vertex(b), vertex(a), graph_).first;
    capacity[there] = forward;
    capacity[back] = backward;
    reverse[there] = back;
    reverse[back] = there;
  }
  /// True for each node on the sink's side.
  std::vector<bool> solve() {
    for (int node = 0; node < static_cast<int>(terminal_.size()); ++node) {
      const Capacity t = terminal_[static_cast<std::size_t>(node)];
      if (t >= 0)
        add_edge(-2, node, t, 0);
      else
        add_edge(node, -1, -t, 0);
    }
    boost::boykov_kolmogorov_max_flow(graph_, vertex(-2), vertex(-1));
    const auto colour = boost::get(boost::vertex_color, graph_);
    std::vector<bool> sink_side(terminal_.size());
    for (std::size_t i = 0; i < terminal_.size(); ++i)
      sink_side[i] = colour[vertex(static_cast<int>(i))] != boost::black_color;
    return sink_side;
  }

 private:
  static Graph::vertex_descriptor vertex(int node) { return static_cast<Graph::vertex_descriptor>(node) + 2; }
  Graph graph_;
  std::vector<Capacity> terminal_;
};

/// One expansion of `alpha`; true when a label changed.
bool expand(const LabellingProblem& problem, int alpha, const std::vector<std::vector<int>>& pairs_of,
            std::vector<int>& labels) {
  std::vector<int> slot(labels.size(), -1);
  std::vector<int> active;
  for (int node = 0; node < problem.nodes; ++node)
    if (labels[static_cast<std::size_t>(node)] != alpha &&
        problem.at(node, alpha) < LabellingProblem::kForbidden) {
      slot[static_cast<std::size_t>(node)] = static_cast<int>(active.size());
      active.push_back(node);
    }
  if (active.empty()) return false;
  Cut cut(static_cast<int>(active.size()));
  for (int node : active) {
    const int own = slot[static_cast<std::size_t>(node)];
    const int label = labels[static_cast<std::size_t>(node)];
    // Source's side: keep the label; sink's side: take alpha.
    cut.add_cost(own, thousandths(problem.at(node, label)), thousandths(problem.at(node, alpha)));
    for (int index : pairs_of[static_cast<std::size_t>(node)]) {
      const auto& pair = problem.pairs[static_cast<std::size_t>(index)];
      const int other = pair.a == node ? pair.b : pair.a;
      const int other_label = labels[static_cast<std::size_t>(other)];
      const Capacity weight = thousandths(pair.weight);
      const int other_slot = slot[static_cast<std::size_t>(other)];
      if (other_slot < 0) {  // stays what it is
        cut.add_cost(own, label != other_label ? weight : 0, other_label != alpha ? weight : 0);
      } else if (node == pair.a) {
        // keep/keep costs w when they differ now; keep/take and take/keep cost w; take/take nothing.
        const Capacity now = label != other_label ? weight : 0;
        cut.add_cost(own, now, weight);
        cut.add_cost(other_slot, weight, 0);
        cut.add_edge(own, other_slot, 2 * weight - now, 0);
      }
    }
  }
  const std::vector<bool> taken = cut.solve();
  bool changed = false;
  for (std::size_t i = 0; i < active.size(); ++i)
    if (taken[i]) {
      labels[static_cast<std::size_t>(active[i])] = alpha;
      changed = true;
    }
  return changed;
}

double energy(const LabellingProblem& problem, const std::vector<int>& labels) {
  double sum = 0;
  for (int node = 0; node < problem.nodes; ++node)
    sum += problem.at(node, labels[static_cast<std::size_t>(node)]);
  for (const auto& pair : problem.pairs)
    if (labels[static_cast<std::size_t>(pair.a)] != labels[static_cast<std::size_t>(pair.b)])
      sum += pair.weight;
  return sum;
}

}  // namespace

std::vector<int> share_out(const LabellingProblem& problem, int sweeps, const RunControl& control) {
  std::vector<int> labels(static_cast<std::size_t>(problem.nodes), 0);
  std::vector<std::vector<int>> pairs_of(static_cast<std::size_t>(problem.nodes));
  for (int node = 0; node < problem.nodes; ++node)
    for (int label = 1; label < problem.labels; ++label)
      if (problem.at(node, label) < problem.at(node, labels[static_cast<std::size_t>(node)]))
        labels[static_cast<std::size_t>(node)] = label;
  for (std::size_t i = 0; i < problem.pairs.size(); ++i) {
    pairs_of[static_cast<std::size_t>(problem.pairs[i].a)].push_back(static_cast<int>(i));
    pairs_of[static_cast<std::size_t>(problem.pairs[i].b)].push_back(static_cast<int>(i));
  }
  double best = energy(problem, labels);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const double before = best;
    for (int alpha = 0; alpha < problem.labels; ++alpha) {
      control.checkpoint();
      std::vector<int> tried = labels;
      if (!expand(problem, alpha, pairs_of, tried)) continue;
      if (const double now = energy(problem, tried); now < best - 1e-9) {
        best = now;
        labels = std::move(tried);
      }
    }
    if (best > before - 1e-6) break;
  }
  return labels;
}

}  // namespace geo
