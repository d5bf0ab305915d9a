#include "geo/solar/solar_year.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "geo/solar/clear_sky.hpp"
#include "geo/solar/sun.hpp"

namespace geo {
namespace {

constexpr int kYear = 2022;  // not a leap year, and midway between two

/// Half the daily range of the air temperature. Assumed, typical of Central Europe: a kelvin more or less
/// changes the year's yield by a thousandth or two.
constexpr MonthlyValues kTemperatureSwing_k{2.0, 2.6, 3.6, 4.6, 5.0, 5.0, 5.2, 5.2, 4.6, 3.6, 2.3, 1.8};
constexpr double kWarmestSolarHour = 15;

struct Moment {
  SolarSample sample;
  ClearSky clear;
  SkyStateValues beam_w_m2{};  ///< on the horizontal, in each state of the sky
};

/// Limited because some light is always diffuse: in the clearest state the rule alone would give more beam
/// than there is light.
SkyStateValues state_beams(const SolarSample& sample, const ClearSky& clear) {
  constexpr double kMostBeam = 0.93;
  const double beam = clear.beam_normal_w_m2 * sample.sun.z();
  const double global = beam + clear.diffuse_w_m2;
  SkyStateValues beams = beam_shares(sample.elevation_deg);
  for (std::size_t j = 0; j < kSkyStates; ++j)
    beams[j] = std::min(beams[j] * beam, kMostBeam * kClearSkyIndex[j] * global);
  return beams;
}

/// The sun at the middle of each step of one day of the month, counted from 0.
void add_day(const MonthlyClimate& climate, int month, long day, double day_weight, int minutes,
             std::vector<Moment>& out) {
  const double midnight = julian_day(kYear, month + 1, 1, 0) + static_cast<double>(day);
  const int steps = 24 * 60 / minutes;
  for (int step = 0; step < steps; ++step) {
    const double hour_utc = (step + 0.5) * minutes / 60.0;
    const SunPosition sun = sun_position(climate.place, midnight + hour_utc / 24);
    const double apparent = sun.elevation_deg + refraction_deg(sun.elevation_deg);
    if (apparent <= 0) continue;
    Moment moment;
    SolarSample& s = moment.sample;
    s.elevation_deg = apparent;
    s.azimuth_deg = sun.azimuth_deg;
    s.sun = sun_vector(apparent, sun.azimuth_deg);
    s.month = month;
    s.day = static_cast<int>(day);
    s.hour_utc = hour_utc;
    s.hours = day_weight * minutes / 60.0;
    const double solar_hour = hour_utc + climate.place.lon_deg / 15;
    s.air_temperature_c =
        climate.air_temperature_c[month] +
        kTemperatureSwing_k[month] * std::cos((solar_hour - kWarmestSolarHour) * std::numbers::pi / 12);
    moment.clear = clear_sky(apparent, sun.distance_au, climate.altitude_m, climate.linke_turbidity[month]);
    moment.beam_w_m2 = state_beams(s, moment.clear);
    out.push_back(moment);
  }
}

std::vector<Moment> moments_of_month(const MonthlyClimate& climate, int month, const YearSampling& sampling) {
  std::vector<Moment> moments;
  const int all = kDaysOfMonth[month];
  const int days = sampling.days_per_month > 0 ? sampling.days_per_month : all;
  for (int i = 0; i < days; ++i) {
    // The days lie in the middle of equal parts of the month, so that they have its mean declination.
    const long day = std::lround((i + 0.5) * all / days - 0.5);
    add_day(climate, month, day, static_cast<double>(all) / days, sampling.minutes, moments);
  }
  return moments;
}

struct MonthMix {
  SkyStateValues probability{};
  double scale = 1;  ///< brings the month to its irradiation exactly, where the mix cannot
};

MonthMix mix_of_month(const MonthlyClimate& climate, int month, std::span<const Moment> moments) {
  double clear_beam = 0, clear_global = 0;
  SkyStateValues beam{};
  for (const Moment& moment : moments) {
    const double kwh = moment.sample.hours / 1000;
    const double horizontal = moment.clear.beam_normal_w_m2 * moment.sample.sun.z();
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

void fill_states(const MonthMix& mix, Moment& moment) {
  SolarSample& sample = moment.sample;
  const double clear_global = moment.clear.beam_normal_w_m2 * sample.sun.z() + moment.clear.diffuse_w_m2;
  for (std::size_t j = 0; j < kSkyStates; ++j) {
    const double beam = mix.scale * moment.beam_w_m2[j];
    const double global = mix.scale * kClearSkyIndex[j] * clear_global;
    SkyState& state = sample.states[j];
    state.hours = mix.probability[j] * sample.hours;
    state.radiation = perez_sky({.beam_normal_w_m2 = beam / sample.sun.z(),
                                 .diffuse_w_m2 = global - beam,
                                 .elevation_deg = sample.elevation_deg,
                                 .extraterrestrial_w_m2 = moment.clear.extraterrestrial_w_m2,
                                 .relative_air_mass = moment.clear.relative_air_mass});
    sample.mean.sun_normal_w_m2 += mix.probability[j] * state.radiation.sun_normal_w_m2;
    sample.mean.dome_w_m2 += mix.probability[j] * state.radiation.dome_w_m2;
    sample.mean.band_w_m2 += mix.probability[j] * state.radiation.band_w_m2;
    sample.mean.global_w_m2 += mix.probability[j] * state.radiation.global_w_m2;
  }
}

}  // namespace

SolarYear solar_year(const MonthlyClimate& climate, const RunControl& run, const YearSampling& sampling) {
  SolarYear year{.climate = climate, .samples = {}};
  for (int month = 0; month < 12; ++month) {
    run.checkpoint();
    std::vector<Moment> moments = moments_of_month(climate, month, sampling);
    const MonthMix mix = mix_of_month(climate, month, moments);
    for (Moment& moment : moments) {
      fill_states(mix, moment);
      year.samples.push_back(moment.sample);
    }
  }
  return year;
}

}  // namespace geo
