// Lower slopes two cells wide, one of them cut by the eave.
#include "geo/roof/mansards.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/geo/roof_test_scene.hpp"
#include "tests/geo/simple_shapes.hpp"

namespace {

using test::kGround_m;
constexpr double kLower_m = 1.7;  // from the eave to where the roof bends
const double kUpper = std::tan(25 * std::numbers::pi / 180), kLower = std::tan(58 * std::numbers::pi / 180);

/// A house of 16 m, its ridge `askew` to the grid in radians: `profile` gives the height above the eave at a
/// distance inside it.
test::HeightOf house(double half_m, double askew, const std::function<double(double)>& profile) {
  return [=](geo::Point p) {
    p = {p.x - 20, p.y - 20};
    const geo::Point q{p.x * std::cos(askew) + p.y * std::sin(askew),
                       p.y * std::cos(askew) - p.x * std::sin(askew)};
    const double inside = half_m - std::abs(q.y);
    return std::abs(q.x) < 8 && inside >= 0 ? kGround_m + 3.5 + profile(inside) : kGround_m;
  };
}

test::HeightOf mansard(double half_m, double askew) {
  return house(half_m, askew, [](double inside) {
    return kLower * std::min(inside, kLower_m) + kUpper * std::max(0.0, inside - kLower_m);
  });
}

/// Heights as most surveys give them: of one return, wherever in its cell that lies.
void take_single_returns(const test::HeightOf& surface, test::RoofScene& scene) {
  geo::Grid<float>& dsm = scene.dsm;
  for (int row = 0; row < dsm.height; ++row)
    for (int col = 0; col < dsm.width; ++col) {
      const std::uint64_t key = 3 * dsm.index(col, row) + 7919;
      const double x = col + 0.5 + 0.7 * (test::hash01(key) - 0.5);
      const double y = dsm.height - row - 0.5 + 0.7 * (test::hash01(key + 1) - 0.5);
      dsm.at(col, row) = static_cast<float>(surface({x, y}) + 0.1 * (test::hash01(key + 2) - 0.5));
    }
}

geo::RoofSegmentation mansard_segments_of(const test::HeightOf& surface) {
  geo::Building building{test::rectangle(10, 10, 30, 30)};
  building.from_footprints = false;
  test::RoofScene scene = test::scene(surface, {building});
  take_single_returns(surface, scene);
  const geo::RunControl control;
  const geo::RoofSite site = geo::make_roof_site(scene.dsm, scene.terrain, scene.buildings, 0, {}, control);
  geo::RoofSegmentation roof = geo::segment_roof(site, control);
  geo::fit_mansards(site, roof, control);
  return roof;
}

/// How many of the four slopes, two on each side, were found with a normal within eight degrees of the true
/// one.
int slopes_found(const geo::RoofSegmentation& roof, double askew) {
  int found = 0;
  for (const double slope : {kUpper, -kUpper, kLower, -kLower})
    found += std::any_of(roof.segments.begin(), roof.segments.end(), [&](const geo::RoofSegment& s) {
      const double gx = -slope * std::sin(askew), gy = slope * std::cos(askew);
      const geo::Plane& p = s.fit.plane;
      const double cosine =
          (1 + p.gx * gx + p.gy * gy) / std::sqrt((1 + gx * gx + gy * gy) * (1 + p.gx * p.gx + p.gy * p.gy));
      return s.cells.size() >= 8 && cosine > std::cos(8 * std::numbers::pi / 180);
    });
  return found;
}

TEST(RoofMansards, HaveTwoLowerSlopesHoweverTheyLieToTheGrid) {
  int found = 0;
  for (const double half_m : {4.8, 5.0, 5.2})
    for (const double askew : {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7})
      found += slopes_found(mansard_segments_of(mansard(half_m, askew)), askew);
  EXPECT_GE(found, 93) << "of 96";
}

}  // namespace
