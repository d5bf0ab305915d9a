// The stored aerial image of a property as a file, with its georeference and attribution.
#pragma once
#include <array>
#include <string>

#include "geo/drawing/scene.hpp"
#include "geo/failure.hpp"

namespace geo {

enum class OrthophotoFormat { jpeg, png };

/// Where the image lies. It is true north up in a metric system of its own (azimuthal equidistant about the
/// property).
struct Georeference {
  std::string system;  ///< PROJ string
  std::array<double, 6>
      transform;  ///< GDAL's: x of the left edge, pixel width, 0, y of the upper edge, 0, -height
  std::array<LonLat, 4> corners;  ///< upper left, upper right, lower right, lower left
  std::string world_file;         ///< the same transform as the six lines of a .jgw or .pgw
};
Georeference georeference_of(const PropertyScene& scene);

/// The file carries title, attribution and georeference in itself: a JPEG as EXIF and comment, a PNG as
/// texts. data_unreachable when no aerial image covers the property (the contract's orthofoto_fehlt).
Result<std::string> orthophoto_image(const PropertyScene& scene, OrthophotoFormat format);

}  // namespace geo
