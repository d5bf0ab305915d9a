#include "geo/solar/climate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "geo/solar/climate_table.hpp"
#include "tests/shared_data.hpp"

namespace {

double year(const geo::MonthlyValues& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

bool black_forest(double lat, double lon) { return lat > 47.5 && lon < 9; }

/// Does a row of points.csv follow the rule that the design decided? (Lowland factors inside the Alps below
/// 600 m and the Bavarian Alps, which the table reckons as lowland, do not.)
bool follows_the_rule(const test::Row& row) {
  const double lat = row.number("lat"), elevation = row.number("elev_m");
  const bool alpine = elevation >= 600 && lat < 47.9 && !black_forest(lat, row.number("lon"));
  const std::string& kind = row.text("kind");
  if (kind == "cmsaf_alp") return alpine;
  return kind.starts_with("cmsaf") && !alpine;
}

TEST(Climate, CarriesEveryValueOfThePublishedGrid) {
  const auto rows = test::shared_table("climate/ghi_grid.csv");
  if (rows.empty()) GTEST_SKIP() << "the reference climate tables are not beside the project";
  ASSERT_EQ(rows.size(), std::size_t{geo::climate_table::kRows} * geo::climate_table::kColumns);
  for (const test::Row& row : rows) {
    const int i = static_cast<int>(std::lround((row.number("lat") - 45.6) / 0.2));
    const int j = static_cast<int>(std::lround((row.number("lon") - 5.8) / 0.2));
    for (int month = 0; month < 12; ++month)
      ASSERT_NEAR(geo::climate_table::ghi_kwh_m2(i, j, month), row.number("ghi_" + std::to_string(month + 1)),
                  1e-9)
          << row.text("lat") << ' ' << row.text("lon");
  }
}

TEST(Climate, AgreesWithTheNamedPlacesThatFollowTheSameRule) {
  const auto rows = test::shared_table("climate/points.csv");
  if (rows.empty()) GTEST_SKIP() << "the reference climate tables are not beside the project";
  int places = 0;
  for (const test::Row& row : rows) {
    if (!follows_the_rule(row)) continue;
    ++places;
    const auto climate = geo::climate_at({row.number("lon"), row.number("lat")}, row.number("elev_m"));
    ASSERT_TRUE(climate);
    for (int m = 0; m < 12; ++m) {
      const std::string month = std::to_string(m + 1);
      ASSERT_NEAR(climate->ghi_kwh_m2[m], row.number("ghi_" + month), 0.15)
          << row.text("name") << " month " << month;
      ASSERT_NEAR(climate->ghi_kwh_m2[m] * climate->diffuse_fraction[m], row.number("dhi_" + month), 3)
          << row.text("name") << " month " << month;
    }
  }
  EXPECT_GT(places, 100);
}

TEST(Climate, KnowsTheAirTemperatureOfTheNamedPlacesWithinHalfAKelvin) {
  const auto rows = test::shared_table("climate/points.csv");
  if (rows.empty()) GTEST_SKIP() << "the reference climate tables are not beside the project";
  double squares = 0, worst = 0;
  for (const test::Row& row : rows) {
    const auto climate = geo::climate_at({row.number("lon"), row.number("lat")}, row.number("elev_m"));
    ASSERT_TRUE(climate);
    for (int m = 0; m < 12; ++m) {
      const double error = climate->air_temperature_c[m] - row.number("t2m_" + std::to_string(m + 1));
      squares += error * error / 12 / static_cast<double>(rows.size());
      worst = std::max(worst, std::abs(error));
    }
  }
  EXPECT_LT(std::sqrt(squares), 0.55);
  EXPECT_LT(worst, 2.7);
}

// The same figures (points.csv) without the tables beside the project.
TEST(Climate, KnowsViennaObergurglAndPotsdam) {
  const auto vienna = geo::climate_at({16.3564, 48.2486}, 198);
  ASSERT_TRUE(vienna);
  EXPECT_EQ(vienna->region, geo::ClimateRegion::lowland);
  EXPECT_NEAR(year(vienna->ghi_kwh_m2), 1203.2, 1) << "east of 16 E the last column holds";
  EXPECT_NEAR(vienna->ghi_kwh_m2[6], 182.0, 0.11);
  EXPECT_NEAR(vienna->air_temperature_c[6], 21.0, 1);

  const auto obergurgl = geo::climate_at({11.0244, 46.8667}, 1938);
  ASSERT_TRUE(obergurgl);
  EXPECT_EQ(obergurgl->region, geo::ClimateRegion::alpine);
  EXPECT_NEAR(year(obergurgl->ghi_kwh_m2), 1550, 2);
  EXPECT_LT(obergurgl->linke_turbidity[6], vienna->linke_turbidity[6]);

  // Measured: 1087.9 kWh/m2 of which 49 % diffuse.
  const auto potsdam = geo::climate_at({13.067, 52.383}, 81);
  ASSERT_TRUE(potsdam);
  EXPECT_NEAR(year(potsdam->ghi_kwh_m2) / 1087.9, 1, 0.03);
  double diffuse = 0;
  for (int m = 0; m < 12; ++m) diffuse += potsdam->ghi_kwh_m2[m] * potsdam->diffuse_fraction[m];
  EXPECT_NEAR(diffuse / year(potsdam->ghi_kwh_m2), 0.49, 0.025);
}

TEST(Climate, HoldsTheNearestNodeBeyondTheGridAndRefusesWhatLiesFarAway) {
  const auto edge = geo::climate_at({16.0, 47.9}, 200), east = geo::climate_at({17.1, 47.9}, 200);
  ASSERT_TRUE(edge && east);
  for (int m = 0; m < 12; ++m) EXPECT_NEAR(edge->ghi_kwh_m2[m], east->ghi_kwh_m2[m], 1e-9);
  EXPECT_FALSE(geo::climate_at({25, 47.9}, 200));
  EXPECT_FALSE(geo::climate_at({16, 40}, 200));
  EXPECT_FALSE(geo::climate_at({std::nan(""), 48}, 200));
}

TEST(Climate, BelongsToTheAlpsFrom600MetresOnButNotInTheBlackForest) {
  EXPECT_EQ(geo::climate_at({11.4, 47.26}, 599)->region, geo::ClimateRegion::lowland);
  EXPECT_EQ(geo::climate_at({11.4, 47.26}, 600)->region, geo::ClimateRegion::alpine);
  EXPECT_EQ(geo::climate_at({8.0, 47.87}, 1486)->region, geo::ClimateRegion::lowland);
  EXPECT_EQ(geo::climate_at({12.95, 50.43}, 1200)->region, geo::ClimateRegion::lowland);
}

TEST(Climate, TakesTheIrradiationOfADataSetInsteadOfItsOwn) {
  const geo::MonthlyValues given{30, 50, 90, 130, 150, 170, 175, 150, 105, 65, 33, 24};
  const auto climate = geo::climate_at({11.4, 48.1}, 500, given);
  ASSERT_TRUE(climate);
  EXPECT_EQ(climate->ghi_kwh_m2, given);
  EXPECT_FALSE(climate->built_in_irradiation);
  geo::MonthlyValues broken = given;
  broken[3] = std::nan("");
  EXPECT_FALSE(geo::climate_at({11.4, 48.1}, 500, broken));
}

TEST(Climate, KnowsTheIrradiationAboveTheAir) {
  // Duffie & Beckman (2013), table 1.10.1: monthly average daily, 50 N: 8.7 MJ/m2 in January, 40.7 in July
  // (and a solar constant of 1367).
  EXPECT_NEAR(geo::extraterrestrial_kwh_m2(50, 0) * 3.6 / 31, 9.0, 0.4);
  EXPECT_NEAR(geo::extraterrestrial_kwh_m2(50, 6) * 3.6 / 31, 40.6, 0.8);
}

}  // namespace
