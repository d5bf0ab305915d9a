// The five points of a roof surface at which its shading is measured, named as seen from below looking up the
// slope: traufe_links, traufe_rechts, first_rechts, first_links and mitte. Map metres.
#pragma once
#include <string_view>
#include <vector>

#include "geo/data/place_frame.hpp"
#include "geo/shapes/plane.hpp"
#include "geo/shapes/shapes.hpp"
#include "geo/solar/horizon.hpp"

namespace geo {

struct MeasuringPoint {
  std::string_view name;  ///< of static storage
  Point map;
  double height_m = 0;  ///< of the roof plane there
};

/// In the order above, each on the surface, outside its obstacles and where possible half a metre from every
/// edge (less on a surface too narrow for it). On a flat surface up the slope is true north. Empty for an
/// outline without an area.
std::vector<MeasuringPoint> measuring_points(const Polygon& outline, const std::vector<Polygon>& obstacles,
                                             const Plane& plane, const PlaceFrame& frame);

/// The eye at a measuring point: a module's thickness and stand above the roof plane.
Eye eye_at(const MeasuringPoint& point, const Plane& plane, double above_roof_m = 0.1);

}  // namespace geo
