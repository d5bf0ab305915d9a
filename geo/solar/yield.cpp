#include "geo/solar/yield.hpp"

#include <algorithm>
#include <cmath>

#include "geo/shapes/angle.hpp"
#include "geo/solar/shading.hpp"
#include "geo/solar/snow.hpp"
#include "geo/solar/transposition.hpp"

namespace geo {
namespace {

/// The plane's constants: how much of each part of the sky's light falls on it and enters the glass.
struct PlaneOptics {
  Eigen::Vector3d normal;
  double dome = 1, band = 0, ground = 0;
  double enters_diffuse = 1, enters_ground = 0;
};

PlaneOptics plane_optics(const SurfaceInput& surface, const PlantModel& plant) {
  const double tilt = surface.tilt_deg * kDegree;
  PlaneOptics o;
  o.normal = plane_normal(surface.tilt_deg, surface.azimuth_deg);
  o.dome = (1 + std::cos(tilt)) / 2;
  o.band = std::sin(tilt);
  o.ground = plant.albedo * (1 - std::cos(tilt)) / 2;
  o.enters_diffuse = entering_sky_diffuse(surface.tilt_deg, plant.reflection_a_r);
  o.enters_ground = entering_ground_light(surface.tilt_deg, plant.reflection_a_r);
  return o;
}

/// What the measuring points see, one entry a point.
struct Views {
  std::vector<double> sky;  ///< sky view factors
  double mean_sky = 1;
  std::vector<double> irradiation_kwh_m2;
};

Views views(const SurfaceInput& surface) {
  Views v;
  for (const HorizonLine& horizon : surface.horizons)
    v.sky.push_back(sky_view_factor(horizon, surface.tilt_deg, surface.azimuth_deg));
  v.irradiation_kwh_m2.assign(v.sky.size(), 0);
  if (v.sky.empty()) return v;
  v.mean_sky = 0;
  for (double sky : v.sky) v.mean_sky += sky / static_cast<double>(v.sky.size());
  return v;
}

struct PlaneLight {
  double sun = 0, sky = 0, ground = 0;  ///< W/m2 on the plane, free horizon
};

PlaneLight plane_light(const SkyRadiation& sky, const PlaneOptics& o, double cos_incidence) {
  return {.sun = sky.sun_normal_w_m2 * cos_incidence,
          .sky = std::max(0.0, sky.dome_w_m2 * o.dome + sky.band_w_m2 * o.band),
          .ground = sky.global_w_m2 * o.ground};
}

/// Irradiation in one sample: free, and for each point; returns the share of the points that see the sun.
double add_irradiation(const SolarSample& sample, const SurfaceInput& surface, const PlaneLight& light,
                       Views& views, double& free_kwh_m2) {
  const double kwh = sample.hours / 1000;
  free_kwh_m2 += kwh * (light.sun + light.sky + light.ground);
  if (surface.horizons.empty()) return 1;
  int lit = 0;
  for (std::size_t i = 0; i < surface.horizons.size(); ++i) {
    const bool sun = sees_sun(surface.horizons[i], sample);
    lit += sun;
    views.irradiation_kwh_m2[i] += kwh * ((sun ? light.sun : 0) + views.sky[i] * light.sky + light.ground);
  }
  return static_cast<double>(lit) / static_cast<double>(surface.horizons.size());
}

/// The plane under one position of the sun.
struct Beam {
  double cos_incidence = 0;
  double sunlit = 1;  ///< share of the measuring points that see the sun
};

/// Direct current of a kW of nameplate under one state of the sky, kW.
class StatePower {
 public:
  StatePower(const PlaneOptics& optics, const PlantModel& plant, const Beam& beam, double sky_view,
             double air_c)
      : optics_(optics),
        plant_(plant),
        beam_(beam),
        sky_view_(sky_view),
        air_c_(air_c),
        enters_(entering_beam(beam.cos_incidence, plant.reflection_a_r)) {}

  double operator()(const SkyState& state) const {
    const PlaneLight light = plane_light(state.radiation, optics_, beam_.cos_incidence);
    const double sun = beam_.sunlit * light.sun, sky = sky_view_ * light.sky;
    return module_power(plant_, sun + sky + light.ground,
                        sun * enters_ + sky * optics_.enters_diffuse + light.ground * optics_.enters_ground,
                        air_c_);
  }

 private:
  const PlaneOptics& optics_;
  const PlantModel& plant_;
  Beam beam_;
  double sky_view_, air_c_, enters_;
};

/// kWh per kW of nameplate in one sample, direct current, over all states of its sky.
double sample_energy(const SolarSample& sample, const StatePower& power) {
  double energy = 0;
  for (const SkyState& state : sample.states) energy += state.hours * power(state);
  return energy;
}

/// Without measuring points the horizon is free.
double sunlit_share(const SurfaceInput& surface, const SolarSample& sample) {
  if (surface.horizons.empty()) return 1;
  const auto lit = std::count_if(surface.horizons.begin(), surface.horizons.end(),
                                 [&](const HorizonLine& horizon) { return sees_sun(horizon, sample); });
  return static_cast<double>(lit) / static_cast<double>(surface.horizons.size());
}

double after_module(const PlantModel& plant) {
  return plant.inverter_efficiency * plant.losses.remaining_share();
}

void take_off_snow(const SolarYear& year, const SurfaceInput& surface, SurfaceYield& result) {
  result.snow_loss_pct = snow_loss_pct(year.climate.altitude_m, surface.tilt_deg);
  const MonthlyValues shares =
      snow_shares_by_month(result.snow_loss_pct, year.climate.air_temperature_c, result.monthly_kwh_per_kwp);
  for (int m = 0; m < 12; ++m) result.monthly_kwh_per_kwp[m] *= 1 - shares[m];
}

void fill_losses(const Views& views, SurfaceYield& result) {
  result.irradiation_kwh_m2 = result.free_irradiation_kwh_m2;
  if (views.sky.empty() || result.free_irradiation_kwh_m2 <= 0) return;
  result.irradiation_kwh_m2 = 0;
  for (double irradiation : views.irradiation_kwh_m2) {
    const double loss = 100 * (1 - irradiation / result.free_irradiation_kwh_m2);
    result.point_loss_pct.push_back(std::clamp(loss, 0.0, 100.0));
    result.irradiation_kwh_m2 += irradiation / static_cast<double>(views.sky.size());
  }
  result.shading_loss_pct = 100 * (1 - result.irradiation_kwh_m2 / result.free_irradiation_kwh_m2);
}

}  // namespace

SurfaceYield surface_yield(const SolarYear& year, const SurfaceInput& surface, const PlantModel& plant,
                           const RunControl& run) {
  const PlaneOptics optics = plane_optics(surface, plant);
  Views seen = views(surface);
  SurfaceYield result;
  int month = -1;
  for (const SolarSample& sample : year.samples) {
    if (sample.month != month) run.checkpoint();
    month = sample.month;
    Beam beam{.cos_incidence = std::max(0.0, sample.sun.dot(optics.normal))};
    beam.sunlit = add_irradiation(sample, surface, plane_light(sample.mean, optics, beam.cos_incidence), seen,
                                  result.free_irradiation_kwh_m2);
    const StatePower power(optics, plant, beam, seen.mean_sky, sample.air_temperature_c);
    result.monthly_kwh_per_kwp[month] += after_module(plant) * sample_energy(sample, power);
  }
  if (plant.snow) take_off_snow(year, surface, result);
  for (double kwh : result.monthly_kwh_per_kwp) result.kwh_per_kwp += kwh;
  fill_losses(seen, result);
  return result;
}

std::vector<SkyStateValues> surface_power(const SolarYear& year, const SurfaceInput& surface,
                                          const PlantModel& plant, const RunControl& run) {
  const PlaneOptics optics = plane_optics(surface, plant);
  const double sky_view = views(surface).mean_sky;
  std::vector<SkyStateValues> all;
  all.reserve(year.samples.size());
  int month = -1;
  for (const SolarSample& sample : year.samples) {
    if (sample.month != month) run.checkpoint();
    month = sample.month;
    const Beam beam{std::max(0.0, sample.sun.dot(optics.normal)), sunlit_share(surface, sample)};
    const StatePower power(optics, plant, beam, sky_view, sample.air_temperature_c);
    SkyStateValues& states = all.emplace_back();
    for (std::size_t j = 0; j < kSkyStates; ++j) states[j] = after_module(plant) * power(sample.states[j]);
  }
  return all;
}

}  // namespace geo
