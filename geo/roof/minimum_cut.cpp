#include "geo/roof/minimum_cut.hpp"

#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <numeric>
#include <utility>

namespace geo {

std::vector<bool> MinimumCut::sink_side() && {
  for (int node = 0; node < static_cast<int>(surcharge_.size()); ++node) {
    const Cost surcharge = surcharge_[node];
    if (surcharge >= 0)
      add_edge(kSource, node, surcharge);
    else
      add_edge(node, kSink, -surcharge);
  }
  const std::vector<bool> reached = reached_from_source();
  std::vector<bool> sink_side;
  for (int node = 0; node < static_cast<int>(surcharge_.size()); ++node)
    sink_side.push_back(!reached[vertex(node)]);
  return sink_side;
}

/// Each arc's position after a stable sort by the vertex that it leaves.
std::vector<std::size_t> MinimumCut::places_by_vertex() const {
  std::vector<std::size_t> next(vertices() + 1, 0), place;
  for (const Arc& arc : arcs_) ++next[arc.from + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  place.reserve(arcs_.size());
  for (const Arc& arc : arcs_) place.push_back(next[arc.from]++);
  return place;
}

/// For each vertex: whether the source still reaches it under the maximum flow.
std::vector<bool> MinimumCut::reached_from_source() const {
  using Graph = boost::compressed_sparse_row_graph<boost::directedS>;
  using Edge = boost::graph_traits<Graph>::edge_descriptor;
  const std::vector<std::size_t> place = places_by_vertex();
  std::vector<std::pair<std::size_t, std::size_t>> ends(arcs_.size());
  std::vector<Cost> capacities(arcs_.size()), residual(arcs_.size());
  std::vector<Edge> reverse(arcs_.size());
  for (std::size_t i = 0; i < arcs_.size(); ++i) {
    const Arc& arc = arcs_[i];
    ends[place[i]] = {arc.from, arc.to};
    capacities[place[i]] = arc.capacity;
    reverse[place[i]] = Edge(arc.to, place[i ^ 1U]);  // an arc and its opposite are neighbours in arcs_
  }
  const Graph graph(boost::edges_are_sorted, ends.begin(), ends.end(), vertices());
  std::vector<Edge> parent(vertices());
  std::vector<boost::default_color_type> colours(vertices());
  std::vector<long> distances(vertices());
  const auto by_edge = [&graph](auto& values) {
    return boost::make_iterator_property_map(values.begin(), boost::get(boost::edge_index, graph));
  };
  const auto by_vertex = [&graph](auto& values) {
    return boost::make_iterator_property_map(values.begin(), boost::get(boost::vertex_index, graph));
  };
  boost::boykov_kolmogorov_max_flow(graph, by_edge(capacities), by_edge(residual), by_edge(reverse),
                                    by_vertex(parent), by_vertex(colours), by_vertex(distances),
                                    boost::get(boost::vertex_index, graph), vertex(kSource), vertex(kSink));
  std::vector<bool> reached;
  for (const auto colour : colours) reached.push_back(colour == boost::black_color);
  return reached;
}

}  // namespace geo
