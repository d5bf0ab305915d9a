// Footprints of the sample region as a cadastre would have measured them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geo/sample_region/cadastral_survey.hpp"
#include "geo/shapes/plane_geometry.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace {

using geo::sample::Settlement;

Settlement settlement() {
  const auto* names = geo::sample::place_names_for("EPSG:25832");
  return geo::sample::build_settlement(7, 40, *names, geo::sample::Terrain(7, names->base_m));
}

TEST(SampleSurvey, WithoutErrorFootprintsAreTheWalls) {
  const Settlement place = settlement();
  const auto walls = geo::sample::surveyed_walls(place, 7, {});
  ASSERT_EQ(walls.size(), place.buildings.size());
  for (std::size_t i = 0; i < walls.size(); ++i) EXPECT_EQ(walls[i], place.buildings[i].walls);
}

TEST(SampleSurvey, CornersLieOffByTheErrorAskedFor) {
  const Settlement place = settlement();
  const auto walls = geo::sample::surveyed_walls(place, 7, {.corner_m = 0.07});
  double squares = 0;
  int corners = 0;
  for (std::size_t i = 0; i < walls.size(); ++i) {
    EXPECT_TRUE(geo::is_valid_shape(walls[i])) << "building " << i;
    for (std::size_t k = 0; k < walls[i].outer.size(); ++k, ++corners) {
      const geo::Point off = walls[i].outer[k] - place.buildings[i].walls.outer[k];
      squares += off.x * off.x + off.y * off.y;
    }
  }
  ASSERT_GT(corners, 150);
  EXPECT_NEAR(std::sqrt(squares / (2 * corners)), 0.07, 0.01);
}

TEST(SampleSurvey, HousesThatStandAloneAreTurnedByTheErrorAskedFor) {
  const Settlement place = settlement();
  const auto walls = geo::sample::surveyed_walls(place, 7, {.turn_deg = 1});
  double squares = 0;
  int houses = 0;
  for (std::size_t i = 0; i < walls.size(); ++i) {
    const auto& truth = place.buildings;
    if (std::count_if(truth.begin(), truth.end(),
                      [&](const auto& b) { return b.cluster == truth[i].cluster; }) > 1)
      continue;
    double least = 90, most = -90;
    for (std::size_t k = 0; k < walls[i].outer.size(); ++k) {
      const std::size_t next = (k + 1) % walls[i].outer.size();
      const geo::Point was = truth[i].walls.outer[next] - truth[i].walls.outer[k];
      const geo::Point is = walls[i].outer[next] - walls[i].outer[k];
      const double turn_deg = std::atan2(geo::cross(was, is), geo::dot(was, is)) * 180 / std::numbers::pi;
      least = std::min(least, turn_deg);
      most = std::max(most, turn_deg);
    }
    EXPECT_LT(most - least, 0.01) << "all its walls together, building " << i;
    squares += most * most;
    ++houses;
  }
  ASSERT_GT(houses, 15);
  EXPECT_NEAR(std::sqrt(squares / houses), 1, 0.4);
}

TEST(SampleSurvey, HousesOfARowKeepTheCornersTheyShare) {
  const Settlement place = settlement();
  const auto walls = geo::sample::surveyed_walls(place, 7, {.corner_m = 0.07, .turn_deg = 0.7});
  int shared = 0;
  for (std::size_t a = 0; a < walls.size(); ++a)
    for (std::size_t b = a + 1; b < walls.size(); ++b)
      for (std::size_t i = 0; i < walls[a].outer.size(); ++i)
        for (std::size_t k = 0; k < walls[b].outer.size(); ++k) {
          const auto gap = place.buildings[a].walls.outer[i] - place.buildings[b].walls.outer[k];
          if (geo::length(gap) > 1e-6) continue;
          ++shared;
          EXPECT_EQ(walls[a].outer[i], walls[b].outer[k]);
        }
  EXPECT_GT(shared, 3);
}

}  // namespace
