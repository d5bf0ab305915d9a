#include "geo/drawing/label_placement.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace geo {
namespace {

constexpr int kDirections = 16;
constexpr int kRings = 14;

bool overlap(const PixelBox& a, const PixelBox& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

/// The box of this size that touches the anchor's surroundings of radius `distance` in a direction.
PixelBox box_beside(Point anchor, double width, double height, double distance, double angle) {
  const double dx = std::cos(angle);
  const double dy = std::sin(angle);
  return {anchor.x + dx * (distance + width / 2) - width / 2,
          anchor.y + dy * (distance + height / 2) - height / 2, width, height};
}

}  // namespace

bool LabelPlacement::is_free(const PixelBox& box) const {
  if (box.x < map_.x || box.y < map_.y || box.right() > map_.right() || box.bottom() > map_.bottom())
    return false;
  return std::none_of(taken_.begin(), taken_.end(),
                      [&](const PixelBox& other) { return overlap(box, other); });
}

PixelBox LabelPlacement::place(Point anchor, double width, double height, double gap, Point away) {
  const PixelBox centred{anchor.x - width / 2, anchor.y - height / 2, width, height};
  PixelBox chosen = centred;
  bool found = gap <= 0 && is_free(centred);
  const double first = away == Point{} ? -std::numbers::pi / 2 : std::atan2(away.y, away.x);
  for (int ring = 0; ring < kRings && !found; ++ring)
    for (int k = 0; k < kDirections && !found; ++k) {
      const int turn = (k % 2 ? 1 : -1) * ((k + 1) / 2);  // 0, 1, -1, 2, ...: away from the first one
      const double angle = first + turn * 2 * std::numbers::pi / kDirections;
      const PixelBox box = box_beside(anchor, width, height, gap + ring * height / 2, angle);
      found = is_free(box);
      if (found) chosen = box;
    }
  if (!found) {  // a crowded map: at least inside it
    chosen.x = std::clamp(chosen.x, map_.x, std::max(map_.x, map_.right() - width));
    chosen.y = std::clamp(chosen.y, map_.y, std::max(map_.y, map_.bottom() - height));
  }
  taken_.push_back(chosen);
  return chosen;
}

}  // namespace geo
