// Writes the sample region's rasters as GeoTIFF.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"

namespace geo::sample {

struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
};

/// Float32, tiled, deflated; NaN becomes -9999. invalid_input when the file cannot be written.
Result<void> write_heights(const std::string& path, const std::string& crs, const Grid<float>& heights);
/// RGB, tiled, JPEG.
Result<void> write_image(const std::string& path, const std::string& crs, const Grid<Rgb>& image);

}  // namespace geo::sample
