// From assumptions to figures: generation, where it goes, money; for the load profile as it is and, for H0,
// for a single household.
#pragma once
#include <optional>
#include <vector>

#include "geo/economics/cash_flow.hpp"
#include "geo/economics/energy_balance.hpp"
#include "geo/failure.hpp"
#include "http/web/economics/economics_form.hpp"

namespace http {

struct Outcome {
  geo::EnergyBalance energy;
  geo::CashFlow money;
};

struct Economics {
  double kwp = 0, kwh_per_kwp = 0;
  double plant_cost = 0, cost = 0;  ///< without and with storage
  double feed_in = 0;               ///< for each kWh, in the currency
  double household_share = 1;
  double yield_error_pct = 0;  ///< half the band's width in energy
  geo::YearBalance profile_year;
  Outcome profile;                   ///< of the load profile: the mean of many customers
  std::optional<Outcome> household;  ///< of a single one; H0 only
  Outcome low, high;                 ///< the band about main()
  const Outcome& main() const { return household ? *household : profile; }
};

/// What self-consumption may be off by for a real house, and the climate's and the model's part of the yield.
inline constexpr double kSelfUseErrorPct = 10;
inline constexpr double kClimateErrorPct = 5;

/// How far a yield moves at most by a degree, in percent: over all tilts from 5 to 50 degrees at Potsdam and
/// Vienna (tests/http/web/economics_computation_test.cpp).
struct OrientationSensitivity {
  double tilt, azimuth;
};
inline constexpr OrientationSensitivity kTowardsSun{0.9, 0.7}, kAwayFromSun{1.9, 0.9};

/// Fails where there is no climate for the place.
geo::Result<Economics> compute_economics(const EconomicsInput& input, const Assumptions& assumptions);

/// The money of an energy balance.
Outcome outcome(const geo::EnergyBalance& energy, const Assumptions& assumptions, double plant_cost,
                double feed_in);

}  // namespace http
