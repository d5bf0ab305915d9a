// What the catalogue says of a set's age: nothing that was not told or done.
#include "geo/offices/catalogue_entries.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "../../temporary_folder.hpp"
#include "geo/data/tile_index.hpp"

namespace {

using namespace geo::offices;
using testing::HasSubstr;
using testing::Not;

/// An address register whose office tells no date, and tiles with years.
class CatalogueEntries : public testing::Test {
 protected:
  CatalogueEntries() {
    Source addresses;
    addresses.id = "x-addresses";
    addresses.kind = geo::DataKind::addresses;
    addresses.form = FileForm::table;
    addresses.notice = "Stichtag {date}";
    addresses.outline = {{5, 50}, {9, 50}, {9, 53}};
    recipe_.id = "x";
    recipe_.sources = {addresses, addresses};
    Source& heights = recipe_.sources.back();
    heights.id = "x-dsm";
    heights.kind = geo::DataKind::dsm;
    heights.form = FileForm::geotiff;
    heights.crs = "EPSG:25832";
    std::ofstream(folder_.addresses_of(addresses)) << "x";
  }
  std::string named(int newest_date, int fetched) {
    const ReadySet set{&recipe_.sources.front(), "x-addresses.addr", false, newest_date, fetched};
    if (const auto done = name_in_catalogue(folder_, recipe_, {set}); !done) return done.error().text;
    std::ifstream in(folder_.entries_of("x"));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// A row of the tiles' index, which holds a square and no more.
  void put(const std::string& url, int year, geo::TileState state) {
    auto index = geo::TileIndexWriter::open(folder_.index_of(recipe_.sources.back()).string(), "EPSG:25832");
    const double west = 356000 + 1000.0 * rows_++;
    const geo::Tile tile{.bounds = {west, 5699000, west + 1000, 5700000},
                         .location = state == geo::TileState::held ? "tiles/" + url : "",
                         .url = url,
                         .year = year,
                         .cell_m = 1,
                         .state = state};
    if (!index || !index->put(tile) || !index->commit()) throw std::runtime_error("no index");
  }

  test::TemporaryFolder temporary_;
  DataFolder folder_{temporary_.path() / "geodata.json"};
  Recipe recipe_;
  int rows_ = 0;
};

TEST_F(CatalogueEntries, TheDayOfTheFetchStaysUntilSomethingIsFetched) {
  EXPECT_THAT(named(0, 20260301), HasSubstr("Stichtag 01.03.2026"));
  EXPECT_THAT(named(0, 0), HasSubstr("Stichtag 01.03.2026"));
  EXPECT_THAT(named(0, 20261124), HasSubstr("Stichtag 24.11.2026"));
}

TEST_F(CatalogueEntries, TheYearOfTheFetchIsThatAlsoWhereTheOfficeTellsADate) {
  recipe_.sources.front().notice = "(c) Office ({fetched})";
  EXPECT_THAT(named(20230000, 20260301), HasSubstr("Office (2026)"));
  EXPECT_THAT(named(20240000, 0), HasSubstr("Office (2026)")) << "nothing was fetched";
  EXPECT_THAT(named(20240000, 20280301), HasSubstr("Office (2028)"));
}

TEST_F(CatalogueEntries, WhatWasFetchedBeforeItWasNamedHasTheDayOfItsFile) {
  const std::chrono::sys_days day = std::chrono::year{2026} / 3 / 1;
  std::filesystem::last_write_time(
      folder_.addresses_of(recipe_.sources.front()),
      std::filesystem::file_time_type::clock::from_sys(day + std::chrono::seconds(1)));
  EXPECT_THAT(named(0, 0), HasSubstr("Stichtag 01.03.2026"));
}

TEST_F(CatalogueEntries, AYearThatIsToldNoMoreGoesWithTheFilesThatHadIt) {
  EXPECT_THAT(named(20240000, 20260301), HasSubstr("\"year\": 2024"));
  EXPECT_THAT(named(0, 0), HasSubstr("\"year\": 2024"));
  EXPECT_THAT(named(0, 20261124), Not(HasSubstr("\"year\"")));
}

TEST_F(CatalogueEntries, ASetsDateIsTheNewestOfTheTilesThatItHolds) {
  SetPlan set{.source = &recipe_.sources.back()};
  EXPECT_EQ(newest_date_of_tiles(set, folder_, false), 0) << "no index yet";
  put("a", 2024, geo::TileState::held);
  put("b", 2020, geo::TileState::held);
  put("c", 2026, geo::TileState::known);
  put("d", 2027, geo::TileState::missing);
  const auto planned = [&](const std::string& url, int date) {
    set.found.files.push_back({.listed = {.url = url}, .fields = {.date = date}});
  };
  planned("b", 20200415);
  EXPECT_EQ(newest_date_of_tiles(set, folder_, false), 20240000) << "this call was about b alone";
  EXPECT_EQ(newest_date_of_tiles(set, folder_, true), 20260000) << "c is read at the office";
  planned("a", 20240915);
  planned("e", 20280101);
  EXPECT_EQ(newest_date_of_tiles(set, folder_, false), 20240915) << "e has not come";
}

}  // namespace
