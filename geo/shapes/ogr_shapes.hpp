// OGR's view of our polygons. Heavy headers stay out: include ogr_geometry.h where geometries are made.
#pragma once
#include <vector>

#include "geo/shapes/shapes.hpp"

class OGRGeometry;

namespace geo {

/// Appends the polygons of a polygon, multi-polygon or collection, in order; invalid ones are mended first,
/// and what cannot be mended or has no area is left out. `geometry` may be null.
void append_polygons(const OGRGeometry* geometry, std::vector<Polygon>& out);

}  // namespace geo
