// The part of a region that an operator wants, and which squares of an office's grid it touches.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "geo/failure.hpp"
#include "geo/shapes/box.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo::offices {

/// Shadows come from as far as this around a place, so tiles are wanted that far beyond an area.
inline constexpr double kAreaRim_m = 600;

struct Area {
  std::string text;              ///< as it was asked for
  std::optional<LonLat> centre;  ///< a circle around it, else the box
  double radius_m = 0;
  Box box_deg;          ///< WGS84; around the circle, or what was asked for
  std::string key;      ///< a municipality's official number; empty: not known
  std::string country;  ///< of that number: "at", "de", "ch"
};

/// "lon,lat,RADIUSkm", "west,south,east,north" in degrees, or a town's name or number as larger_towns.json
/// has them. invalid_input for anything else; the sentence says what is possible.
Result<Area> read_area(const std::string& text);

/// An area, or a whole region's outline, in a grid's system.
class AreaOnMap {
 public:
  /// `outline`: WGS84. Without an area the outline is what is wanted. invalid_input for an unknown system,
  /// and for an area that lies outside the outline.
  static Result<AreaOnMap> create(const std::optional<Area>& area, const Ring& outline,
                                  const std::string& crs);

  bool touches(const Box& square) const;
  const Box& box() const { return box_; }  ///< around all that it touches

 private:
  Box box_;
  std::optional<Point> centre_;
  double radius_ = 0;
  Ring ring_;  ///< of a whole region
};

/// Whether a rectangle and a ring share a point.
bool ring_touches(const Ring& ring, const Box& box);

}  // namespace geo::offices
