// What the tests' scenes are made of. Map metres.
#pragma once
#include "geo/run_control.hpp"
#include "geo/shapes/shapes.hpp"

namespace test {

inline constexpr double kGround_m = 100;
inline double flat(geo::Point) { return kGround_m; }

inline geo::Polygon rectangle(double west, double south, double east, double north) {
  return {.outer = {{west, south}, {east, south}, {east, north}, {west, north}}};
}

inline const geo::RunControl kRun;  ///< without a deadline

}  // namespace test
