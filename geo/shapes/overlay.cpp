#include "geo/shapes/overlay.hpp"

#include <ogr_api.h>
#include <ogr_geometry.h>

#include <algorithm>

#include "geo/shapes/box.hpp"

namespace geo {
namespace {

constexpr double kTouching_m2 = 1e-6;

Ring ring_of(const OGRLinearRing& from, Point origin, bool counter_clockwise) {
  Ring ring;
  for (int i = 0; i + 1 < from.getNumPoints(); ++i)
    ring.push_back({from.getX(i) + origin.x, from.getY(i) + origin.y});
  if ((from.isClockwise() == 0) != counter_clockwise) std::reverse(ring.begin(), ring.end());
  return ring;
}

/// The polygons of an operation's outcome, which is null where it failed.
std::vector<Polygon> polygons_of(const OverlayShape& outcome, Point origin) {
  std::vector<Polygon> parts;
  if (outcome) append_overlay(*outcome, origin, parts);
  return parts;
}

}  // namespace

OverlayShape overlay_shape(const Polygon& polygon, Point origin) {
  auto out = std::make_unique<OGRPolygon>();
  auto add = [&](const Ring& ring) {
    OGRLinearRing to;
    for (Point p : ring) to.addPoint(p.x - origin.x, p.y - origin.y);
    to.closeRings();
    out->addRing(&to);
  };
  add(polygon.outer);
  for (const Ring& hole : polygon.holes) add(hole);
  return out;
}

OverlayShape valid_overlay_shape(const Polygon& polygon, Point origin) {
  OverlayShape whole = overlay_shape(polygon, origin);
  if (whole->IsValid()) return whole;
  // Lines and points that mending leaves over have no area and would make an operation refuse the whole.
  auto areas = std::make_unique<OGRMultiPolygon>();
  for (const Polygon& part : polygons_of(OverlayShape(whole->MakeValid()), {}))
    areas->addGeometryDirectly(overlay_shape(part, {}).release());
  return areas;
}

void append_overlay(const OGRGeometry& geometry, Point origin, std::vector<Polygon>& out) {
  if (OGR_GT_IsSubClassOf(geometry.getGeometryType(), wkbGeometryCollection)) {
    for (const OGRGeometry* part : *geometry.toGeometryCollection()) append_overlay(*part, origin, out);
  } else if (wkbFlatten(geometry.getGeometryType()) == wkbPolygon && !geometry.IsEmpty()) {
    const OGRPolygon& from = *geometry.toPolygon();
    Polygon polygon{ring_of(*from.getExteriorRing(), origin, true), {}};
    for (int i = 0; i < from.getNumInteriorRings(); ++i)
      polygon.holes.push_back(ring_of(*from.getInteriorRing(i), origin, false));
    out.push_back(std::move(polygon));
  }
}

std::vector<Polygon> overlay_difference(const Polygon& a, const Polygon& b) {
  if (!bounding_box(a.outer).overlaps(bounding_box(b.outer))) return {a};
  const Point origin = a.outer[0];
  const OverlayShape whole = valid_overlay_shape(a, origin);
  const OverlayShape left(whole->Difference(valid_overlay_shape(b, origin).get()));
  const auto area_m2 = [](const OverlayShape& shape) {
    return OGR_G_Area(OGRGeometry::ToHandle(shape.get()));
  };
  if (!left || area_m2(whole) - area_m2(left) < kTouching_m2) return {a};
  return polygons_of(left, origin);
}

std::vector<Polygon> overlay_intersection(const Polygon& a, const Polygon& b) {
  if (!bounding_box(a.outer).overlaps(bounding_box(b.outer))) return {};
  const Point origin = a.outer[0];
  return polygons_of(
      OverlayShape(valid_overlay_shape(a, origin)->Intersection(valid_overlay_shape(b, origin).get())),
      origin);
}

std::vector<Polygon> overlay_union(const std::vector<Polygon>& shapes) {
  if (shapes.size() < 2) return shapes;
  const Point origin = shapes[0].outer[0];
  OGRMultiPolygon all;
  for (const Polygon& shape : shapes)
    for (const Polygon& part : polygons_of(valid_overlay_shape(shape, origin), {}))
      all.addGeometryDirectly(overlay_shape(part, {}).release());
  const OverlayShape joined(all.UnionCascaded());
  return joined ? polygons_of(joined, origin) : shapes;
}

}  // namespace geo
