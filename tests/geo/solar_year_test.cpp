#include "geo/solar/solar_year.hpp"

#include <gtest/gtest.h>

#include "geo/solar/clear_sky.hpp"
#include "geo/solar/shading.hpp"
#include "geo/solar/sky_mix.hpp"
#include "geo/solar/yield.hpp"
#include "tests/geo/simple_shapes.hpp"

namespace {

using test::kRun;

const geo::SolarYear& vienna() {
  static const geo::SolarYear year = geo::solar_year(*geo::climate_at({16.37, 48.21}, 190), kRun);
  return year;
}

TEST(SolarYear, HasTheClimatesIrradiationInEveryMonth) {
  geo::MonthlyValues sums{};
  for (const geo::SolarSample& s : vienna().samples) sums[s.month] += s.mean.global_w_m2 * s.hours / 1000;
  for (int m = 0; m < 12; ++m)
    EXPECT_NEAR(sums[m], vienna().climate.ghi_kwh_m2[m], 0.01) << "month " << m + 1;
}

TEST(SolarYear, HasTheClimatesDiffuseShareInEveryMonth) {
  geo::MonthlyValues beam{};
  for (const geo::SolarSample& s : vienna().samples) {
    for (const geo::SkyState& state : s.states) {
      // On the horizontal the circumsolar part counts as diffuse: what is not dome is sun.
      beam[s.month] += (state.radiation.global_w_m2 - state.radiation.dome_w_m2) * state.hours / 1000;
    }
  }
  for (int m = 0; m < 12; ++m) {
    const double month_beam = vienna().climate.ghi_kwh_m2[m] * (1 - vienna().climate.diffuse_fraction[m]);
    EXPECT_GT(beam[m], month_beam) << "beam and circumsolar light are more than the beam";
    EXPECT_LT(beam[m], 1.6 * month_beam);
  }
}

constexpr std::pair<double, double> kPlanes[] = {{0, 0}, {38, 0}, {30, 90}, {30, -90}, {60, 180}, {90, 0}};

TEST(SolarYear, AgreesWithAllHoursOfTheYearWithinAFifthOfAPercent) {
  const geo::SolarYear every_hour = geo::solar_year(vienna().climate, kRun, geo::kEveryHour);
  EXPECT_NEAR(static_cast<double>(every_hour.samples.size()), 4450, 60) << "the daylight hours of a year";
  for (const auto& [tilt, azimuth] : kPlanes) {
    const geo::SurfaceInput surface{tilt, azimuth, {}};
    EXPECT_NEAR(geo::surface_yield(vienna(), surface, {}, kRun).kwh_per_kwp /
                    geo::surface_yield(every_hour, surface, {}, kRun).kwh_per_kwp,
                1, 0.002)
        << tilt << " degrees, azimuth " << azimuth;
  }
}

TEST(SolarYear, AgreesWithEveryFourthMinuteOfTheYearBehindARaggedHorizon) {
  // Under such a horizon whole hours are off by half a percent: the sun moves 15 degrees in an hour.
  const geo::SolarYear fine = geo::solar_year(vienna().climate, kRun, {.days_per_month = 0, .minutes = 4});
  geo::HorizonLine ragged;
  for (int i = 0; i < geo::kHorizonSectors; ++i) ragged.elevation_deg[i] = i % 60 < 30 ? 12 : 4;
  for (const auto& [tilt, azimuth] : kPlanes) {
    const geo::SurfaceInput surface{tilt, azimuth, {ragged}};
    EXPECT_NEAR(geo::surface_yield(vienna(), surface, {}, kRun).kwh_per_kwp /
                    geo::surface_yield(fine, surface, {}, kRun).kwh_per_kwp,
                1, 0.001)
        << tilt << " degrees, azimuth " << azimuth;
  }
}

TEST(SkyMix, HasTheSumsThatItWasGiven) {
  const geo::SkyStateValues beam = geo::beam_shares(40);
  const auto p = geo::sky_mix(0.6, 0.33, beam);
  double total = 0, index = 0, direct = 0;
  for (std::size_t j = 0; j < geo::kSkyStates; ++j) {
    EXPECT_GT(p[j], 0);
    total += p[j];
    index += p[j] * geo::kClearSkyIndex[j];
    direct += p[j] * beam[j];
  }
  EXPECT_NEAR(total, 1, 1e-9);
  EXPECT_NEAR(index, 0.6, 1e-6);
  EXPECT_NEAR(direct, 0.33, 1e-6);
}

TEST(SkyMix, MovesImpossibleSumsToPossibleOnes) {
  const geo::SkyStateValues beam = geo::beam_shares(40);
  for (const auto& [index, direct] : {std::pair{2.0, 0.1}, {0.0, 1.0}, {0.5, 0.99}, {0.9, 0.0}}) {
    const auto p = geo::sky_mix(index, direct, beam);
    double total = 0;
    for (double share : p) {
      EXPECT_TRUE(share >= 0 && share <= 1);
      total += share;
    }
    EXPECT_NEAR(total, 1, 1e-9);
  }
}

TEST(ClearSky, IsBrighterHighUpAndDimmerWhenTurbid) {
  const auto plain = geo::clear_sky(60, 1, 200, 3), summit = geo::clear_sky(60, 1, 2500, 3);
  const auto haze = geo::clear_sky(60, 1, 200, 5);
  EXPECT_GT(summit.beam_normal_w_m2, plain.beam_normal_w_m2);
  EXPECT_LT(haze.beam_normal_w_m2, plain.beam_normal_w_m2);
  EXPECT_GT(haze.diffuse_w_m2, plain.diffuse_w_m2);
  // By the turbidity's definition a factor of 1 is the air alone: its Rayleigh thickness at air mass 1 is
  // 0.105 (0.8662 times Kasten's 0.121), so it lets 90 % through.
  EXPECT_NEAR(geo::clear_sky(90, 1, 0, 1).beam_normal_w_m2 / geo::kSolarConstant_w_m2, std::exp(-0.105),
              0.002);
}

TEST(Transposition, GivesAHorizontalPlaneItsGlobalIrradiance) {
  const geo::SkyRadiation sky = geo::PerezSky(40, 1361, 1.55)(600, 150);
  const double sun = sky.sun_normal_w_m2 * geo::sun_vector(40, 20).dot(geo::plane_normal(0, 0));
  EXPECT_NEAR(sun + sky.dome_w_m2, sky.global_w_m2, 1e-9);
}

TEST(Transposition, TreatsAnOvercastSkyAlmostAsADome) {
  const geo::SkyRadiation sky = geo::PerezSky(40, 1361, 1.55)(0, 100);
  EXPECT_NEAR(sky.dome_w_m2, 100, 5);
  EXPECT_NEAR(sky.band_w_m2, 0, 12);
}

TEST(Transposition, LosesLittleLightAtTheGlassUntilItGrazes) {
  // Martin & Ruiz (2001), a_r = 0.16: losses of 0.2 % at 30, 4 % at 60 and 18-20 % at 75 degrees.
  EXPECT_GT(geo::entering_beam(std::cos(30 * 0.0174533)), 0.99);
  EXPECT_NEAR(geo::entering_beam(0.5), 0.957, 0.01);
  EXPECT_NEAR(geo::entering_beam(std::cos(75 * 0.0174533)), 0.80, 0.02);
  EXPECT_EQ(geo::entering_beam(-0.1), 0);
  EXPECT_NEAR(geo::entering_sky_diffuse(30), 0.95, 0.02);
}

}  // namespace
