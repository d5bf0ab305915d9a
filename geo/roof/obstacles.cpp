#include "geo/roof/obstacles.hpp"

#include <algorithm>
#include <cmath>

#include "geo/shapes/boost_shapes.hpp"

namespace geo {
namespace {

constexpr double kAbove_m = 0.35;  // over the plane; a chimney, a dormer
constexpr double kBelow_m = 0.6;   // under it; a recess
constexpr double kTree_m = 1.5;    // a chimney is small, a dormer is not that high
constexpr double kTree_m2 = 6;
constexpr double kEdge_m = 0.4;      // nearer to the outline cells are mixed with what is higher
constexpr double kEaveEdge_m = 1.0;  // and with what is lower

struct Blob {
  std::vector<std::pair<int, int>> cells;
  double highest_m = 0;
  double roughness_m = 0;
};

double roughness(const Grid<float>& height, const Blob& blob) {
  std::vector<HeightPoint> points;
  for (const auto& [c, r] : blob.cells) {
    const Point p = height.centre(c, r);
    points.push_back({p.x, p.y, height.at(c, r)});
  }
  const PlaneFit fit = fit_plane(points);
  return fit.ok ? fit.rms_m : 0;
}

std::vector<Blob> blobs_of(const Grid<float>& height, const Plane& plane, Grid<char>& mark) {
  std::vector<Blob> blobs;
  for (int row = 0; row < mark.height; ++row)
    for (int col = 0; col < mark.width; ++col) {
      if (mark.at(col, row) != 1) continue;
      Blob blob;
      blob.cells.push_back({col, row});
      mark.at(col, row) = 2;
      for (std::size_t i = 0; i < blob.cells.size(); ++i)
        for (int dr = -1; dr <= 1; ++dr)
          for (int dc = -1; dc <= 1; ++dc) {
            const int c = blob.cells[i].first + dc, r = blob.cells[i].second + dr;
            if (!mark.contains(c, r) || mark.at(c, r) != 1) continue;
            mark.at(c, r) = 2;
            blob.cells.push_back({c, r});
          }
      for (const auto& [c, r] : blob.cells)
        blob.highest_m = std::max(blob.highest_m, height.at(c, r) - plane.height_at(height.centre(c, r)));
      blob.roughness_m = roughness(height, blob);
      blobs.push_back(std::move(blob));
    }
  return blobs;
}

/// The rectangle along the slope that holds the blob's cells.
Ring rectangle(const Grid<float>& height, const Plane& plane, const Blob& blob) {
  const double slope = std::hypot(plane.gx, plane.gy);
  const Point up = slope > 0.05 ? Point{plane.gx / slope, plane.gy / slope} : Point{0, 1};
  const Line axis{{}, up};
  Box box;
  for (const auto& [c, r] : blob.cells) {
    const Point p = height.centre(c, r);
    box.add({axis.along(p), axis.left_of(p)});
  }
  box = box.grown(height.cell_m / 2);
  auto corner = [&](double along, double left) { return axis.point(along) + axis.normal() * left; };
  return {corner(box.min_x, box.min_y), corner(box.max_x, box.min_y), corner(box.max_x, box.max_y),
          corner(box.min_x, box.max_y)};
}

}  // namespace

RoofObstacles find_obstacles(const Grid<float>& height, const Plane& plane, const Polygon& outline,
                             const CellNoise& noise) {
  RoofObstacles found;
  const double sigma_m = noise.sigma_m(plane);
  Grid<char> mark = height.like<char>(0);
  const Box box = bounding_box(outline.outer);
  for (int row = std::max(0, height.row_of(box.max_y));
       row <= std::min(height.height - 1, height.row_of(box.min_y)); ++row)
    for (int col = std::max(0, height.col_of(box.min_x));
         col <= std::min(height.width - 1, height.col_of(box.max_x)); ++col) {
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
  BoostMultiPolygon clipped;
  for (const Blob& blob : blobs_of(height, plane, mark)) {
    const double blob_m2 = static_cast<double>(blob.cells.size()) * height.cell_m * height.cell_m;
    if (blob.highest_m > kTree_m && blob_m2 >= kTree_m2 && blob.roughness_m > 0.4) {
      found.below_vegetation = true;
      continue;
    }
    clipped.clear();
    const BoostPolygon whole = to_boost({rectangle(height, plane, blob), {}});
    boost::geometry::intersection(to_boost(outline), whole, clipped);
    // Boost 1.74 may return the other polygon where edges nearly coincide.
    const double most_m2 = boost::geometry::area(whole) + 0.01;
    for (const BoostPolygon& part : clipped)
      if (boost::geometry::area(part) > 0.1 && boost::geometry::area(part) < most_m2)
        found.shapes.push_back(from_boost(part));
  }
  return found;
}

}  // namespace geo
