#include "geo/roof/steps.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geo/roof/proposals.hpp"

namespace geo {
namespace {

using Eigen::Vector2d;

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kBin_m = 0.5;
constexpr double kNarrowest_m = 3.5;  // no house is narrower
constexpr double kTurned = 10;        // degrees by which a plane across steps may be turned off the slope's
constexpr double kAlike = 0.15;       // gradients of one slope's parts differ by less
constexpr double kSloping = 0.2;      // what is flatter has no ridge to go along
constexpr double kHighestStep_m = 1.2;
constexpr double kOutlier = 2.5;  // sigmas from what lies beside it along the ridge: a mixed cell, a chimney
constexpr double kCut_m = 0.75;   // a cell nearer to a wall may be cut by it
constexpr double kPerPiece = kPerPlane * 2 / 3;  // a level and where it begins, in place of three parameters

/// Cells in a row along the ridge, by how high they lie less the slope: sums up to each bin.
struct Bins {
  std::vector<double> count, sum, squares;
  int outliers = 0;
  double squares_within(std::size_t from, std::size_t to) const {
    const double n = count[to] - count[from], s = sum[to] - sum[from];
    return n > 0 ? squares[to] - squares[from] - s * s / n : 0;
  }
};

/// What one direction of the slope makes of the cells.
class Profile {
 public:
  Profile(const RoofCells& cells, const std::vector<int>& own, double angle_rad)
      : fall_(std::cos(angle_rad), std::sin(angle_rad)) {
    for (int i : own) {
      const HeightPoint& p = cells.points[static_cast<std::size_t>(i)];
      down_.push_back(fall_.x() * p.x + fall_.y() * p.y);
      along_.push_back(fall_.x() * p.y - fall_.y() * p.x);
      z_.push_back(p.z);
    }
    first_ = *std::min_element(along_.begin(), along_.end());
    const double last = *std::max_element(along_.begin(), along_.end());
    bins_ = static_cast<std::size_t>((last - first_) / kBin_m) + 1;
    middle_ = 0;
    for (double d : down_) middle_ += d / static_cast<double>(down_.size());
  }

  const Vector2d& fall() const { return fall_; }
  std::size_t bin(std::size_t cell) const {
    return static_cast<std::size_t>((along_[cell] - first_) / kBin_m);
  }
  double level(std::size_t cell, double slope) const { return z_[cell] - slope * (down_[cell] - middle_); }

  /// Ends of the pieces, in bins, of the partition that costs least.
  std::vector<std::size_t> partition(double slope, double sigma_m, double& cost) const {
    const Bins sums = binned(slope, kOutlier * sigma_m);
    const double unit = 1 / (2 * sigma_m * sigma_m);
    const auto narrowest = std::min(bins_, static_cast<std::size_t>(std::lround(kNarrowest_m / kBin_m)));
    std::vector<double> best(bins_ + 1, 1e300);
    std::vector<std::size_t> from(bins_ + 1, 0);
    best[0] = kUnexplained * sums.outliers + kPerPlane - kPerPiece;
    for (std::size_t to = narrowest; to <= bins_; ++to)
      for (std::size_t start = 0; start + narrowest <= to; ++start) {
        if (best[start] >= 1e300) continue;
        const double c = best[start] + unit * sums.squares_within(start, to) + kPerPiece;
        if (c < best[to]) best[to] = c, from[to] = start;
      }
    cost = best[bins_];
    std::vector<std::size_t> ends;
    for (std::size_t to = bins_; to > 0; to = from[to]) ends.push_back(to);
    std::reverse(ends.begin(), ends.end());
    return ends;
  }

  /// The slope that all pieces have in common, by least squares.
  double common_slope(const std::vector<std::size_t>& ends) const {
    std::vector<double> n(ends.size(), 0), d(ends.size(), 0), z(ends.size(), 0);
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const std::size_t k = piece(i, ends);
      ++n[k], d[k] += down_[i], z[k] += z_[i];
    }
    double dd = 0, dz = 0;
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const std::size_t k = piece(i, ends);
      const double off = down_[i] - d[k] / n[k];
      dd += off * off, dz += off * (z_[i] - z[k] / n[k]);
    }
    return dd > 0 ? dz / dd : 0;
  }

  std::size_t piece(std::size_t cell, const std::vector<std::size_t>& ends) const {
    return static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), bin(cell)) - ends.begin());
  }
  double middle() const { return middle_; }

  /// What the cells cost, each capped as where it belongs to nobody. One that a wall cuts lies between the
  /// levels on both sides.
  double cost(const std::vector<double>& levels, const std::vector<std::size_t>& ends, double slope,
              double sigma_m) const {
    double sum = 0;
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const std::size_t k = piece(i, ends);
      double low = levels[k], high = low;
      const auto reach_to = [&](std::size_t other, std::size_t wall) {
        if (std::abs(along_[i] - first_ - static_cast<double>(wall) * kBin_m) > kCut_m) return;
        low = std::min(low, levels[other]), high = std::max(high, levels[other]);
      };
      if (k > 0) reach_to(k - 1, ends[k - 1]);
      if (k + 1 < ends.size()) reach_to(k + 1, ends[k]);
      const double z = level(i, slope);
      sum += std::min(kUnexplained, residual_cost(z - std::clamp(z, low, high), sigma_m));
    }
    return sum;
  }

 private:
  /// Without the cells that lie farther than `off_m` from the median of those beside them.
  Bins binned(double slope, double off_m) const {
    std::vector<std::vector<double>> beside(bins_);
    for (std::size_t i = 0; i < z_.size(); ++i)
      for (std::size_t b = std::max<std::size_t>(1, bin(i)) - 1; b <= bin(i) + 1 && b < bins_; ++b)
        beside[b].push_back(level(i, slope));
    std::vector<double> middles;
    for (std::vector<double>& levels : beside)
      middles.push_back(levels.empty() ? 0 : median(std::move(levels)));
    Bins sums;
    for (auto* v : {&sums.count, &sums.sum, &sums.squares}) v->assign(bins_ + 1, 0);
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const std::size_t b = bin(i);
      const double h = level(i, slope);
      if (std::abs(h - middles[b]) > off_m) {
        ++sums.outliers;
        continue;
      }
      const double from_first = h - middles[0];  // squares of whole heights would swallow the differences
      ++sums.count[b + 1], sums.sum[b + 1] += from_first, sums.squares[b + 1] += from_first * from_first;
    }
    for (std::size_t b = 1; b <= bins_; ++b)
      for (auto* v : {&sums.count, &sums.sum, &sums.squares}) (*v)[b] += (*v)[b - 1];
    return sums;
  }

  Vector2d fall_;
  std::vector<double> down_, along_, z_;
  double first_ = 0, middle_ = 0;
  std::size_t bins_ = 0;
};

SteppedSlope pieces_of(const Profile& profile, const std::vector<int>& own, double slope,
                       const std::vector<std::size_t>& ends, double sigma_m) {
  SteppedSlope out;
  out.pieces.resize(ends.size());
  std::vector<std::vector<double>> levels(ends.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t k = profile.piece(i, ends);
    out.pieces[k].cells.push_back(own[i]);
    levels[k].push_back(profile.level(i, slope));
  }
  const Vector2d& fall = profile.fall();
  std::vector<double> middles;
  for (std::size_t k = 0; k < ends.size(); ++k) {
    middles.push_back(median(std::move(levels[k])));
    out.pieces[k].plane = {fall.x() * profile.middle(), fall.y() * profile.middle(), middles[k],
                           slope * fall.x(), slope * fall.y()};
  }
  out.cost = profile.cost(middles, ends, slope, sigma_m) + kPerPlane +
             kPerPiece * static_cast<double>(ends.size() - 1);
  return out;
}

bool alike(const RoofSegment& a, const RoofSegment& b) {
  const Plane &p = a.fit.plane, &q = b.fit.plane;
  return std::hypot(p.gx, p.gy) > kSloping && std::hypot(p.gx - q.gx, p.gy - q.gy) < kAlike;
}

/// Which segments fall alike and touch, directly or through others: a group's number for each.
std::vector<std::size_t> groups_of(const RoofSegmentation& roof) {
  std::vector<std::size_t> group(roof.segments.size());
  for (std::size_t s = 0; s < group.size(); ++s) group[s] = s;
  for (std::size_t i = 0; i < roof.segment_of.size(); ++i)
    for (int n : roof.cells.near[i]) {
      const int a = roof.segment_of[i], b = roof.segment_of[static_cast<std::size_t>(n)];
      if (a < 0 || b < 0 || a == b) continue;
      const auto &one = roof.segments[static_cast<std::size_t>(a)],
                 &other = roof.segments[static_cast<std::size_t>(b)];
      const std::size_t from = group[static_cast<std::size_t>(a)], to = group[static_cast<std::size_t>(b)];
      const HeightPoint& p = roof.cells.points[i];
      const double step = one.fit.plane.height_at({p.x, p.y}) - other.fit.plane.height_at({p.x, p.y});
      if (from == to || !alike(one, other) || std::abs(step) > kHighestStep_m) continue;
      for (std::size_t& g : group)
        if (g == from) g = to;
    }
  return group;
}

double cost_of(const RoofSegmentation& roof, const std::vector<std::size_t>& segments, double sigma_m) {
  double sum = 0;
  for (std::size_t s : segments) {
    sum += kPerPlane;
    for (int i : roof.segments[s].cells) {
      const double r = residual(roof.cells.points[static_cast<std::size_t>(i)], roof.segments[s].fit.plane);
      sum += std::min(kUnexplained, residual_cost(r, sigma_m));
    }
  }
  return sum;
}

/// What the borders between differently labelled cells cost; -1 is left out.
double border_cost(const RoofCells& cells, const std::vector<int>& label) {
  double sum = 0;
  for (std::size_t i = 0; i < label.size(); ++i) {
    const auto add = [&](const std::vector<int>& neighbours, double weight) {
      for (int n : neighbours) {
        const int other = label[static_cast<std::size_t>(n)];
        if (label[i] >= 0 && other >= 0 && label[i] != other) sum += weight / 2;
      }
    };
    add(cells.near[i], kBorderNear);
    add(cells.diagonal[i], kBorderDiagonal);
  }
  return sum;
}

/// The same for a group of segments as they are, and for the pieces in their place.
double borders_among(const RoofSegmentation& roof, const std::vector<std::size_t>& segments) {
  std::vector<int> label(roof.segment_of.size(), -1);
  for (std::size_t s : segments)
    for (int i : roof.segments[s].cells) label[static_cast<std::size_t>(i)] = static_cast<int>(s);
  return border_cost(roof.cells, label);
}
double borders_among(const RoofSegmentation& roof, const std::vector<SlopePiece>& pieces) {
  std::vector<int> label(roof.segment_of.size(), -1);
  for (std::size_t k = 0; k < pieces.size(); ++k)
    for (int i : pieces[k].cells) label[static_cast<std::size_t>(i)] = static_cast<int>(k);
  return border_cost(roof.cells, label);
}

}  // namespace

SteppedSlope stepped_slope(const RoofCells& cells, const std::vector<int>& own, const Vector2d& gradient,
                           double sigma_m) {
  SteppedSlope best;
  if (own.size() < 2 * kFewestForSlope || gradient.norm() < kSloping) return best;
  const double angle = std::atan2(gradient.y(), gradient.x());
  for (double turned = -kTurned; turned <= kTurned; turned += 1) {
    const Profile profile(cells, own, angle + turned * kDegree);
    double slope = gradient.dot(profile.fall()), cost = 0;
    std::vector<std::size_t> ends;
    for (int round = 0; round < 2; ++round) {
      ends = profile.partition(slope, sigma_m, cost);
      slope = profile.common_slope(ends);
    }
    SteppedSlope found = pieces_of(profile, own, slope, ends, sigma_m);
    if (found.cost < best.cost) best = std::move(found);
  }
  return best;
}

bool part_at_steps(RoofSegmentation& roof, const CellNoise& noise, const RunControl& control) {
  const std::vector<std::size_t> group = groups_of(roof);
  std::vector<RoofSegment> parted;
  std::vector<char> replaced(roof.segments.size(), 0);
  for (std::size_t g = 0; g < group.size(); ++g) {
    control.checkpoint();
    std::vector<std::size_t> members;
    std::vector<int> own;
    Vector2d gradient(0, 0);
    for (std::size_t s = 0; s < group.size(); ++s) {
      if (group[s] != g) continue;
      const RoofSegment& segment = roof.segments[s];
      members.push_back(s);
      own.insert(own.end(), segment.cells.begin(), segment.cells.end());
      gradient +=
          static_cast<double>(segment.cells.size()) * Vector2d(segment.fit.plane.gx, segment.fit.plane.gy);
    }
    if (own.empty()) continue;
    gradient /= static_cast<double>(own.size());
    const double sigma_m = noise.sigma_m({.gx = gradient.x(), .gy = gradient.y()});
    const SteppedSlope found = stepped_slope(roof.cells, own, gradient, sigma_m);
    if (found.pieces.size() < 2 || found.cost + borders_among(roof, found.pieces) >=
                                       cost_of(roof, members, sigma_m) + borders_among(roof, members))
      continue;
    for (std::size_t s : members) replaced[s] = 1;
    for (const SlopePiece& piece : found.pieces) {
      RoofSegment segment;
      segment.fit.plane = piece.plane;
      segment.cells = piece.cells;
      parted.push_back(std::move(segment));
    }
  }
  if (parted.empty()) return false;
  for (std::size_t s = 0; s < replaced.size(); ++s)
    if (!replaced[s]) parted.push_back(roof.segments[s]);
  roof.segments = std::move(parted);
  roof.segment_of.assign(roof.segment_of.size(), -1);
  for (std::size_t s = 0; s < roof.segments.size(); ++s)
    for (int i : roof.segments[s].cells) roof.segment_of[static_cast<std::size_t>(i)] = static_cast<int>(s);
  return true;
}

bool is_step(const RoofSegmentation& roof, const RoofSegment& a, const RoofSegment& b,
             const CellNoise& noise) {
  if (!alike(a, b) || std::min(a.cells.size(), b.cells.size()) < kFewestForSlope) return false;
  std::vector<int> own = a.cells;
  own.insert(own.end(), b.cells.begin(), b.cells.end());
  const double of_a = static_cast<double>(a.cells.size()) / static_cast<double>(own.size());
  const Vector2d gradient(of_a * a.fit.plane.gx + (1 - of_a) * b.fit.plane.gx,
                          of_a * a.fit.plane.gy + (1 - of_a) * b.fit.plane.gy);
  const SteppedSlope found =
      stepped_slope(roof.cells, own, gradient, noise.sigma_m({.gx = gradient.x(), .gy = gradient.y()}));
  return found.pieces.size() >= 2;
}

}  // namespace geo
