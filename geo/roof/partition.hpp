// A plan cut into faces by straight lines. Every face knows its corners by number and every edge belongs to
// one face on each side, so that faces share corners and edges exactly: no overlap and no gap can arise. A
// corner that lies within a hand's breadth of a line is taken to lie on it, which keeps slivers out. Metres.
#pragma once
#include <map>
#include <vector>

#include "geo/shapes/plane_geometry.hpp"

namespace geo {

class RoofPartition {
 public:
  explicit RoofPartition(const Box& box);

  /// Cuts every face that the line crosses within [from, to].
  void cut(const Line& line, double from, double to);

  const std::vector<Point>& corners() const { return corners_; }
  /// Corner numbers of each face, counter-clockwise.
  const std::vector<std::vector<int>>& faces() const { return faces_; }
  /// The face to the left of a directed edge, -1 for none.
  int face_left_of(int from, int to) const;
  Ring ring(int face) const;

  /// The outlines of the union of `chosen` faces, one polygon for each part that is connected by edges.
  std::vector<Polygon> outlines(const std::vector<int>& chosen) const;

 private:
  /// On edge a-b, or at corner a when b is negative.
  struct Crossing {
    int a, b;
  };
  std::vector<Crossing> crossings(const std::vector<int>& loop, const Line& line) const;
  double along(const Crossing& crossing, const Line& line) const;
  void cut_face(int face, const Line& line, double from, double to);
  int corner_on(int a, int b, const Line& line);
  std::vector<Point> corners_;
  std::vector<std::vector<int>> faces_;
  std::map<std::pair<int, int>, int> left_of_;
};

}  // namespace geo
