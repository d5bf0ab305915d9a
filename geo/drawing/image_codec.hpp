// Pixels to and from the bytes of a JPEG or PNG file, in memory (GDAL's drivers). One type for pixels: 8 bit
// RGB.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geo/failure.hpp"

namespace geo {

/// Three bytes a pixel, row by row from the top.
struct RgbImage {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;
};

/// What is written into the file beside the pixels, as the GDAL driver names it (EXIF_Copyright, TITLE, ...).
using ImageItems = std::vector<std::pair<std::string, std::string>>;

Result<std::string> encode_jpeg(const RgbImage& image, int quality, const ImageItems& metadata = {},
                                const ImageItems& driver_options = {});
Result<std::string> encode_png(const RgbImage& image, const ImageItems& driver_options = {});

/// A part of an image, in pixels; may begin and end between them.
struct PixelWindow {
  double left = 0, top = 0, width = 0, height = 0;
};

/// The part resampled to `width` x `height` pixels. The part lies in the image. internal when the bytes are
/// no image.
Result<RgbImage> decode_part(std::string_view bytes, const PixelWindow& part, int width, int height);
/// The whole image as it is.
Result<RgbImage> decode_image(std::string_view bytes);

}  // namespace geo
