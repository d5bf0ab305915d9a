#include "geo/solar/alps.hpp"

#include <algorithm>
#include <cmath>

#include "geo/shapes/angle.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

constexpr double kMiddle_deg = 47;                              // of latitude: where degrees are made alike
constexpr double kOutside_deg = -0.03, kWellInside_deg = 0.06;  // from the edge; 0.01 degrees are 1.1 km
constexpr double kLow_m = 500, kHigh_m = 700;
constexpr double kSouth_deg = 47.8, kNorth_deg = 48.0;

/// Where the mountains rise from the plains and basins, from Lake Geneva north about to the Drava: the border
/// of the Alpine Convention drawn with a coarse pencil. The basins of Klagenfurt and Graz lie outside. South
/// of it is Italy.
const Polygon& alps() {
  static const Polygon shape = [] {
    Polygon out;
    for (const LonLat p :
         {LonLat{5.8, 45.6}, {6.75, 46.35}, {6.95, 46.45},  {7.35, 46.62},  {7.75, 46.70},  {8.15, 46.78},
          {8.60, 46.95},     {9.00, 47.12}, {9.35, 47.20},  {9.58, 47.38},  {9.85, 47.42},  {10.3, 47.50},
          {10.75, 47.58},    {11.3, 47.66}, {11.9, 47.70},  {13.15, 47.70}, {13.6, 47.82},  {14.2, 47.88},
          {14.9, 47.95},     {15.5, 47.97}, {15.95, 47.75}, {15.85, 47.45}, {15.45, 47.25}, {15.05, 47.0},
          {14.75, 46.95},    {14.3, 46.85}, {13.7, 46.68},  {13.3, 46.55},  {12.5, 45.6}})
      out.outer.push_back({p.lon_deg * std::cos(kMiddle_deg * kDegree), p.lat_deg});
    return out;
  }();
  return shape;
}

/// From 0 at `from` to 1 at `to`.
double ramp(double value, double from, double to) {
  return std::clamp((value - from) / (to - from), 0.0, 1.0);
}

}  // namespace

double alpine_share(LonLat place, double altitude_m) {
  const Point p{place.lon_deg * std::cos(kMiddle_deg * kDegree), place.lat_deg};
  const double to_edge_deg = distance_to_boundary(alps(), p);
  const double inside = ramp(contains(alps(), p) ? to_edge_deg : -to_edge_deg, kOutside_deg, kWellInside_deg);
  // The Black Forest is not the Alps: their factors would give a tenth too much there (Feldberg, 1486 m).
  const double black_forest = ramp(place.lat_deg, 47.4, 47.6) * ramp(place.lon_deg, 9.1, 8.9);
  const double high = ramp(altitude_m, kLow_m, kHigh_m) * ramp(place.lat_deg, kNorth_deg, kSouth_deg);
  return std::max(inside, high * (1 - black_forest));
}

}  // namespace geo
