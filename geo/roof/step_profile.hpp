// The heights along a ridge, less what the slope explains: even over each house of a row, with a jump at each
// party wall. One slope of the roof is looked at, or both together: at a party wall both jump at the same
// place by the same height, and a jump of one slope alone is a bent plane, a branch or noise. The places of
// the jumps are found over all partitions of the ridge by dynamic programming (Bellman 1961; Auger & Lawrence
// 1989, "Algorithms for the optimal identification of segment neighborhoods"). Local metres; costs in the
// unit of residual_cost().
#pragma once
#include <Eigen/Core>
#include <array>
#include <vector>

#include "geo/roof/proposals.hpp"

namespace geo {

/// One slope: its cells (indices into RoofCells) and its approximate gradient.
struct SlopeSide {
  std::vector<int> cells;
  Eigen::Vector2d gradient{0, 0};
};

/// What all pieces have in common. The rise of each side along the profile's direction, and how far the
/// second side lies above the first in the middle.
struct SharedSlopes {
  std::array<double, 2> rise{};
  double second_above_m = 0;
};

class StepProfile {
 public:
  /// One side or two; they rise along `angle_rad` or against it.
  StepProfile(const RoofCells& cells, const std::vector<SlopeSide>& sides, double angle_rad);

  /// A first guess: the rises from the sides' gradients, the difference in height from where both sides are
  /// seen.
  SharedSlopes first_slopes() const;
  /// The least-squares solution for these pieces.
  SharedSlopes slopes_with(const std::vector<std::size_t>& ends) const;
  /// Ends of the pieces, in bins, of the partition that costs least.
  std::vector<std::size_t> partition(const SharedSlopes& slopes, double sigma_m) const;
  /// Each piece's median level.
  std::vector<double> levels(const std::vector<std::size_t>& ends, const SharedSlopes& slopes) const;
  /// The cost of the cells, each at most kUnexplained. A cell that a wall cuts may lie anywhere between the
  /// levels on both sides of the wall.
  double cost(const std::vector<double>& levels, const std::vector<std::size_t>& ends,
              const SharedSlopes& slopes, double sigma_m) const;

  std::size_t size() const { return seen_.size(); }
  int cell(std::size_t i) const { return seen_[i].cell; }
  std::size_t side(std::size_t i) const { return seen_[i].side; }
  std::size_t piece(std::size_t i, const std::vector<std::size_t>& ends) const;
  /// The plane of one side at a level.
  Plane plane(std::size_t side, double level_m, const SharedSlopes& slopes) const;

 private:
  struct Seen {
    int cell;
    std::size_t side;
    double up, along, z;
  };

  std::size_t bin(const Seen& s) const;
  double level(const Seen& s, const SharedSlopes& slopes) const;
  /// Of the heights less the slope, in bins along the ridge: their number, sum and squares over all bins
  /// before each one. Without the cells that lie farther than `off_m` from the median of those beside them.
  std::vector<Eigen::Array3d> binned(const SharedSlopes& slopes, double off_m) const;

  Eigen::Vector2d rise_;
  std::vector<Seen> seen_;
  std::array<double, 2> gradient_{}, middle_{};  ///< of each side: its rise, and where its level is taken
  double first_ = 0;
  std::size_t bins_ = 0;
};

}  // namespace geo
