#include "geo/solar/sun.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

TEST(Sun, StandsWhereReferenceAlgorithmOfNrelPutsIt) {
  // Reda & Andreas (2004), "Solar position algorithm for solar radiation applications", NREL/TP-560-34302,
  // appendix A.5: 2003-10-17, 12:30:30 at UTC-7, 39.742476 N, 105.1786 W. Azimuth there from north.
  const double when = geo::julian_day(2003, 10, 17, 19 + 30.5 / 60);
  const geo::SunPosition sun = geo::sun_position({-105.1786, 39.742476}, when);
  RecordProperty("azimuth_off_deg", std::to_string(sun.azimuth_deg - (194.340241 - 180)));
  RecordProperty("elevation_off_deg", std::to_string(sun.elevation_deg - 39.872046));
  EXPECT_NEAR(sun.azimuth_deg, 194.340241 - 180, 0.015);
  EXPECT_NEAR(sun.elevation_deg, 39.872046, 0.015);
  EXPECT_NEAR(sun.distance_au, 0.9965422974, 1e-4);
}

TEST(Sun, HasTheCoordinatesThatMeeusPublished) {
  // Meeus (1998), "Astronomical algorithms", example 25.a: 1992-10-13, 0 h dynamical time (59 s before UTC).
  const geo::SunCoordinates sun = geo::sun_coordinates(geo::julian_day(1992, 10, 13, -59.0 / 3600));
  EXPECT_NEAR(sun.right_ascension_deg, 198.38083, 0.012);
  EXPECT_NEAR(sun.declination_deg, -7.78507, 0.012);
  EXPECT_NEAR(sun.distance_au, 0.99766, 1e-4);
}

TEST(Sun, CrossesTheEquatorAndTurnsWhenTheAlmanacSays) {
  // Published for 2024 (US Naval Observatory): equinox March 20 03:06 UTC, solstice June 20 20:51 UTC.
  EXPECT_NEAR(geo::sun_coordinates(geo::julian_day(2024, 3, 20, 3 + 6 / 60.0)).declination_deg, 0, 0.01);
  EXPECT_NEAR(geo::sun_coordinates(geo::julian_day(2024, 6, 20, 20.85)).right_ascension_deg, 90, 0.015);
}

TEST(Sun, JulianDayOfKnownDates) {
  EXPECT_DOUBLE_EQ(geo::julian_day(2000, 1, 1, 12), 2451545.0);
  EXPECT_DOUBLE_EQ(geo::julian_day(1987, 1, 27, 0), 2446822.5);  // Meeus, chapter 7
  EXPECT_DOUBLE_EQ(geo::julian_day(1988, 6, 19, 12), 2447332.0);
}

TEST(Sun, StandsInTheEastInTheMorningAndInTheWestInTheEvening) {
  const geo::LonLat vienna{16.37, 48.21};
  EXPECT_LT(geo::sun_position(vienna, geo::julian_day(2022, 6, 21, 5)).azimuth_deg, -80);
  EXPECT_NEAR(geo::sun_position(vienna, geo::julian_day(2022, 6, 21, 10.94)).azimuth_deg, 0, 1.5);
  EXPECT_GT(geo::sun_position(vienna, geo::julian_day(2022, 6, 21, 17)).azimuth_deg, 80);
}

TEST(Sun, IsLiftedByTheAirByHalfADegreeAtTheHorizonAndNotOverhead) {
  // NREL/TP-560-34302 gives 0.0163 degrees at 39.87 (at 820 hPa; here 1010), Meeus half a degree at the
  // horizon.
  EXPECT_NEAR(geo::refraction_deg(0), 0.48, 0.02);
  EXPECT_NEAR(geo::refraction_deg(39.872), 0.0163 * 1010 / 820, 0.001);
  EXPECT_NEAR(geo::refraction_deg(90), 0, 0.002);
}

}  // namespace
