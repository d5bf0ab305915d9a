// A picture as PNG, rendered from its SVG (librsvg on cairo) and written with its text metadata (libpng).
#pragma once
#include <string>

#include "geo/drawing/picture_metadata.hpp"
#include "geo/failure.hpp"

namespace geo {

/// As wide as asked, as high as the SVG's form makes it. internal when it cannot be produced.
Result<std::string> svg_to_png(const std::string& svg, int width_px, const PictureMetadata& metadata);

}  // namespace geo
