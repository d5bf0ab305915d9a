// Files with the habits of single offices, made into tiles.
#include <gdal_priv.h>
#include <gdal_utils.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "../../full_disk.hpp"
#include "acquisition_fixture.hpp"
#include "geo/data/gdal.hpp"
#include "geo/offices/tile_making.hpp"
#include "listing_slices.hpp"

namespace {

using namespace geo::offices;
using test::Form;
using test::kCrs;
using test::kEast;
using test::kNorth;
using testing::HasSubstr;

class TileMaking : public test::Acquisition {
 protected:
  SetOutcome acquired_of(const Form& form, const std::string& body) {
    list(names(1, 2020, form));
    office_.put("/dom/" + name_of_square(0, 2020, form), {.body = body});
    return acquired(recipe(form));
  }
};

TEST_F(TileMaking, WhatStandsForNoHeightIsNone) {
  auto grid = heights(0);
  for (int row = 0; row < grid.height; ++row)
    for (int col = 0; col < 20; ++col) grid.at(col, row) = 0;
  const std::string zipped = R"(,"zipped":true,"no_height":0)";
  const std::vector<std::pair<Form, std::string>> kCases{
      {{"xyz", ".zip", zipped}, test::zip_of({{"a.xyz", test::xyz_of(grid)}})},
      {{"geotiff", ".zip", zipped}, test::zip_of({{"a.tif", test::tif_of(grid, kCrs)}})},
      {{"geotiff", ".tif", R"(,"no_height":0)"}, test::tif_of(grid, kCrs)}};
  for (std::size_t n = 0; n < kCases.size(); ++n) {
    SCOPED_TRACE(n);
    folder_.catalogue = temporary_.path() / std::to_string(n) / "geodata.json";
    ASSERT_EQ(acquired_of(kCases[n].first, kCases[n].second).fetched, 1U);
    const auto tile = test::heights_in((folder_.root() / held().front().location).string());
    EXPECT_TRUE(std::isnan(tile.at(0, 0)) && std::isnan(tile.at(19, 49)));
    EXPECT_EQ(tile.at(20, 0), grid.at(20, 0));
  }
}

TEST_F(TileMaking, AShadedPictureIsNoHeights) {
  const std::string whole = "/vsimem/heights.tif", shaded = "/vsimem/shaded.tif";
  const std::string body = test::tif_of(heights(0), kCrs);
  VSILFILE* file = VSIFOpenL(whole.c_str(), "wb");
  VSIFWriteL(body.data(), 1, body.size(), file);
  VSIFCloseL(file);
  {
    CPLStringList words;
    for (const char* word : {"-ot", "Byte", "-scale"}) words.AddString(word);
    const geo::DatasetHandle data = geo::open_dataset(whole, GDAL_OF_RASTER);
    GDALTranslateOptions* options = GDALTranslateOptionsNew(words.List(), nullptr);
    GDALClose(GDALTranslate(shaded.c_str(), GDALDataset::ToHandle(data.get()), options, nullptr));
    GDALTranslateOptionsFree(options);
  }
  vsi_l_offset size = 0;
  const GByte* bytes = VSIGetMemFileBuffer(shaded.c_str(), &size, FALSE);
  const SetOutcome outcome = acquired_of({}, std::string(reinterpret_cast<const char*>(bytes), size));
  VSIUnlink(whole.c_str());
  VSIUnlink(shaded.c_str());
  EXPECT_EQ(outcome.refused, 1U);
  EXPECT_THAT(testing::PrintToString(outcome.problems), HasSubstr("8 bits a cell"));
}

TEST_F(TileMaking, OfThreeFormsInAZipTheGeoTiffIsTaken) {
  const Form form{"geotiff", ".zip", R"(,"zipped":true)"};
  acquired_of(form, test::zip_of({{"a.meta", "x"},
                                  {"a.tif", test::tif_of(heights(0), kCrs)},
                                  {"a.xyz", test::xyz_of(heights(0, 1, 0.25))}}));
  expect_square(0);
}

TEST_F(TileMaking, ATextWithoutThePageThatEndsItWasCutOff) {
  const Form form{"xyz", ".xyz", R"(,"quirks":["html-end"])"};
  auto grid = heights(0);
  grid.at(0, 0) = std::nanf("");  // at the Land's border
  const std::string text = test::xyz_of(grid), page = "\r\n<!DOCTYPE html>\n<html></html>\n";
  EXPECT_EQ(acquired_of(form, text + page).fetched, 1U);
  for (const std::string& cut :
       {text, text.substr(0, text.find("\r\n", text.size() / 2)), text.substr(0, text.size() - 4)}) {
    folder_.catalogue = temporary_.path() / std::to_string(cut.size()) / "geodata.json";
    const SetOutcome outcome = acquired_of(form, cut);
    EXPECT_EQ(outcome.refused, 1U);
    EXPECT_THAT(testing::PrintToString(outcome.problems), HasSubstr("it was cut off"));
  }
  folder_.catalogue = temporary_.path() / "whole" / "geodata.json";
  EXPECT_EQ(acquired_of(form, test::xyz_of(heights(0))).fetched, 1U) << "it fills its square";
}

TEST_F(TileMaking, WhatIsWarpedMayHaveCellsThatAreNotSquare) {
  const auto recipes = *all_recipes("");
  const Source& relief = *(*find_recipe(recipes, "glo-30"))->source(geo::DataKind::relief);
  geo::Grid<float> grid(25, 50, 10, 52, 0.04);
  std::fill(grid.values.begin(), grid.values.end(), 321.0F);
  std::ofstream(temporary_.file("a.tif"), std::ios::binary) << test::tif_of(grid, "EPSG:4326", 0.5);
  const auto made =
      make_tile(relief, {10, 51, 11, 52}, temporary_.file("a.tif"), temporary_.path() / "b" / "b.tif");
  ASSERT_TRUE(made) << made.error().text;
  EXPECT_EQ(made->cell_m, 60);
  const auto tile = test::heights_in((temporary_.path() / "b" / "b.tif").string());
  EXPECT_EQ(tile.at(tile.width / 2, tile.height / 2), 321);
  const auto elsewhere =
      make_tile(relief, {11, 51, 12, 52}, temporary_.file("a.tif"), temporary_.path() / "c.tif");
  ASSERT_FALSE(elsewhere);
  EXPECT_THAT(elsewhere.error().text, HasSubstr("lies at"));
}

/// Heights that no packing makes small.
geo::Grid<float> rough(geo::Grid<float> grid) {
  std::minstd_rand random(1);
  for (float& value : grid.values) value = static_cast<float>(random() % 1'000'000) / 1000;
  return grid;
}

class TileOnAFullDisk : public TileMaking {
 protected:
  geo::Result<MadeTile> made_on_full_disk(const Source& source, const geo::Box& square,
                                          const std::string& body, const std::string& name) {
    std::ofstream(temporary_.file(name), std::ios::binary) << body;
    const test::FullDisk disk(10'000);
    return make_tile(source, square, temporary_.file(name), temporary_.path() / "tiles" / (name + ".tif"));
  }
};

TEST_F(TileOnAFullDisk, IsNotRefusedWhetherItIsWrittenCopiedOrWarped) {
  const auto grid = rough(heights(0, 0.5));
  const geo::Box square{kEast, kNorth, kEast + 50, kNorth + 50};
  const Form text{"xyz", ".xyz", "", 0.5}, picture{"geotiff", ".zip", R"(,"zipped":true)", 0.5};
  Recipe pictures = recipe(picture);
  pictures.sources.front().kind = geo::DataKind::orthophoto;
  const auto recipes = *all_recipes("");
  const Source& relief = *(*find_recipe(recipes, "glo-30"))->source(geo::DataKind::relief);
  geo::Grid<float> degree = rough(geo::Grid<float>(100, 200, 10, 52, 0.01));
  const std::vector<geo::Result<MadeTile>> all{
      made_on_full_disk(recipe(text).sources.front(), square, test::xyz_of(grid), "a.xyz"),
      made_on_full_disk(pictures.sources.front(), square, test::zip_of({{"b.tif", test::tif_of(grid, kCrs)}}),
                        "b.zip"),
      made_on_full_disk(relief, {10, 51, 11, 52}, test::tif_of(degree, "EPSG:4326", 0.5), "c.tif")};
  for (const auto& made : all) {
    ASSERT_FALSE(made);
    EXPECT_TRUE(made.error().no_room) << made.error().text;
  }
  EXPECT_TRUE(std::filesystem::is_empty(temporary_.path() / "tiles"));
}

TEST_F(TileMaking, ATileWhosePlaceIsTakenSaysSoAndNothingOfAFullDisk) {
  std::ofstream(temporary_.file("a.tif"), std::ios::binary) << test::tif_of(heights(0), kCrs);
  std::filesystem::create_directories(temporary_.path() / "b.tif" / "full");
  const auto made = make_tile(recipe().sources.front(), {kEast, kNorth, kEast + 50, kNorth + 50},
                              temporary_.file("a.tif"), temporary_.path() / "b.tif");
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().text, HasSubstr("b.tif: cannot be written"));
  EXPECT_FALSE(made.error().no_room);
  EXPECT_EQ(made.error().kind, geo::FailureKind::internal);
}

}  // namespace
