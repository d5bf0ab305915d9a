#include "geo/property/planar_segments.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>

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
  double rms() const {
    const double squares = moments_(3, 3) - coefficients_.dot(moments_.topRightCorner<3, 1>());
    return std::sqrt(std::max(0.0, squares) / count());
  }
  /// Rise across one cell.
  double rise_m() const { return coefficients_.head<2>().norm(); }

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

bool holds_all_of(const Mask& mask, const SegmentWindow& window, int col, int row) {
  for (int r = row; r < row + window.rows; ++r)
    for (int c = col; c < col + window.cols; ++c)
      if (!mask.at(c, r)) return false;
  return true;
}

/// Windows that lie wholly on the cells looked at and are smooth, the smoothest first.
std::vector<Seed> seeds(const Grid<float>& dsm, const Mask& among, const PlanarSegmentOptions& options,
                        WindowFits& fits, const RunControl& control) {
  std::vector<Seed> found;
  for (const SegmentWindow& window : options.windows)
    for (int row = 0; row + window.rows <= dsm.height; ++row) {
      control.checkpoint();
      for (int col = 0; col + window.cols <= dsm.width; ++col) {
        if (!holds_all_of(among, window, col, row)) continue;
        const WindowFits::Fit& fit = fits.at(dsm, window, col, row);
        if (fit.rms_m < options.seed_roughness.at(fit.rise_m))
          found.push_back({static_cast<float>(fit.rms_m), col, row, window});
      }
    }
  std::stable_sort(found.begin(), found.end(),
                   [](const Seed& a, const Seed& b) { return a.roughness_m < b.roughness_m; });
  return found;
}

/// Marks the segments that are large and smooth enough.
class SegmentGrowth {
 public:
  SegmentGrowth(const Grid<float>& dsm, const Mask& among, const PlanarSegmentOptions& options)
      : dsm_(dsm), among_(among), options_(options), taken_(among.like(std::uint8_t{0})), planar_(taken_) {}

  void grow_from(const Seed& seed) {
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
    if (!is_roof(plane)) return release();
    for (std::size_t i : cells_) planar_.values[i] = 1;
  }

  bool taken(int col, int row) const { return taken_.at(col, row); }
  const Mask& planar() const { return planar_; }

 private:
  void take(int col, int row, PlaneSums& plane) {
    taken_.at(col, row) = 1;
    cells_.push_back(taken_.index(col, row));
    plane.add(col, row, dsm_.at(col, row));
  }

  void spread(PlaneSums& plane) {
    std::size_t refit_at = 2 * cells_.size();
    const auto width = static_cast<std::size_t>(dsm_.width);
    for (std::size_t next = 0; next < cells_.size(); ++next) {
      const auto col = static_cast<int>(cells_[next] % width), row = static_cast<int>(cells_[next] / width);
      for (const auto& step : kBeside) {
        const int c = col + step[0], r = row + step[1];
        if (!dsm_.contains(c, r) || taken_.at(c, r) || !among_.at(c, r)) continue;
        if (std::abs(plane.off(c, r, dsm_.at(c, r))) > options_.off_plane.at(plane.rise_m())) continue;
        take(c, r, plane);
      }
      if (cells_.size() >= refit_at) {
        plane.fit();
        refit_at = 2 * cells_.size();
      }
    }
  }

  bool is_roof(const PlaneSums& plane) const {
    const double gradient = plane.rise_m() / dsm_.cell_m;
    return plane.count() * dsm_.cell_m * dsm_.cell_m >= options_.smallest_m2 * (1 + gradient) &&
           plane.rms() < options_.segment_roughness.at(plane.rise_m()) && gradient < options_.steepest;
  }

  void release() {
    for (std::size_t i : cells_) taken_.values[i] = 0;
  }

  const Grid<float>& dsm_;
  const Mask& among_;
  const PlanarSegmentOptions& options_;
  Mask taken_, planar_;
  std::vector<std::size_t> cells_;
};

}  // namespace

const WindowFits::Fit& WindowFits::at(const Grid<float>& dsm, const SegmentWindow& window, int col, int row) {
  const auto [fits, is_new] = by_size_.try_emplace({window.cols, window.rows});
  if (is_new) fits->second = dsm.like(Fit{});
  Fit& fit = fits->second.at(col, row);
  if (fit.rms_m >= 0) return fit;
  PlaneSums sums(col, row, dsm.at(col, row));
  for (int r = row; r < row + window.rows; ++r)
    for (int c = col; c < col + window.cols; ++c) sums.add(c, r, dsm.at(c, r));
  sums.fit();
  return fit = {sums.rms(), sums.rise_m()};
}

Mask planar_segments(const Grid<float>& dsm, const Mask& among, const PlanarSegmentOptions& options,
                     WindowFits& fits, const RunControl& control) {
  SegmentGrowth growth(dsm, among, options);
  for (const Seed& seed : seeds(dsm, among, options, fits, control)) {
    control.checkpoint();
    if (!growth.taken(seed.col + seed.window.cols / 2, seed.row + seed.window.rows / 2))
      growth.grow_from(seed);
  }
  return growth.planar();
}

}  // namespace geo
