#include "geo/drawing/picture_area.hpp"

#include <algorithm>

namespace geo {
namespace {

constexpr double kMargin = 0.16;  // of the longer side: room for labels around the roof
constexpr double kLeastMargin_m = 2;
constexpr double kFlattest = 0.62;  // height over width
constexpr double kTallest = 1.1;

}  // namespace

Box picture_area(const Box& shown) {
  const double margin =
      std::max(kLeastMargin_m, kMargin * std::max(shown.max_x - shown.min_x, shown.max_y - shown.min_y));
  const double width = shown.max_x - shown.min_x + 2 * margin;
  const double height = shown.max_y - shown.min_y + 2 * margin;
  const double page_width = std::max(width, height / kTallest);
  const double page_height = std::max(height, width * kFlattest);
  const Point middle{(shown.min_x + shown.max_x) / 2, (shown.min_y + shown.max_y) / 2};
  return {middle.x - page_width / 2, middle.y - page_height / 2, middle.x + page_width / 2,
          middle.y + page_height / 2};
}

}  // namespace geo
