#include "geo/drawing/map_view.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "geo/drawing/image_codec.hpp"

namespace geo {
namespace {

constexpr int kMapQuality = 84;

std::string base64(const std::string& bytes) {
  const std::unique_ptr<char, decltype(&VSIFree)> text(
      CPLBase64Encode(static_cast<int>(bytes.size()), reinterpret_cast<const GByte*>(bytes.data())),
      &VSIFree);
  return text ? text.get() : "";
}

/// Whole pixels of the background that hold the area.
PixelWindow pixels_of(const Box& area, const PropertyScene& scene) {
  const double column_m = (scene.area.max_x - scene.area.min_x) / scene.background.width_px;
  const double row_m = (scene.area.max_y - scene.area.min_y) / scene.background.height_px;
  const double left = std::max(0.0, std::floor((area.min_x - scene.area.min_x) / column_m));
  const double top = std::max(0.0, std::floor((scene.area.max_y - area.max_y) / row_m));
  const double right =
      std::min<double>(scene.background.width_px, std::ceil((area.max_x - scene.area.min_x) / column_m));
  const double bottom =
      std::min<double>(scene.background.height_px, std::ceil((scene.area.max_y - area.min_y) / row_m));
  return {left, top, right - left, bottom - top};
}

}  // namespace

Ring MapView::to_px(const Ring& scene) const {
  Ring out;
  for (const Point& p : scene) out.push_back(to_px(p));
  return out;
}

std::string MapView::path(const Polygon& scene) const {
  std::vector<Ring> rings{to_px(scene.outer)};
  for (const Ring& hole : scene.holes) rings.push_back(to_px(hole));
  return closed_path(rings);
}

Result<void> draw_background(SvgElement& parent, const MapView& view, const PropertyScene& scene) {
  const PixelWindow part = pixels_of(view.area(), scene);
  if (!(part.width >= 1 && part.height >= 1))
    return fail(FailureKind::internal, "the scene does not show what is to be drawn");
  const double column_m = (scene.area.max_x - scene.area.min_x) / scene.background.width_px;
  const double row_m = (scene.area.max_y - scene.area.min_y) / scene.background.height_px;
  const double shrink = std::min(1.0, view.frame().width / part.width);  // no more pixels than are shown
  const auto image = decode_part(scene.background.jpeg, part,
                                 std::max(1, static_cast<int>(std::lround(part.width * shrink))),
                                 std::max(1, static_cast<int>(std::lround(part.height * shrink))));
  if (!image) return tl::make_unexpected(image.error());
  const auto jpeg = encode_jpeg(*image, kMapQuality);
  if (!jpeg) return tl::make_unexpected(jpeg.error());
  const Point corner =
      view.to_px({scene.area.min_x + part.left * column_m, scene.area.max_y - part.top * row_m});
  parent.child("image")
      .set("id", "background")
      .set("x", corner.x)
      .set("y", corner.y)
      .set("width", part.width * column_m * view.px_per_m())
      .set("height", part.height * row_m * view.px_per_m())
      .set("preserveAspectRatio", "none")
      .set("xlink:href", "data:image/jpeg;base64," + base64(*jpeg));
  return {};
}

}  // namespace geo
