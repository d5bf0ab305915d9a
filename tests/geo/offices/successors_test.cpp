// Which tile serves while another one is to take its place, and after a call that was killed meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>

#include "acquisition_fixture.hpp"
#include "geo/fetch/sha256.hpp"
#include "geo/offices/tile_books.hpp"
#include "geo/offices/tile_plan.hpp"

namespace {

using namespace geo::offices;
using test::kCrs;
using test::kEast;
using test::kNorth;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class Successors : public test::Acquisition {
 protected:
  void offer(int i, int year, const geo::Grid<float>& grid) {
    office_.put("/dom/" + name_of_square(i, year), {.body = test::tif_of(grid, kCrs)});
  }
  void hold_a_tile_of_2018() {
    list(names(1, 2018));
    offer(0, 2018, heights(0));
    acquired(recipe());
  }
  /// The books of a call, all of its files entered.
  std::unique_ptr<TileBooks> opened_books(const SetPlan& set) {
    auto index = open_tile_index(*set.source, folder_);
    const TilePlan tiles = plan_tiles(set, *index->all(), folder_);
    auto books = std::make_unique<TileBooks>(set, folder_, std::move(*index), listening_, control_);
    if (!books->enter(tiles)) throw std::runtime_error("cannot be entered");
    return books;
  }
  /// As fetching adds it; `bytes`: of the tile's file, which takes no room.
  void add_tile(TileBooks& books, const SetPlan& set, std::size_t at, std::uint64_t bytes) {
    const FoundFile& file = set.found.files[at];
    const auto path = folder_.root() / location_of_tile(*set.source, file);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "a tile";
    std::filesystem::resize_file(path, bytes);
    books.add_made(at, {file.square, 1}, {});
  }
  /// The years of the tiles that whoever reads the index now finds: the running service, or the next program
  /// after a kill.
  std::vector<int> years_served() {
    const auto index = geo::TileIndex::open((folder_.root() / "test-dsm.gpkg").string());
    if (!index) throw std::runtime_error(index.error().text);
    std::vector<int> years;
    const auto rows = index->touching(index->bounds(), 100);
    if (!rows) throw std::runtime_error(rows.error().text);
    for (const geo::Tile& row : *rows) {
      if (row.state != geo::TileState::held) continue;
      EXPECT_TRUE(std::filesystem::exists(index->path_of(row, false))) << row.location;
      years.push_back(row.year.value_or(0));
    }
    return years;
  }
  std::filesystem::path tile_of(int i, int year) const {
    return folder_.root() / "tiles" / "test-dsm" /
           (std::to_string(7120 + i % 2) + "_" + std::to_string(113980 + i / 2) + "_" + std::to_string(year) +
            ".tif");
  }

  const Listening listening_{};
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

TEST_F(Successors, ATileThatIsLeftOverIsNotTakenUnderTheSumOfAnother) {
  list(names(1, 2020));
  const Recipe made = recipe();
  auto wish = plan(made);
  ASSERT_TRUE(wish);
  SetPlan& set = wish->sets.front();
  std::string& sum = set.found.files.front().listed.sha256;
  const auto acquired_here = [&](double lift) {
    offer(0, 2020, heights(0, 1, lift));
    sum = geo::sha256_of(test::tif_of(heights(0, 1, lift), kCrs));
    return *acquire_tiles(set, folder_, fetcher_, {}, control_);
  };
  EXPECT_EQ(acquired_here(0).held, 1U);
  // The office has a newer one, and the set is read there.
  set.remote = true;
  acquired_here(5);
  EXPECT_TRUE(held().empty());
  EXPECT_FALSE(std::filesystem::exists(tile_of(0, 2020)));
  // Fetched after all.
  set.remote = false;
  EXPECT_EQ(acquired_here(5).fetched, 1U);
  expect_square(0, 1, 5);
}

TEST_F(Successors, ATileServesUntilTheIndexNamesItsSuccessor) {
  hold_a_tile_of_2018();
  list(names(1, 2023));
  const Recipe made = recipe();
  const auto update = plan(made);
  ASSERT_TRUE(update);
  const SetPlan& set = update->sets.front();
  auto books = opened_books(set);
  EXPECT_THAT(years_served(), ElementsAre(2018));
  add_tile(*books, set, 0, 100);
  EXPECT_THAT(years_served(), ElementsAre(2018));
  books.reset();  // killed
  EXPECT_THAT(years_served(), ElementsAre(2018));
  books = opened_books(set);
  add_tile(*books, set, 0, 100);
  EXPECT_THAT(years_served(), ElementsAre(2018));
  ASSERT_TRUE(books->close());
  EXPECT_THAT(years_served(), ElementsAre(2023));
  EXPECT_FALSE(std::filesystem::exists(tile_of(0, 2018)));
}

TEST_F(Successors, ALargeTileIsWrittenDownAtOnce) {
  list({name_of_square(0, 2018), name_of_square(1, 2020)});
  offer(0, 2018, heights(0));
  acquired(recipe());
  const Recipe made = recipe();
  const auto wish = plan(made);
  ASSERT_TRUE(wish);
  const SetPlan& set = wish->sets.front();
  const auto books = opened_books(set);
  EXPECT_THAT(years_served(), ElementsAre(2018));
  add_tile(*books, set, 1, 300ULL << 20U);
  EXPECT_THAT(years_served(), ElementsAre(2020, 2018));
}

TEST_F(Successors, NoRowNamesATileThatCannotBeBroughtToTheDisk) {
  hold_a_tile_of_2018();
  list(names(1, 2023));
  const Recipe made = recipe();
  const auto update = plan(made);
  ASSERT_TRUE(update);
  const SetPlan& set = update->sets.front();
  auto books = opened_books(set);
  books->add_made(0, {set.found.files.front().square, 1}, {});  // nothing lies in its place
  const auto outcome = books->close();
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().text, HasSubstr("7120_113980_2023.tif: cannot be written"));
  books.reset();
  EXPECT_THAT(years_served(), ElementsAre(2018));
}

TEST_F(Successors, AnEmptyTileIsNotHere) {
  list(names(1, 2020));
  offer(0, 2020, heights(0));
  acquired(recipe());
  std::filesystem::resize_file(tile_of(0, 2020), 0);
  EXPECT_EQ(acquired(recipe(), false).fetched, 1U);
  expect_square(0);
}

TEST_F(Successors, ATileThatLiesWhereItsSuccessorDoesStays) {
  // The office has moved: the same square and year under another URL.
  list(names(1, 2020));
  offer(0, 2020, heights(0));
  acquired(recipe());
  list({"neu/" + name_of_square(0, 2020)});
  office_.put("/dom/neu/" + name_of_square(0, 2020), {.body = test::tif_of(heights(0, 1, 5), kCrs)});
  EXPECT_EQ(acquired(recipe()).fetched, 1U);
  EXPECT_EQ(rows().size(), 1U);
  EXPECT_THAT(years_served(), ElementsAre(2020));
  expect_square(0, 1, 5);
}

TEST_F(Successors, AnOlderTileGoesAlsoWhereItsSuccessorIsHereAlready) {
  list({name_of_square(0, 2018), name_of_square(1, 2018)});
  offer(0, 2018, heights(0));
  offer(1, 2018, heights(1));
  acquired(recipe());
  // As earlier versions left a square: both years in the index.
  geo::Tile newer = held().front();
  newer.url = office_.url("/dom/" + name_of_square(0, 2023));
  newer.year = 2023;
  newer.location = "tiles/test-dsm/newer.tif";
  std::filesystem::copy_file(tile_of(0, 2018), folder_.root() / newer.location);
  {
    auto index = geo::TileIndexWriter::open((folder_.root() / "test-dsm.gpkg").string(), kCrs);
    ASSERT_TRUE(index && index->put(newer) && index->commit());
  }
  list({name_of_square(0, 2023), name_of_square(1, 2018)});
  EXPECT_EQ(acquired(recipe()).held, 2U);
  EXPECT_THAT(years_served(), UnorderedElementsAre(2023, 2018));
  EXPECT_FALSE(std::filesystem::exists(tile_of(0, 2018)));
}

TEST_F(Successors, ATileWhoseSuccessorCannotBeHadIsStillHere) {
  list(names(1, 2020));
  offer(0, 2020, heights(0));
  const Recipe made = recipe();
  auto wish = plan(made);
  ASSERT_TRUE(wish);
  SetPlan& set = wish->sets.front();
  set.found.files.front().listed.sha256 = geo::sha256_of(test::tif_of(heights(0), kCrs));
  ASSERT_EQ(acquire_tiles(set, folder_, fetcher_, {}, control_)->held, 1U);
  // The listing has the sum of another file, which the office does not send.
  set.found.files.front().listed.sha256 = std::string(64, 'a');
  const auto outcome = acquire_tiles(set, folder_, fetcher_, {}, control_);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->failed, 1U);
  EXPECT_EQ(outcome->held, 1U);
  EXPECT_EQ(outcome->fetched, 0U);
  expect_square(0);
}

TEST_F(Successors, WhatAKilledCallLeftIsFetchedAgainSoThatAnUpdateCanCompareIt) {
  list(names(2, 2020));
  acquired(recipe());  // nothing is there, but the index knows the squares
  for (const int i : {0, 1}) offer(i, 2020, heights(i));
  // A tile without a row, and a file that is not made into one yet; both as the office had them before.
  std::filesystem::create_directories(tile_of(0, 2020).parent_path());
  std::ofstream(tile_of(0, 2020), std::ios::binary) << test::tif_of(heights(0, 1, 5), kCrs);
  std::filesystem::create_directories(folder_.downloads());
  std::ofstream(folder_.download_of(office_.url("/dom/" + name_of_square(1, 2020))), std::ios::binary)
      << test::tif_of(heights(1, 1, 5), kCrs);
  EXPECT_EQ(acquired(recipe(), false).fetched, 2U);
  for (const int i : {0, 1}) expect_square(i);
  for (const geo::Tile& row : held()) EXPECT_FALSE(row.etag.empty());
  offer(1, 2020, heights(1, 1, 7));
  EXPECT_EQ(acquired(recipe()).fetched, 1U);
  expect_square(1, 1, 7);
}

}  // namespace
