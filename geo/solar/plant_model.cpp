#include "geo/solar/plant_model.hpp"

#include <algorithm>
#include <cmath>

namespace geo {

double SystemLosses::remaining_share() const {
  double share = 1;
  for (double pct : {soiling_pct, mismatch_pct, wiring_pct, connections_pct, light_induced_pct, nameplate_pct,
                     availability_pct})
    share *= 1 - pct / 100;
  return share;
}

double module_power(const PlantModel& plant, double irradiance_w_m2, double entering_w_m2, double air_c) {
  if (entering_w_m2 <= 0) return 0;
  const double cell_c = air_c + irradiance_w_m2 / (plant.heat_loss_uc + plant.heat_loss_uv * plant.wind_m_s);
  // Efficiency falls with the square of the irradiance's logarithm (the shape of Huld et al. 2011), through
  // the data sheet's two points.
  const double decades = std::log(entering_w_m2 / 1000) / std::log(0.2);
  const double low_light = std::max(0.5, 1 - (1 - plant.low_light_efficiency) * decades * decades);
  const double warm = 1 + plant.power_coefficient_per_k * (cell_c - 25);
  return std::max(0.0, entering_w_m2 / 1000 * low_light * warm);
}

}  // namespace geo
