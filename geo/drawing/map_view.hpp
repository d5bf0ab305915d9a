// The map of a picture: scene metres to pixels, true north up, the same scale both ways.
#pragma once
#include "geo/drawing/scene.hpp"
#include "geo/drawing/svg_element.hpp"

namespace geo {

/// Pixels from the picture's upper left corner.
struct PixelBox {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

class MapView {
 public:
  /// `area` fills `frame`, whose sides have the same ratio.
  MapView(const Box& area, const PixelBox& frame)
      : area_(area), frame_(frame), px_per_m_(frame.width / (area.max_x - area.min_x)) {}

  const PixelBox& frame() const { return frame_; }
  const Box& area() const { return area_; }
  double px_per_m() const { return px_per_m_; }
  Point to_px(Point scene) const {
    return {frame_.x + (scene.x - area_.min_x) * px_per_m_, frame_.y + (area_.max_y - scene.y) * px_per_m_};
  }
  Ring to_px(const Ring& scene) const;
  /// As an SVG path.
  std::string path(const Polygon& scene) const;

 private:
  Box area_;
  PixelBox frame_;
  double px_per_m_;
};

/// Puts the part of the background that the map shows into `parent`, as a JPEG of its own.
Result<void> draw_background(SvgElement& parent, const MapView& view, const PropertyScene& scene);

}  // namespace geo
