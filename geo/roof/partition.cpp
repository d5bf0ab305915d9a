#include "geo/roof/partition.hpp"

#include <algorithm>

#include "geo/shapes/overlay.hpp"

namespace geo {
namespace {

constexpr double kOnLine_m = 0.3;

Point crossing(Point a, Point b, const Line& line) {
  return a + (b - a) * (line.left_of(a) / (line.left_of(a) - line.left_of(b)));
}

int side(double distance) { return distance > kOnLine_m ? 1 : distance < -kOnLine_m ? -1 : 0; }

}  // namespace

RoofPartition::RoofPartition(const Box& box)
    : corners_{{box.min_x, box.min_y},
               {box.max_x, box.min_y},
               {box.max_x, box.max_y},
               {box.min_x, box.max_y}},
      faces_{{0, 1, 2, 3}} {
  for (int i = 0; i < 4; ++i) left_of_[{i, (i + 1) % 4}] = 0;
}

int RoofPartition::face_left_of(int from, int to) const {
  const auto found = left_of_.find({from, to});
  return found == left_of_.end() ? -1 : found->second;
}

Ring RoofPartition::ring(int face) const {
  Ring ring;
  for (int corner : faces_[face]) ring.push_back(corners_[corner]);
  return ring;
}

void RoofPartition::cut(const Line& line, double from, double to) {
  const std::size_t count = faces_.size();
  for (std::size_t face = 0; face < count; ++face) cut_face(static_cast<int>(face), line, from, to);
}

/// Puts a corner where the line crosses edge a-b, into the faces on both of its sides.
int RoofPartition::corner_on(int a, int b, const Line& line) {
  const int corner = static_cast<int>(corners_.size());
  corners_.push_back(crossing(corners_[a], corners_[b], line));
  for (auto [from, to] : {std::pair{a, b}, {b, a}}) {
    const auto found = left_of_.find({from, to});
    if (found == left_of_.end()) continue;
    const int face = found->second;
    auto& loop = faces_[face];
    for (std::size_t i = 0; i < loop.size(); ++i)
      if (loop[i] == from && loop[(i + 1) % loop.size()] == to) {
        loop.insert(loop.begin() + static_cast<std::ptrdiff_t>(i) + 1, corner);
        break;
      }
    left_of_.erase(found);
    left_of_[{from, corner}] = face;
    left_of_[{corner, to}] = face;
  }
  return corner;
}

/// The two places where a face's boundary changes sides: at a corner on the line, or within an edge. There
/// are fewer or more when the line misses the face, or when a corner taken to lie on an earlier line has bent
/// the face; such a face is not cut.
std::vector<RoofPartition::Crossing> RoofPartition::crossings(const std::vector<int>& loop,
                                                              const Line& line) const {
  std::vector<int> sides;
  for (int corner : loop) sides.push_back(side(line.left_of(corners_[corner])));
  int last_side = 0;
  for (std::size_t i = loop.size(); i-- > 0 && !last_side;) last_side = sides[i];
  std::vector<Crossing> found;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    if (sides[i] == 0 || sides[i] == last_side) continue;
    last_side = sides[i];
    const std::size_t before = (i + loop.size() - 1) % loop.size();
    found.push_back({loop[before], sides[before] == 0 ? -1 : loop[i]});
  }
  return found;
}

double RoofPartition::along(const Crossing& c, const Line& line) const {
  return line.along(c.b < 0 ? corners_[c.a] : crossing(corners_[c.a], corners_[c.b], line));
}

void RoofPartition::cut_face(int face, const Line& line, double from, double to) {
  const std::vector<Crossing> ends = crossings(faces_[face], line);
  if (ends.size() != 2) return;
  const auto [first_t, last_t] = std::minmax({along(ends[0], line), along(ends[1], line)});
  const double shared = std::min(last_t, to) - std::max(first_t, from);
  if (shared < std::min(0.3, 0.5 * (last_t - first_t))) return;
  const int start = ends[0].b < 0 ? ends[0].a : corner_on(ends[0].a, ends[0].b, line);
  const int end = ends[1].b < 0 ? ends[1].a : corner_on(ends[1].a, ends[1].b, line);
  std::vector<int> whole = faces_[face];
  std::rotate(whole.begin(), std::find(whole.begin(), whole.end(), start), whole.end());
  const auto middle = std::find(whole.begin(), whole.end(), end);
  std::vector<int> first(whole.begin(), middle + 1);
  std::vector<int> second(middle, whole.end());
  second.push_back(start);
  if (first.size() < 3 || second.size() < 3) return;
  const int added = static_cast<int>(faces_.size());
  for (std::size_t i = 0; i < second.size(); ++i)
    left_of_[{second[i], second[(i + 1) % second.size()]}] = added;
  left_of_[{end, start}] = face;
  faces_[face] = std::move(first);
  faces_.push_back(std::move(second));
}

namespace {

/// A corner on a straight stretch is no corner of the outline.
Ring without_straight_corners(const Ring& ring) {
  Ring out;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = out.empty() ? ring[(i + ring.size() - 1) % ring.size()] : out.back();
    const Point b = ring[i], c = ring[(i + 1) % ring.size()];
    if (std::abs(cross(b - a, c - a)) > 1e-7 * (1 + length(c - a))) out.push_back(b);
  }
  return out;
}

}  // namespace

std::vector<Polygon> RoofPartition::outlines(const std::vector<int>& chosen) const {
  std::vector<Polygon> shapes;
  for (int face : chosen) shapes.push_back({ring(face), {}});
  std::vector<Polygon> parts = overlay_union(shapes);
  for (Polygon& part : parts) {
    part.outer = without_straight_corners(part.outer);
    for (Ring& hole : part.holes) hole = without_straight_corners(hole);
    std::erase_if(part.holes, [](const Ring& hole) { return hole.size() < 3; });
  }
  std::erase_if(parts, [](const Polygon& part) { return part.outer.size() < 3; });
  return parts;
}

}  // namespace geo
