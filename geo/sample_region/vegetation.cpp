#include "geo/sample_region/vegetation.hpp"

#include <algorithm>
#include <limits>

#include "geo/sample_region/random.hpp"

namespace geo::sample {

double crown_height(const Tree& tree, Point at) {
  const double dx = at.x - tree.at.x, dy = at.y - tree.at.y;
  if (dx * dx + dy * dy >= 1.4 * tree.radius_m * tree.radius_m)
    return std::numeric_limits<double>::quiet_NaN();
  // The crown's edge is ragged: its radius varies with the direction.
  const double radius = tree.radius_m * (tree.conifer ? 1 : 0.82 + 0.36 * value_noise(at.x, at.y, 1.7, 11));
  const double share = std::sqrt(dx * dx + dy * dy) / radius;
  if (share >= 1) return std::numeric_limits<double>::quiet_NaN();
  const double top = tree.ground_m + tree.height_m;
  if (tree.conifer) return top - share * (top - crown_base(tree));
  const double dome =
      crown_base(tree) + (top - crown_base(tree)) * (0.35 + 0.65 * std::sqrt(1 - share * share));
  return dome - 0.16 * tree.height_m * (1 - value_noise(at.x, at.y, 1.3, 12));
}

double crown_base(const Tree& tree) { return tree.ground_m + (tree.conifer ? 0.08 : 0.3) * tree.height_m; }

bool covers(const Hedge& hedge, Point at) {
  const double dx = hedge.to.x - hedge.from.x, dy = hedge.to.y - hedge.from.y;
  const double px = at.x - hedge.from.x, py = at.y - hedge.from.y;
  const double t = std::clamp((px * dx + py * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return std::hypot(px - t * dx, py - t * dy) < hedge.width_m / 2;
}

}  // namespace geo::sample
