// Which cell of a roof lies on which plane. Cells are shared out among proposed planes and planes refitted to
// their cells in turn, until fit, smoothness and the number of planes balance (Isack & Boykov 2012); two
// segments that could share a plane are merged, and planes not worth their cost are removed. Local metres.
#pragma once
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "geo/roof/building_site.hpp"
#include "geo/roof/fit.hpp"
#include "geo/roof/noise.hpp"
#include "geo/roof/proposals.hpp"

namespace geo {

/// A house in a row that steps: the number of the row, and of the house in it.
struct RowHouse {
  int row, unit;
};

struct RoofSegment {
  PlaneFit fit;
  std::vector<int> cells;  ///< indices into RoofCells
  bool borrowed = false;   ///< its slope was known (KnownSlopes) or searched, so that the plane costs less
  Eigen::Matrix3d own_cofactor = Eigen::Matrix3d::Zero();  ///< `fit.cofactor` before regularisation
  /// What regularisation knew besides the cells: the inverse of a covariance of (gx, gy).
  Eigen::Matrix2d known = Eigen::Matrix2d::Zero();
  /// How its gradient would change without the cells at its edges: what these mix in is a bias, not noise.
  /// Regularisation enlarges it where no footprint tells the edges.
  Eigen::Vector2d edge_shift{0, 0};
  std::optional<RowHouse> house;  ///< the house it belongs to, where a row was divided at its steps
  /// What having the plane costs.
  double price() const { return borrowed ? kPerBorrowedPlane : kPerPlane; }
  bool hip = false;  ///< cuts off a gable's end: the roof is the lower of it and the gable's halves
};

struct RoofSegmentation {
  RoofCells cells;
  std::vector<RoofSegment> segments;
  std::vector<int> segment_of;  ///< by cell, -1 for none
  CellNoise noise;              ///< as observed on this building

  /// The segment of the cell in this place, -1 for none.
  int segment_at(int col, int row) const {
    const int cell = cells.index.at(col, row);
    return cell < 0 ? -1 : segment_of[cell];
  }
  const Plane& plane(int segment) const { return segments[segment].fit.plane; }
  /// What it costs that the cell lies on the plane.
  double cost(int cell, const Plane& plane) const {
    return residual_cost(residual(cells.points[cell], plane), noise.sigma_m(plane));
  }
};

/// A segment with fewer cells keeps its borrowed slope.
inline constexpr std::size_t kFewestForSlope = 9;

/// What the borders between differently labelled cells cost: (a, b) with a < b -> their weight; -1 is left
/// out.
std::map<std::pair<int, int>, double> borders(const RoofCells& cells, const std::vector<int>& label);
/// Lists each segment's cells anew, from `segment_of`.
void gather_cells(RoofSegmentation& roof);
/// Its cells then belong to no segment; the segments after it move up.
void remove_segment(RoofSegmentation& roof, int segment);
/// Removes the segments, given by their numbers, for which `is_none` holds, the last first. True if any.
template <class Test>
bool remove_segments_if(RoofSegmentation& roof, Test is_none) {
  const std::size_t before = roof.segments.size();
  for (int s = static_cast<int>(before) - 1; s >= 0; --s)
    if (is_none(s)) remove_segment(roof, s);
  return roof.segments.size() < before;
}
/// Whether one of the segment's cells lies within the distance.
bool has_cell_within(const RoofSegmentation& roof, const RoofSegment& segment, Point of, double distance_m);

RoofSegmentation segment_roof(const RoofSite& site, const RunControl& control);

}  // namespace geo
