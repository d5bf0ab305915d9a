#include "geo/economics/typical_generation.hpp"

#include "geo/solar/snow.hpp"

namespace geo {
namespace {

constexpr YearSampling kSampling{.days_per_month = 4, .minutes = 24 * 60 / kQuarters};

/// Days without generation, and the probability of each sky.
TypicalGeneration empty_year(const SolarYear& year) {
  TypicalGeneration generation;
  for (TypicalMonth& month : generation) month.days.resize(kSampling.days_per_month);
  for (const SolarSample& sample : year.samples)
    for (std::size_t j = 0; j < kSkyStates; ++j)
      generation[sample.month].probability[j] = sample.states[j].hours / sample.hours;
  return generation;
}

/// Which of the month's typical days a sample belongs to.
std::size_t typical_day(const SolarSample& sample) {
  return static_cast<std::size_t>(sample.day * kSampling.days_per_month / kDaysOfMonth[sample.month]);
}

/// A factor for each month: what snow leaves of it, scaled so that the year gives the known yield.
MonthlyValues factors(const SolarYear& year, const PlantPart& part, const PlantModel& plant,
                      const std::vector<SkyStateValues>& power) {
  MonthlyValues kwh{}, factor{};
  for (std::size_t i = 0; i < power.size(); ++i)
    for (std::size_t j = 0; j < kSkyStates; ++j)
      kwh[year.samples[i].month] += power[i][j] * year.samples[i].states[j].hours;
  const double snow_pct = plant.snow ? snow_loss_pct(year.climate.altitude_m, part.surface.tilt_deg) : 0;
  const MonthlyValues lost = snow_shares_by_month(snow_pct, year.climate.air_temperature_c, kwh);
  double year_kwh = 0;
  for (std::size_t month = 0; month < factor.size(); ++month)
    year_kwh += kwh[month] * (factor[month] = 1 - lost[month]);
  if (part.kwh_per_kwp && year_kwh > 0)
    for (double& share : factor) share *= *part.kwh_per_kwp / year_kwh;
  return factor;
}

}  // namespace

TypicalGeneration typical_generation(const MonthlyClimate& climate, const std::vector<PlantPart>& parts,
                                     const PlantModel& plant, const RunControl& run) {
  const SolarYear year = solar_year(climate, run, kSampling);
  TypicalGeneration generation = empty_year(year);
  for (const PlantPart& part : parts) {
    const std::vector<SkyStateValues> power = surface_power(year, part.surface, plant, run);
    const MonthlyValues factor = factors(year, part, plant, power);
    for (std::size_t i = 0; i < power.size(); ++i) {
      const SolarSample& sample = year.samples[i];
      TypicalMonth& month = generation[sample.month];
      SkyStateValues& quarter =
          month.days[typical_day(sample)].kwh[static_cast<std::size_t>(sample.hour_utc * kQuarters / 24)];
      for (std::size_t j = 0; j < kSkyStates; ++j) {
        const double kw = part.kwp * factor[sample.month] * power[i][j];
        quarter[j] += kw * 24 / kQuarters;
        month.kwh += kw * sample.states[j].hours;
      }
    }
  }
  return generation;
}

}  // namespace geo
