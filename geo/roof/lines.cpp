#include "geo/roof/lines.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "geo/roof/contours.hpp"
#include "geo/roof/hip_edges.hpp"
#include "geo/shapes/angle.hpp"

namespace geo {
namespace {

constexpr double kContourTolerance_m = 0.8;
constexpr double kSnap_rad = 24 * kDegree;
constexpr double kSame_rad = 12 * kDegree;
constexpr double kSameLine_m = 0.55;

/// Directions that edges of this building take: its walls', and along and across its slopes.
std::vector<Point> building_directions(const RoofSite& site, const RoofSegmentation& segmentation) {
  std::vector<std::pair<double, Point>> weighted;
  if (site.from_footprints)
    for (std::size_t i = 0; i < site.footprint.outer.size(); ++i) {
      const Point d = site.footprint.outer[(i + 1) % site.footprint.outer.size()] - site.footprint.outer[i];
      if (length(d) > 1.5) weighted.push_back({2 * length(d), d * (1 / length(d))});
    }
  for (const RoofSegment& s : segmentation.segments)
    if (s.fit.plane.slope() > 0.15)
      weighted.push_back(
          {std::sqrt(static_cast<double>(s.cells.size())), direction_of_gradient(s.fit.plane)});
  std::stable_sort(weighted.begin(), weighted.end(), [](auto& a, auto& b) { return a.first > b.first; });
  std::vector<Point> directions;
  for (const auto& [weight, d] : weighted)
    for (Point candidate : {d, Point{-d.y, d.x}})
      if (std::none_of(directions.begin(), directions.end(),
                       [&](Point o) { return angle_between_rad(o, candidate) < 10 * kDegree; }))
        directions.push_back(candidate);
  return directions;
}

/// The course of points that lie along a line (principal component): its angle, and the sum of their squared
/// distances from the middle.
struct Course {
  double angle_rad, spread_m2;
};

Course course_of(const std::vector<Point>& points) {
  Point mean{};
  for (Point p : points) mean = mean + p * (1.0 / static_cast<double>(points.size()));
  double xx = 0, xy = 0, yy = 0;
  for (Point p : points) {
    const Point d = p - mean;
    xx += d.x * d.x;
    xy += d.x * d.y;
    yy += d.y * d.y;
  }
  return {0.5 * std::atan2(2 * xy, xx - yy), xx + yy};
}

Point direction_at(double angle_rad) { return {std::cos(angle_rad), std::sin(angle_rad)}; }

Point principal_direction(const std::vector<Point>& points, Point otherwise) {
  const Course course = course_of(points);
  return course.spread_m2 < 0.5 ? otherwise : direction_at(course.angle_rad);
}

/// The two directions, square to each other, that the roof's outer edges follow: their mean over the quarter
/// turn (as for axial data, Mardia 1972). The longest edges decide, as short ones follow the grid. None where
/// the edges do not agree.
std::vector<Point> outline_directions(const std::vector<ContourPiece>& pieces) {
  constexpr double kAgreeing = 0.3;  // 0: spread evenly, 1: all alike
  Point sum{};
  double weights = 0;
  for (const ContourPiece& piece : pieces) {
    std::vector<Point> outer;
    for (std::size_t i = 0; i < piece.midpoints.size(); ++i)
      if (piece.across[i] < 0) outer.push_back(piece.midpoints[i]);
    if (outer.empty()) continue;
    const Course course = course_of(outer);
    const double weight = squared(course.spread_m2);
    sum = sum + direction_at(4 * course.angle_rad) * weight;
    weights += weight;
  }
  if (weights == 0 || length(sum) < kAgreeing * weights) return {};
  const Point direction = direction_at(std::atan2(sum.y, sum.x) / 4);
  return {direction, {-direction.y, direction.x}};
}

/// Through the middle of the points.
RoofLine supported_line(const std::vector<Point>& points, Point direction) {
  std::vector<double> offsets;
  const Line through{{}, direction};
  for (Point p : points) offsets.push_back(through.left_of(p));
  return supported({through.normal() * median(offsets), direction}, points);
}

class LineCollector {
 public:
  LineCollector(const RoofSite& site, const RoofSegmentation& segmentation, const RoofMap& map,
                const std::vector<ContourPiece>& pieces)
      : site_(site),
        segmentation_(segmentation),
        map_(map),
        directions_(building_directions(site, segmentation)) {
    // Level roofs have no fall line to tell how the building lies.
    if (directions_.empty()) directions_ = outline_directions(pieces);
  }

  void add_walls(const RoofEaves& eaves) {
    for (const Eave& e : eaves.edges) {
      Line line = line_through(e.a, e.b);
      line.at = e.a - line.normal() * e.reach_m;
      add({.line = line, .from = 0, .to = length(e.b - e.a), .wall = true});
    }
  }

  /// A hip of few cells has hardly a contour. It ends where it meets the gable's two halves, from the point
  /// where all three meet down to its eave.
  void add_hips() {
    for (const RoofSegment& s : segmentation_.segments)
      if (s.hip)
        for (const RoofLine& edge : hip_edges(segmentation_, s, lines_)) add(edge);
  }

  void add_meetings(const std::vector<ContourPiece>& pieces) {
    std::map<std::pair<int, int>, std::vector<Point>> borders;
    for (const ContourPiece& piece : pieces)
      for (std::size_t i = 0; i < piece.midpoints.size(); ++i)
        if (piece.across[i] > piece.label)
          borders[{piece.label, piece.across[i]}].push_back(piece.midpoints[i]);
    std::vector<RoofLine> found;
    for (const auto& [pair, points] : borders) {
      const auto line = meeting_of(plane(pair.first), plane(pair.second));
      if (!line) continue;
      std::vector<Point> near;
      for (Point p : points)
        if (std::abs(line->left_of(p)) < kMeeting_m) near.push_back(p);
      if (near.size() < 2) continue;
      RoofLine out = supported(*line, near);
      end_at_hips(segmentation_, pair, out);
      found.push_back(out);
    }
    add_longest_first(std::move(found));
  }

  void add_steps(const std::vector<ContourPiece>& pieces) {
    std::vector<RoofLine> found;
    for (const ContourPiece& piece : pieces) {
      std::vector<Point> points;
      for (std::size_t i = 0; i < piece.midpoints.size(); ++i)
        if (is_step(piece.label, piece.across[i], piece.midpoints[i])) points.push_back(piece.midpoints[i]);
      if (points.size() < 2) continue;
      const Point along = length(piece.b - piece.a) > 0 ? piece.b - piece.a : points.back() - points.front();
      const Point own = principal_direction(points, along * (1 / length(along)));
      Point direction = own;
      double nearest = kSnap_rad;
      for (Point d : directions_)
        if (const double angle = angle_between_rad(d, own); angle < nearest) {
          nearest = angle;
          direction = d;
        }
      if (nearest == kSnap_rad && points.size() < 4) continue;
      if (dot(direction, along) < 0) direction = direction * -1;  // the segment stays to the left
      RoofLine line = supported_line(points, direction);
      if (piece.beyond < 0 || drop(piece) > 0.6) refine(line);
      found.push_back(line);
    }
    add_longest_first(std::move(found));
  }

  /// A side of a small surface askew to the grid may be no more than two cells of a contour, too few for a
  /// line. The four sides of the rectangle around its cells, along its slope, replace it. A hip gets only its
  /// eave: its other sides are the edges in which it meets the gable's halves.
  void add_sides() {
    constexpr double kHasDirection = 0.08;
    constexpr std::size_t kFewCells = 24;
    std::vector<RoofLine> found;
    for (const RoofSegment& s : segmentation_.segments) {
      if (s.cells.size() > kFewCells || s.fit.plane.slope() < kHasDirection) continue;
      const Point up = direction_of_gradient(s.fit.plane);
      if (const auto edges = s.hip ? hip_edges(segmentation_, s, lines_) : std::vector<RoofLine>{};
          !edges.empty()) {
        found.push_back(side(s, {up.y, -up.x}));
        reach_edges(found.back(), edges);
        continue;
      }
      for (const Point direction : {up, Point{-up.y, up.x}, up * -1, Point{up.y, -up.x}})
        found.push_back(side(s, direction));
    }
    add_longest_first(std::move(found));
  }

  std::vector<RoofLine> take() { return std::move(lines_); }

 private:
  static constexpr double kMeeting_m = 1.1;

  /// The side of a segment's cells to the right of `direction`; the segment lies to the line's left.
  RoofLine side(const RoofSegment& segment, Point direction) const {
    const Line axis{{}, direction};
    const Box box = box_along(axis, points_of(segmentation_.cells, segment.cells));
    // The outermost centre of a cell lies within the edge by nearly half a cell.
    const double within_m = 0.4 * site_.height.cell_m * (std::abs(direction.x) + std::abs(direction.y));
    RoofLine out{
        .line = {axis.normal() * (box.min_y - within_m), direction}, .from = box.min_x, .to = box.max_x};
    refine(out);
    return out;
  }

  const Plane& plane(int s) const { return segmentation_.plane(s); }

  /// Whether heights step here: not where two planes meet, and not at a known wall.
  bool is_step(int label, int across, Point at) const {
    if (across < 0) {
      return !site_.from_footprints ||
             (distance_to_boundary(site_.footprint, at) > 1.3 && contains(site_.footprint, at));
    }
    const auto line = meeting_of(plane(label), plane(across));
    return !line || std::abs(line->left_of(at)) > kMeeting_m;
  }

  double drop(const ContourPiece& piece) const {
    const Point middle = (piece.a + piece.b) * 0.5;
    return piece.beyond < 0 ? 0
                            : plane(piece.label).height_at(middle) - plane(piece.beyond).height_at(middle);
  }

  void refine(RoofLine& line) const {
    const Point a = line.line.point(line.from - 0.4), b = line.line.point(line.to + 0.4);
    if (length(b - a) < 1.5) return;
    const double moved = edge_position(site_, segmentation_, map_, a, b, -1.0, 1.0);
    if (std::isnan(moved) || std::abs(moved) > 0.95) return;
    line.line.at = line.line.at - line.line.normal() * moved;
  }

  void add_longest_first(std::vector<RoofLine> found) {
    std::stable_sort(found.begin(), found.end(),
                     [](auto& a, auto& b) { return a.to - a.from > b.to - b.from; });
    for (const RoofLine& line : found) add(line);
  }

  void add(const RoofLine& line) {
    for (RoofLine& other : lines_) {
      if (angle_between_rad(other.line.direction, line.line.direction) > kSame_rad) continue;
      const Point a = line.line.point(line.from), b = line.line.point(line.to);
      if (std::abs(other.line.left_of(a)) > kSameLine_m || std::abs(other.line.left_of(b)) > kSameLine_m)
        continue;
      if (line.wall && other.wall &&
          std::max(std::abs(other.line.left_of(a)), std::abs(other.line.left_of(b))) > 0.15)
        continue;
      const double from = std::min(other.line.along(a), other.line.along(b));
      const double to = std::max(other.line.along(a), other.line.along(b));
      other.from = std::min(other.from, from);
      other.to = std::max(other.to, to);
      return;
    }
    lines_.push_back(line);
  }

  const RoofSite& site_;
  const RoofSegmentation& segmentation_;
  const RoofMap& map_;
  std::vector<Point> directions_;
  std::vector<RoofLine> lines_;
};

}  // namespace

std::vector<RoofLine> roof_lines(const RoofSite& site, const RoofSegmentation& segmentation,
                                 const RoofMap& map, const RoofEaves& eaves) {
  const std::vector<ContourPiece> pieces = contour_pieces(map.filled, kContourTolerance_m);
  LineCollector collector(site, segmentation, map, pieces);
  if (site.from_footprints) collector.add_walls(eaves);
  collector.add_hips();
  collector.add_meetings(pieces);
  collector.add_steps(pieces);
  if (!site.from_footprints) collector.add_sides();
  return collector.take();
}

}  // namespace geo
