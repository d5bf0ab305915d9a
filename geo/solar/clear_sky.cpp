#include "geo/solar/clear_sky.hpp"

#include <algorithm>
#include <cmath>

#include "geo/shapes/angle.hpp"

namespace geo {
namespace {

constexpr double kScaleHeight_m = 8434.5;

double kasten_young_air_mass(double elevation_deg) {
  return 1 / (std::sin(elevation_deg * kDegree) + 0.50572 * std::pow(elevation_deg + 6.07995, -1.6364));
}

double rayleigh_thickness(double air_mass) {
  const double m = air_mass;
  if (m > 20) return 1 / (10.4 + 0.718 * m);
  return 1 / (6.62960 + m * (1.75130 + m * (-0.12020 + m * (0.00650 - 0.00013 * m))));
}

/// Diffuse share of the extraterrestrial irradiance: transmission at the zenith times the sun's angular
/// function.
double diffuse_share(double sin_elevation, double linke) {
  const double zenith = -1.5843e-2 + linke * (3.0543e-2 + 3.797e-4 * linke);
  double a0 = 2.6463e-1 + linke * (-6.1581e-2 + 3.1408e-3 * linke);
  const double a1 = 2.0402 + linke * (1.8945e-2 - 1.1161e-2 * linke);
  const double a2 = -1.3025 + linke * (3.9231e-2 + 8.5079e-3 * linke);
  if (a0 * zenith < 2e-3) a0 = 2e-3 / zenith;
  return std::max(0.0, zenith * (a0 + sin_elevation * (a1 + a2 * sin_elevation)));
}

}  // namespace

ClearSky clear_sky(double elevation_deg, double distance_au, double altitude_m, double linke) {
  ClearSky sky;
  sky.extraterrestrial_w_m2 = kSolarConstant_w_m2 / (distance_au * distance_au);
  sky.relative_air_mass = kasten_young_air_mass(elevation_deg);
  const double air_mass = sky.relative_air_mass * std::exp(-altitude_m / kScaleHeight_m);
  sky.beam_normal_w_m2 =
      sky.extraterrestrial_w_m2 * std::exp(-0.8662 * linke * air_mass * rayleigh_thickness(air_mass));
  sky.diffuse_w_m2 = sky.extraterrestrial_w_m2 * diffuse_share(std::sin(elevation_deg * kDegree), linke);
  return sky;
}

}  // namespace geo
