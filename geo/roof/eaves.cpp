#include "geo/roof/eaves.hpp"

#include <algorithm>
#include <cmath>

#include "geo/grid/cell_block.hpp"
#include "geo/property/cell_figures.hpp"

namespace geo {
namespace {

constexpr double kBeyond_m = 1.2;   // past the farthest edge: the strip where the lower level is measured
constexpr double kMinDrop_m = 0.6;  // less is no edge of a roof
constexpr double kDropToNeighbour_m = 1.2;  // houses of a row step by less and end at the wall
constexpr double kCornerClear_m = 0.7;      // cells nearer to the edge's ends are cut by the next edge too
constexpr double kStep_m = 0.05;
constexpr double kHipReach_m = 3;
constexpr double kCorner_m = 0.6;  // two overhangs meet at a corner

struct EdgeCell {
  double distance_m;  // to the right of the edge
  double share;       // of the roof in the cell's height, 0..1
};

/// The plane that roofs the edge at this point: the first segment found going inwards.
const Plane* plane_behind(const RoofSegmentation& segmentation, const RoofMap& map, Point p, Point inward) {
  for (double d = 0.5; d <= 3.5; d += 0.5) {
    const Point q = p + inward * d;
    const int col = map.segment.col_of(q.x), row = map.segment.row_of(q.y);
    if (!map.segment.contains(col, row)) continue;
    if (const int s = map.segment.at(col, row); s >= 0) return &segmentation.segments[s].fit.plane;
  }
  return nullptr;
}

/// Height of the roof: that of `plane`, or of a hip that falls towards the edge where the hip is lower.
double roof_height(const RoofSegmentation& segmentation, const Plane& plane, Point p, Point inward) {
  constexpr double kAcross = -0.9;  // cosine between the hip's gradient and outwards
  double height = plane.height_at(p);
  for (const RoofSegment& s : segmentation.segments) {
    if (!s.hip) continue;
    const Plane& hip = s.fit.plane;
    if (dot(hip.gradient(), inward) >= -kAcross * hip.slope() &&
        has_cell_within(segmentation, s, p, kHipReach_m))
      height = std::min(height, hip.height_at(p));
  }
  return height;
}

/// An edge's position, and the sum of squares of what it leaves unexplained.
struct Position {
  double reach_m, misfit;
};

double best(const std::vector<Position>& positions) {
  return std::min_element(positions.begin(), positions.end(),
                          [](const Position& a, const Position& b) { return a.misfit < b.misfit; })
      ->reach_m;
}

/// The mean of all positions, each as likely as it explains the cells. A roof that covers half of each cell
/// and one that covers nearly all look alike where cells hold the highest return.
double expected(const std::vector<Position>& positions) {
  constexpr double kShareError = 0.2;  // of a cell's share, standard deviation
  double least = 1e300, sum = 0, weights = 0;
  for (const Position& p : positions) least = std::min(least, p.misfit);
  for (const Position& p : positions) {
    const double weight = std::exp((least - p.misfit) / (2 * squared(kShareError)));
    sum += weight * p.reach_m, weights += weight;
  }
  return sum / weights;
}

template <class Visit>
void for_cells_along(const RoofSite& site, const Line& edge, double from, double to, double right_from,
                     double right_to, Visit visit) {
  Ring corners;
  for (double t : {from, to})
    for (double d : {right_from, right_to}) corners.push_back(edge.point(t) - edge.normal() * d);
  const Grid<float>& grid = site.height;
  for (const auto [col, row] : cells_touching(grid, bounding_box(corners))) {
    const Point c = grid.centre(col, row);
    const double t = edge.along(c), d = -edge.left_of(c);
    if (t >= from && t <= to && d >= right_from && d <= right_to && !std::isnan(grid.at(col, row)))
      visit(col, row, t, d);
  }
}

std::vector<Eave> wall_edges(const RoofSite& site) {
  std::vector<Eave> edges;
  auto add_ring = [&](const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i], b = ring[(i + 1) % ring.size()];
      if (length(b - a) > 0.05) edges.push_back({a, b});
    }
  };
  // A corner that moves the wall by less than a hand's breadth is no corner of the roof.
  add_ring(simplified_ring(site.footprint.outer, 0.12));
  for (const Ring& hole : site.footprint.holes) add_ring(simplified_ring(hole, 0.12));
  return edges;
}

/// Cuts an edge where a neighbour's wall begins or ends along it.
std::vector<Eave> split_at_neighbours(const RoofSite& site, const Eave& edge) {
  const double total = length(edge.b - edge.a);
  const Point right = line_through(edge.a, edge.b).normal() * -1;
  constexpr double kSample_m = 0.25;
  const int samples = std::max(1, static_cast<int>(std::round(total / kSample_m)));
  std::vector<Eave> parts;
  for (int i = 0; i < samples; ++i) {
    const double t = (i + 0.5) / samples;
    const bool shared = is_on_neighbour(site, edge.a + (edge.b - edge.a) * t + right * 0.35);
    const Point end = edge.a + (edge.b - edge.a) * (static_cast<double>(i + 1) / samples);
    if (!parts.empty() && parts.back().shared == shared)
      parts.back().b = end;
    else
      parts.push_back({parts.empty() ? edge.a : parts.back().b, end, 0, shared});
  }
  return parts;
}

/// How far the cells beyond the wall lie below this roof continued: their median.
double drop_beyond(const RoofSite& site, const RoofSegmentation& segmentation, const RoofMap& map,
                   const Eave& wall) {
  const Line edge = line_through(wall.a, wall.b);
  std::vector<double> drops;
  for_cells_along(
      site, edge, 0, length(wall.b - wall.a), kBeyond_m, 2 * kBeyond_m,
      [&](int col, int row, double t, double) {
        if (const Plane* plane = plane_behind(segmentation, map, edge.point(t), edge.normal()))
          drops.push_back(plane->height_at(site.height.centre(col, row)) - site.height.at(col, row));
      });
  return median(std::move(drops));
}

bool is_under(const Eave& e, Point p) {
  if (e.reach_m <= 0) return false;
  const Line line = line_through(e.a, e.b);
  const double d = -line.left_of(p), t = line.along(p);
  return d >= 0 && d <= e.reach_m && t >= -kCorner_m && t <= length(e.b - e.a) + kCorner_m;
}

}  // namespace

double edge_position(const RoofSite& site, const RoofSegmentation& segmentation, const RoofMap& map, Point a,
                     Point b, double nearest_m, double farthest_m) {
  const double total = length(b - a);
  const Line edge = line_through(a, b);
  const double clear = total > 3 * kCornerClear_m ? kCornerClear_m : 0;
  const Point inward = edge.normal();
  std::vector<double> beyond;
  for_cells_along(site, edge, clear, total - clear, farthest_m + 0.5, farthest_m + 0.5 + kBeyond_m,
                  [&](int col, int row, double, double) { beyond.push_back(site.height.at(col, row)); });
  if (beyond.empty()) return NAN;
  const double level = median(beyond);
  std::vector<EdgeCell> cells;
  for_cells_along(
      site, edge, clear, total - clear, nearest_m - 1, farthest_m + 1,
      [&](int col, int row, double t, double d) {
        const Plane* plane = plane_behind(segmentation, map, edge.point(t) - inward * nearest_m, inward);
        if (!plane) return;
        const double roof = roof_height(segmentation, *plane, site.height.centre(col, row), inward);
        const double z = site.height.at(col, row);
        if (roof - level < kMinDrop_m || z > roof + 0.5 + 0.3 * plane->slope()) return;  // a tree, a wall
        cells.push_back({d, std::clamp((z - level) / (roof - level), 0.0, 1.0)});
      });
  if (cells.size() < 3) return NAN;
  // A cell cut by the edge is covered in part; its width across the edge depends on the direction.
  const double width = site.height.cell_m * (std::abs(inward.x) + std::abs(inward.y));
  const double returns = returns_that_count(site.highest_of_m2, site.height.cell_m);
  // Positions just beyond both ends count too. Without them the mean would never come near an end.
  const double more_m = returns > 1 ? 0.5 * site.height.cell_m : 0;
  std::vector<Position> positions;
  for (double reach = nearest_m - more_m; reach <= farthest_m + more_m + 1e-9; reach += kStep_m) {
    double misfit = 0;
    for (const EdgeCell& c : cells) {
      const double covered = std::clamp((reach - c.distance_m) / width + 0.5, 0.0, 1.0);
      misfit += squared(c.share - share_in_height(covered, returns));
    }
    positions.push_back({reach, misfit});
  }
  return returns > 1 ? std::max(nearest_m, expected(positions)) : best(positions);
}

bool RoofEaves::covers(Point p) const {
  return contains(footprint, p) ||
         std::any_of(edges.begin(), edges.end(), [p](const Eave& e) { return is_under(e, p); });
}

bool RoofEaves::covers_neighbour(Point p) const {
  return std::any_of(edges.begin(), edges.end(),
                     [p](const Eave& e) { return e.over_neighbour && is_under(e, p); });
}

std::vector<Polygon> RoofEaves::strips_over_neighbours() const {
  std::vector<Polygon> strips;
  for (const Eave& e : edges) {
    if (!e.over_neighbour || e.reach_m <= 0) continue;
    const Line line = line_through(e.a, e.b);
    const Point out = line.normal() * -e.reach_m, corner = line.direction * kCorner_m;
    const Point a = e.a - corner, b = e.b + corner;
    strips.push_back({{a, a + out, b + out, b}, {}});
  }
  return strips;
}

RoofEaves roof_eaves(const RoofSite& site, const RoofSegmentation& segmentation, const RoofMap& map) {
  RoofEaves eaves;
  eaves.footprint = site.footprint;
  for (const Eave& wall : wall_edges(site))
    for (Eave part : split_at_neighbours(site, wall)) {
      const double farthest_m = kMostOverhang_m + 0.3;
      const bool measured = length(part.b - part.a) >= 0.8 &&
                            (!part.shared || drop_beyond(site, segmentation, map, part) > kDropToNeighbour_m);
      const double at =
          measured ? edge_position(site, segmentation, map, part.a, part.b, 0, farthest_m) : NAN;
      // Roof that still goes on at the farthest position is the neighbour's.
      const bool ends = !std::isnan(at) && at <= kMostOverhang_m + 0.15;
      part.over_neighbour = part.shared && ends;
      part.shared = part.shared ? !ends : !std::isnan(at) && !ends;
      part.reach_m = ends ? at : 0;
      eaves.edges.push_back(part);
    }
  return eaves;
}

}  // namespace geo
