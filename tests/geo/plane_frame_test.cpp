#include "geo/shapes/plane_frame.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "geo/data/place_frame.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace {

using geo::Point;
using geo::Polygon;

const Eigen::Matrix2d kTrue = Eigen::Matrix2d::Identity();
const Polygon kRoof{.outer = {{100, 200}, {110, 200}, {110, 206}, {100, 206}}};

void expect_point(Point found, double x, double y) {
  EXPECT_NEAR(found.x, x, 1e-9);
  EXPECT_NEAR(found.y, y, 1e-9);
}

TEST(PlaneFrame, StartsAtTheEavesAndMeasuresAlongTheSlope) {
  // Rises to the north at 45 degrees: seen from the south, u goes east and v up.
  const geo::PlaneFrame frame({.x0 = 105, .y0 = 203, .z0 = 10, .gx = 0, .gy = 1}, kRoof, kTrue);
  expect_point(frame.to_plane(Point{100, 200}), 0, 0);
  expect_point(frame.to_plane(Point{110, 206}), 10, 6 * std::sqrt(2.0));
  EXPECT_NEAR(frame.height_at({0, 6 * std::sqrt(2.0)}), 13, 1e-9);
}

TEST(PlaneFrame, PutsUToTheRightOfOneWhoLooksUpTheSlope) {
  // Rises to the south: the viewer stands in the north, his right hand is in the west.
  const geo::PlaneFrame frame({.x0 = 105, .y0 = 203, .z0 = 10, .gx = 0, .gy = -1}, kRoof, kTrue);
  expect_point(frame.to_plane(Point{110, 206}), 0, 0);
  EXPECT_GT(frame.to_plane(Point{100, 206}).x, 9.9);
}

TEST(PlaneFrame, TurnsAreasIntoInclinedTrueOnes) {
  const double kScale = 0.9996;  // map metres are longer than true ones
  const geo::PlaneFrame frame({.x0 = 0, .y0 = 0, .z0 = 0, .gx = 0.3, .gy = 0.5}, kRoof,
                              Eigen::Matrix2d::Identity() * kScale);
  const double gradient = std::hypot(0.3, 0.5) / kScale;
  const Polygon uv = frame.to_plane(kRoof);
  EXPECT_NEAR(geo::area_m2(uv), 60 * kScale * kScale * std::sqrt(1 + gradient * gradient), 1e-6);
  EXPECT_TRUE(geo::is_valid_shape(uv)) << "still counter-clockwise";
}

TEST(PlaneFrame, ComesBackToTheMapInAGridThatIsTurnedAndStretched) {
  auto place = geo::PlaceFrame::create("EPSG:3035", {16.3725, 48.2083});
  ASSERT_TRUE(place);
  const Point o = place->origin();
  const Polygon roof{.outer = {{o.x, o.y}, {o.x + 9, o.y + 2}, {o.x + 7, o.y + 8}}};
  const geo::Plane plane{.x0 = o.x, .y0 = o.y, .z0 = 180, .gx = -0.4, .gy = 0.2};
  const geo::PlaneFrame frame(plane, roof, place->true_per_map());
  const Polygon back = frame.to_map(frame.to_plane(roof));
  for (std::size_t i = 0; i < roof.outer.size(); ++i)
    expect_point(back.outer[i], roof.outer[i].x, roof.outer[i].y);
  // u is level, v is the fall line, and a metre of v rises by the sine of the tilt.
  EXPECT_NEAR(frame.height_at({5, 1}), frame.height_at({0, 1}), 1e-9);
  const double tilt =
      geo::tilt_deg(geo::true_gradient(plane, place->true_per_map())) * std::numbers::pi / 180;
  EXPECT_NEAR(frame.height_at({0, 1}) - frame.height_at({0, 0}), std::sin(tilt), 1e-9);
}

TEST(PlaneFrame, FollowsTheLongestEdgeOfAFlatRoof) {
  const Polygon turned{.outer = {{0, 0}, {8, 6}, {5, 10}, {-3, 4}}};  // 10 m x 5 m, turned by 36.9 degrees
  const geo::PlaneFrame frame({.gx = 0.002, .gy = 0}, turned, kTrue);
  expect_point(frame.to_plane(Point{0, 0}), 0, 0);
  expect_point(frame.to_plane(Point{8, 6}), 10, 0);
  expect_point(frame.to_plane(Point{5, 10}), 10, 5);
}

}  // namespace
