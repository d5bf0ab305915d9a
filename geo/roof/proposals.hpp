// Planes that a building's cells suggest: fitted to small windows and grown over the neighbouring cells that
// continue them (region growing, Vosselman & Dijkman 2001), and the few of them that together explain most
// cells (greedy set cover). They start the segmentation; none of them is final. Local metres.
#pragma once
#include <vector>

#include "geo/roof/building_site.hpp"
#include "geo/roof/fit.hpp"
#include "geo/roof/noise.hpp"
#include "geo/shapes/box.hpp"

namespace geo {

/// What leaving a cell without a plane costs, and what each plane costs, in the unit of residual_cost().
inline constexpr double kUnexplained = 4;
inline constexpr double kUnexplainedFringe = 2;
inline constexpr double kUnexplainedAtWall = 0.5;  ///< the wall explains it, but any height between would do
inline constexpr double kUnexplainedPerhapsAtWall =
    2;  ///< in interpolated cells: a return may lie at that height
inline constexpr double kPerPlane = 11;
inline constexpr double kPerBorrowedPlane = 6;
inline constexpr double kBorderNear = 0.7;      ///< cost of a border between two cells that share an edge
inline constexpr double kBorderDiagonal = 0.3;  ///< and between two that share a corner

/// The high cells of a site as a graph: what proposals and segmentation work on.
struct RoofCells {
  std::vector<HeightPoint> points;                  ///< centre and height of each cell
  std::vector<char> inside;                         ///< 1 within the footprint, 0 in the fringe
  std::vector<char> at_wall;                        ///< 1 where a wall explains the height
  double unexplained_at_wall = kUnexplainedAtWall;  ///< what leaving such a cell without a plane costs
  Grid<int> index;                                  ///< cell -> point, -1 for none
  std::vector<std::vector<int>> near;               ///< the up to four cells that share an edge
  std::vector<std::vector<int>> diagonal;           ///< the up to four cells that share a corner
  std::vector<std::vector<int>> around;             ///< both

  /// What leaving the cell without a plane costs.
  double unexplained(std::size_t i) const {
    return at_wall[i] ? unexplained_at_wall : inside[i] ? kUnexplained : kUnexplainedFringe;
  }
};
RoofCells roof_cells(const RoofSite& site);
std::vector<HeightPoint> points_of(const RoofCells& cells, const std::vector<int>& indices);
/// Where a plane of these cells may take up more: the box around them and 20 m more. Farther away it fits
/// other houses by chance.
Box reach_of(const RoofCells& cells, const std::vector<int>& of_plane);
/// The cells that a box touches, indices into RoofCells.
std::vector<int> cells_within(const RoofCells& cells, const Box& box);

struct ProposedPlane {
  Plane plane;
  bool borrowed = false;   ///< the slope is one of `KnownSlopes`
  std::vector<int> cells;  ///< that it was grown over
  Box reach{};             ///< reach_of() these
};

/// Which rows of three cells tell a level plane: those along the grid's axes, or along its diagonals too.
enum class LevelRows { none, along_axes, any };

/// What windows too small for a slope of their own may take up.
struct KnownSlopes {
  LevelRows level = LevelRows::none;  ///< rows that may be a flat roof or a terrace
  std::vector<Plane> elsewhere;  ///< gradients seen on the building; also mirrored and turned by right angles
};

/// `explained`: 1 for cells that a plane gains nothing from any more.
std::vector<ProposedPlane> propose_planes(const RoofCells& cells, const std::vector<char>& explained,
                                          const KnownSlopes& slopes, const CellNoise& noise,
                                          const RunControl& control);

}  // namespace geo
