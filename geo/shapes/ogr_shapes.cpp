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

void append_parts(const OGRGeometry* geometry, std::vector<Polygon>& out) {
  const auto type = wkbFlatten(geometry->getGeometryType());
  if (type == wkbPolygon) return append_polygon(*geometry->toPolygon(), out);
  if (!OGR_GT_IsSubClassOf(type, wkbGeometryCollection)) return;  // points and lines are no buildings
  for (const OGRGeometry* part : *geometry->toGeometryCollection()) append_parts(part, out);
}

}  // namespace

void append_polygons(const OGRGeometry* geometry, std::vector<Polygon>& out) {
  if (geometry == nullptr || geometry->IsEmpty()) return;
  std::unique_ptr<OGRGeometry> plain(geometry->getLinearGeometry());  // cadastres draw arcs
  if (plain && !plain->IsValid()) plain.reset(plain->MakeValid());
  if (plain) append_parts(plain.get(), out);
}

}  // namespace geo
