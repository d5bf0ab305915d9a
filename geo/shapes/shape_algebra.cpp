#include "geo/shapes/shape_algebra.hpp"

#include <limits>

#include "geo/shapes/boost_shapes.hpp"

namespace geo {
namespace {

namespace bg = boost::geometry;
constexpr double kFar = std::numeric_limits<double>::infinity();

/// Runs a Boost.Geometry algorithm; `otherwise` when it throws.
template <class Value, class Algorithm>
Value guarded(Value otherwise, Algorithm algorithm) {
  try {
    return algorithm();
  } catch (const std::exception&) {
    return otherwise;
  }
}

}  // namespace

double area_m2(const Polygon& polygon) {
  return guarded(0.0, [&] { return bg::area(to_boost(polygon)); });
}

double perimeter_m(const Polygon& polygon) {
  return guarded(0.0, [&] { return bg::perimeter(to_boost({.outer = polygon.outer})); });
}

double mean_width_m(const Polygon& polygon) { return 2 * area_m2(polygon) / perimeter_m(polygon); }

bool holds(const Polygon& polygon, Point p) {
  return guarded(false, [&] { return bg::covered_by(p, to_boost(polygon)); });
}

double distance_m(const Polygon& polygon, Point p) {
  return guarded(kFar, [&] { return bg::distance(p, to_boost(polygon)); });
}

double distance_m(const Polygon& a, const Polygon& b) {
  return guarded(kFar, [&] { return bg::distance(to_boost(a), to_boost(b)); });
}

bool is_valid_shape(const Polygon& polygon) {
  return guarded(false, [&] { return bg::is_valid(to_boost(polygon)); });
}

std::vector<Polygon> difference(const Polygon& a, const Polygon& b) {
  if (!(distance_m(a, b) <= 0)) return {a};  // Boost 1.74 fails on some that merely touch
  return guarded(std::vector<Polygon>{a}, [&] {
    BoostMultiPolygon parts;
    bg::difference(to_boost(a), to_boost(b), parts);
    std::vector<Polygon> out;
    for (const BoostPolygon& part : parts) out.push_back(from_boost(part));
    return out;
  });
}

std::vector<Polygon> intersection(const Polygon& a, const Polygon& b) {
  return guarded(std::vector<Polygon>{}, [&] {
    BoostMultiPolygon parts;
    bg::intersection(to_boost(a), to_boost(b), parts);
    std::vector<Polygon> out;
    for (const BoostPolygon& part : parts) out.push_back(from_boost(part));
    return out;
  });
}

}  // namespace geo
