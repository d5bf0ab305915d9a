// From the sky to a tilted plane. Method: Perez, Ineichen, Seals, Michalsky & Stewart (1990), "Modeling
// daylight availability and irradiance components from direct and global irradiance", Solar Energy 44(5): an
// isotropic dome, a circumsolar part that shines from where the sun stands, and a brighter (or darker) band
// at the horizon. W/m2, degrees, azimuth as in the contract.
#pragma once
#include <Eigen/Core>

namespace geo {

/// One sky, ready for any plane: the transposition is linear in these four.
struct SkyRadiation {
  double sun_normal_w_m2 = 0;  ///< beam and circumsolar diffuse on a plane facing the sun
  double dome_w_m2 = 0;        ///< isotropic diffuse on the horizontal
  double band_w_m2 = 0;        ///< horizon band on the vertical; may be negative
  double global_w_m2 = 0;      ///< on the horizontal, for the light from the ground
};

/// The sky under one position of the sun, for any light from it.
class PerezSky {
 public:
  PerezSky(double elevation_deg, double extraterrestrial_w_m2, double relative_air_mass);

  /// `diffuse_w_m2` on the horizontal.
  SkyRadiation operator()(double beam_normal_w_m2, double diffuse_w_m2) const;

 private:
  double sin_elevation_, zenith_, kappa_, extraterrestrial_w_m2_, relative_air_mass_;
};

/// East, north, up.
Eigen::Vector3d sun_vector(double elevation_deg, double azimuth_deg);
Eigen::Vector3d plane_normal(double tilt_deg, double azimuth_deg);

/// Light lost by reflection at the glass: Martin & Ruiz (2001), "Calculation of the PV modules angular losses
/// under field conditions by means of an analytical model", as the share that enters, relative to normal
/// incidence.
double entering_beam(double cos_incidence, double a_r = 0.16);
double entering_sky_diffuse(double tilt_deg, double a_r = 0.16);
double entering_ground_light(double tilt_deg, double a_r = 0.16);

}  // namespace geo
