// The laser returns of one cell, summed up as they come, and the three ways in which surveying offices turn
// them into a height. Metres, positions relative to the cell's centre.
#pragma once
#include <algorithm>
#include <limits>

namespace geo::sample {

class CellReturns {
 public:
  void add(double dx, double dy, double z) {
    if (count_ == 0) offset_ = lowest_ = highest_ = z;
    ++count_;
    lowest_ = std::min(lowest_, z);
    highest_ = std::max(highest_, z);
    const double h = z - offset_;
    x_ += dx, y_ += dy, z_ += h;
    xx_ += dx * dx, xy_ += dx * dy, yy_ += dy * dy, xz_ += dx * h, yz_ += dy * h;
    if (dx * dx + dy * dy < nearest_distance_) nearest_distance_ = dx * dx + dy * dy, nearest_ = z;
  }

  int count() const { return count_; }
  double mean() const { return offset_ + z_ / count_; }
  double nearest() const { return nearest_; }

  /// A least-squares plane at the centre, kept within the returns' heights; the mean when they are too few or
  /// too much in line to carry one.
  double levelled(double cell_m) const {
    const double n = count_, mx = x_ / n, my = y_ / n, mz = z_ / n;
    const double cxx = xx_ / n - mx * mx, cxy = xy_ / n - mx * my, cyy = yy_ / n - my * my;
    const double cxz = xz_ / n - mx * mz, cyz = yz_ / n - my * mz;
    const double determinant = cxx * cyy - cxy * cxy;
    constexpr double kSpread = 5e-4;  // of a cell to the fourth power; evenly spread returns have 7e-3
    if (count_ < 4 || determinant < kSpread * cell_m * cell_m * cell_m * cell_m) return mean();
    const double gx = (cxz * cyy - cyz * cxy) / determinant, gy = (cyz * cxx - cxz * cxy) / determinant;
    return std::clamp(mean() - gx * mx - gy * my, lowest_, highest_);
  }

 private:
  int count_ = 0;
  double offset_ = 0, lowest_ = 0, highest_ = 0, nearest_ = 0;
  double nearest_distance_ = std::numeric_limits<double>::infinity();
  double x_ = 0, y_ = 0, z_ = 0, xx_ = 0, xy_ = 0, yy_ = 0, xz_ = 0, yz_ = 0;
};

}  // namespace geo::sample
