#include "geo/drawing/outline_algebra.hpp"

#include <geos_c.h>

#include <memory>

#include "geo/shapes/shape_algebra.hpp"

namespace geo {
namespace {

/// A GEOS context of one call's own: GEOS shares none between threads.
class Geos {
 public:
  Geos() : context_(GEOS_init_r()) {}
  Geos(const Geos&) = delete;
  Geos& operator=(const Geos&) = delete;
  ~Geos() { GEOS_finish_r(context_); }
  GEOSContextHandle_t get() const { return context_; }

  struct Deleter {
    GEOSContextHandle_t context;
    void operator()(GEOSGeometry* geometry) const { GEOSGeom_destroy_r(context, geometry); }
  };
  using Shape = std::unique_ptr<GEOSGeometry, Deleter>;
  Shape own(GEOSGeometry* geometry) const { return Shape(geometry, Deleter{context_}); }

  Shape shape(const Polygon& polygon) const {
    std::vector<GEOSGeometry*> holes;
    for (const Ring& hole : polygon.holes)
      if (hole.size() >= 3) holes.push_back(ring(hole));
    if (polygon.outer.size() < 3) return own(GEOSGeom_createEmptyPolygon_r(context_));
    return own(GEOSGeom_createPolygon_r(context_, ring(polygon.outer), holes.data(),
                                        static_cast<unsigned>(holes.size())));
  }

  Shape united(const std::vector<Polygon>& polygons) const {
    std::vector<GEOSGeometry*> parts;
    for (const Polygon& polygon : polygons) parts.push_back(shape(polygon).release());
    const Shape all = own(GEOSGeom_createCollection_r(context_, GEOS_GEOMETRYCOLLECTION, parts.data(),
                                                      static_cast<unsigned>(parts.size())));
    return own(all ? GEOSUnaryUnion_r(context_, all.get()) : nullptr);
  }

  Shape buffered(const GEOSGeometry* shape, double metres) const {
    constexpr int kQuadrantSegments = 1;
    constexpr double kMitreLimit = 3;
    return own(GEOSBufferWithStyle_r(context_, shape, metres, kQuadrantSegments, GEOSBUF_CAP_FLAT,
                                     GEOSBUF_JOIN_MITRE, kMitreLimit));
  }

  std::vector<Polygon> polygons(const GEOSGeometry* shape) const {
    std::vector<Polygon> out;
    if (!shape) return out;
    for (int i = 0; i < GEOSGetNumGeometries_r(context_, shape); ++i) {
      const GEOSGeometry* part = GEOSGetGeometryN_r(context_, shape, i);
      if (GEOSGeomTypeId_r(context_, part) != GEOS_POLYGON || GEOSisEmpty_r(context_, part)) continue;
      Polygon polygon{.outer = points(GEOSGetExteriorRing_r(context_, part), true)};
      for (int k = 0; k < GEOSGetNumInteriorRings_r(context_, part); ++k)
        polygon.holes.push_back(points(GEOSGetInteriorRingN_r(context_, part, k), false));
      out.push_back(std::move(polygon));
    }
    return out;
  }

 private:
  GEOSGeometry* ring(const Ring& points) const {
    const auto count = static_cast<unsigned>(points.size());
    GEOSCoordSequence* sequence = GEOSCoordSeq_create_r(context_, count + 1, 2);
    for (unsigned i = 0; i <= count; ++i)
      GEOSCoordSeq_setXY_r(context_, sequence, i, points[i % count].x, points[i % count].y);
    return GEOSGeom_createLinearRing_r(context_, sequence);
  }

  /// Not closed, turned into geo::Polygon's sense.
  Ring points(const GEOSGeometry* ring, bool counter_clockwise) const {
    const GEOSCoordSequence* sequence = GEOSGeom_getCoordSeq_r(context_, ring);
    unsigned count = 0;
    char turns_left = 0;
    GEOSCoordSeq_getSize_r(context_, sequence, &count);
    GEOSCoordSeq_isCCW_r(context_, sequence, &turns_left);
    Ring out;
    for (unsigned i = 0; i + 1 < count; ++i) {
      Point p;
      GEOSCoordSeq_getXY_r(context_, sequence, i, &p.x, &p.y);
      out.push_back(p);
    }
    return (turns_left != 0) == counter_clockwise ? out : Ring(out.rbegin(), out.rend());
  }

  GEOSContextHandle_t context_;
};

}  // namespace

std::vector<Polygon> united_outlines(const std::vector<Polygon>& shapes) {
  const Geos geos;
  return geos.polygons(geos.united(shapes).get());
}

std::vector<Polygon> without(const std::vector<Polygon>& shapes, const std::vector<Polygon>& covers,
                             double sliver_m) {
  const Geos geos;
  const auto all = geos.united(shapes);
  const auto covered = geos.united(covers);
  if (!all || !covered) return {};
  const auto rest = geos.own(GEOSDifference_r(geos.get(), all.get(), covered.get()));
  const auto core = rest ? geos.buffered(rest.get(), -sliver_m) : nullptr;
  const auto grown = core ? geos.buffered(core.get(), sliver_m) : nullptr;
  const auto clipped = grown ? geos.own(GEOSIntersection_r(geos.get(), grown.get(), rest.get())) : nullptr;
  return geos.polygons(clipped.get());
}

std::vector<Triangle> triangles_of(const Polygon& polygon) {
  if (!is_valid_shape(polygon)) return {};
  const Geos geos;
  const auto shape = geos.shape(polygon);
  const auto parts =
      geos.own(shape ? GEOSConstrainedDelaunayTriangulation_r(geos.get(), shape.get()) : nullptr);
  std::vector<Triangle> out;
  for (const Polygon& part : geos.polygons(parts.get()))
    if (part.outer.size() == 3) out.push_back({part.outer[0], part.outer[1], part.outer[2]});
  return out;
}

Point middle_of(const Polygon& polygon) {
  constexpr double kTolerance_m = 0.05;
  const Geos geos;
  Point middle = polygon.outer.empty() ? Point{} : polygon.outer.front();
  if (!is_valid_shape(polygon)) return middle;
  const auto shape = geos.shape(polygon);
  const auto radius =
      geos.own(shape ? GEOSMaximumInscribedCircle_r(geos.get(), shape.get(), kTolerance_m) : nullptr);
  if (!radius) return middle;
  const GEOSCoordSequence* sequence = GEOSGeom_getCoordSeq_r(geos.get(), radius.get());
  GEOSCoordSeq_getXY_r(geos.get(), sequence, 0, &middle.x, &middle.y);
  return middle;
}

}  // namespace geo
