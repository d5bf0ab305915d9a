#include "geo/layout/module_layout.hpp"

#include <algorithm>
#include <cmath>

#include "geo/layout/grid_position.hpp"

namespace geo {
namespace {

Margins margins_at(double tilt_deg, const ModuleOptions& options) {
  return {tilt_deg <= kFlatUpTo_deg ? options.flat_edge_margin_m : options.edge_margin_m,
          options.obstacle_margin_m};
}

ModuleSize lying(const ModuleOptions& options, Orientation orientation) {
  return orientation == Orientation::portrait ? ModuleSize{options.width_m, options.length_m}
                                              : ModuleSize{options.length_m, options.width_m};
}

ModuleRect rect_at(Point corner, ModuleSize module, int row, int col) {
  const double u = corner.x, v = corner.y, u2 = u + module.u_m, v2 = v + module.v_m;
  return {{{{u, v}, {u2, v}, {u2, v2}, {u, v2}}}, row, col};
}

/// Rows and columns counted from the first that carries a module.
void count_from_zero(std::vector<ModuleRect>& modules) {
  int row = modules.front().row, col = modules.front().col;
  for (const ModuleRect& module : modules) {
    row = std::min(row, module.row);
    col = std::min(col, module.col);
  }
  for (ModuleRect& module : modules) {
    module.row -= row;
    module.col -= col;
  }
}

}  // namespace

std::vector<ModuleRect> layout_modules(const Polygon& outline_uv, const std::vector<Polygon>& obstacles_uv,
                                       double tilt_deg, const ModuleOptions& options, Orientation orientation,
                                       const RunControl& control) {
  const ModuleSize module = lying(options, orientation);
  const ModuleSize pitch{module.u_m + options.gap_m, module.v_m + options.gap_m};
  const PlacementSpace space(outline_uv, obstacles_uv, margins_at(tilt_deg, options), module, pitch);
  const GridPosition best = best_grid_position(space, pitch, control);
  std::vector<ModuleRect> modules;
  if (best.modules == 0) return modules;
  const Box& room = space.bounds();
  const int i0 = static_cast<int>(std::floor((room.min_x - best.corner.x) / pitch.u_m));
  const int i1 = static_cast<int>(std::ceil((room.max_x - best.corner.x) / pitch.u_m));
  const int j0 = static_cast<int>(std::floor((room.min_y - best.corner.y) / pitch.v_m));
  const int j1 = static_cast<int>(std::ceil((room.max_y - best.corner.y) / pitch.v_m));
  for (int j = j0; j <= j1; ++j)
    for (int i = i0; i <= i1; ++i) {
      const Point corner{best.corner.x + i * pitch.u_m, best.corner.y + j * pitch.v_m};
      if (space.is_free(corner)) modules.push_back(rect_at(corner, module, j, i));
    }
  count_from_zero(modules);
  return modules;
}

}  // namespace geo
