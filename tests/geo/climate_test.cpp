#include "geo/solar/climate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "geo/solar/alps.hpp"
#include "geo/solar/climate_table.hpp"
#include "tests/shared_data.hpp"

namespace {

double year(const geo::MonthlyValues& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

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

/// A row of points.csv.
struct NamedPlace {
  geo::LonLat at;
  double altitude_m;
  explicit NamedPlace(const test::Row& row)
      : at{row.number("lon"), row.number("lat")}, altitude_m(row.number("elev_m")) {}
  double alpine_share() const { return geo::alpine_share(at, altitude_m); }
};

TEST(Climate, AgreesWithTheNamedPlacesOutsideTheAlps) {
  const auto rows = test::shared_table("climate/points.csv");
  if (rows.empty()) GTEST_SKIP() << "the reference climate tables are not beside the project";
  int places = 0;
  for (const test::Row& row : rows) {
    const NamedPlace place(row);
    if (!row.text("kind").starts_with("cmsaf") || place.alpine_share() > 0) continue;
    EXPECT_NE(row.text("kind"), "cmsaf_alp") << row.text("name");
    ++places;
    const auto climate = geo::climate_at(place.at, place.altitude_m);
    ASSERT_TRUE(climate);
    for (int m = 0; m < 12; ++m) {
      const std::string month = std::to_string(m + 1);
      ASSERT_NEAR(climate->ghi_kwh_m2[m], row.number("ghi_" + month), 0.15)
          << row.text("name") << " month " << month;
      ASSERT_NEAR(climate->ghi_kwh_m2[m] * climate->diffuse_fraction[m], row.number("dhi_" + month), 3)
          << row.text("name") << " month " << month;
    }
  }
  EXPECT_GT(places, 90);
}

// The table has steps at the bands' borders, so places near them differ.
TEST(Climate, AgreesWithTheNamedPlacesOfTheAlpsAndTheirValleysWithinTheBandsSteps) {
  const auto rows = test::shared_table("climate/points.csv");
  if (rows.empty()) GTEST_SKIP() << "the reference climate tables are not beside the project";
  double squares = 0;
  int places = 0;
  for (const test::Row& row : rows) {
    if (row.text("kind") != "cmsaf_alp") continue;
    const NamedPlace place(row);
    EXPECT_EQ(place.alpine_share(), 1) << row.text("name");
    const auto climate = geo::climate_at(place.at, place.altitude_m);
    ASSERT_TRUE(climate);
    double expected = 0;
    for (int m = 1; m <= 12; ++m) expected += row.number("ghi_" + std::to_string(m));
    const double error = year(climate->ghi_kwh_m2) / expected - 1;
    EXPECT_LT(std::abs(error), 0.045) << row.text("name");
    squares += error * error, ++places;
  }
  EXPECT_GT(places, 20);
  EXPECT_LT(std::sqrt(squares / places), 0.015);
}

TEST(Climate, JumpsNowhere) {
  const auto at = [](double lon, double lat, double altitude_m) {
    return year(geo::climate_at({lon, lat}, altitude_m)->ghi_kwh_m2);
  };
  double largest_by_place = 0, largest_by_altitude = 0;
  for (double lat = 45.7; lat < 49; lat += 0.0737)
    for (double lon = 5.9; lon < 16; lon += 0.2111)
      for (const double altitude_m : {300.0, 599.9, 899.9, 1199.9, 1499.9, 2200.0}) {
        const double here = at(lon, lat, altitude_m);
        largest_by_place = std::max({largest_by_place, std::abs(at(lon + 0.001, lat, altitude_m) / here - 1),
                                     std::abs(at(lon, lat + 0.001, altitude_m) / here - 1)});
        largest_by_altitude =
            std::max(largest_by_altitude, std::abs(at(lon, lat, altitude_m + 1) / here - 1));
      }
  EXPECT_LT(largest_by_place, 0.004) << "within a hundred metres";
  EXPECT_LT(largest_by_altitude, 0.002) << "within a metre of height";
  EXPECT_NEAR(at(9.83, 46.8001, 1560) / at(9.83, 46.7999, 1560), 1, 1e-4) << "Davos, at a cell's border";
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
  EXPECT_NEAR(year(vienna->ghi_kwh_m2), 1203.2, 1) << "east of 16 E the last column holds";
  EXPECT_NEAR(vienna->ghi_kwh_m2[6], 182.0, 0.11);
  EXPECT_NEAR(vienna->air_temperature_c[6], 21.0, 1);

  const auto obergurgl = geo::climate_at({11.0244, 46.8667}, 1938);
  ASSERT_TRUE(obergurgl);
  EXPECT_NEAR(year(obergurgl->ghi_kwh_m2) / 1550, 1, 0.01);
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

TEST(Alps, HaveValleysAndOtherHeightsSouthOfThemButNotTheBlackForest) {
  const auto share = [](double lon, double lat, double altitude_m) {
    return geo::alpine_share({lon, lat}, altitude_m);
  };
  EXPECT_EQ(share(11.344, 47.260, 578), 1) << "Innsbruck";
  EXPECT_EQ(share(7.33, 46.219, 482), 1) << "Sion";
  EXPECT_EQ(share(9.53, 46.85, 593), 1) << "Chur";
  EXPECT_EQ(share(13.003, 47.794, 430), 0) << "Salzburg";
  EXPECT_EQ(share(14.317, 46.633, 450), 0) << "Klagenfurt";
  EXPECT_EQ(share(8.55, 47.37, 410), 0) << "Zürich";
  EXPECT_EQ(share(6.83, 47.10, 1000), 1) << "La Chaux-de-Fonds";
  EXPECT_NEAR(share(8.55, 47.37, 600), 0.5, 1e-9);
  EXPECT_EQ(share(8.0, 47.87, 1486), 0) << "Feldberg";
  EXPECT_EQ(share(12.95, 50.43, 1200), 0) << "Fichtelberg";
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
