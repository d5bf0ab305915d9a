// Hillshade with true and found outlines as a PNG, to look at what the figures of the accuracy benchmark
// mean.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "geo/grid/grid.hpp"
#include "geo/shapes/shapes.hpp"

namespace bench {

using Colour = std::array<unsigned char, 3>;

class Picture {
 public:
  Picture(const geo::Grid<float>& heights, int pixels_per_cell);
  void draw(const geo::Polygon& polygon, Colour colour, double inset_px = 0);
  void draw(geo::Point at, Colour colour);
  /// A number of at most four digits, white on the picture.
  void number(geo::Point at, int value, Colour colour);
  bool write(const std::string& path) const;

 private:
  void dot(int x, int y, Colour colour);
  void line(geo::Point a, geo::Point b, Colour colour);
  geo::Point pixel(geo::Point map) const;
  double west_, north_, pixels_per_metre_;
  int width_, height_;
  std::array<std::vector<unsigned char>, 3> bands_;
};

}  // namespace bench
