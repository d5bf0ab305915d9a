// What a roof surface yields in a typical year, over the samples of solar_year.hpp: sun and sky, the plane,
// its horizon, the module's glass and temperature, inverter, system losses and snow. The result contains all
// of it; nothing is to be taken off again.
#pragma once
#include <vector>

#include "geo/run_control.hpp"
#include "geo/solar/horizon_line.hpp"
#include "geo/solar/plant_model.hpp"
#include "geo/solar/solar_year.hpp"

namespace geo {

/// Angles as in the contract. `horizons` are those of the surface's measuring points; none: a free horizon.
struct SurfaceInput {
  double tilt_deg = 0;
  double azimuth_deg = 0;
  std::vector<HorizonLine> horizons;
};

struct SurfaceYield {
  double kwh_per_kwp = 0;               ///< alternating current, everything contained
  MonthlyValues monthly_kwh_per_kwp{};  ///< sums to kwh_per_kwp
  double irradiation_kwh_m2 = 0;        ///< on the plane, shaded, mean of the points
  double free_irradiation_kwh_m2 = 0;   ///< on the plane under a free horizon
  std::vector<double> point_loss_pct;   ///< of each point's yearly irradiation, in the order of `horizons`
  double shading_loss_pct = 0;          ///< mean of the points
  double snow_loss_pct = 0;             ///< of the year's yield
};

/// The surface's modules see the mean of what its points see.
SurfaceYield surface_yield(const SolarYear& year, const SurfaceInput& surface, const PlantModel& plant,
                           const RunControl& run);

/// What a kW of nameplate feeds in each state of each of the year's samples, kW of alternating current; all
/// but snow is contained. Times the states' hours, less snow, it sums to surface_yield().
std::vector<SkyStateValues> surface_power(const SolarYear& year, const SurfaceInput& surface,
                                          const PlantModel& plant, const RunControl& run);

}  // namespace geo
