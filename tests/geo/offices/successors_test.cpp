// Which tile serves while another one is to take its place, and after a call that was killed meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "acquisition_fixture.hpp"
#include "geo/offices/tile_plan.hpp"

namespace {

using namespace geo::offices;
using test::kCrs;
using test::kEast;
using test::kNorth;

class Successors : public test::Acquisition {
 protected:
  void offer(int i, int year, const geo::Grid<float>& grid) {
    office_.put("/dom/" + name_of_square(i, year), {.body = test::tif_of(grid, kCrs)});
  }
  std::filesystem::path tile_of(int i, int year) const {
    return folder_.root() / "tiles" / "test-dsm" /
           (std::to_string(7120 + i % 2) + "_" + std::to_string(113980 + i / 2) + "_" + std::to_string(year) +
            ".tif");
  }
};

TEST_F(Successors, ATileSmallerThanItsSquareHasOneToo) {
  const auto at_the_border = [](double lift) { return test::cut(heights(0, 1, lift), kEast, kNorth, 20); };
  list(names(1, 2018));
  offer(0, 2018, at_the_border(0));
  ASSERT_EQ(acquired(recipe()).held, 1U);
  list(names(1, 2023));
  offer(0, 2023, at_the_border(5));
  const Recipe made = recipe();
  auto update = plan(made);
  ASSERT_TRUE(update);
  SetPlan& set = update->sets.front();
  ASSERT_TRUE(keep_known_squares(set, folder_));
  ASSERT_EQ(set.found.files.size(), 1U) << "an update knows the square";
  const auto outcome = acquire_tiles(set, folder_, fetcher_, {}, control_);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->fetched, 1U);
  ASSERT_EQ(rows().size(), 1U);
  EXPECT_EQ(rows().front().year, 2023);
  EXPECT_TRUE(std::filesystem::exists(tile_of(0, 2023)));
  EXPECT_FALSE(std::filesystem::exists(tile_of(0, 2018)));
}

}  // namespace
