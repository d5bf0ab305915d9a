#include "geo/drawing/model_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "geo/drawing/outline_algebra.hpp"

namespace geo {
namespace {

constexpr double kShortestSide_m = 0.005;
constexpr double kSample_m = 0.5;

/// Upward normal of a slope, in glTF's axes.
Eigen::Vector3f normal_of(const Eigen::Vector2d& gradient) {
  return Eigen::Vector3d(-gradient.x(), 1, gradient.y()).normalized().cast<float>();
}

float ground_at(const Grid<float>& ground, int col, int row) {
  return ground.at(std::clamp(col, 0, ground.width - 1), std::clamp(row, 0, ground.height - 1));
}

}  // namespace

std::uint32_t MeshBuilder::add_corner(Point p, double height, const Eigen::Vector3f& normal) {
  mesh_.positions.emplace_back(static_cast<float>(p.x), static_cast<float>(height - base_m_),
                               static_cast<float>(-p.y));
  mesh_.normals.push_back(normal);
  mesh_.texture.emplace_back(static_cast<float>((p.x - area_.min_x) / (area_.max_x - area_.min_x)),
                             static_cast<float>((area_.max_y - p.y) / (area_.max_y - area_.min_y)));
  return static_cast<std::uint32_t>(mesh_.positions.size() - 1);
}

void MeshBuilder::add_ground(const Grid<float>& ground) {
  const auto first = static_cast<std::uint32_t>(mesh_.positions.size());
  for (int row = 0; row < ground.height; ++row)
    for (int col = 0; col < ground.width; ++col) {
      const double east =
          (ground_at(ground, col + 1, row) - ground_at(ground, col - 1, row)) / (2 * ground.cell_m);
      const double north =
          (ground_at(ground, col, row - 1) - ground_at(ground, col, row + 1)) / (2 * ground.cell_m);
      add_corner(ground.centre(col, row), ground.at(col, row), normal_of({east, north}));
    }
  const auto corner = [&](int col, int row) {
    return first + static_cast<std::uint32_t>(ground.index(col, row));
  };
  for (int row = 0; row + 1 < ground.height; ++row)
    for (int col = 0; col + 1 < ground.width; ++col)
      for (const std::uint32_t index : {corner(col, row + 1), corner(col + 1, row + 1), corner(col + 1, row),
                                        corner(col, row + 1), corner(col + 1, row), corner(col, row)})
        mesh_.triangles.push_back(index);
}

void MeshBuilder::add_face(const Polygon& polygon, const HeightOf& height, const Eigen::Vector2d& gradient,
                           bool from_below) {
  const Eigen::Vector3f normal = from_below ? Eigen::Vector3f(-normal_of(gradient)) : normal_of(gradient);
  for (const Triangle& triangle : triangles_of(polygon))
    for (std::size_t i = 0; i < 3; ++i) {
      const Point p = triangle[from_below ? 2 - i : i];
      mesh_.triangles.push_back(add_corner(p, height(p), normal));
    }
}

void MeshBuilder::add_side(Point from, Point to, const HeightOf& top, const HeightOf& bottom) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length < kShortestSide_m) return;
  // Outside lies to the right of an outer ring's edges, and of a hole's.
  const Eigen::Vector3f normal =
      Eigen::Vector3d((to.y - from.y) / length, 0, (to.x - from.x) / length).cast<float>();
  const std::uint32_t a = add_corner(from, bottom(from), normal);
  const std::uint32_t b = add_corner(to, bottom(to), normal);
  const std::uint32_t c = add_corner(to, top(to), normal);
  const std::uint32_t d = add_corner(from, top(from), normal);
  for (const std::uint32_t index : {a, b, c, a, c, d}) mesh_.triangles.push_back(index);
}

void MeshBuilder::add_sides(const Polygon& polygon, const HeightOf& top, const HeightOf& bottom) {
  const auto around = [&](const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) add_side(ring[i], ring[(i + 1) % ring.size()], top, bottom);
  };
  around(polygon.outer);
  for (const Ring& hole : polygon.holes) around(hole);
}

double lowest_ground(const Grid<float>& ground, const Polygon& polygon) {
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < polygon.outer.size(); ++i) {
    const Point a = polygon.outer[i];
    const Point b = polygon.outer[(i + 1) % polygon.outer.size()];
    const int steps = 1 + static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / kSample_m);
    for (int k = 0; k < steps; ++k) {
      const double x = a.x + (b.x - a.x) * k / steps;
      const double y = a.y + (b.y - a.y) * k / steps;
      lowest = std::min<double>(lowest, ground_at(ground, ground.col_of(x), ground.row_of(y)));
    }
  }
  return lowest;
}

}  // namespace geo
