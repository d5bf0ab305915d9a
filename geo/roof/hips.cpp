#include "geo/roof/hips.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geo/roof/shapes.hpp"

namespace geo {
namespace {

constexpr double kOpposite = -0.96;  // cosine between the fall lines of two halves
constexpr double kSloping = 0.25;
constexpr double kDeepest_m = 4.5;  // how far a hip reaches in; larger ones are planes of their own
constexpr double kShallowest_m = 0.8;
constexpr double kSteepest = 2.2, kFlattest = 0.4;
constexpr double kGainPerHip = 5;  // what a hip must earn, in the unit of residual_cost()
constexpr std::size_t kFewest = 4;

struct Hip {
  Plane plane;
  std::vector<int> cells;
  double gain = 0;
};

/// Two halves of a gable, and the cells that are theirs or nobody's around them.
class Gable {
 public:
  Gable(const RoofSegmentation& roof, int a, int b) : roof_(roof), a_(a), b_(b) {
    const Plane& p = plane(a);
    const Plane& q = plane(b);
    const Point fall{p.gx - q.gx, p.gy - q.gy};
    ridge_ = Point{-fall.y, fall.x} * (1 / length(fall));
    for (int s : {a, b})
      for (int i : roof.segments[static_cast<std::size_t>(s)].cells) cells_.push_back(i);
    const std::size_t own = cells_.size();
    for (std::size_t k = 0; k < own; ++k)
      for (const auto* neighbours : {&roof.cells.near[static_cast<std::size_t>(cells_[k])],
                                     &roof.cells.diagonal[static_cast<std::size_t>(cells_[k])]})
        for (int n : *neighbours)
          if (roof.segment_of[static_cast<std::size_t>(n)] < 0 &&
              roof.cells.inside[static_cast<std::size_t>(n)])
            cells_.push_back(n);
    std::sort(cells_.begin(), cells_.end());
    cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
  }

  /// The best hip at the end of the ridge towards `sense` (+1, -1).
  Hip best_hip(double sense) const {
    const Point out = ridge_ * sense;
    double end = -1e300;
    for (int i : cells_) end = std::max(end, dot(out, at(i)));
    Hip best;
    for (double depth = kShallowest_m; depth <= kDeepest_m; depth += 0.2)
      for (double slope = kFlattest; slope <= kSteepest; slope += 0.1) {
        Hip hip = hip_at(out, end - depth, slope);
        if (hip.gain > best.gain && hip.cells.size() >= kFewest) best = std::move(hip);
      }
    return best;
  }

 private:
  const Plane& plane(int s) const { return roof_.segments[static_cast<std::size_t>(s)].fit.plane; }
  Point at(int i) const {
    return {roof_.cells.points[static_cast<std::size_t>(i)].x,
            roof_.cells.points[static_cast<std::size_t>(i)].y};
  }

  /// Height of the ridge at distance t along `out`.
  double ridge_height(Point out, double t) const {
    const Plane& p = plane(a_);
    const Plane& q = plane(b_);
    const Point difference{p.gx - q.gx, p.gy - q.gy};
    const Point on_axis = out * t;
    const double step = p.height_at(on_axis) - q.height_at(on_axis);
    return p.height_at(on_axis - difference * (step / dot(difference, difference)));
  }

  double cost(int i, const Plane& plane, double sigma_m) const {
    const HeightPoint& p = roof_.cells.points[static_cast<std::size_t>(i)];
    return residual_cost(p.z - plane.height_at({p.x, p.y}), sigma_m);
  }

  Hip hip_at(Point out, double top, double slope) const {
    Hip hip;
    const Point on_axis = out * top;
    hip.plane = {on_axis.x, on_axis.y, ridge_height(out, top), -slope * out.x, -slope * out.y};
    const double sigma_m = roof_.noise.sigma_m(hip.plane);
    for (int i : cells_) {
      const Point p = at(i);
      if (dot(out, p) < top) continue;
      const double height = hip.plane.height_at(p);
      if (height > plane(a_).height_at(p) || height > plane(b_).height_at(p)) continue;
      const int s = roof_.segment_of[static_cast<std::size_t>(i)];
      const double now =
          s < 0 ? kUnexplained : std::min(kUnexplained, cost(i, plane(s), roof_.noise.sigma_m(plane(s))));
      hip.gain += now - std::min(kUnexplained, cost(i, hip.plane, sigma_m));
      hip.cells.push_back(i);
    }
    return hip;
  }

  const RoofSegmentation& roof_;
  int a_, b_;
  Point ridge_;
  std::vector<int> cells_;
};

bool face_away(const Plane& a, const Plane& b) {
  const Point p{a.gx, a.gy}, q{b.gx, b.gy};
  return length(p) > kSloping && length(q) > kSloping && dot(p, q) < kOpposite * length(p) * length(q);
}

bool touch(const RoofSegmentation& roof, int a, int b) {
  for (int i : roof.segments[static_cast<std::size_t>(a)].cells)
    for (const auto* neighbours :
         {&roof.cells.near[static_cast<std::size_t>(i)], &roof.cells.diagonal[static_cast<std::size_t>(i)]})
      for (int n : *neighbours)
        if (roof.segment_of[static_cast<std::size_t>(n)] == b) return true;
  return false;
}

void take(RoofSegmentation& roof, const Hip& hip) {
  const int added = static_cast<int>(roof.segments.size());
  RoofSegment segment;
  segment.borrowed = true;
  std::vector<HeightPoint> points;
  for (int i : hip.cells) {
    roof.segment_of[static_cast<std::size_t>(i)] = added;
    points.push_back(roof.cells.points[static_cast<std::size_t>(i)]);
  }
  segment.fit = fit_plane(points);  // for what so few cells tell about it
  segment.fit.plane = hip.plane;
  roof.segments.push_back(std::move(segment));
  gather_cells(roof);
}

}  // namespace

void add_hips(RoofSegmentation& roof, const RunControl& control) {
  const int planes = static_cast<int>(roof.segments.size());
  for (int a = 0; a < planes; ++a)
    for (int b = a + 1; b < planes; ++b) {
      control.checkpoint();
      if (!face_away(roof.segments[static_cast<std::size_t>(a)].fit.plane,
                     roof.segments[static_cast<std::size_t>(b)].fit.plane) ||
          !touch(roof, a, b))
        continue;
      for (double sense : {1.0, -1.0}) {
        const Hip hip = Gable(roof, a, b).best_hip(sense);
        if (hip.gain > kGainPerHip) take(roof, hip);
      }
    }
}

}  // namespace geo
