#include "geo/data/place_frame.hpp"

#include <gtest/gtest.h>
#include <ogr_spatialref.h>

#include <utility>
#include <vector>

#include "geo/data/coordinate_system.hpp"
#include "geo/drawing/scene_system.hpp"
#include "geo/shapes/plane.hpp"

namespace {

TEST(CoordinateSystem, OfAnOldEllipsoidMustSayItsDatum) {
  for (const char* said :
       {"EPSG:25832",
        "EPSG:4647",
        "EPSG:5650",
        "EPSG:31466",
        "EPSG:31467",
        "EPSG:31468",
        "EPSG:31469",
        "EPSG:5678",
        "EPSG:31254",
        "EPSG:31255",
        "EPSG:31256",
        "EPSG:31257",
        "EPSG:31258",
        "EPSG:31259",
        "EPSG:31287",
        "EPSG:3416",
        "EPSG:2056",
        "EPSG:21781",
        "EPSG:3857",
        "EPSG:3035",
        "EPSG:4326",
        "EPSG:4258",
        "EPSG:4314",
        "EPSG:4312",
        "EPSG:4149",
        "EPSG:25832+7837",
        "EPSG:31467+5783",
        "+proj=utm +zone=32 +ellps=GRS80",
        "+proj=tmerc +lon_0=9 +k=1 +x_0=3500000 +datum=potsdam",
        "+proj=tmerc +lon_0=9 +k=1 +x_0=3500000 +ellps=bessel +towgs84=598.1,73.7,418.2,0.2,0.05,-2.46,6.7"})
    EXPECT_TRUE(geo::coordinate_system(said)) << said;
  const auto silent = geo::coordinate_system("+proj=tmerc +lon_0=9 +k=1 +x_0=3500000 +ellps=bessel");
  ASSERT_FALSE(silent);
  EXPECT_NE(silent.error().text.find("datum"), std::string::npos);
}

TEST(PlaceFrame, KnowsTheFiveDegreesOfMeridianConvergenceOfEpsg3035AtVienna) {
  auto frame = geo::PlaceFrame::create("EPSG:3035", {16.3725, 48.2083});
  ASSERT_TRUE(frame);
  // LAEA centred on 10 E, 52 N: about (16.37 - 10) * sin(lat) degrees.
  EXPECT_NEAR(std::abs(frame->grid_north_bearing_deg()), 4.88, 0.1);
  EXPECT_NEAR(frame->area_scale(), 1.0, 1e-4) << "an equal-area projection";
}

TEST(PlaceFrame, TrueNorthIsWhereLatitudeGrows) {
  const geo::LonLat vienna{16.3725, 48.2083};
  auto frame = geo::PlaceFrame::create("EPSG:3035", vienna);
  ASSERT_TRUE(frame);
  const auto d = frame->to_true(frame->to_map({vienna.lon_deg, vienna.lat_deg + 0.001}));
  EXPECT_NEAR(d.x(), 0, 0.01);
  EXPECT_NEAR(d.y(), 111.2, 0.2);
}

TEST(PlaceFrame, GoesThereAndBack) {
  auto frame = geo::PlaceFrame::create("EPSG:25832", {6.93, 51.43});
  ASSERT_TRUE(frame);
  const auto back = frame->to_lonlat(frame->from_true({120, -75}));
  const auto there = frame->to_true(frame->to_map(back));
  EXPECT_NEAR(there.x(), 120, 0.01);
  EXPECT_NEAR(there.y(), -75, 0.01);
}

// A picture is laid into the scene by it, whatever system its file has. The measure is PROJ's azimuthal
// equidistant projection around the place.
TEST(LocalMap, PutsTheSurroundingsWhereTheProjectionPutsThem) {
  const geo::LonLat linz{14.2858, 48.3069}, bern{7.4474, 46.948}, husum{9.0511, 54.4763};
  const std::vector<std::pair<const char*, geo::LonLat>> systems{
      {"EPSG:31287", linz},  {"EPSG:31255", linz}, {"EPSG:3035", linz},
      {"EPSG:2056", bern},   {"EPSG:21781", bern}, {"EPSG:25832", husum},
      {"EPSG:31467", husum}, {"EPSG:4326", husum}, {"EPSG:4258", husum}};
  for (const auto& [crs, place] : systems) {
    const auto map = geo::local_map(crs, place);
    ASSERT_TRUE(map) << crs;
    const auto exact = geo::transformation_between(geo::scene_system(place), crs);
    ASSERT_TRUE(exact) << crs;
    for (const double away_m : {100.0, 500.0})
      for (const geo::Point offset : {geo::Point{away_m, 0}, {0, -away_m}, {-away_m * 0.7, away_m * 0.7}}) {
        geo::Point p = offset;
        ASSERT_TRUE(exact->Transform(1, &p.x, &p.y)) << crs;
        const geo::Point got = map->at(offset);
        const Eigen::Vector2d error_m =
            map->map_per_true.inverse() * Eigen::Vector2d(got.x - p.x, got.y - p.y);
        EXPECT_LT(error_m.norm(), away_m > 100 ? 0.1 : 0.003) << crs << ", " << offset.x << " " << offset.y;
      }
  }
  EXPECT_FALSE(geo::local_map("nonsense", linz));
}

TEST(PlaceFrame, RefusesASystemThatIsNotProjected) {
  EXPECT_FALSE(geo::PlaceFrame::create("EPSG:4326", {10, 48}));
  EXPECT_FALSE(geo::PlaceFrame::create("nonsense", {10, 48}));
}

TEST(Plane, FacesSouthWithAzimuthZeroEastNegativeWestPositive) {
  const Eigen::Matrix2d same = Eigen::Matrix2d::Identity();
  auto azimuth = [&](double gx, double gy) {
    return geo::azimuth_deg(geo::true_gradient({.gx = gx, .gy = gy}, same));
  };
  EXPECT_NEAR(azimuth(0, 1), 0, 1e-9) << "rises to the north, falls to the south";
  EXPECT_NEAR(azimuth(-1, 0), -90, 1e-9) << "falls to the east";
  EXPECT_NEAR(azimuth(1, 0), 90, 1e-9) << "falls to the west";
  EXPECT_NEAR(azimuth(0, -1), 180, 1e-9);
  EXPECT_EQ(azimuth(0.001, 0), 0) << "flat";
}

}  // namespace
