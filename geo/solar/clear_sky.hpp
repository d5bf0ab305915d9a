// What the sun sends through a cloudless sky. Method: Rigollier, Bauer & Wald (2000), "On the clear sky model
// of the ESRA", Solar Energy 68(1), with Kasten's (1996) Rayleigh optical thickness. W/m2.
#pragma once

namespace geo {

inline constexpr double kSolarConstant_w_m2 = 1361;

struct ClearSky {
  double extraterrestrial_w_m2 = 0;  ///< on a plane facing the sun, above the air
  double beam_normal_w_m2 = 0;       ///< on a plane facing the sun
  double diffuse_w_m2 = 0;           ///< on the horizontal
  double relative_air_mass = 1;      ///< Kasten & Young (1989), at sea level
};

/// `elevation_deg` is the apparent one (with refraction) and above 0; `linke` the turbidity at air mass 2.
ClearSky clear_sky(double elevation_deg, double distance_au, double altitude_m, double linke);

}  // namespace geo
