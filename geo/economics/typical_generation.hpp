// What a plant feeds through a typical year: on some days of each month, in every quarter of an hour and
// every state of the sky. Which day of the year has which sky is for day_skies.hpp.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "geo/economics/load_profile.hpp"
#include "geo/run_control.hpp"
#include "geo/solar/yield.hpp"

namespace geo {

/// The modules on one surface.
struct PlantPart {
  SurfaceInput surface;
  double kwp = 0;
  std::optional<double> kwh_per_kwp;  ///< the year's yield if it is known: the generation is scaled to it
};

struct TypicalDay {
  std::array<SkyStateValues, kQuarters> kwh{};  ///< in each quarter of an hour, UTC
};

struct TypicalMonth {
  SkyStateValues probability{};  ///< of each state of the sky
  std::vector<TypicalDay> days;  ///< evenly spread over the month
  double kwh = 0;                ///< in the whole month
};
using TypicalGeneration = std::array<TypicalMonth, 12>;

/// All losses are contained, snow as a share of its month.
TypicalGeneration typical_generation(const MonthlyClimate& climate, const std::vector<PlantPart>& parts,
                                     const PlantModel& plant, const RunControl& run);

}  // namespace geo
