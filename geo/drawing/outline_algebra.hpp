// What drawing asks of outlines beyond shape_algebra.hpp: unions, differences and triangles. GEOS does it.
// Metres.
#pragma once
#include <array>
#include <vector>

#include "geo/shapes/shapes.hpp"

namespace geo {

/// The shapes, merged where they meet.
std::vector<Polygon> united_outlines(const std::vector<Polygon>& shapes);

/// The parts of `shapes` that no `cover` covers and that are wider than twice `sliver_m`.
std::vector<Polygon> without(const std::vector<Polygon>& shapes, const std::vector<Polygon>& covers,
                             double sliver_m);

using Triangle = std::array<Point, 3>;  ///< counter-clockwise
/// Triangles that fill the polygon and use no corners but its own (constrained Delaunay). Empty when it is
/// invalid.
std::vector<Triangle> triangles_of(const Polygon& polygon);

/// A point well inside: the middle of the largest circle, to 5 cm. The first corner of an invalid polygon.
Point middle_of(const Polygon& polygon);

}  // namespace geo
