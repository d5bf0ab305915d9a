#include "geo/property/building_cells.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>

namespace geo {
namespace {

using Mask = Grid<std::uint8_t>;

constexpr float kLowestRoof_m = 2;  // above the ground
// A cell holds its highest return, wherever in it that lies: on a steep roof heights scatter by a share of
// the rise across a cell. Each tolerance is `flat` plus `of_rise` times that rise.
struct Tolerance {
  double flat_m, of_rise;
  double at(double rise_m) const { return flat_m + of_rise * rise_m; }
};
constexpr Tolerance kSeedRoughness{0.10, 0.1};  // rms of a window about its plane
constexpr Tolerance kOffPlane{0.20, 0.2};       // a cell joins a segment within this
constexpr Tolerance kSegmentRoughness{0.11, 0.1};
constexpr double kSteepest = 2.75;          // 70 degrees
constexpr double kSmallestSegment_m2 = 12;  // and as much again for a gradient of 1: crowns have steep sides
constexpr double kSmallestBuilding_m2 = 20;
constexpr double kPlanarShare = 0.5;
constexpr float kAboveRoof_m = 1.0;  // what rises more beside a roof is a tree
constexpr int kClosings = 3;

constexpr std::array<std::array<int, 2>, 4> kBeside{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
constexpr std::array<std::array<int, 2>, 8> kAround{
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};

/// A least-squares plane over cells, in cell coordinates about a centre of its own, from running sums.
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
  /// Across one cell.
  double rise_m() const { return coefficients_.head<2>().norm(); }

 private:
  int col_, row_;
  double z_;
  Eigen::Matrix4d moments_ = Eigen::Matrix4d::Zero();
  Eigen::Vector3d coefficients_ = Eigen::Vector3d::Zero();
};

Mask high_cells(const Grid<float>& dsm, const Grid<float>& terrain) {
  Mask high = dsm.like(std::uint8_t{0});
  for (std::size_t i = 0; i < high.values.size(); ++i)
    high.values[i] = dsm.values[i] - terrain.values[i] > kLowestRoof_m;  // false for NaN
  return high;
}

struct Seed {
  float roughness_m;
  int col, row;
};

/// Windows that lie wholly on high cells and are smooth, the smoothest first.
std::vector<Seed> seeds(const Grid<float>& dsm, const Mask& high, int radius, const RunControl& control) {
  std::vector<Seed> found;
  for (int row = radius; row < dsm.height - radius; ++row) {
    control.checkpoint();
    for (int col = radius; col < dsm.width - radius; ++col) {
      if (!high.at(col, row)) continue;
      PlaneSums sums(col, row, dsm.at(col, row));
      bool whole = true;
      for (int r = row - radius; r <= row + radius && whole; ++r)
        for (int c = col - radius; c <= col + radius && whole; ++c) {
          whole = high.at(c, r);
          sums.add(c, r, dsm.at(c, r));
        }
      if (!whole) continue;
      sums.fit();
      if (sums.rms() < kSeedRoughness.at(sums.rise_m()))
        found.push_back({static_cast<float>(sums.rms()), col, row});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Seed& a, const Seed& b) { return a.roughness_m < b.roughness_m; });
  return found;
}

/// Marks planar segments: 1 on a segment large and smooth enough for a roof.
class SegmentGrowth {
 public:
  SegmentGrowth(const Grid<float>& dsm, const Mask& high, int radius)
      : dsm_(dsm), high_(high), taken_(high.like(std::uint8_t{0})), planar_(taken_), radius_(radius) {}

  void grow_from(const Seed& seed) {
    PlaneSums plane(seed.col, seed.row, dsm_.at(seed.col, seed.row));
    cells_.clear();
    for (int r = seed.row - radius_; r <= seed.row + radius_; ++r)
      for (int c = seed.col - radius_; c <= seed.col + radius_; ++c) {
        if (taken_.at(c, r)) continue;
        take(c, r, plane);
      }
    if (cells_.size() * 3 < 2 * static_cast<std::size_t>((2 * radius_ + 1) * (2 * radius_ + 1)))
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
        if (!dsm_.contains(c, r) || taken_.at(c, r) || !high_.at(c, r)) continue;
        if (std::abs(plane.off(c, r, dsm_.at(c, r))) > kOffPlane.at(plane.rise_m())) continue;
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
    return plane.count() * dsm_.cell_m * dsm_.cell_m >= kSmallestSegment_m2 * (1 + gradient) &&
           plane.rms() < kSegmentRoughness.at(plane.rise_m()) && gradient < kSteepest;
  }

  void release() {
    for (std::size_t i : cells_) taken_.values[i] = 0;
  }

  const Grid<float>& dsm_;
  const Mask& high_;
  Mask taken_, planar_;
  int radius_;
  std::vector<std::size_t> cells_;
};

Mask planar_cells(const Grid<float>& dsm, const Mask& high, const RunControl& control) {
  const int radius = std::max(1, static_cast<int>(std::lround(1 / dsm.cell_m)));
  SegmentGrowth growth(dsm, high, radius);
  for (const Seed& seed : seeds(dsm, high, radius, control)) {
    control.checkpoint();
    if (!growth.taken(seed.col, seed.row)) growth.grow_from(seed);
  }
  return growth.planar();
}

/// The outermost cells of a roof mix roof and ground, and its overhang is roof too: one more cell all around,
/// unless it rises above the roof, as a tree would.
Mask with_edges(const Mask& building, const Grid<float>& dsm, const Mask& high) {
  Mask out = building;
  for (int row = 0; row < out.height; ++row)
    for (int col = 0; col < out.width; ++col) {
      if (building.at(col, row) || !high.at(col, row)) continue;
      for (const auto& step : kAround) {
        const int c = col + step[0], r = row + step[1];
        if (building.contains(c, r) && building.at(c, r) && dsm.at(col, row) < dsm.at(c, r) + kAboveRoof_m)
          out.at(col, row) = 1;
      }
    }
  return out;
}

/// Dormers, chimneys and ridges between the planes: high cells mostly surrounded by building.
Mask closed(Mask building, const Mask& high) {
  for (int pass = 0; pass < kClosings; ++pass) {
    const Mask before = building;
    for (int row = 0; row < building.height; ++row)
      for (int col = 0; col < building.width; ++col) {
        if (before.at(col, row) || !high.at(col, row)) continue;
        int around = 0;
        for (const auto& step : kAround)
          around += before.contains(col + step[0], row + step[1]) && before.at(col + step[0], row + step[1]);
        if (around >= 5) building.at(col, row) = 1;
      }
  }
  return building;
}

/// Takes away connected pieces that are too small or not planar enough.
Mask without_vegetation(Mask building, const Mask& planar, const RunControl& control) {
  Mask seen = building.like(std::uint8_t{0});
  const double cell_m2 = building.cell_m * building.cell_m;
  const auto width = static_cast<std::size_t>(building.width);
  std::vector<std::size_t> piece;
  for (std::size_t start = 0; start < seen.values.size(); ++start) {
    if (seen.values[start] || !building.values[start]) continue;
    control.checkpoint();
    piece.assign(1, start);
    seen.values[start] = 1;
    for (std::size_t next = 0; next < piece.size(); ++next)
      for (const auto& step : kBeside) {
        const int c = static_cast<int>(piece[next] % width) + step[0];
        const int r = static_cast<int>(piece[next] / width) + step[1];
        if (!building.contains(c, r) || seen.at(c, r) || !building.at(c, r)) continue;
        seen.at(c, r) = 1;
        piece.push_back(building.index(c, r));
      }
    const auto flat =
        std::count_if(piece.begin(), piece.end(), [&](std::size_t i) { return planar.values[i] != 0; });
    const auto cells = static_cast<double>(piece.size());
    if (cells * cell_m2 < kSmallestBuilding_m2 || static_cast<double>(flat) < kPlanarShare * cells)
      for (std::size_t i : piece) building.values[i] = 0;
  }
  return building;
}

}  // namespace

Grid<std::uint8_t> building_cells(const Grid<float>& dsm, const Grid<float>& terrain,
                                  const RunControl& control) {
  const Mask high = high_cells(dsm, terrain);
  const Mask planar = planar_cells(dsm, high, control);
  return without_vegetation(closed(with_edges(planar, dsm, high), high), planar, control);
}

}  // namespace geo
