// A made-up landscape for tests: ground of any form, houses with gable roofs, trees with rough crowns.
// Metres, 1 m cells; the rough crowns come from a fixed integer hash, so every run sees the same leaves.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

#include "geo/grid/grid.hpp"
#include "geo/shapes/shapes.hpp"
#include "tests/geo/simple_shapes.hpp"

namespace test {

class Landscape {
 public:
  using Ground = std::function<double(geo::Point)>;

  Landscape(int width, int height, Ground ground)
      : terrain(width, height, 0, height, 1), dsm(terrain), ground_(std::move(ground)) {
    each([this](int col, int row, geo::Point p) { terrain.at(col, row) = static_cast<float>(ground_(p)); });
    dsm = terrain;
  }

  /// A gable roof with the ridge along x: eaves 4 m above the highest ground under it, 40 degrees steep.
  Landscape& house(double west, double south, double east, double north) {
    double base = -1e9;
    for (const geo::Point corner : {geo::Point{west, south}, {east, south}, {west, north}, {east, north}})
      base = std::max(base, ground_(corner));
    each([&](int col, int row, geo::Point p) {
      if (p.x < west || p.x > east || p.y < south || p.y > north) return;
      const double from_eaves = std::min(p.y - south, north - p.y);
      dsm.at(col, row) = static_cast<float>(base + 4 + 0.84 * from_eaves);
    });
    return *this;
  }

  Landscape& tree(geo::Point trunk, double radius) {
    each([&](int col, int row, geo::Point p) {
      const double d = std::hypot(p.x - trunk.x, p.y - trunk.y);
      if (d > radius) return;
      const double crown = 5 + std::sqrt(radius * radius - d * d) + 1.5 * leaf(col, row);
      dsm.at(col, row) = std::max(dsm.at(col, row), static_cast<float>(ground_(trunk) + crown));
    });
    return *this;
  }

  geo::Grid<float> terrain, dsm;

 private:
  template <class F>
  void each(F f) {
    for (int row = 0; row < terrain.height; ++row)
      for (int col = 0; col < terrain.width; ++col) f(col, row, terrain.centre(col, row));
  }
  static double leaf(int col, int row) {
    auto h = static_cast<std::uint32_t>(col) * 2654435761u ^ static_cast<std::uint32_t>(row) * 2246822519u;
    h ^= h >> 15;
    h *= 2654435761u;
    return (h >> 8) / 16777216.0 - 0.5;
  }
  Ground ground_;
};

}  // namespace test
