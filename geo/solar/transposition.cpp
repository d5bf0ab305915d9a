#include "geo/solar/transposition.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geo/shapes/angle.hpp"

namespace geo {
namespace {

const double kLowestSun = std::cos(85 * kDegree);

/// Perez et al. 1990, table 6 ("all sites composite"): F11 F12 F13 F21 F22 F23 by sky clearness.
constexpr double kClearnessUpTo[7] = {1.065, 1.230, 1.500, 1.950, 2.800, 4.500, 6.200};
constexpr double kCoefficients[8][6] = {
    {-0.008, 0.588, -0.062, -0.060, 0.072, -0.022}, {0.130, 0.683, -0.151, -0.019, 0.066, -0.029},
    {0.330, 0.487, -0.221, 0.055, -0.064, -0.026},  {0.568, 0.187, -0.295, 0.109, -0.152, -0.014},
    {0.873, -0.392, -0.362, 0.226, -0.462, 0.001},  {1.132, -1.237, -0.412, 0.288, -0.823, 0.056},
    {1.060, -1.600, -0.359, 0.264, -1.127, 0.131},  {0.678, -0.327, -0.250, 0.156, -1.377, 0.251}};

/// Martin & Ruiz' form for light from a lune of sky or ground; `x` is its geometry factor.
double entering_diffuse(double x, double a_r) {
  constexpr double kC1 = 4 / (3 * std::numbers::pi);
  const double c2 = 0.5 * a_r - 0.154;
  return 1 - std::exp(-(kC1 * x + c2 * x * x) / a_r);
}

}  // namespace

PerezSky::PerezSky(double elevation_deg, double extraterrestrial_w_m2, double relative_air_mass)
    : sin_elevation_(std::sin(elevation_deg * kDegree)),
      zenith_((90 - elevation_deg) * kDegree),
      kappa_(1.041 * zenith_ * zenith_ * zenith_),
      extraterrestrial_w_m2_(extraterrestrial_w_m2),
      relative_air_mass_(relative_air_mass) {}

SkyRadiation PerezSky::operator()(double beam_normal_w_m2, double diffuse_w_m2) const {
  SkyRadiation sky;
  sky.global_w_m2 = beam_normal_w_m2 * std::max(0.0, sin_elevation_) + diffuse_w_m2;
  if (diffuse_w_m2 <= 0) {
    sky.sun_normal_w_m2 = beam_normal_w_m2;
    return sky;
  }
  const double clearness = (1 + beam_normal_w_m2 / diffuse_w_m2 + kappa_) / (1 + kappa_);
  const double brightness = relative_air_mass_ * diffuse_w_m2 / extraterrestrial_w_m2_;
  const auto bin = std::upper_bound(std::begin(kClearnessUpTo), std::end(kClearnessUpTo), clearness);
  const double* f = kCoefficients[bin - std::begin(kClearnessUpTo)];
  const double circumsolar = std::clamp(f[0] + f[1] * brightness + f[2] * zenith_, 0.0, 1.0);
  const double band = f[3] + f[4] * brightness + f[5] * zenith_;
  sky.sun_normal_w_m2 = beam_normal_w_m2 + diffuse_w_m2 * circumsolar / std::max(kLowestSun, sin_elevation_);
  sky.dome_w_m2 = diffuse_w_m2 * (1 - circumsolar);
  sky.band_w_m2 = diffuse_w_m2 * band;
  return sky;
}

Eigen::Vector3d sun_vector(double elevation_deg, double azimuth_deg) {
  const double h = elevation_deg * kDegree, a = azimuth_deg * kDegree;
  return {-std::cos(h) * std::sin(a), -std::cos(h) * std::cos(a), std::sin(h)};
}

Eigen::Vector3d plane_normal(double tilt_deg, double azimuth_deg) {
  return sun_vector(90 - tilt_deg, azimuth_deg);
}

double entering_beam(double cos_incidence, double a_r) {
  if (cos_incidence <= 0) return 0;
  return (1 - std::exp(-cos_incidence / a_r)) / (1 - std::exp(-1 / a_r));
}

double entering_sky_diffuse(double tilt_deg, double a_r) {
  const double b = tilt_deg * kDegree;
  return entering_diffuse(std::sin(b) + (std::numbers::pi - b - std::sin(b)) / (1 + std::cos(b)), a_r);
}

double entering_ground_light(double tilt_deg, double a_r) {
  const double b = tilt_deg * kDegree;
  if (b < 1e-3) return 0;  // no ground is seen
  return entering_diffuse(std::sin(b) + (b - std::sin(b)) / (1 - std::cos(b)), a_r);
}

}  // namespace geo
