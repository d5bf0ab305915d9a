// Splits nodes into two sides, the source's and the sink's, at the least cost, by the maximum flow between
// them (Boykov & Kolmogorov 2004). Where several splits cost the least, it gives the one with the fewest
// nodes on the source's side. So the answer does not depend on the order in which costs and edges came.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace geo {

class MinimumCut {
 public:
  using Cost = std::int64_t;

  explicit MinimumCut(std::size_t nodes) : surcharge_(nodes, 0) {}

  /// Adds to the node's cost on each side.
  void add_cost(int node, Cost source_side, Cost sink_side) { surcharge_[node] += sink_side - source_side; }
  /// `cost`, at least 0, is paid when a is on the source's side and b on the sink's.
  void add_edge(int a, int b, Cost cost) {
    arcs_.push_back({vertex(a), vertex(b), cost});
    arcs_.push_back({vertex(b), vertex(a), 0});
  }
  /// True for each node on the sink's side. Uses up the cut.
  std::vector<bool> sink_side() &&;

 private:
  static constexpr int kSource = -2, kSink = -1;
  static std::size_t vertex(int node) { return static_cast<std::size_t>(node + 2); }
  std::size_t vertices() const { return surcharge_.size() + 2; }
  std::vector<std::size_t> places_by_vertex() const;
  std::vector<bool> reached_from_source() const;

  struct Arc {
    std::size_t from, to;  // vertices
    Cost capacity;
  };
  std::vector<Cost> surcharge_;  // how much more each node costs on the sink's side
  std::vector<Arc> arcs_;        // each is followed by its opposite
};

}  // namespace geo
