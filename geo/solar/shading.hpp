// What a horizon takes from a plane: the beam while the sun stands below it, and its part of the diffuse sky.
#pragma once
#include "geo/solar/horizon_line.hpp"
#include "geo/solar/solar_year.hpp"

namespace geo {

/// Share of the isotropic sky's light that a plane still gets under a horizon line (1 under a free one). The
/// integral over elevation is closed, the one over azimuth a sum over the line's rays.
double sky_view_factor(const HorizonLine& horizon, double tilt_deg, double azimuth_deg);

/// Is the sun (its centre) above the line?
inline bool sees_sun(const HorizonLine& horizon, const SolarSample& sample) {
  return sample.elevation_deg > horizon.at(sample.azimuth_deg);
}

}  // namespace geo
