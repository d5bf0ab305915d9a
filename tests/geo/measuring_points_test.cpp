#include "geo/solar/measuring_points.hpp"

#include <gtest/gtest.h>

#include "geo/shapes/boost_shapes.hpp"

namespace {

const geo::PlaceFrame& frame() {
  static const geo::PlaceFrame value = *geo::PlaceFrame::create("EPSG:25832", {9, 48});
  return value;
}

/// Falls to the south.
const geo::Plane kSouth{.x0 = 0, .y0 = 0, .z0 = 100, .gx = 0, .gy = 0.7};

geo::Point named(const std::vector<geo::MeasuringPoint>& points, std::string_view name) {
  for (const geo::MeasuringPoint& p : points)
    if (p.name == name) return p.map;
  ADD_FAILURE() << "no point " << name;
  return {};
}

/// At the frame's place, where grid and true north agree.
geo::Polygon shape(geo::Ring ring) {
  for (geo::Point& p : ring) p = {p.x + frame().origin().x, p.y + frame().origin().y};
  return {.outer = ring, .holes = {}};
}

geo::Point local(geo::Point p) { return {p.x - frame().origin().x, p.y - frame().origin().y}; }

void expect_on_surface(const std::vector<geo::MeasuringPoint>& points, const geo::Polygon& outline) {
  ASSERT_EQ(points.size(), 5u);
  const char* order[] = {"traufe_links", "traufe_rechts", "first_rechts", "first_links", "mitte"};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(points[i].name, order[i]);
    EXPECT_TRUE(boost::geometry::within(points[i].map, geo::to_boost(outline))) << order[i];
    EXPECT_DOUBLE_EQ(points[i].height_m, kSouth.height_at(points[i].map));
  }
}

TEST(MeasuringPoints, LieInTheCornersOfARectangleAsSeenFromBelow) {
  const auto outline = shape({{0, 0}, {10, 0}, {10, 6}, {0, 6}});
  const auto points = geo::measuring_points(outline, {}, kSouth, frame());
  expect_on_surface(points, outline);
  // Looking up a south-facing slope is looking north: left is west.
  EXPECT_NEAR(local(named(points, "traufe_links")).x, 0.5, 1e-6);
  EXPECT_NEAR(local(named(points, "traufe_links")).y, 0.5, 1e-6);
  EXPECT_NEAR(local(named(points, "traufe_rechts")).x, 9.5, 1e-6);
  EXPECT_NEAR(local(named(points, "first_rechts")).y, 5.5, 1e-6);
  EXPECT_NEAR(local(named(points, "first_links")).x, 0.5, 1e-6);
  EXPECT_NEAR(local(named(points, "mitte")).x, 5, 1e-6);
  EXPECT_NEAR(local(named(points, "mitte")).y, 3, 1e-6);
}

TEST(MeasuringPoints, TurnWithTheSlope) {
  const auto outline = shape({{0, 0}, {10, 0}, {10, 6}, {0, 6}});
  const geo::Plane east{.z0 = 100, .gx = -0.7};  // falls to the east; looking up is west, left is south
  const auto points = geo::measuring_points(outline, {}, east, frame());
  EXPECT_NEAR(local(named(points, "traufe_links")).x, 9.5, 1e-6);
  EXPECT_NEAR(local(named(points, "traufe_links")).y, 0.5, 1e-6);
  EXPECT_NEAR(local(named(points, "first_rechts")).x, 0.5, 1e-6);
  EXPECT_NEAR(local(named(points, "first_rechts")).y, 5.5, 1e-6);
}

TEST(MeasuringPoints, MeetAtTheApexOfAHip) {
  for (double apex : {5.0, 1.0, 9.5}) {
    const auto outline = shape({{0, 0}, {10, 0}, {apex, 6}});
    const auto points = geo::measuring_points(outline, {}, kSouth, frame());
    expect_on_surface(points, outline);
    EXPECT_GT(local(named(points, "first_links")).y, 4) << "apex at " << apex;
    EXPECT_GT(local(named(points, "first_rechts")).y, 4) << "apex at " << apex;
    EXPECT_LT(local(named(points, "traufe_links")).x, local(named(points, "traufe_rechts")).x);
  }
}

TEST(MeasuringPoints, LieOnAnLAndOnAFrameAroundAHole) {
  const auto l = shape({{0, 0}, {12, 0}, {12, 2}, {2, 2}, {2, 12}, {0, 12}});
  expect_on_surface(geo::measuring_points(l, {}, kSouth, frame()), l);
  auto ring = shape({{0, 0}, {12, 0}, {12, 12}, {0, 12}});
  ring.holes.push_back(shape({{2, 2}, {2, 10}, {10, 10}, {10, 2}}).outer);
  expect_on_surface(geo::measuring_points(ring, {}, kSouth, frame()), ring);
}

TEST(MeasuringPoints, LieOnASurfaceNarrowerThanTheInset) {
  const auto strip = shape({{0, 0}, {10, 0}, {10, 0.4}, {0, 0.4}});
  expect_on_surface(geo::measuring_points(strip, {}, kSouth, frame()), strip);
}

TEST(MeasuringPoints, KeepOffTheObstacles) {
  const auto outline = shape({{0, 0}, {10, 0}, {10, 6}, {0, 6}});
  const auto dormer = shape({{4, 2}, {6, 2}, {6, 4}, {4, 4}});
  const auto points = geo::measuring_points(outline, {dormer}, kSouth, frame());
  expect_on_surface(points, outline);
  EXPECT_FALSE(boost::geometry::within(named(points, "mitte"), geo::to_boost(dormer)));
}

TEST(MeasuringPoints, LookNorthOnAFlatRoof) {
  const auto outline = shape({{0, 0}, {10, 0}, {10, 6}, {0, 6}});
  const auto points = geo::measuring_points(outline, {}, {.z0 = 100}, frame());
  EXPECT_LT(local(named(points, "traufe_links")).x, 1);
  EXPECT_LT(local(named(points, "traufe_links")).y, 1);
  EXPECT_GT(local(named(points, "first_rechts")).y, 5);
}

TEST(MeasuringPoints, AreMissingOnAnOutlineWithoutArea) {
  EXPECT_TRUE(geo::measuring_points(shape({{0, 0}, {std::nan(""), 0}, {5, 5}}), {}, kSouth, frame()).empty());
  EXPECT_TRUE(geo::measuring_points({}, {}, kSouth, frame()).empty());
  EXPECT_TRUE(geo::measuring_points(shape({{0, 0}, {5, 5}, {10, 10}}), {}, kSouth, frame()).empty());
  // Coordinates that no map has: the library may throw, we do not.
  EXPECT_NO_THROW(geo::measuring_points(shape({{0, 0}, {1e200, 0}, {1e200, 1e200}}), {}, kSouth, frame()));
}

}  // namespace
