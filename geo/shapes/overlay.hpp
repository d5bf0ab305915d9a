// Union, difference and intersection by GEOS (through OGR), for polygons whose edges coincide or nearly do,
// as those of neighbours: there Boost.Geometry 1.74 may return one of two polygons whole. Any metres.
#pragma once
#include <memory>
#include <vector>

#include "geo/shapes/shapes.hpp"

class OGRGeometry;

namespace geo {

/// A geometry in coordinates less an origin near it, which keeps rounding small.
using OverlayShape = std::unique_ptr<OGRGeometry>;

OverlayShape overlay_shape(const Polygon& polygon, Point origin);
/// A shape that the operations accept: a polygon that crosses itself, if only by rounding, becomes simple
/// ones.
OverlayShape valid_overlay_shape(const Polygon& polygon, Point origin);
/// Appends the polygons of a polygon, multi-polygon or collection, in map metres again.
void append_overlay(const OGRGeometry& geometry, Point origin, std::vector<Polygon>& out);

/// `a` less `b`; `a` itself when they have nothing in common or the operation fails.
std::vector<Polygon> overlay_difference(const Polygon& a, const Polygon& b);
/// What both cover; none when they do not meet or the operation fails.
std::vector<Polygon> overlay_intersection(const Polygon& a, const Polygon& b);
/// What one of them covers; the shapes as they are when the operation fails.
std::vector<Polygon> overlay_union(const std::vector<Polygon>& shapes);

}  // namespace geo
