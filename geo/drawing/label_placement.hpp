// Finds room for labels on a map: near what they name, inside the map, over nothing that was placed before.
// Pixels.
#pragma once
#include <vector>

#include "geo/drawing/map_view.hpp"

namespace geo {

class LabelPlacement {
 public:
  explicit LabelPlacement(const PixelBox& map) : map_(map) {}

  /// Nothing will be placed over this.
  void keep_free(const PixelBox& box) { taken_.push_back(box); }

  /// Takes a box of this size at the anchor, or as near to it as there is room. It first tries the direction
  /// `away` (any length, may be zero) from the anchor, and keeps at least `gap` between anchor and box.
  PixelBox place(Point anchor, double width, double height, double gap = 0, Point away = {});

 private:
  bool is_free(const PixelBox& box) const;
  PixelBox map_;
  std::vector<PixelBox> taken_;
};

}  // namespace geo
