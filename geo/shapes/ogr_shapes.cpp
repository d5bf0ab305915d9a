#include "geo/shapes/ogr_shapes.hpp"

#include <ogr_geometry.h>

#include <algorithm>
#include <memory>

#include "geo/shapes/boost_shapes.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace geo {
namespace {

Ring ring_of(const OGRLinearRing& line) {
  Ring ring;
  for (int i = 0; i < line.getNumPoints(); ++i) {
    const Point p{line.getX(i), line.getY(i)};
    if (ring.empty() || !(ring.back() == p)) ring.push_back(p);
  }
  if (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
  return ring;
}

bool all_finite(const Ring& ring) {
  return std::all_of(ring.begin(), ring.end(),
                     [](Point p) { return std::isfinite(p.x) && std::isfinite(p.y); });
}

void append_polygon(const OGRPolygon& source, std::vector<Polygon>& out) {
  if (source.IsEmpty()) return;
  Polygon polygon{.outer = ring_of(*source.getExteriorRing())};
  if (polygon.outer.size() < 3 || !all_finite(polygon.outer)) return;
  for (int i = 0; i < source.getNumInteriorRings(); ++i) {
    Ring hole = ring_of(*source.getInteriorRing(i));
    if (hole.size() >= 3 && all_finite(hole)) polygon.holes.push_back(std::move(hole));
  }
  Polygon oriented = from_boost(to_boost(polygon));
  if (area_m2(oriented) > 0) out.push_back(std::move(oriented));
}

/// Four corners in the wrong order cross in a bow-tie, whose two triangles are half of what is meant.
bool is_bow_tie(const OGRPolygon& polygon) {
  return polygon.getNumInteriorRings() == 0 && ring_of(*polygon.getExteriorRing()).size() == 4;
}

using Geometry = std::unique_ptr<OGRGeometry>;

/// Null where it cannot be mended.
Geometry mended(const OGRGeometry& geometry) {
  if (wkbFlatten(geometry.getGeometryType()) == wkbPolygon && !geometry.IsEmpty() &&
      is_bow_tie(*geometry.toPolygon()))
    return Geometry(geometry.ConvexHull());
  // An area that a ring surrounds twice is no hole.
  const char* const kRingsAreAreas[] = {"METHOD=STRUCTURE", nullptr};
  return Geometry(geometry.MakeValid(kRingsAreAreas));
}

/// What the faces of a solid or of a net of triangles cover, seen from above. Walls cover nothing.
Geometry seen_from_above(const OGRPolyhedralSurface& surface) {
  OGRMultiPolygon faces;
  for (const OGRPolygon* face : surface) {  // triangles have no geometry of their own in GEOS
    OGRPolygon plain;
    if (!face->IsEmpty()) plain.addRingDirectly(face->getExteriorRing()->clone());
    for (int i = 0; i < face->getNumInteriorRings(); ++i)
      plain.addRingDirectly(face->getInteriorRing(i)->clone());
    plain.flattenTo2D();
    if (plain.get_Area() > 0 && plain.IsValid()) faces.addGeometry(&plain);
  }
  return Geometry(faces.UnionCascaded());
}

void append_parts(const OGRGeometry& geometry, std::vector<Polygon>& out) {
  const auto type = wkbFlatten(geometry.getGeometryType());
  if (OGR_GT_IsSubClassOf(type, wkbGeometryCollection)) {
    for (const OGRGeometry* part : *geometry.toGeometryCollection()) append_parts(*part, out);
  } else if (OGR_GT_IsSubClassOf(type, wkbPolyhedralSurface)) {
    if (const Geometry plan = seen_from_above(*geometry.toPolyhedralSurface())) append_parts(*plan, out);
  } else if (type == wkbPolygon) {  // points and lines are no buildings
    if (geometry.IsValid()) return append_polygon(*geometry.toPolygon(), out);
    const Geometry whole = mended(geometry);
    if (whole && whole->IsValid()) append_parts(*whole, out);
  }
}

}  // namespace

void append_polygons(const OGRGeometry* geometry, std::vector<Polygon>& out) {
  if (geometry == nullptr || geometry->IsEmpty()) return;
  const Geometry plain(geometry->getLinearGeometry());  // cadastres draw arcs
  if (plain) append_parts(*plain, out);
}

}  // namespace geo
