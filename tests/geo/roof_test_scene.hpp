// Roofs drawn by formula and seen as laser data would show them: several returns per cell, each somewhere in
// the cell and with noise of its own, their mean or the highest of them the cell's height. Local metres; the
// grid's north is true north.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "geo/data/place_frame.hpp"
#include "geo/grid/grid.hpp"
#include "geo/property/building.hpp"
#include "geo/roof/detection.hpp"
#include "geo/shapes/plane_geometry.hpp"
#include "tests/geo/simple_shapes.hpp"

namespace test {

/// A repeatable number in [0, 1).
inline double hash01(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return static_cast<double>((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

using HeightOf = std::function<double(geo::Point)>;

struct RoofScene {
  geo::Grid<float> dsm, terrain;
  std::vector<geo::Building> buildings;
  geo::PlaceFrame frame;
  geo::RoofDetectionOptions options{};

  std::vector<geo::RoofPlane> detect() const {
    return geo::detect_roof_planes(dsm, terrain, buildings, frame, options, geo::RunControl{});
  }
};

inline geo::PlaceFrame place_frame() { return *geo::PlaceFrame::create("EPSG:25832", {9.0, 50.0}); }

/// On the meridian of its zone the grid's north is true north. The scene lies around the place.
inline RoofScene scene(
    const HeightOf& surface, std::vector<geo::Building> buildings, int size_m = 40,
    const HeightOf& ground = [](geo::Point) { return 100.0; }, double cell_m = 1,
    bool highest_returns = false) {
  RoofScene out{{}, {}, std::move(buildings), place_frame()};
  const geo::Point o{std::round(out.frame.origin().x), std::round(out.frame.origin().y)};
  const int size = static_cast<int>(std::lround(size_m / cell_m));
  out.dsm = geo::Grid<float>(size, size, o.x, o.y + size_m, cell_m);
  out.terrain = out.dsm.like<float>();
  for (int row = 0; row < size; ++row)
    for (int col = 0; col < size; ++col) {
      const geo::Point centre = out.dsm.centre(col, row);
      double sum = 0, highest = -1e300;
      constexpr int kReturns = 6;
      for (int i = 0; i < kReturns; ++i) {
        const std::uint64_t key =
            (static_cast<std::uint64_t>(row) * 4096 + static_cast<std::uint64_t>(col)) * 64 +
            static_cast<std::uint64_t>(i);
        const geo::Point p{centre.x - o.x + cell_m * (hash01(3 * key) - 0.5),
                           centre.y - o.y + cell_m * (hash01(3 * key + 1) - 0.5)};
        const double z = surface(p) + 0.1 * (hash01(3 * key + 2) - 0.5);
        sum += z;
        highest = std::max(highest, z);
      }
      out.dsm.at(col, row) = static_cast<float>(highest_returns ? highest : sum / kReturns);
      out.terrain.at(col, row) = static_cast<float>(ground({centre.x - o.x, centre.y - o.y}));
    }
  for (geo::Building& b : out.buildings) b.footprint = geo::translated(b.footprint, o);
  return out;
}

inline bool in_rectangle(geo::Point p, double x0, double y0, double x1, double y1) {
  return p.x >= x0 && p.x < x1 && p.y >= y0 && p.y < y1;
}

/// Map metres of the scene's local ones.
inline geo::Point on_map(const RoofScene& s, geo::Point p) {
  return {p.x + s.dsm.west, p.y + s.dsm.north - s.dsm.height * s.dsm.cell_m};
}

}  // namespace test
