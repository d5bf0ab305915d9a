// The colours of the orthophoto, before light and shadow fall on them. Region metres; channels 0..255.
#pragma once
#include <cstdint>

#include "geo/sample_region/overhead_view.hpp"

namespace geo::sample {

struct Colour {
  double r = 0, g = 0, b = 0;
  Colour operator*(double f) const { return {r * f, g * f, b * f}; }
  Colour operator+(const Colour& o) const { return {r + o.r, g + o.g, b + o.b}; }
};

Colour mix(const Colour& a, const Colour& b, double share_of_b);

/// Tiles by building, ridges and eaves, chimneys and windows.
Colour roof_colour(const Solid& solid, Point at);
Colour ground_colour(std::uint16_t cover, Point at);
Colour leaf_colour(const Leaf& leaf, Point at);

}  // namespace geo::sample
