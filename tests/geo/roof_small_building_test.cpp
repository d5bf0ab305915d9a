// The gable or the one plane that is fitted to a small building as a whole: when it takes the place of the
// planes that were found, and how near it comes.
#include "geo/roof/small_building.hpp"

#include <gtest/gtest.h>

#include "geo/roof/regularisation.hpp"
#include "tests/geo/roof_test_scene.hpp"

namespace {

using geo::Point;

struct Fitted {
  geo::RoofSegmentation roof;
  bool whole;  ///< a gable or one plane took the place of what was found
};

Fitted fitted(const test::RoofScene& scene) {
  const geo::RunControl control;
  const auto site = geo::make_roof_site(scene.dsm, scene.terrain, scene.buildings, 0, scene.options, control);
  Fitted out{geo::segment_roof(site, control), false};
  out.whole = geo::fit_small_building(site, out.roof, control);
  return out;
}

/// A gable roof that reaches 0.3 m beyond walls of 6 m by 3.4 m. Its ridge runs along x, `off_m` off the
/// middle; `shift` moves the whole against the grid.
test::HeightOf gable(double slope, double off_m = 0, double shift = 0) {
  return [=](Point p) {
    const double x = p.x - 20 - shift, y = p.y - 20 - shift;
    return std::abs(x) < 3.3 && std::abs(y) < 2 ? 103.2 - slope * std::abs(y - off_m) : 100.0;
  };
}
geo::Polygon walls(double shift = 0) {
  return test::rectangle(17 + shift, 18.3 + shift, 23 + shift, 21.7 + shift);
}

double slope(const geo::RoofSegment& s) { return std::hypot(s.fit.plane.gx, s.fit.plane.gy); }

TEST(SmallGable, FindsTheSlopeWhereverTheGridLies) {
  for (const double shift : {0.0, 0.25, 0.5, 0.75})
    for (const double steep : {0.4, 0.6, 0.9}) {
      const Fitted f = fitted(test::scene(gable(steep, 0, shift), {{walls(shift)}}));
      ASSERT_EQ(f.roof.segments.size(), 2u) << steep << " shifted by " << shift;
      for (const geo::RoofSegment& s : f.roof.segments)
        EXPECT_NEAR(slope(s), steep, 0.1) << "shift " << shift;
      if (f.whole) {
        EXPECT_NEAR(f.roof.segments[0].fit.plane.gy, -f.roof.segments[1].fit.plane.gy, 1e-12)
            << "even halves";
      }
    }
}

TEST(SmallGable, FindsARidgeThatIsOffTheMiddle) {
  const Fitted f = fitted(test::scene(gable(0.7, 0.4), {{walls()}}));
  ASSERT_EQ(f.roof.segments.size(), 2u);
  const geo::Plane &a = f.roof.segments[0].fit.plane, &b = f.roof.segments[1].fit.plane;
  // Local metres; the ridge is where both halves are equally high.
  const double x = a.x0;
  double ridge = 0, least = 1e9;
  for (double y = a.y0 - 2; y < a.y0 + 2; y += 0.01)
    if (const double apart = std::abs(a.height_at({x, y}) - b.height_at({x, y})); apart < least)
      least = apart, ridge = y;
  const auto site = test::scene(gable(0.7, 0.4), {{walls()}});
  const auto local = geo::make_roof_site(site.dsm, site.terrain, site.buildings, 0, {}, geo::RunControl{});
  EXPECT_NEAR(ridge + local.offset.y, test::on_map(site, {0, 20.4}).y, 0.2);
}

TEST(SmallGable, LeavesAFlatRoofAndALeaningOneAlone) {
  for (const double leaning : {0.0, 0.15, 0.3}) {
    auto roof = [leaning](Point p) {
      return std::abs(p.x - 20) < 3.3 && std::abs(p.y - 20) < 2 ? 102.6 + leaning * (p.y - 20) : 100.0;
    };
    EXPECT_FALSE(fitted(test::scene(roof, {{walls()}})).whole) << "leaning " << leaning;
  }
}

TEST(SmallGable, IsNotSoughtOnALargeHouseNorWithoutAFootprint) {
  auto house = [](Point p) {
    return std::abs(p.x - 20) < 6 && std::abs(p.y - 20) < 5 ? 108 - 0.7 * std::abs(p.y - 20) : 100.0;
  };
  EXPECT_FALSE(fitted(test::scene(house, {{test::rectangle(14, 15, 26, 25)}})).whole);
  EXPECT_FALSE(fitted(test::scene(gable(0.6), {{walls(), false}})).whole);
}

TEST(SmallGable, StatesASlopeErrorThatTheTrueErrorStaysWithin) {
  int within = 0, all = 0;
  for (const double shift : {0.0, 0.13, 0.29, 0.41, 0.57, 0.68, 0.83, 0.94})
    for (const double steep : {0.45, 0.65, 0.85}) {
      const Fitted f = fitted(test::scene(gable(steep, 0, shift), {{walls(shift)}}));
      if (!f.whole) continue;
      const geo::RoofSegment& s = f.roof.segments[0];
      const Eigen::Vector2d up(0, s.fit.plane.gy > 0 ? 1 : -1);
      const double stated = std::sqrt(up.dot(geo::gradient_covariance(s, f.roof.noise) * up));
      within += std::abs(slope(s) - steep) < 2 * stated;
      ++all;
    }
  EXPECT_GE(all, 12) << "elsewhere the planes that were found are as good";
  EXPECT_GE(within, 0.85 * all) << "twice the stated error holds 95 of 100 normal ones";
}

/// What the cells of a narrow building show where each is the mean of its returns.
Fitted fitted_to_means(const test::HeightOf& surface, std::vector<geo::Building> buildings) {
  test::RoofScene scene = test::scene(surface, std::move(buildings));
  scene.options.cells = geo::CellKind::mean;
  return fitted(scene);
}

TEST(NarrowBuilding, BesideAHouseIsAsLevelAsItIsBuilt) {
  int found = 0, whole = 0;
  for (const double shift : {0.0, 0.2, 0.4, 0.6, 0.8}) {
    const double wall = 20 + shift;
    auto roofs = [wall](Point p) {
      if (p.x < 15 || p.x > 22) return 100.0;
      if (p.y > wall && p.y < wall + 8) return 107.0;
      return p.y > wall - 2.1 && p.y < wall ? 103.0 : 100.0;
    };
    const Fitted f = fitted_to_means(
        roofs, {{test::rectangle(15, wall - 2.1, 22, wall)}, {test::rectangle(15, wall, 22, wall + 8)}});
    for (const geo::RoofSegment& s : f.roof.segments) EXPECT_LT(slope(s), 0.25) << "shift " << shift;
    found += f.roof.segments.size() == 1;
    whole += f.whole;
  }
  EXPECT_GE(found, 4);
  EXPECT_GE(whole, 2) << "elsewhere the plane that was found is level";
}

TEST(NarrowBuilding, KeepsItsTwoLevelsAndItsSteepSlope) {
  for (const double shift : {0.0, 0.25, 0.5, 0.75}) {
    const auto on = [shift](Point p) {
      return std::abs(p.x - 20 - shift) < 3.2 && std::abs(p.y - 20 - shift) < 1.9;
    };
    auto levels = [&](Point p) { return on(p) ? p.x < 20 + shift ? 103.0 : 104.2 : 100.0; };
    EXPECT_EQ(fitted_to_means(levels, {{walls(shift)}}).roof.segments.size(), 2u) << "shift " << shift;
    auto steep = [&](Point p) { return on(p) ? 103.2 + 0.8 * (p.y - 20 - shift) : 100.0; };
    const Fitted f = fitted_to_means(steep, {{walls(shift)}});
    ASSERT_FALSE(f.roof.segments.empty());
    EXPECT_GT(slope(f.roof.segments[0]), 0.6) << "shift " << shift;
  }
}

}  // namespace
