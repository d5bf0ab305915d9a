#include "geo/data/place_frame.hpp"

#include <gtest/gtest.h>

#include "geo/shapes/plane.hpp"

namespace {

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
