#include "geo/economics/typical_generation.hpp"

#include <numeric>

namespace geo {
namespace {

constexpr YearSampling kSampling{.days_per_month = 6, .minutes = 24 * 60 / kQuarters};

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

/// Kilowatt hours of each month for each kilowatt of nameplate, as a factor on surface_power().
MonthlyValues factors(const SolarYear& year, const PlantPart& part, const PlantModel& plant,
                      const std::vector<SkyStateValues>& power, const RunControl& run) {
  const SurfaceYield yield = surface_yield(year, part.surface, plant, run);
  const double scale = part.kwh_per_kwp && yield.kwh_per_kwp > 0 ? *part.kwh_per_kwp / yield.kwh_per_kwp : 1;
  MonthlyValues without_snow{}, out{};
  for (std::size_t i = 0; i < power.size(); ++i)
    for (std::size_t j = 0; j < kSkyStates; ++j)
      without_snow[year.samples[i].month] += power[i][j] * year.samples[i].states[j].hours;
  for (std::size_t month = 0; month < out.size(); ++month)
    if (without_snow[month] > 0) out[month] = scale * yield.monthly_kwh_per_kwp[month] / without_snow[month];
  return out;
}

}  // namespace

TypicalGeneration typical_generation(const MonthlyClimate& climate, const std::vector<PlantPart>& parts,
                                     const PlantModel& plant, const RunControl& run) {
  const SolarYear year = solar_year(climate, run, kSampling);
  TypicalGeneration generation = empty_year(year);
  for (const PlantPart& part : parts) {
    const std::vector<SkyStateValues> power = surface_power(year, part.surface, plant, run);
    const MonthlyValues factor = factors(year, part, plant, power, run);
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
