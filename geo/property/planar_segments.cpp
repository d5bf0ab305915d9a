#include "geo/property/planar_segments.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "geo/property/crown_odds.hpp"

namespace geo {
namespace {

/// A least-squares plane over cells, fitted from running sums. Cell coordinates, relative to an origin of its
/// own.
class PlaneSums {
 public:
  PlaneSums(int col, int row, float z) : col_(col), row_(row), z_(z) {}

  void add(int col, int row, float z) {
    const Eigen::Vector4d d(col - col_, row - row_, 1, static_cast<double>(z) - z_);
    moments_ += d * d.transpose();
  }
  void fit() { coefficients_ = moments_.topLeftCorner<3, 3>().ldlt().solve(moments_.topRightCorner<3, 1>()); }

  double count() const { return moments_(2, 2); }
  double off(int col, int row, float z) const {
    return static_cast<double>(z) - z_ - coefficients_.dot(Eigen::Vector3d(col - col_, row - row_, 1));
  }
  double sum_of_squares() const {
    return std::max(0.0, moments_(3, 3) - coefficients_.dot(moments_.topRightCorner<3, 1>()));
  }
  double rms() const { return std::sqrt(sum_of_squares() / count()); }
  /// Rise across one cell.
  double rise_m() const { return rise().norm(); }
  /// Across one cell, along columns and rows.
  Eigen::Vector2d rise() const { return coefficients_.head<2>(); }

 private:
  int col_, row_;
  double z_;
  Eigen::Matrix4d moments_ = Eigen::Matrix4d::Zero();
  Eigen::Vector3d coefficients_ = Eigen::Vector3d::Zero();
};

struct Seed {
  float roughness_m;
  int col, row;  // the window's north-western cell
  SegmentWindow window;
};

/// Windows that lie wholly on the cells looked at and are smooth, the smoothest first.
std::vector<Seed> seeds(const Grid<float>& dsm, const Mask& among, const std::vector<SegmentWindow>& windows,
                        const Tolerance& roughness, const RunControl& control) {
  std::vector<Seed> found;
  for (const SegmentWindow& window : windows)
    for (int row = 0; row + window.rows <= dsm.height; ++row) {
      control.checkpoint();
      for (int col = 0; col + window.cols <= dsm.width; ++col) {
        if (!holds_all_of(among, col, row, window)) continue;
        const WindowFit fit = fit_window(dsm, col, row, window);
        if (fit.rms_m < roughness.at(fit.rise_m()))
          found.push_back({static_cast<float>(fit.rms_m), col, row, window});
      }
    }
  std::stable_sort(found.begin(), found.end(),
                   [](const Seed& a, const Seed& b) { return a.roughness_m < b.roughness_m; });
  return found;
}

/// A segment that has grown. One that is too small to rule out a crown may be one side of a gable: the sides
/// fall away from each other, equally steep; a crown's sides do so by chance only.
struct Segment {
  std::vector<std::size_t> cells;
  Eigen::Vector2d rise;  ///< across one cell, along columns and rows
  bool is_roof = false;
  double log_odds_of_cell = 0;  ///< of a roof against a crown
};

/// Marks the segments that are large and smooth enough.
class SegmentGrowth {
 public:
  SegmentGrowth(const Grid<float>& dsm, const Mask& among, const PlanarSegmentOptions& options)
      : dsm_(dsm), among_(among), options_(options), taken_(among.like(std::uint8_t{0})) {}

  void grow_from(const Seed& seed, bool only_sides) {
    PlaneSums plane(seed.col, seed.row, dsm_.at(seed.col, seed.row));
    cells_.clear();
    for (int r = seed.row; r < seed.row + seed.window.rows; ++r)
      for (int c = seed.col; c < seed.col + seed.window.cols; ++c)
        if (!taken_.at(c, r)) take(c, r, plane);
    if (cells_.size() * 3 < 2 * static_cast<std::size_t>(seed.window.cols * seed.window.rows))
      return release();
    plane.fit();
    spread(plane);
    plane.fit();
    if (!is_even(plane)) return release();
    const bool is_roof = !only_sides && is_large(plane.count(), plane.rise_m());
    if (is_roof || plane.count() * area_m2() >= options_.smallest_side_m2)
      segments_.push_back({cells_, plane.rise(), is_roof, log_odds_of_cell(plane)});
    if (!is_roof) release();
  }

  /// Takes the sides of gables for roofs, too. To be called when all segments have grown.
  void join_sides() {
    std::stable_sort(segments_.begin(), segments_.end(), [](const Segment& a, const Segment& b) {
      return std::pair(a.is_roof, a.cells.size()) > std::pair(b.is_roof, b.cells.size());
    });
    segment_at_ = dsm_.like(-1);
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      std::erase_if(segments_[s].cells, [&](std::size_t i) { return segment_at_.values[i] >= 0; });
      if (static_cast<double>(segments_[s].cells.size()) * area_m2() < options_.smallest_side_m2) continue;
      for (std::size_t i : segments_[s].cells) segment_at_.values[i] = static_cast<int>(s);
    }
    for (std::size_t s = 0; s < segments_.size(); ++s)
      for (std::size_t i : segments_[s].cells)
        if (segment_at_.values[i] == static_cast<int>(s)) join_across_ridge(static_cast<int>(s), i);
  }

  bool taken(int col, int row) const { return taken_.at(col, row); }
  PlanarSegments roofs() const {
    PlanarSegments out{taken_.like(std::uint8_t{0}), taken_.like(0.0F)};
    for (const Segment& s : segments_) {
      if (!s.is_roof) continue;
      for (std::size_t i : s.cells) {
        out.cells.values[i] = 1;
        out.log_odds.values[i] = static_cast<float>(s.log_odds_of_cell);
      }
    }
    return out;
  }

 private:
  void take(int col, int row, PlaneSums& plane) {
    taken_.at(col, row) = 1;
    cells_.push_back(taken_.index(col, row));
    plane.add(col, row, dsm_.at(col, row));
  }

  void spread(PlaneSums& plane) {
    std::size_t refit_at = 2 * cells_.size();
    double off_plane_m = options_.off_plane.at(plane.rise_m());
    for (std::size_t next = 0; next < cells_.size(); ++next) {
      const auto [col, row] = dsm_.cell(cells_[next]);
      for (const auto& step : kBeside) {
        const int c = col + step[0], r = row + step[1];
        if (!dsm_.contains(c, r) || taken_.at(c, r) || !among_.at(c, r)) continue;
        if (std::abs(plane.off(c, r, dsm_.at(c, r))) > off_plane_m) continue;
        take(c, r, plane);
      }
      if (cells_.size() >= refit_at) {
        plane.fit();
        off_plane_m = options_.off_plane.at(plane.rise_m());
        refit_at = 2 * cells_.size();
      }
    }
  }

  double area_m2() const { return dsm_.cell_m * dsm_.cell_m; }

  bool is_even(const PlaneSums& plane) const {
    return plane.rms() < options_.segment_roughness.at(plane.rise_m()) &&
           plane.rise_m() / dsm_.cell_m < options_.steepest;
  }

  /// A crown's cells joined the segment wherever they lay within the tolerance: their standard deviation is
  /// that of an even distribution over it.
  double log_odds_of_cell(const PlaneSums& plane) const {
    const double sigma_m = options_.roof_scatter.at(plane.rise_m());
    const double crown_sigma_m = options_.off_plane.at(plane.rise_m()) / std::numbers::sqrt3;
    const double evidence = evidence_of_cell(dsm_.cell_m);
    return log_odds_against_crown(evidence * (plane.count() - 3),
                                  evidence * plane.sum_of_squares() / (sigma_m * sigma_m),
                                  crown_sigma_m / sigma_m) /
           plane.count();
  }

  bool is_large(double cells, double rise_m) const {
    return cells * area_m2() >= options_.smallest_m2 * (1 + rise_m / dsm_.cell_m);
  }

  /// Looks uphill from a cell, across the ridge, for the other side.
  void join_across_ridge(int segment, std::size_t cell) {
    constexpr int kReach = 3;         // the ridge may cut a cell or two
    constexpr double kUnequal = 0.2;  // of their slopes
    Segment& own = segments_[segment];
    const auto [col, row] = dsm_.cell(cell);
    const Eigen::Vector2d up = own.rise.normalized();
    for (int k = 1; k <= kReach; ++k) {
      const int c = col + static_cast<int>(std::lround(k * up.x()));
      const int r = row + static_cast<int>(std::lround(k * up.y()));
      if (!dsm_.contains(c, r)) return;
      const int other = segment_at_.at(c, r);
      if (other == segment || other < 0) continue;
      Segment& across = segments_[other];
      const double rise_m = (own.rise.norm() + across.rise.norm()) / 2;
      if ((own.rise + across.rise).norm() < kUnequal * 2 * rise_m &&
          is_large(static_cast<double>(own.cells.size() + across.cells.size()), rise_m))
        own.is_roof = across.is_roof = true;
      return;
    }
  }

  void release() {
    for (std::size_t i : cells_) taken_.values[i] = 0;
  }

  const Grid<float>& dsm_;
  const Mask& among_;
  const PlanarSegmentOptions& options_;
  Mask taken_;
  std::vector<std::size_t> cells_;  // of the segment that is growing
  std::vector<Segment> segments_;
  Grid<int> segment_at_;  // -1 for none
};

}  // namespace

PlanarSegments planar_segments(const Grid<float>& dsm, const Mask& among, const PlanarSegmentOptions& options,
                               const RunControl& control) {
  SegmentGrowth growth(dsm, among, options);
  const auto grow = [&](const std::vector<SegmentWindow>& windows, bool only_sides) {
    for (const Seed& seed : seeds(dsm, among, windows, options.seed_roughness, control)) {
      control.checkpoint();
      if (!growth.taken(seed.col + seed.window.cols / 2, seed.row + seed.window.rows / 2))
        growth.grow_from(seed, only_sides);
    }
  };
  grow(options.windows, false);
  grow(options.windows_of_sides, true);
  growth.join_sides();
  return growth.roofs();
}

}  // namespace geo
