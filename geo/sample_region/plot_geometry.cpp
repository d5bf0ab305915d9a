#include "geo/sample_region/plot_geometry.hpp"

#include <algorithm>
#include <cmath>

#include "geo/shapes/boost_shapes.hpp"

namespace geo::sample {

namespace bg = boost::geometry;

bool inside(const Polygon& parcel, const LocalFrame& frame, const Rect& walls, double margin_m) {
  const BoostPolygon outline = to_boost(parcel);
  for (const Point& corner : frame.to_region(walls.grown(margin_m).ring()))
    if (!bg::covered_by(corner, outline)) return false;
  return true;
}

Polygon outline_of(const LocalFrame& frame, const std::vector<Rect>& walls) {
  BoostMultiPolygon united;
  for (const Rect& rect : walls) {
    BoostMultiPolygon next;
    bg::union_(united, to_boost({rect.ring(), {}}), next);
    united = std::move(next);
  }
  return {frame.to_region(from_boost(united.front()).outer), {}};
}

Ring strip(Point from, Point to, double width_m) {
  const double length = std::max(0.1, std::hypot(to.x - from.x, to.y - from.y));
  const double nx = -(to.y - from.y) / length * width_m / 2, ny = (to.x - from.x) / length * width_m / 2;
  return {
      {from.x - nx, from.y - ny}, {to.x - nx, to.y - ny}, {to.x + nx, to.y + ny}, {from.x + nx, from.y + ny}};
}

}  // namespace geo::sample
