#include "geo/drawing/picture_area.hpp"

#include <algorithm>

namespace geo {
namespace {

constexpr double kMargin = 0.16;  // of the longer side: room for labels around the roof
constexpr double kLeastMargin_m = 2;
constexpr double kFlattest = 0.62;  // height over width
constexpr double kTallest = 1.1;

}  // namespace

Bounds bounds_of(const Ring& points) {
  if (points.empty()) return {};
  Bounds box{points[0].x, points[0].y, points[0].x, points[0].y};
  for (const Point& p : points) box = united(box, {p.x, p.y, p.x, p.y});
  return box;
}

Bounds united(const Bounds& a, const Bounds& b) {
  return {std::min(a.west, b.west), std::min(a.south, b.south), std::max(a.east, b.east),
          std::max(a.north, b.north)};
}

Bounds picture_area(const Bounds& shown) {
  const double margin =
      std::max(kLeastMargin_m, kMargin * std::max(shown.east - shown.west, shown.north - shown.south));
  const double width = shown.east - shown.west + 2 * margin;
  const double height = shown.north - shown.south + 2 * margin;
  const double page_width = std::max(width, height / kTallest);
  const double page_height = std::max(height, width * kFlattest);
  const Point middle{(shown.west + shown.east) / 2, (shown.south + shown.north) / 2};
  return {middle.x - page_width / 2, middle.y - page_height / 2, middle.x + page_width / 2,
          middle.y + page_height / 2};
}

}  // namespace geo
