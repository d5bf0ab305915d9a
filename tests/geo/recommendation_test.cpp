#include "geo/layout/recommendation.hpp"

#include <gtest/gtest.h>

namespace {

// Modules of 500 W: 1000 kWh/kWp are 500 kWh a module.

TEST(Recommendation, FillsTheMostProductiveSurfaceFirst) {
  const auto r = geo::recommend({{10, 900.0}, {6, 1000.0}}, 500, 4800);
  EXPECT_EQ(r.modules, (std::vector<int>{4, 6})) << "3000 kWh from the second, 1800 from the first";
  EXPECT_EQ(r.modules_total, 10);
  EXPECT_EQ(r.surfaces, 2);
  EXPECT_DOUBLE_EQ(r.power_kwp, 5);
  EXPECT_DOUBLE_EQ(r.yield_kwh, 4800);
  EXPECT_DOUBLE_EQ(*r.kwh_per_kwp, 960);
  EXPECT_DOUBLE_EQ(*r.wanted_kwp, 5);
}

TEST(Recommendation, CoversTheConsumptionWithWholeModulesAndNoneTooMany) {
  for (const double consumption : {1001.0, 1499.0, 1500.0}) {
    const auto r = geo::recommend({{20, 1000.0}}, 500, consumption);
    EXPECT_EQ(r.modules_total, 3) << consumption;
  }
  EXPECT_EQ(geo::recommend({{20, 1000.0}}, 500, 1501).modules_total, 4);
}

TEST(Recommendation, NeverRecommendsMoreThanFits) {
  const auto r = geo::recommend({{4, 1000.0}, {3, 800.0}}, 500, 100000);
  EXPECT_EQ(r.modules, (std::vector<int>{4, 3}));
  EXPECT_DOUBLE_EQ(r.yield_kwh, 3200);
  EXPECT_NEAR(*r.wanted_kwp, 100000 / (3200 / 3.5), 1e-9) << "what the consumption alone would ask for";
}

TEST(Recommendation, OpensNoFurtherSurfaceForASingleModule) {
  const auto r = geo::recommend({{4, 1000.0}, {9, 990.0}, {9, 600.0}}, 500, 2300);
  EXPECT_EQ(r.modules, (std::vector<int>{4, 0, 0}));
  EXPECT_EQ(geo::recommend({{4, 1000.0}, {1, 990.0}, {9, 900.0}}, 500, 3800).modules,
            (std::vector<int>{4, 0, 4}))
      << "nor one that has room for only one";
}

TEST(Recommendation, GivesASingleModuleWhenThatIsAllThereIsToRecommend) {
  EXPECT_EQ(geo::recommend({{5, 900.0}, {9, 1000.0}}, 500, 100).modules, (std::vector<int>{0, 1}));
  EXPECT_EQ(geo::recommend({{1, 900.0}}, 500, 9000).modules, (std::vector<int>{1}));
}

TEST(Recommendation, LeavesOutSurfacesOfUnknownYield) {
  const auto r = geo::recommend({{9, std::nullopt}, {9, 700.0}}, 500, 1400);
  EXPECT_EQ(r.modules, (std::vector<int>{0, 4}));
}

TEST(Recommendation, SaysNothingWithoutModules) {
  const auto r = geo::recommend({{9, std::nullopt}, {0, 1000.0}}, 500, 1400);
  EXPECT_EQ(r.modules_total, 0);
  EXPECT_EQ(r.yield_kwh, 0);
  EXPECT_FALSE(r.kwh_per_kwp);
  EXPECT_FALSE(r.wanted_kwp);
}

}  // namespace
