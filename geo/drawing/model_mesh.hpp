// Triangles of the 3D model: the ground, roofs, walls and modules as meshes with a normal at every corner.
// In: scene metres and heights. Out: glTF's axes, x east, y up, z south, metres above a base height. Sides
// are seen from outside (counter-clockwise).
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <vector>

#include "geo/data/gdal.hpp"
#include "geo/grid/grid.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

struct Mesh {
  std::vector<Eigen::Vector3f> positions;
  std::vector<Eigen::Vector3f> normals;
  std::vector<Eigen::Vector2f> texture;  ///< 0..1 over the scene's area, from its upper left corner
  std::vector<std::uint32_t> triangles;
  bool empty() const { return triangles.empty(); }
};

using HeightOf = std::function<double(Point scene)>;

class MeshBuilder {
 public:
  MeshBuilder(const Box& area, double base_height_m) : area_(area), base_m_(base_height_m) {}

  void add_ground(const Grid<float>& ground);
  /// A sloping polygon, seen from above or, turned over, from below. `gradient`: its rise towards east and
  /// north.
  void add_face(const Polygon& polygon, const HeightOf& height, const Eigen::Vector2d& gradient,
                bool from_below = false);
  /// Upright sides along every ring.
  void add_sides(const Polygon& polygon, const HeightOf& top, const HeightOf& bottom);

  Mesh take() { return std::move(mesh_); }

 private:
  std::uint32_t add_corner(Point p, double height, const Eigen::Vector3f& normal);
  void add_side(Point from, Point to, const HeightOf& top, const HeightOf& bottom);
  Box area_;
  double base_m_;
  Mesh mesh_;
};

/// The lowest ground along a polygon's outer ring.
double lowest_ground(const Grid<float>& ground, const Polygon& polygon);

}  // namespace geo
