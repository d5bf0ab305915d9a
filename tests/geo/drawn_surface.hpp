// Rectangular roof surfaces with obstacles, drawn in a test's text: '+', '-' and '|' frame the surface, each
// block of '#' is an obstacle. One character is one cell of the given size, the frame's inner cells only.
#pragma once
#include <string>
#include <vector>

#include "geo/shapes/shapes.hpp"

namespace test {

struct DrawnSurface {
  geo::Polygon outline;
  std::vector<geo::Polygon> obstacles;
};

inline geo::Polygon box(double u0, double v0, double u1, double v1) {
  return {.outer = {{u0, v0}, {u1, v0}, {u1, v1}, {u0, v1}}};
}

inline DrawnSurface surface(const std::string& drawing, double cell_u_m, double cell_v_m) {
  std::vector<std::string> rows;
  std::string row;
  for (const char c : drawing + "\n") {
    if (c != '\n') {
      row += c;
      continue;
    }
    if (const auto bar = row.find('|'); bar != std::string::npos)
      rows.push_back(row.substr(bar + 1, row.rfind('|') - bar - 1));
    row.clear();
  }
  const auto height = static_cast<double>(rows.size());
  DrawnSurface out{box(0, 0, static_cast<double>(rows.at(0).size()) * cell_u_m, height * cell_v_m), {}};
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (rows[r][c] != '#') continue;
      std::size_t right = c, below = r;
      while (right < rows[r].size() && rows[r][right] == '#') ++right;
      while (below < rows.size() && rows[below][c] == '#') ++below;
      for (std::size_t y = r; y < below; ++y) rows[y].replace(c, right - c, right - c, ' ');
      out.obstacles.push_back(
          box(static_cast<double>(c) * cell_u_m, (height - static_cast<double>(below)) * cell_v_m,
              static_cast<double>(right) * cell_u_m, (height - static_cast<double>(r)) * cell_v_m));
    }
  return out;
}

}  // namespace test
