#include "http/web/economics/computation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "geo/economics/household.hpp"

namespace http {
namespace {

/// Surfaces that face nearly the same way are one to the sun: the year's shape by hour and month then is the
/// same, and the yield is known anyhow.
using Facing = std::pair<long, long>;
Facing facing(const geo::RoofSurface& surface) {
  constexpr double kAlike_deg = 10;
  return {std::lround(surface.tilt_deg / kAlike_deg), std::lround(surface.azimuth_deg / kAlike_deg)};
}

struct PowerSum {
  double kwp = 0, kwh = 0, tilt = 0, azimuth = 0;
};

std::vector<geo::PlantPart> plant_parts(const geo::RoofAnalysis& analysis, const std::vector<int>& modules) {
  std::map<Facing, PowerSum> sums;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const geo::RoofSurface& surface = analysis.surfaces[i];
    const double kwp = geo::peak_power_kwp(analysis, modules[i]);
    if (kwp <= 0) continue;
    PowerSum& sum = sums[facing(surface)];
    sum.kwp += kwp;
    sum.kwh += kwp * surface.yield_kwh_per_kwp.value_or(0);
    sum.tilt += kwp * surface.tilt_deg;
    sum.azimuth += kwp * surface.azimuth_deg;
  }
  std::vector<geo::PlantPart> parts;
  for (const auto& [way, sum] : sums)
    parts.push_back(
        {{.tilt_deg = sum.tilt / sum.kwp, .azimuth_deg = sum.azimuth / sum.kwp}, sum.kwp, sum.kwh / sum.kwp});
  return parts;
}

/// Above the sea, of the ground under the first surface that tells; 0 when none does.
double altitude_m(const geo::RoofAnalysis& analysis) {
  for (const geo::RoofSurface& surface : analysis.surfaces) {
    if (!surface.ridge_height_m || surface.outline.outer.empty()) continue;
    double highest = surface.plane.height_at(surface.outline.outer.front());
    for (const geo::Point& p : surface.outline.outer) highest = std::max(highest, surface.plane.height_at(p));
    const double ground = highest - *surface.ridge_height_m;
    if (std::isfinite(ground)) return std::clamp(ground, 0.0, 4000.0);
  }
  return 0;
}

/// Mean over the plant's energy.
double orientation_error_pct(const geo::RoofAnalysis& analysis, const std::vector<int>& modules) {
  double error = 0, weight = 0;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const geo::RoofSurface& surface = analysis.surfaces[i];
    const double kwh = modules[i] * surface.yield_kwh_per_kwp.value_or(0);
    const auto& by_degree = std::abs(surface.azimuth_deg) <= 90 ? kTowardsSun : kAwayFromSun;
    weight += kwh;
    error += kwh * std::hypot(by_degree.tilt * surface.fit.tilt_error_deg,
                              by_degree.azimuth * surface.fit.azimuth_error_deg);
  }
  return weight > 0 ? error / weight : 0;
}

/// The same with other generation and other self-use.
geo::EnergyBalance shifted(const geo::EnergyBalance& from, double generation, double self_use) {
  geo::EnergyBalance b = from;
  b.generation *= generation;
  const double used = from.direct + from.discharged, taken = from.direct + from.charged;
  double share = self_use;
  if (used > 0) share = std::min(share, from.consumption / used);
  if (taken > 0) share = std::min(share, b.generation / taken);
  return geo::household_balance(b, share);
}

}  // namespace

Outcome outcome(const geo::EnergyBalance& energy, const Assumptions& a, double plant_cost, double feed_in) {
  const int years = static_cast<int>(a.years);
  geo::Investment money{.cost = plant_cost + a.storage_cost(),
                        .operation_per_year = a.operation_per_year,
                        .generation_kwh = energy.generation,
                        .price_per_kwh = a.price / 100,
                        .feed_in_per_kwh = feed_in,
                        .feed_in_years = a.tariff ? a.tariff->paid_years.value_or(years) : years,
                        .price_rise = a.price_rise_pct / 100,
                        .degradation = a.degradation_pct / 100,
                        .discount_rate = a.discount_pct / 100,
                        .years = years,
                        .replacement_cost = a.storage_cost(),
                        .replaced_after = static_cast<int>(a.storage_years)};
  if (energy.generation > 0) {
    money.self_consumption = (energy.direct + energy.discharged) / energy.generation;
    money.storage_loss = (energy.charged - energy.discharged) / energy.generation;
  }
  return {energy, geo::cash_flow(money)};
}

geo::Result<Economics> compute_economics(const EconomicsInput& input, const Assumptions& a) {
  const auto climate = geo::climate_at(input.place, altitude_m(input.analysis));
  if (!climate) return tl::make_unexpected(climate.error());
  const auto generation =
      geo::typical_generation(*climate, plant_parts(input.analysis, a.by_surface), {}, geo::RunControl{});
  const auto days = geo::days_of_year(static_cast<int>(input.today.year()), input.country);
  const auto profile = geo::load_profile(input.load_profile).value_or(geo::LoadProfile::H0);
  const auto load = geo::load_of_year(profile, input.consumption_kwh, days);
  const bool all_sold = a.tariff && a.tariff->full_feed_in;

  Economics out{.kwp = a.kwp(input.analysis), .plant_cost = a.plant_cost(input.analysis)};
  out.cost = out.plant_cost + a.storage_cost();
  out.feed_in = a.tariff ? geo::feed_in_per_kwh(a.tariff->tariff, out.kwp) : a.own_feed_in / 100;
  out.profile_year = geo::household_year(
      geo::balance_of_year(generation, days, load, {.usable_kwh = a.storage_kwh}), all_sold ? 0 : 1);
  out.kwh_per_kwp = out.kwp > 0 ? out.profile_year.year.generation / out.kwp : 0;
  const auto result = [&](const geo::EnergyBalance& energy) {
    return outcome(energy, a, out.plant_cost, out.feed_in);
  };
  out.profile = result(out.profile_year.year);
  if (profile == geo::LoadProfile::H0 && !all_sold) {
    out.household_share =
        geo::household_share(a.storage_kwh, input.consumption_kwh, out.profile_year.year.generation);
    out.household = result(geo::household_balance(out.profile_year.year, out.household_share));
  }
  out.yield_error_pct = std::hypot(kClimateErrorPct, orientation_error_pct(input.analysis, a.by_surface));
  const double yield = out.yield_error_pct / 100, use = kSelfUseErrorPct / 100;
  out.low = result(shifted(out.main().energy, 1 - yield, 1 - use));
  out.high = result(shifted(out.main().energy, 1 + yield, 1 + use));
  return out;
}

}  // namespace http
