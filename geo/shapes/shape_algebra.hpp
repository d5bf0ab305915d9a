// What the property, the module layout and others ask of polygons: area, distance, overlap, whether they are
// valid. Boost.Geometry 1.74 does it; here its exceptions end (it throws on odd coordinates). Metres.
#pragma once
#include <vector>

#include "geo/shapes/shapes.hpp"

namespace geo {

double area_m2(const Polygon& polygon);
double perimeter_m(const Polygon& polygon);  ///< of the outer ring
/// Of a long rectangle with this area and border.
double mean_width_m(const Polygon& polygon);
bool holds(const Polygon& polygon, Point p);         ///< inside or on the border
double distance_m(const Polygon& polygon, Point p);  ///< 0 inside
double distance_m(const Polygon& a, const Polygon& b);
bool is_valid_shape(const Polygon& polygon);
/// The parts of `a` that lie in `b`; none when they do not meet or one of them is unusable.
std::vector<Polygon> intersection(const Polygon& a, const Polygon& b);
/// The parts of `a` that do not lie in `b`; `a` itself when they do not meet or one of them is unusable.
std::vector<Polygon> difference(const Polygon& a, const Polygon& b);

}  // namespace geo
