#include "geo/roof/hip_edges.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace geo {
namespace {

Point crossing(const Line& a, const Line& b) {
  return a.point(cross(b.at - a.at, b.direction) / cross(a.direction, b.direction));
}

/// The segments beside a hip that fall square to it, the two with most cells there.
std::vector<int> halves_beside(const RoofSegmentation& roof, const RoofSegment& hip) {
  std::map<int, int> cells;
  const Point fall = hip.fit.plane.gradient();
  for (int i : hip.cells)
    for (int n : roof.cells.around[i]) {
      const int s = roof.segment_of[n];
      if (s < 0 || roof.segments[s].hip) continue;
      const Point other = roof.plane(s).gradient();
      if (std::abs(dot(fall, other)) < 0.3 * length(fall) * length(other)) ++cells[s];
    }
  std::vector<int> found;
  for (const auto& [s, count] : cells) found.push_back(s);
  std::stable_sort(found.begin(), found.end(), [&](int a, int b) { return cells[a] > cells[b]; });
  if (found.size() > 2) found.resize(2);
  return found;
}

/// The lines in which a hip meets the gable's halves, both from the point where all three meet, downwards.
std::vector<Line> falling_edges(const RoofSegmentation& roof, const RoofSegment& hip) {
  constexpr double kNearlyParallel = 0.1;
  const std::vector<int> halves = halves_beside(roof, hip);
  if (halves.size() != 2) return {};
  const auto first = meeting_of(hip.fit.plane, roof.plane(halves[0]));
  const auto second = meeting_of(hip.fit.plane, roof.plane(halves[1]));
  if (!first || !second || std::abs(cross(first->direction, second->direction)) < kNearlyParallel) return {};
  const Point apex = crossing(*first, *second);
  std::vector<Line> edges;
  for (Line edge : {*first, *second}) {
    edge.at = apex;
    if (hip.fit.plane.height_at(edge.point(1)) > hip.fit.plane.height_at(apex))
      edge.direction = edge.direction * -1;
    edges.push_back(edge);
  }
  return edges;
}

/// How far along `edge` the hip's eave lies; 0 when unknown. The hip may have cells at one end of the edge
/// only.
double distance_to_eave(const Line& edge, const RoofSegment& hip, const std::vector<RoofLine>& lines) {
  constexpr double kFarthest_m = 5;
  const Point fall = direction_of_gradient(hip.fit.plane) * -1;
  double nearest = kFarthest_m;
  for (const RoofLine& l : lines) {
    const double closing = cross(edge.direction, l.line.direction);
    if (!l.wall || std::abs(dot(l.line.direction, fall)) > 0.2 || std::abs(closing) < 0.05) continue;
    const double t = cross(l.line.at - edge.at, l.line.direction) / closing;
    if (t > 0) nearest = std::min(nearest, t);
  }
  return nearest < kFarthest_m ? nearest : 0;
}

}  // namespace

std::vector<RoofLine> hip_edges(const RoofSegmentation& roof, const RoofSegment& hip,
                                const std::vector<RoofLine>& lines) {
  std::vector<RoofLine> edges;
  for (const Line& line : falling_edges(roof, hip)) {
    double to = distance_to_eave(line, hip, lines);
    for (int i : hip.cells) to = std::max(to, line.along(roof.cells.points[i]));
    edges.push_back({.line = line, .from = 0, .to = to});
  }
  return edges;
}

void end_at_hips(const RoofSegmentation& roof, const std::pair<int, int>& gable, RoofLine& ridge) {
  for (const RoofSegment& s : roof.segments) {
    if (!s.hip) continue;
    std::vector<int> halves = halves_beside(roof, s);
    std::sort(halves.begin(), halves.end());
    if (halves != std::vector<int>{gable.first, gable.second}) continue;
    const std::vector<Line> edges = falling_edges(roof, s);
    if (edges.empty()) continue;
    const double apex = ridge.line.along(edges[0].at);
    if (dot(ridge.line.direction, direction_of_gradient(s.fit.plane)) < 0)
      ridge.last = std::min(ridge.last, apex);
    else
      ridge.first = std::max(ridge.first, apex);
  }
}

void reach_edges(RoofLine& eave, const std::vector<RoofLine>& edges) {
  for (const RoofLine& edge : edges) {
    const double foot = eave.line.along(crossing(edge.line, eave.line));
    eave.from = std::min(eave.from, foot);
    eave.to = std::max(eave.to, foot);
  }
}

}  // namespace geo
