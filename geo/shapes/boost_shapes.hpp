// Boost.Geometry's view of our points and polygons. Heavy: include it in .cpp files only.
#pragma once
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/register/point.hpp>

#include "geo/shapes/shapes.hpp"

BOOST_GEOMETRY_REGISTER_POINT_2D(geo::Point, double, boost::geometry::cs::cartesian, x, y)

namespace geo {

/// Counter-clockwise, not closed: the same conventions as geo::Polygon.
using BoostPolygon = boost::geometry::model::polygon<Point, false, false>;
using BoostMultiPolygon = boost::geometry::model::multi_polygon<BoostPolygon>;

inline BoostPolygon to_boost(const Polygon& polygon) {
  BoostPolygon out;
  out.outer().assign(polygon.outer.begin(), polygon.outer.end());
  for (const Ring& hole : polygon.holes) out.inners().emplace_back(hole.begin(), hole.end());
  boost::geometry::correct(out);
  return out;
}

inline Polygon from_boost(const BoostPolygon& polygon) {
  Polygon out;
  out.outer.assign(polygon.outer().begin(), polygon.outer().end());
  for (const auto& hole : polygon.inners()) out.holes.emplace_back(hole.begin(), hole.end());
  return out;
}

}  // namespace geo
