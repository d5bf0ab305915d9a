// An office on loopback with squares of 50 m, a recipe for it, and a data folder.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../office_server.hpp"
#include "../../temporary_folder.hpp"
#include "geo/data/tile_index.hpp"
#include "geo/offices/acquisition.hpp"
#include "geo/offices/office_network.hpp"
#include "geo/offices/recipes.hpp"
#include "tile_forms.hpp"

namespace test {

inline constexpr const char* kCrs = "EPSG:25832";
inline constexpr double kEast = 356000, kNorth = 5699000;

struct Form {
  std::string form = "geotiff", ending = ".tif", more;
  double cell = 1;
};

class Acquisition : public testing::Test {
 protected:
  /// `longest_wait`: of many files each waits for its turn.
  explicit Acquisition(std::chrono::milliseconds longest_wait = std::chrono::milliseconds(200))
      : fetcher_(network_,
                 {.tries = 2, .first_wait = std::chrono::milliseconds(1), .longest_wait = longest_wait}) {}
  /// All the squares that are offered, `year` in their names.
  void list(const std::vector<std::string>& names) {
    std::string page = "<html>";
    for (const std::string& name : names) page += "<a href=\"" + name + "\">" + name + "</a>";
    office_.put("/dom/", {.body = page});
  }
  static std::string name_of_square(int i, int year, const Form& form = {}) {
    return "dom_" + std::to_string(7120 + i % 2) + "_" + std::to_string(113980 + i / 2) + "_" +
           std::to_string(year) + form.ending;
  }
  static geo::Grid<float> heights(int i, double cell = 1, double lift = 0) {
    const int row = i / 2;
    auto grid = made_heights(kEast + 50 * (i % 2), kNorth + 50 * row, 50, cell);
    for (float& value : grid.values) value += static_cast<float>(lift);
    return grid;
  }
  geo::offices::Recipe recipe(const Form& form = {}, const std::string& find = "") {
    const std::string rule = find.empty() ? R"({"method":"listing","urls":[")" + office_.url("/dom/") +
                                                R"("],"names":["dom_{E}_{N}_{year})" + form.ending + "\"]}"
                                          : find;
    const std::string text =
        R"({"id":"test","title":"Test","provider":"P","licence":"L","notice":"N {year}","crs":"EPSG:25832","heights":"DHHN2016",
      "outline":[[5,50],[9,50],[9,53],[5,53]],"sources":[{"kind":"dsm","title":"DOM","cell_m":)" +
        std::to_string(form.cell) + R"(,"tile":{"size":50,"unit":50},"file_mb":0.01,"form":")" + form.form +
        "\"" + form.more + R"(,"find":)" + rule + "}]}";
    auto made = geo::offices::read_recipe(text, "test");
    if (!made) throw std::runtime_error(made.error().text);
    return *made;
  }
  geo::Result<geo::offices::Plan> plan(const geo::offices::Recipe& recipe, bool anew = true) {
    listings_.emplace(folder_.listings(), geo::offices::asking_by(fetcher_, control_));
    return geo::offices::make_plan(recipe, {.anew = anew}, *listings_, "20261124");
  }
  /// `anew`: as an update.
  geo::offices::SetOutcome acquired(const geo::offices::Recipe& recipe, bool anew = true) {
    const auto made = plan(recipe, anew);
    if (!made) throw std::runtime_error(made.error().text);
    auto outcome = geo::offices::acquire_tiles(made->sets.front(), folder_, fetcher_, {}, control_);
    if (!outcome) throw std::runtime_error(outcome.error().text);
    return *outcome;
  }
  std::vector<geo::Tile> rows() {
    return *geo::TileIndexWriter::open((folder_.root() / "test-dsm.gpkg").string(), kCrs)->all();
  }
  std::vector<geo::Tile> held() {
    auto all = rows();
    std::erase_if(all, [](const geo::Tile& row) { return row.state != geo::TileState::held; });
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.location < b.location; });
    return all;
  }
  /// What is held of a square is what the office meant.
  void expect_square(int i, double cell = 1, double lift = 0) {
    const auto expected = heights(i, cell, lift);
    for (const geo::Tile& row : held()) {
      if (std::abs(row.bounds.min_x - expected.west) > 1 || std::abs(row.bounds.max_y - expected.north) > 1)
        continue;
      const auto found = heights_in((folder_.root() / row.location).string());
      ASSERT_EQ(found.width, expected.width);
      ASSERT_EQ(found.height, expected.height);
      EXPECT_EQ(found.west, expected.west);
      EXPECT_EQ(found.north, expected.north);
      EXPECT_EQ(found.values, expected.values);
      return;
    }
    ADD_FAILURE() << "square " << i << " is not held";
  }
  std::vector<std::string> names(int count, int year, const Form& form = {}) {
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i) all.push_back(name_of_square(i, year, form));
    return all;
  }

  OfficeServer office_;
  TemporaryFolder temporary_;
  geo::offices::DataFolder folder_{temporary_.path() / "geodata.json"};
  geo::Network network_{{.contact = "test@example.org"}};
  geo::Fetcher fetcher_;
  geo::RunControl control_;
  std::optional<geo::offices::ListingStore> listings_;
};

}  // namespace test
