#include "geo/roof/obstacles.hpp"

#include <algorithm>
#include <cmath>

#include "geo/grid/cell_block.hpp"
#include "geo/property/building_pieces.hpp"
#include "geo/roof/roof_line.hpp"
#include "geo/shapes/overlay.hpp"

namespace geo {
namespace {

constexpr double kAbove_m = 0.35;  // over the plane; a chimney, a dormer
constexpr double kBelow_m = 0.6;   // under it; a recess
constexpr double kTree_m = 1.5;    // a chimney is small, a dormer is not that high
constexpr double kTree_m2 = 6;
constexpr double kSmallest_m2 = 0.1;
constexpr double kEdge_m = 0.4;      // nearer to the outline cells are mixed with what is higher
constexpr double kEaveEdge_m = 1.0;  // and with what is lower

/// Of a piece's cells.
std::vector<HeightPoint> points_in(const Grid<float>& height, const Piece& piece) {
  std::vector<HeightPoint> points;
  for (std::size_t i : piece) points.push_back({height.centre(i), height.values[i]});
  return points;
}

/// Leaves scatter, reach high and cover much.
bool is_vegetation(const std::vector<HeightPoint>& points, const Plane& plane, double cell_m) {
  constexpr double kRough_m = 0.4;
  double highest_m = 0;
  for (const HeightPoint& p : points) highest_m = std::max(highest_m, residual(p, plane));
  const PlaneFit fit = fit_plane(points);
  return highest_m > kTree_m && static_cast<double>(points.size()) * cell_m * cell_m >= kTree_m2 && fit.ok &&
         fit.rms_m > kRough_m;
}

/// The rectangle along the slope that holds the cells.
Ring rectangle(const std::vector<HeightPoint>& points, const Plane& plane, double cell_m) {
  const Line axis{{}, plane.slope() > 0.05 ? direction_of_gradient(plane) : Point{0, 1}};
  const Box box = box_along(axis, points).grown(cell_m / 2);
  auto corner = [&](double along, double left) { return axis.point(along) + axis.normal() * left; };
  return {corner(box.min_x, box.min_y), corner(box.max_x, box.min_y), corner(box.max_x, box.max_y),
          corner(box.min_x, box.max_y)};
}

}  // namespace

RoofObstacles find_obstacles(const Grid<float>& height, const Plane& plane, const Polygon& outline,
                             const CellNoise& noise) {
  RoofObstacles found;
  const double sigma_m = noise.sigma_m(plane);
  Mask mark = height.like(std::uint8_t{0});
  for (const auto [col, row] : cells_touching(height, bounding_box(outline.outer))) {
    const Point p = height.centre(col, row);
    if (std::isnan(height.at(col, row)) || !contains(outline, p)) continue;
    const double r = height.at(col, row) - plane.height_at(p);
    const double clear_m = distance_to_boundary(outline, p);
    // A mixed cell off the plane is no evidence; a cell on the plane is.
    const bool on_plane = std::abs(r) <= 3 * sigma_m;
    ++found.all_cells;
    found.cells += on_plane || clear_m > kEdge_m;
    found.cells_on_plane += on_plane;
    // At an eave cells are mixed with the ground: they lie below the plane though there is no recess.
    const bool above = r > std::max(kAbove_m, 3.5 * sigma_m) && clear_m > kEdge_m;
    const bool below = r < -std::max(kBelow_m, 4 * sigma_m) && clear_m > kEaveEdge_m;
    if (above || below) mark.at(col, row) = 1;
  }
  for (const Piece& piece : pieces_of(mark, Beside::edges_and_corners, {})) {
    const std::vector<HeightPoint> points = points_in(height, piece);
    if (is_vegetation(points, plane, height.cell_m)) {
      found.below_vegetation = true;
      continue;
    }
    for (Polygon& part : overlay_intersection(outline, {rectangle(points, plane, height.cell_m), {}}))
      if (area(part) > kSmallest_m2) found.shapes.push_back(std::move(part));
  }
  return found;
}

}  // namespace geo
