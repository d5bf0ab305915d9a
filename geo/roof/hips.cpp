#include "geo/roof/hips.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "geo/roof/regularisation.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

constexpr double kOppositeHalves = -0.96;  // cosine between the fall lines of two halves
constexpr double kAlongRidge = 0.9;        // cosine between a hip's fall line and the ridge
constexpr double kSlopingHalf = 0.25;
constexpr double kShallowest_m = 0.8, kDeepest_m = 5, kDepthStep_m = 0.2;  // larger ones are planes anyway
constexpr double kFlattestHip = 0.4, kSteepestHip = 2.2, kHipSlopeStep = 0.1;
constexpr double kGainPerHip = 5;      // what a hip must earn, in the unit of residual_cost()
constexpr double kGainOfSecond = 0.5;  // and what a hip with the other end's slope must earn
constexpr double kSameSlopeCost = 3;   // what one slope for both ends may cost: most roofs have one
constexpr std::size_t kFewestHipCells = 3;
constexpr std::size_t kLargestHip =
    14;  // cells: a larger segment is a plane of its own, not a hip to be replaced by a better one

constexpr int kDepths = static_cast<int>((kDeepest_m - kShallowest_m) / kDepthStep_m + 1.5);
constexpr int kSlopes = static_cast<int>((kSteepestHip - kFlattestHip) / kHipSlopeStep + 1.5);
double depth_of(int d) { return kShallowest_m + d * kDepthStep_m; }
double slope_of(int s) { return kFlattestHip + s * kHipSlopeStep; }

using Gains = Eigen::Array<double, kDepths, kSlopes>;
using SlopeGains = Eigen::Array<double, 1, kSlopes>;  // for each slope the gain at its best depth

struct Hip {
  Plane plane;
  std::vector<int> cells;
  double slope_error = 0;
};

/// The two halves of a gable, with their cells and the cells around them that belong to no segment or to a
/// small one. A small segment that falls along the ridge is a hip that was already found, but not well.
class Gable {
 public:
  Gable(const RoofSegmentation& roof, int a, int b) : roof_(roof), a_(a), b_(b) {
    const Point fall = plane(a).gradient() - plane(b).gradient();
    ridge_ = Point{-fall.y, fall.x} * (1 / length(fall));
    std::vector<char> seen(roof.cells.points.size(), 0);
    for (int s : {a, b})
      for (int i : roof.segments[s].cells) add(i, seen);
    for (int ring = 0; ring < 3; ++ring) {
      const std::vector<int> before = cells_;
      for (int i : before)
        for (int n : roof.cells.around[i])
          if (may_be_hip(n)) add(n, seen);
    }
    std::sort(cells_.begin(), cells_.end());
  }

  Point out(double sense) const { return ridge_ * sense; }

  /// Whether this end is already cut off, by a hip found before or by a plane of many cells, which needs no
  /// search.
  bool is_cut_off(double sense) const {
    return std::any_of(cells_.begin(), cells_.end(), [&](int i) {
      const auto& near = roof_.cells.near[i];
      return std::any_of(near.begin(), near.end(), [&](int n) {
        const int s = roof_.segment_of[n];
        return s >= 0 && s != a_ && s != b_ && (!is_small(s) || is_hip(s)) && falls_along_ridge(s) &&
               dot(plane(s).gradient(), out(sense)) < 0;
      });
    });
  }

  /// What a hip of each depth and slope would gain at the end of the ridge towards `sense` (+1, -1).
  Gains gains(double sense) const {
    Gains all = Gains::Zero();
    if (is_cut_off(sense)) return all;
    const double end = end_of(sense);
    for (int d = 0; d < kDepths; ++d)
      for (int s = 0; s < kSlopes; ++s)
        all(d, s) = gain_of(plane_at(sense, end - depth_of(d), slope_of(s)), out(sense), end - depth_of(d));
    return all;
  }

  /// The mean of the planes of all depths and slopes, weighted by their gains as log-likelihoods, and the
  /// error of its slope. `speaks_for`: for each slope, the best gain with it.
  Hip hip(double sense, const Gains& gains, const SlopeGains& speaks_for) const {
    const Point reference = out(sense) * (end_of(sense) - 1);
    const double most = speaks_for.maxCoeff();
    const SlopeGains own_most = gains.colwise().maxCoeff();
    double weights = 0, height = 0, mean = 0, squares = 0;
    for (int s = 0; s < kSlopes; ++s)
      for (int d = 0; d < kDepths; ++d) {
        const double weight = std::exp(speaks_for[s] - most + gains(d, s) - own_most[s]);
        weights += weight;
        height += weight * plane_at(sense, end_of(sense) - depth_of(d), slope_of(s)).height_at(reference);
        mean += weight * slope_of(s);
        squares += weight * squared(slope_of(s));
      }
    height /= weights, mean /= weights;
    Hip found;
    found.plane = {reference.x, reference.y, height, -mean * out(sense).x, -mean * out(sense).y};
    found.slope_error = std::sqrt(std::max(squares / weights - mean * mean, squared(0.5 * kHipSlopeStep)));
    for (int i : cells_)
      if (dot(out(sense), at(i)) > end_of(sense) - kDeepest_m && carries(found.plane, i))
        found.cells.push_back(i);
    return found;
  }

 private:
  void add(int cell, std::vector<char>& seen) {
    if (seen[cell]) return;
    seen[cell] = 1;
    cells_.push_back(cell);
  }

  bool may_be_hip(int cell) const {
    const int s = roof_.segment_of[cell];
    return s < 0 || (s != a_ && s != b_ && is_small(s));
  }
  bool is_small(int s) const { return roof_.segments[s].cells.size() <= kLargestHip; }
  bool is_hip(int s) const { return roof_.segments[s].hip; }
  bool falls_along_ridge(int s) const {
    const Point fall = plane(s).gradient();
    return length(fall) > kSlopingHalf && std::abs(dot(fall, ridge_)) > kAlongRidge * length(fall);
  }
  /// A cell's share of the cost of a hip that was already found. A better hip replaces that one and saves its
  /// cost.
  double share_of_plane(int s) const {
    if (s == a_ || s == b_ || !is_small(s) || !falls_along_ridge(s)) return 0;
    const RoofSegment& segment = roof_.segments[s];
    return segment.price() / static_cast<double>(segment.cells.size());
  }

  const Plane& plane(int s) const { return roof_.plane(s); }
  Point at(int i) const { return roof_.cells.points[i]; }
  /// A wall explains a cell less well here: at a gable's end the lower cells may as well be a hip's.
  double unexplained(int i) const { return std::max(1.0, roof_.cells.unexplained(i)); }
  double lower_half(Point p) const { return std::min(plane(a_).height_at(p), plane(b_).height_at(p)); }

  double end_of(double sense) const {
    double end = -1e300;
    for (int i : roof_.segments[a_].cells) end = std::max(end, dot(out(sense), at(i)));
    for (int i : roof_.segments[b_].cells) end = std::max(end, dot(out(sense), at(i)));
    return end;
  }

  /// Height of the ridge at distance t along `out`.
  double ridge_height(Point out, double t) const {
    const Plane& p = plane(a_);
    const Plane& q = plane(b_);
    const Point difference = p.gradient() - q.gradient();
    const Point on_axis = out * t;
    const double step = p.height_at(on_axis) - q.height_at(on_axis);
    return p.height_at(on_axis - difference * (step / dot(difference, difference)));
  }

  Plane plane_at(double sense, double top, double slope) const {
    const Point on_axis = out(sense) * top;
    return {on_axis.x, on_axis.y, ridge_height(out(sense), top), -slope * out(sense).x,
            -slope * out(sense).y};
  }

  double cost(int i, double height, double sigma_m) const {
    return std::min(unexplained(i), residual_cost(roof_.cells.points[i].z - height, sigma_m));
  }

  /// Mean height of the roof over a cell, with a hip or without. Where the roof bends no single plane gives
  /// it.
  double mean_height(Point p, const Plane* hip) const {
    const double third = roof_.cells.index.cell_m / 3;
    double sum = 0;
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy) {
        const Point q{p.x + dx * third, p.y + dy * third};
        const double halves = lower_half(q);
        sum += hip ? std::min(halves, hip->height_at(q)) : halves;
      }
    return sum / 9;
  }

  double cost_now(int i) const {
    const int s = roof_.segment_of[i];
    const double bent = cost(i, mean_height(at(i), nullptr), roof_.noise.sigma_m(plane(a_)));
    if (s < 0) return bent;
    return std::min(bent, cost(i, plane(s).height_at(at(i)), roof_.noise.sigma_m(plane(s)))) +
           share_of_plane(s);
  }

  double gain_of(const Plane& hip, Point out, double top) const {
    const double sigma_m = roof_.noise.sigma_m(hip);
    double gain = 0;
    for (int i : cells_) {
      const Point p = at(i);
      if (dot(out, p) < top - 1) continue;
      const double bare = mean_height(p, nullptr), cut = mean_height(p, &hip);
      if (bare - cut > 1e-9) gain += cost_now(i) - cost(i, cut, sigma_m);
    }
    return gain;
  }

  bool carries(const Plane& hip, int i) const {
    return hip.height_at(at(i)) < lower_half(at(i)) &&
           cost(i, mean_height(at(i), &hip), roof_.noise.sigma_m(hip)) < unexplained(i);
  }

  const RoofSegmentation& roof_;
  int a_, b_;
  Point ridge_;
  std::vector<int> cells_;
};

bool face_away(const Plane& a, const Plane& b) {
  const Point p = a.gradient(), q = b.gradient();
  return length(p) > kSlopingHalf && length(q) > kSlopingHalf &&
         dot(p, q) < kOppositeHalves * length(p) * length(q);
}

bool touch(const RoofSegmentation& roof, int a, int b) {
  for (int i : roof.segments[a].cells)
    for (int n : roof.cells.around[i])
      if (roof.segment_of[n] == b) return true;
  return false;
}

/// Empties the small segments that fall the same way and share a cell with the hip: they are the same hip,
/// found before as planes of their own.
void dissolve_seen_before(RoofSegmentation& roof, const Hip& hip) {
  const Point fall = hip.plane.gradient();
  for (std::size_t s = 0; s < roof.segments.size(); ++s) {
    const RoofSegment& segment = roof.segments[s];
    const Point own = segment.fit.plane.gradient();
    if (segment.cells.size() > kLargestHip || dot(fall, own) < kAlongRidge * length(fall) * length(own))
      continue;
    const auto shared = std::count_if(segment.cells.begin(), segment.cells.end(), [&](int i) {
      return std::binary_search(hip.cells.begin(), hip.cells.end(), i);
    });
    if (shared == 0) continue;
    for (int i : segment.cells) roof.segment_of[i] = -1;
  }
}

void take(RoofSegmentation& roof, const Hip& hip) {
  dissolve_seen_before(roof, hip);
  add_searched(roof, hip.plane, hip.cells, hip.slope_error);
  roof.segments.back().hip = true;
  gather_cells(roof);
}

void add_hips_to(RoofSegmentation& roof, int a, int b) {
  const Gable gable(roof, a, b);
  const std::array<double, 2> senses{1, -1};
  const std::array<Gains, 2> gains{gable.gains(1), gable.gains(-1)};
  const std::array<SlopeGains, 2> own{gains[0].colwise().maxCoeff(), gains[1].colwise().maxCoeff()};
  const SlopeGains both = own[0] + own[1];
  Eigen::Index common = 0;
  both.maxCoeff(&common);
  const double apart = own[0].maxCoeff() + own[1].maxCoeff();
  const bool alike = std::min(own[0][common], own[1][common]) > kGainOfSecond &&
                     both[common] > kGainPerHip + kGainOfSecond && apart < both[common] + kSameSlopeCost;
  std::vector<Hip> found;
  for (std::size_t end = 0; end < 2; ++end)
    if (alike || own[end].maxCoeff() > kGainPerHip)
      found.push_back(gable.hip(senses[end], gains[end], alike ? both : own[end]));
  for (const Hip& hip : found)
    if (hip.cells.size() >= kFewestHipCells) take(roof, hip);
}

/// Pairs of gable halves, the largest first: they get an end of the ridge before a stray plane within one of
/// them can.
std::vector<std::pair<int, int>> gables_of(const RoofSegmentation& roof) {
  std::vector<std::pair<int, int>> found;
  const int planes = static_cast<int>(roof.segments.size());
  const auto& segments = roof.segments;
  for (int a = 0; a < planes; ++a)
    for (int b = a + 1; b < planes; ++b)
      if (face_away(segments[a].fit.plane, segments[b].fit.plane) && touch(roof, a, b))
        found.push_back({a, b});
  const auto smaller_half = [&](const std::pair<int, int>& gable) {
    return std::min(segments[gable.first].cells.size(), segments[gable.second].cells.size());
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const auto& p, const auto& q) { return smaller_half(p) > smaller_half(q); });
  return found;
}

}  // namespace

void add_hips(RoofSegmentation& roof, const RunControl& control) {
  for (const auto& [a, b] : gables_of(roof)) {
    control.checkpoint();
    add_hips_to(roof, a, b);
  }
  // A hip may have taken over the cells of a plane that was found for it before, or of another hip.
  remove_segments_if(roof, [&](int s) { return roof.segments[s].cells.size() < kFewestHipCells; });
}

}  // namespace geo
