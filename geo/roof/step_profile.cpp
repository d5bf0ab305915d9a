#include "geo/roof/step_profile.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

namespace geo {
namespace {

constexpr double kBin_m = 0.5;
constexpr double kNarrowestHouse_m = 3.5;  // no house is narrower
constexpr double kOutlierAlongRidge =
    2.5;                         // sigmas from what lies beside it along the ridge: a mixed cell, a chimney
constexpr double kCut_m = 0.75;  // a cell nearer to a wall may be cut by it

/// The squares that a level leaves of heights of which these are the sums.
double left_by_level(const Eigen::Array3d& sums) {
  return sums[0] > 0 ? sums[2] - sums[1] * sums[1] / sums[0] : 0;
}

std::vector<double> medians(std::vector<std::vector<double>> groups) {
  std::vector<double> found;
  for (std::vector<double>& group : groups) found.push_back(median(std::move(group)));
  return found;
}

}  // namespace

StepProfile::StepProfile(const RoofCells& cells, const std::vector<SlopeSide>& sides, double angle_rad)
    : rise_(std::cos(angle_rad), std::sin(angle_rad)) {
  double last = -1e300;
  first_ = 1e300;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    gradient_[side] = sides[side].gradient.dot(rise_);
    const double share = 1 / static_cast<double>(sides[side].cells.size());
    for (int i : sides[side].cells) {
      const HeightPoint& p = cells.points[i];
      seen_.push_back({i, side, rise_.x() * p.x + rise_.y() * p.y, rise_.x() * p.y - rise_.y() * p.x, p.z});
      middle_[side] += share * seen_.back().up;
      first_ = std::min(first_, seen_.back().along), last = std::max(last, seen_.back().along);
    }
  }
  bins_ = static_cast<std::size_t>((last - first_) / kBin_m) + 1;
}

std::size_t StepProfile::bin(const Seen& s) const {
  return static_cast<std::size_t>((s.along - first_) / kBin_m);
}

double StepProfile::level(const Seen& s, const SharedSlopes& slopes) const {
  return s.z - slopes.rise[s.side] * (s.up - middle_[s.side]) - (s.side ? slopes.second_above_m : 0);
}

std::size_t StepProfile::piece(std::size_t i, const std::vector<std::size_t>& ends) const {
  return static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), bin(seen_[i])) - ends.begin());
}

SharedSlopes StepProfile::first_slopes() const {
  SharedSlopes slopes{gradient_, 0};
  std::array<std::vector<std::vector<double>>, 2> beside;
  for (auto& side : beside) side.resize(bins_);
  for (const Seen& s : seen_) beside[s.side][bin(s)].push_back(level(s, slopes));
  std::vector<double> apart;
  for (std::size_t b = 0; b < bins_; ++b)
    if (!beside[0][b].empty() && !beside[1][b].empty())
      apart.push_back(median(beside[1][b]) - median(beside[0][b]));
  slopes.second_above_m = median(std::move(apart));
  return slopes;
}

SharedSlopes StepProfile::slopes_with(const std::vector<std::size_t>& ends) const {
  // Both rises, and the second side's height over the first, after the pieces' own levels are taken out.
  std::vector<Eigen::Vector4d> sum(ends.size(), Eigen::Vector4d::Zero());
  std::vector<double> count(ends.size(), 0);
  const auto row = [&](const Seen& s) {
    Eigen::Vector4d r(0, 0, s.side ? 1 : 0, s.z);
    r[static_cast<Eigen::Index>(s.side)] = s.up - middle_[s.side];
    return r;
  };
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const std::size_t k = piece(i, ends);
    sum[k] += row(seen_[i]);
    ++count[k];
  }
  Eigen::Matrix4d moments = Eigen::Matrix4d::Zero();
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const std::size_t k = piece(i, ends);
    const Eigen::Vector4d off = row(seen_[i]) - sum[k] / count[k];
    moments += off * off.transpose();
  }
  // With one side only, the unknowns of the second side stay zero.
  const Eigen::Matrix3d normal = moments.topLeftCorner<3, 3>() + 1e-9 * Eigen::Matrix3d::Identity();
  const Eigen::Vector3d found = normal.ldlt().solve(moments.topRightCorner<3, 1>());
  return {{found[0], found[1]}, found[2]};
}

std::vector<std::size_t> StepProfile::partition(const SharedSlopes& slopes, double sigma_m) const {
  const std::vector<Eigen::Array3d> sums = binned(slopes, kOutlierAlongRidge * sigma_m);
  const double unit = 1 / (2 * sigma_m * sigma_m);
  const auto narrowest = std::min(bins_, static_cast<std::size_t>(std::lround(kNarrowestHouse_m / kBin_m)));
  std::vector<double> best(bins_ + 1, 1e300);
  std::vector<std::size_t> from(bins_ + 1, 0);
  best[0] = 0;
  for (std::size_t to = narrowest; to <= bins_; ++to)
    for (std::size_t start = 0; start + narrowest <= to; ++start) {
      if (best[start] >= 1e300) continue;
      const double c = best[start] + unit * left_by_level(sums[to] - sums[start]) + kPerPlane;
      if (c < best[to]) best[to] = c, from[to] = start;
    }
  std::vector<std::size_t> ends;
  for (std::size_t to = bins_; to > 0; to = from[to]) ends.push_back(to);
  std::reverse(ends.begin(), ends.end());
  return ends;
}

std::vector<double> StepProfile::levels(const std::vector<std::size_t>& ends,
                                        const SharedSlopes& slopes) const {
  std::vector<std::vector<double>> of_piece(ends.size());
  for (std::size_t i = 0; i < seen_.size(); ++i) of_piece[piece(i, ends)].push_back(level(seen_[i], slopes));
  return medians(std::move(of_piece));
}

double StepProfile::cost(const std::vector<double>& levels, const std::vector<std::size_t>& ends,
                         const SharedSlopes& slopes, double sigma_m) const {
  double sum = 0;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const std::size_t k = piece(i, ends);
    double low = levels[k], high = low;
    const auto reach_to = [&](std::size_t other, std::size_t wall) {
      if (std::abs(seen_[i].along - first_ - static_cast<double>(wall) * kBin_m) > kCut_m) return;
      low = std::min(low, levels[other]), high = std::max(high, levels[other]);
    };
    if (k > 0) reach_to(k - 1, ends[k - 1]);
    if (k + 1 < ends.size()) reach_to(k + 1, ends[k]);
    const double z = level(seen_[i], slopes);
    sum += std::min(kUnexplained, residual_cost(z - std::clamp(z, low, high), sigma_m));
  }
  return sum;
}

Plane StepProfile::plane(std::size_t side, double level_m, const SharedSlopes& slopes) const {
  const Eigen::Vector2d at = rise_ * middle_[side], gradient = rise_ * slopes.rise[side];
  return {at.x(), at.y(), level_m + (side ? slopes.second_above_m : 0), gradient.x(), gradient.y()};
}

std::vector<Eigen::Array3d> StepProfile::binned(const SharedSlopes& slopes, double off_m) const {
  std::vector<std::vector<double>> beside(bins_);
  for (const Seen& s : seen_)
    for (std::size_t b = std::max<std::size_t>(1, bin(s)) - 1; b <= bin(s) + 1 && b < bins_; ++b)
      beside[b].push_back(level(s, slopes));
  const std::vector<double> middles = medians(std::move(beside));
  std::vector<Eigen::Array3d> sums(bins_ + 1, Eigen::Array3d::Zero());
  for (const Seen& s : seen_) {
    const std::size_t b = bin(s);
    const double h = level(s, slopes);
    if (std::abs(h - middles[b]) > off_m) continue;
    const double from_first = h - middles[0];  // squares of whole heights hide the differences
    sums[b + 1] += Eigen::Array3d(1, from_first, from_first * from_first);
  }
  for (std::size_t b = 1; b <= bins_; ++b) sums[b] += sums[b - 1];
  return sums;
}

}  // namespace geo
