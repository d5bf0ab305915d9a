// Footprints of the sample region as a cadastre would have measured them.
#include <gtest/gtest.h>

#include <cmath>

#include "geo/roof/shapes.hpp"
#include "geo/sample_region/cadastral_survey.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace {

using geo::sample::Settlement;

Settlement settlement() {
  const auto* names = geo::sample::place_names_for("EPSG:25832");
  return geo::sample::build_settlement(7, 40, *names, geo::sample::Terrain(7, names->base_m));
}

TEST(SampleSurvey, WithoutErrorFootprintsAreTheWalls) {
  const Settlement place = settlement();
  const auto walls = geo::sample::surveyed_walls(place, 7, 0);
  ASSERT_EQ(walls.size(), place.buildings.size());
  for (std::size_t i = 0; i < walls.size(); ++i) EXPECT_EQ(walls[i], place.buildings[i].walls);
}

TEST(SampleSurvey, CornersLieOffByTheErrorAskedFor) {
  const Settlement place = settlement();
  const auto walls = geo::sample::surveyed_walls(place, 7, 0.07);
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

TEST(SampleSurvey, HousesOfARowKeepTheCornersTheyShare) {
  const Settlement place = settlement();
  const auto walls = geo::sample::surveyed_walls(place, 7, 0.07);
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
