// Which edges of a surface are its ridge and its eaves: the level edges at its top and at its foot. What runs
// up the slope (verges, hips, valleys) is neither; a flat surface has none. Scene metres.
#pragma once
#include <Eigen/Core>
#include <vector>

#include "geo/shapes/shapes.hpp"

namespace geo {

enum class EdgeKind { ridge, eaves };

struct RoofEdge {
  EdgeKind kind;
  Point from, to;
};

/// `gradient`: rise in metres per metre towards east and north.
std::vector<RoofEdge> ridge_and_eaves(const Ring& outline, const Eigen::Vector2d& gradient);

}  // namespace geo
