#include "geo/solar/solar_year.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "geo/shapes/angle.hpp"
#include "geo/solar/clear_sky.hpp"
#include "geo/solar/sun.hpp"

namespace geo {
namespace {

constexpr int kYear = 2022;  // not a leap year, and midway between two

/// Half the daily range of the air temperature. Assumed, typical of Central Europe: a kelvin more or less
/// changes the year's yield by a thousandth or two.
constexpr MonthlyValues kTemperatureSwing_k{2.0, 2.6, 3.6, 4.6, 5.0, 5.0, 5.2, 5.2, 4.6, 3.6, 2.3, 1.8};
constexpr double kWarmestSolarHour = 15;

/// The middle of a step of the day.
struct YearStep {
  int day = 0;  ///< of the month, from 0
  double hour_utc = 0;
  SunMoment sun;
};
using StepsOfYear = std::array<std::vector<YearStep>, 12>;

int days_sampled(int month, const YearSampling& sampling) {
  return sampling.days_per_month > 0 ? sampling.days_per_month : kDaysOfMonth[month];
}

StepsOfYear steps_of_year(const YearSampling& sampling) {
  StepsOfYear year;
  const int steps = 24 * 60 / sampling.minutes;
  for (int month = 0; month < 12; ++month) {
    const int all = kDaysOfMonth[month], days = days_sampled(month, sampling);
    for (int i = 0; i < days; ++i) {
      // The days lie in the middle of equal parts of the month, so that they have its mean declination.
      const long day = std::lround((i + 0.5) * all / days - 0.5);
      const double midnight = julian_day(kYear, month + 1, 1, 0) + static_cast<double>(day);
      for (int step = 0; step < steps; ++step) {
        const double hour_utc = (step + 0.5) * sampling.minutes / 60.0;
        year[month].push_back({static_cast<int>(day), hour_utc, sun_moment(midnight + hour_utc / 24)});
      }
    }
  }
  return year;
}

/// A step with the sun above the horizon.
struct Moment {
  const YearStep* step = nullptr;
  double elevation_deg = 0;  ///< apparent
  double azimuth_deg = 0;
  Eigen::Vector3d sun;
  ClearSky clear;
  SkyStateValues beam_w_m2{};  ///< on the horizontal, in each state of the sky
};

/// Limited because some light is always diffuse: in the clearest state the rule alone would give more beam
/// than there is light.
SkyStateValues state_beams(const Moment& moment) {
  constexpr double kMostBeam = 0.93;
  const double beam = moment.clear.beam_normal_w_m2 * moment.sun.z();
  const double global = beam + moment.clear.diffuse_w_m2;
  SkyStateValues beams = beam_shares(moment.elevation_deg);
  for (std::size_t j = 0; j < kSkyStates; ++j)
    beams[j] = std::min(beams[j] * beam, kMostBeam * kClearSkyIndex[j] * global);
  return beams;
}

std::vector<Moment> moments_of_month(const MonthlyClimate& climate, int month,
                                     const std::vector<YearStep>& steps) {
  // The air lifts the sun by less than this, so below it is night.
  static const double kNight = std::sin(-1.0 * kDegree);
  const SunFrom seen(climate.place);
  std::vector<Moment> moments;
  moments.reserve(steps.size());
  for (const YearStep& step : steps) {
    if (seen.sin_elevation(step.sun) < kNight) continue;
    const SunPosition sun = seen.position(step.sun);
    const double apparent = sun.elevation_deg + refraction_deg(sun.elevation_deg);
    if (apparent <= 0) continue;
    Moment& moment = moments.emplace_back();
    moment.step = &step;
    moment.elevation_deg = apparent;
    moment.azimuth_deg = sun.azimuth_deg;
    moment.sun = sun_vector(apparent, sun.azimuth_deg);
    moment.clear = clear_sky(apparent, sun.distance_au, climate.altitude_m, climate.linke_turbidity[month]);
    moment.beam_w_m2 = state_beams(moment);
  }
  return moments;
}

struct MonthMix {
  SkyStateValues probability{};
  double scale = 1;  ///< brings the month to its irradiation exactly, where the mix cannot
};

/// `kwh`: of one W in a step.
MonthMix mix_of_month(const MonthlyClimate& climate, int month, std::span<const Moment> moments, double kwh) {
  double clear_beam = 0, clear_global = 0;
  SkyStateValues beam{};
  for (const Moment& moment : moments) {
    const double horizontal = moment.clear.beam_normal_w_m2 * moment.sun.z();
    clear_beam += kwh * horizontal;
    clear_global += kwh * (horizontal + moment.clear.diffuse_w_m2);
    for (std::size_t j = 0; j < kSkyStates; ++j) beam[j] += kwh * moment.beam_w_m2[j];
  }
  MonthMix mix;
  if (clear_beam <= 0) return mix;
  for (double& share : beam) share /= clear_beam;
  const double ghi = climate.ghi_kwh_m2[month];
  const double month_beam = ghi * (1 - climate.diffuse_fraction[month]);
  mix.probability = sky_mix(ghi / clear_global, month_beam / clear_beam, beam);
  double reached = 0;
  for (std::size_t j = 0; j < kSkyStates; ++j) reached += mix.probability[j] * kClearSkyIndex[j];
  mix.scale = ghi / (reached * clear_global);
  return mix;
}

double air_temperature_c(const MonthlyClimate& climate, int month, double hour_utc) {
  const double solar_hour = hour_utc + climate.place.lon_deg / 15;
  return climate.air_temperature_c[month] +
         kTemperatureSwing_k[month] * std::cos((solar_hour - kWarmestSolarHour) * std::numbers::pi / 12);
}

void fill_states(const Moment& moment, const MonthMix& mix, SolarSample& sample) {
  const double clear_global = moment.clear.beam_normal_w_m2 * moment.sun.z() + moment.clear.diffuse_w_m2;
  const PerezSky sky(moment.elevation_deg, moment.clear.extraterrestrial_w_m2,
                     moment.clear.relative_air_mass);
  for (std::size_t j = 0; j < kSkyStates; ++j) {
    const double beam = mix.scale * moment.beam_w_m2[j];
    const double global = mix.scale * kClearSkyIndex[j] * clear_global;
    SkyState& state = sample.states[j];
    state.hours = mix.probability[j] * sample.hours;
    state.radiation = sky(beam / moment.sun.z(), global - beam);
    sample.mean.sun_normal_w_m2 += mix.probability[j] * state.radiation.sun_normal_w_m2;
    sample.mean.dome_w_m2 += mix.probability[j] * state.radiation.dome_w_m2;
    sample.mean.band_w_m2 += mix.probability[j] * state.radiation.band_w_m2;
    sample.mean.global_w_m2 += mix.probability[j] * state.radiation.global_w_m2;
  }
}

void add_month(const MonthlyClimate& climate, int month, std::span<const Moment> moments, double step_hours,
               std::vector<SolarSample>& samples) {
  const MonthMix mix = mix_of_month(climate, month, moments, step_hours / 1000);
  for (const Moment& moment : moments) {
    SolarSample& sample = samples.emplace_back();
    sample.sun = moment.sun;
    sample.elevation_deg = moment.elevation_deg;
    sample.azimuth_deg = moment.azimuth_deg;
    sample.hours = step_hours;
    sample.air_temperature_c = air_temperature_c(climate, month, moment.step->hour_utc);
    sample.month = month;
    sample.day = moment.step->day;
    sample.hour_utc = moment.step->hour_utc;
    fill_states(moment, mix, sample);
  }
}

}  // namespace

SolarYear solar_year(const MonthlyClimate& climate, const RunControl& run, const YearSampling& sampling) {
  static const YearSampling kUsual;
  static const StepsOfYear kUsualSteps = steps_of_year(kUsual);
  const StepsOfYear other = sampling == kUsual ? StepsOfYear{} : steps_of_year(sampling);
  const StepsOfYear& steps = sampling == kUsual ? kUsualSteps : other;

  std::array<std::vector<Moment>, 12> moments;
  std::size_t count = 0;
  for (int month = 0; month < 12; ++month) {
    run.checkpoint();
    moments[month] = moments_of_month(climate, month, steps[month]);
    count += moments[month].size();
  }
  SolarYear year{.climate = climate, .samples = {}};
  year.samples.reserve(count);
  for (int month = 0; month < 12; ++month) {
    run.checkpoint();
    const double days = static_cast<double>(kDaysOfMonth[month]) / days_sampled(month, sampling);
    add_month(climate, month, moments[month], days * sampling.minutes / 60.0, year.samples);
  }
  return year;
}

}  // namespace geo
