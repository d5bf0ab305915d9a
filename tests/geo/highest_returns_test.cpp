// Surface models whose cells are as high as the highest return in them: a roof raises every cell that it
// touches. Nothing in the cells tells that, so the catalogue does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "geo/data/geodata.hpp"
#include "geo/property/building_outlines.hpp"
#include "geo/roof_analysis.hpp"
#include "geo/sample_region/raster_files.hpp"
#include "tests/geo/roof_test_scene.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using geo::Point;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// A gable of 10 x 8 m whose eaves lie anywhere in a cell, turned against the grid.
struct TurnedGable {
  double east, north, turned_rad;

  Point inside(Point p) const {
    const Point off = p - Point{east, north};
    return {std::cos(turned_rad) * off.x + std::sin(turned_rad) * off.y,
            std::cos(turned_rad) * off.y - std::sin(turned_rad) * off.x};
  }
  double height(Point p) const {
    const Point q = inside(p);
    const bool roof = std::abs(q.x) <= 5 && std::abs(q.y) <= 4;
    return roof ? 104 + 0.7 * (4 - std::abs(q.y)) : 100;
  }
  geo::Polygon walls(double overhang_m) const {
    const double u = 5 - overhang_m, v = 4 - overhang_m;
    geo::Polygon out;
    for (const Point corner : {Point{-u, -v}, {u, -v}, {u, v}, {-u, v}})
      out.outer.push_back({east + std::cos(turned_rad) * corner.x - std::sin(turned_rad) * corner.y,
                           north + std::sin(turned_rad) * corner.x + std::cos(turned_rad) * corner.y});
    return out;
  }
};
constexpr double kTrue_m2 = 80;

test::RoofScene scene_of(const TurnedGable& house, bool footprint, double cell_m = 1,
                         double overhang_m = 0.4) {
  geo::Building building{house.walls(overhang_m)};
  building.from_footprints = footprint;
  return test::scene([house](Point p) { return house.height(p); }, {building}, 40, test::flat, cell_m, true);
}

double area_m2(const test::RoofScene& scene) {
  double sum = 0;
  for (const geo::RoofPlane& plane : scene.detect()) sum += geo::area(plane.outline);
  return sum;
}

class HighestReturns : public testing::TestWithParam<bool> {};

TEST_P(HighestReturns, GiveTheTrueAreaOnceTheyAreStated) {
  double stated_m2 = 0, not_stated_m2 = 0;
  int houses = 0;
  for (const double turned_deg : {0, 20, 45})
    for (const double shift_m : {0.0, 0.25, 0.5, 0.75}) {
      auto scene = scene_of({20 + shift_m, 20 - 0.7 * shift_m, turned_deg * M_PI / 180}, GetParam());
      not_stated_m2 += area_m2(scene);
      scene.options.highest_of_m2 = 6;
      const double area = area_m2(scene);
      // Along an eave that runs with the grid all cells look alike, wherever it cuts them: 0.3 m on all
      // sides.
      EXPECT_NEAR(area, kTrue_m2, 0.3 * 36) << "turned by " << turned_deg << ", " << shift_m << " m aside";
      stated_m2 += area;
      ++houses;
    }
  EXPECT_NEAR(stated_m2, houses * kTrue_m2, 0.03 * houses * kTrue_m2);
  EXPECT_GT(not_stated_m2, 1.08 * houses * kTrue_m2);
}

INSTANTIATE_TEST_SUITE_P(, HighestReturns, testing::Bool(),
                         [](const auto& info) { return info.param ? "WithFootprints" : "FromHeights"; });

/// A roof of 10 x 8 m at all phases of the grid, over walls that stand `overhang_m` within its eaves: the
/// mean area.
double mean_area_m2(double overhang_m) {
  double sum = 0;
  int houses = 0;
  for (const double turned_rad : {0.0, 0.5})
    for (const double shift_m : {0.0, 0.2, 0.4, 0.6, 0.8}) {
      auto scene = scene_of({20 + shift_m, 20 - 0.7 * shift_m, turned_rad}, true, 1, overhang_m);
      scene.options.highest_of_m2 = 6;
      sum += area_m2(scene);
      ++houses;
    }
  return sum / houses;
}

TEST(HighestReturnsAtWalls, ARoofWithoutEavesEndsAtItsWalls) {
  // An edge does not lie within its wall, so its errors go outwards only.
  EXPECT_NEAR(mean_area_m2(0), kTrue_m2, 0.04 * kTrue_m2);
}

/// A porch or a neighbour's roof. No strip of it is taken, wherever the grid cuts it.
TEST(HighestReturnsAtWalls, ARoofThatReachesFartherThanEavesDoEndsAtItsWallsToo) {
  EXPECT_NEAR(mean_area_m2(1.7), 6.6 * 4.6, 0.12 * 6.6 * 4.6);
}

/// Beside a house stands a garage of 3.5 x 6 m, which is found as a rectangle.
TEST(HighestReturnsAtWalls, AGarageThatIsFoundInTheHeightsIsNoWider) {
  double sum = 0;
  int garages = 0;
  for (const double shift_m : {0.0, 0.3, 0.6, 0.9}) {
    const auto surface = [shift_m](Point p) {
      const Point q{p.x - shift_m, p.y - 0.6 * shift_m};
      if (test::in_rectangle(q, 8, 10, 18, 20)) return 104 + 0.7 * (5 - std::abs(q.y - 15));
      return test::in_rectangle(q, 24, 12, 27.5, 18) ? 102.6 : 100.0;
    };
    auto scene = test::scene(surface, {}, 40, test::flat, 1, true);
    geo::RectangleFits fits;
    const auto outlines = geo::building_outlines(scene.dsm, scene.terrain, geo::kEverywhere, fits, {});
    ASSERT_TRUE(outlines);
    for (const geo::BuildingOutline& o : *outlines)
      scene.buildings.push_back({.footprint = o.shape, .from_footprints = false, .rectangle = o.rectangle});
    scene.options.highest_of_m2 = 6;
    for (const geo::RoofPlane& plane : scene.detect())
      if (scene.buildings[static_cast<std::size_t>(plane.building)].rectangle)
        sum += geo::area(plane.outline), ++garages;
  }
  ASSERT_EQ(garages, 4);
  EXPECT_NEAR(sum / garages, 3.5 * 6, 0.12 * 3.5 * 6);
}

/// A run through a catalogue of one surface model; `stated` is added to its entry.
geo::Result<geo::RoofAnalysis> run_of(const test::RoofScene& scene, const std::string& stated) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(geo::sample::write_heights(folder.file("dsm.tif"), "EPSG:25832", scene.dsm));
  std::ofstream(folder.file("geodata.json"))
      << R"({"datasets": [{"kind": "dsm", "path": "dsm.tif")" << stated << "}]}";
  const auto geodata = geo::Geodata::load(folder.file("geodata.json"));
  if (!geodata) return tl::make_unexpected(geodata.error());
  return geo::analyse_roof(
      *geodata, {scene.frame.to_lonlat(test::on_map(scene, {20.4, 19.7})), 4500},
      [](const geo::AnalysisStep&) {}, geo::RunControl{});
}

/// The roof's area in the plan by such a run.
double area_of_run_m2(const std::string& stated, double cell_m = 1) {
  const auto run = run_of(scene_of({20.4, 19.7, 0.35}, false, cell_m), stated);
  EXPECT_TRUE(run) << (run ? "" : run.error().text);
  return run ? run->totals.plan_area_m2 : 0;
}

TEST(HighestReturnsInACatalogue, ReachTheRun) {
  const double not_stated_m2 = area_of_run_m2(""),
               stated_m2 = area_of_run_m2(R"(, "cell_height": "highest")");
  EXPECT_GT(not_stated_m2, 1.06 * kTrue_m2);
  EXPECT_NEAR(stated_m2, kTrue_m2, 0.05 * kTrue_m2);
}

TEST(HighestReturnsInACatalogue, CountForNothingInCellsThatAreAveragedWhileTheyAreRead) {
  EXPECT_EQ(area_of_run_m2(R"(, "cell_height": "highest")", 0.25), area_of_run_m2("", 0.25));
}

/// The same house every 24 m.
std::vector<std::string> warnings_of_village(bool highest_returns, const std::string& stated) {
  const TurnedGable house{20.4, 19.7, 0.35};
  const auto village = [house](Point p) {
    return house.height({house.east + std::remainder(p.x - house.east, 24),
                         house.north + std::remainder(p.y - house.north, 24)});
  };
  const auto run = run_of(test::scene(village, {}, 140, test::flat, 1, highest_returns), stated);
  EXPECT_TRUE(run) << (run ? "" : run.error().text);
  return run ? run->warnings : std::vector<std::string>();
}

TEST(HighestReturnsInACatalogue, MakeRunsWarnWhereTheCatalogueMayLackThem) {
  const auto warning = HasSubstr("im Mittel um 11 bis 17 %");
  EXPECT_THAT(warnings_of_village(true, ""), Contains(warning));
  EXPECT_THAT(warnings_of_village(true, R"(, "cell_height": "highest")"), Not(Contains(warning)));
  EXPECT_THAT(warnings_of_village(true, R"(, "cell_height": "nearest")"), Not(Contains(warning)));
  EXPECT_THAT(warnings_of_village(false, ""), Not(Contains(warning)));
}

TEST(HighestReturnsInACatalogue, AreRefusedWithASentenceWhereTheyMakeNoSense) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(geo::sample::write_heights(folder.file("dsm.tif"), "EPSG:25832",
                                         geo::Grid<float>(100, 100, 500'000, 5'400'100, 1, 300)));
  const auto why_not = [&](const std::string& entry) {
    std::ofstream(folder.file("geodata.json")) << R"({"datasets": [{"path": "dsm.tif", )" << entry << "}]}";
    const auto loaded = geo::Catalogue::load(folder.file("geodata.json"));
    return loaded ? std::string() : loaded.error().text;
  };
  EXPECT_EQ(why_not(R"("kind": "dsm", "cell_height": "highest")"), "");
  EXPECT_EQ(why_not(R"("kind": "dsm", "cell_height": "")"), "");
  EXPECT_EQ(why_not(R"("kind": "dsm", "cell_height": "mean")"), "");
  EXPECT_THAT(why_not(R"("kind": "dsm", "cell_height": "Highest")"),
              HasSubstr(R"(datasets[0].cell_height "Highest" is not "highest", "nearest" or "mean")"));
  EXPECT_THAT(why_not(R"("kind": "dsm", "cell_height": "nearest", "returns_per_m2": 8)"),
              HasSubstr("returns_per_m2 goes with"));
  EXPECT_THAT(why_not(R"("kind": "dsm", "cell_height": true)"), HasSubstr("cell_height is not a string"));
  EXPECT_EQ(why_not(R"("kind": "dsm", "cell_height": "highest", "returns_per_m2": 12.5)"), "");
  for (const char* number : {"0", "-3", "501", "\"12\"", "null"})
    EXPECT_THAT(
        why_not(R"("kind": "dsm", "cell_height": "highest", "returns_per_m2": )" + std::string(number)),
        HasSubstr("datasets[0].returns_per_m2 is not a number from 0.5 to 500"));
  EXPECT_THAT(why_not(R"("kind": "dsm", "returns_per_m2": 8)"),
              HasSubstr(R"(returns_per_m2 goes with "cell_height": "highest")"));
  EXPECT_THAT(why_not(R"("kind": "dtm", "cell_height": "highest")"),
              HasSubstr("cell_height is said of surface models only"));
}

}  // namespace
