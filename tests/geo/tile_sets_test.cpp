// Sets of many tiles: which of them serves a place, what is read of them, and which indexes are refused.
#include <gdal_priv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "geo/data/kept_open.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/data/set_heights.hpp"
#include "geo/data/tile_index.hpp"
#include "geo/sources.hpp"
#include "tests/temporary_folder.hpp"
#include "tile_catalogue.hpp"

namespace {

namespace fs = std::filesystem;
using test::catalogue_of;
using test::window_at;
using test::write_catalogue;
using testing::HasSubstr;

/// Flat heights over a square of 200 m around the middle of UTM zone 32's meridian.
constexpr double kEast = 500000, kNorth = 5400000;

void write_flat(const std::string& path, geo::Box b, float height_m, double cell_m = 1,
                float nodata = -9999) {
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  const int width = static_cast<int>((b.max_x - b.min_x) / cell_m),
            height = static_cast<int>((b.max_y - b.min_y) / cell_m);
  const geo::DatasetHandle file(driver->Create(path.c_str(), width, height, 1, GDT_Float32, nullptr));
  double transform[6] = {b.min_x, cell_m, 0, b.max_y, 0, -cell_m};
  OGRSpatialReference system;
  system.importFromEPSG(25832);
  ASSERT_EQ(file->SetGeoTransform(transform), CE_None);
  ASSERT_EQ(file->SetSpatialRef(&system), CE_None);
  ASSERT_EQ(file->GetRasterBand(1)->SetNoDataValue(nodata), CE_None);
  ASSERT_EQ(file->GetRasterBand(1)->Fill(height_m), CE_None);
}

class TileSets : public testing::Test {
 protected:
  TileSets() { geo::register_gdal_drivers(); }
  std::string file(const std::string& name) const { return folder_.file(name); }
  /// A flat tile of 100 m, so many tiles east and north of the first; also in the index.
  geo::Tile flat(int east, int north, float height_m, std::optional<int> year, const std::string& name) {
    const double x = kEast + 100 * east, y = kNorth + 100 * north;
    geo::Tile tile{.bounds = {x, y, x + 100, y + 100},
                   .location = name,
                   .year = year,
                   .cell_m = 1,
                   .state = geo::TileState::held};
    write_flat(file(name), tile.bounds, height_m);
    return tile;
  }
  void index(const std::vector<geo::Tile>& tiles, const std::string& name = "dsm.gpkg") {
    auto writer = geo::TileIndexWriter::open(file(name), "EPSG:25832");
    ASSERT_TRUE(writer) << writer.error().text;
    for (const geo::Tile& tile : tiles) ASSERT_TRUE(writer->put(tile));
    ASSERT_TRUE(writer->commit());
  }
  geo::Catalogue load(const std::string& more = "", const std::string& others = "") {
    return catalogue_of(
        write_catalogue(folder_, R"({"kind": "dsm", "index": "dsm.gpkg")" + more + "}" + others));
  }
  std::string why_not(const std::string& entries) {
    const auto loaded = geo::Catalogue::load(write_catalogue(folder_, entries));
    return loaded ? std::string() : loaded.error().text;
  }
  geo::Result<geo::SetHeights> read(const geo::Catalogue& catalogue, geo::Box window) {
    return geo::heights_of(catalogue.of(geo::DataKind::dsm).at(0), window, 0, 0.5, {});
  }
  test::TemporaryFolder folder_;
};

TEST_F(TileSets, TheNewestTileOfASquareServesAndItsGapsComeFromTheOlder) {
  auto older = flat(0, 0, 100, 2015, "older.tif"), newer = flat(0, 0, 200, 2023, "newer.tif");
  {
    const geo::DatasetHandle open(
        GDALDataset::Open(file("newer.tif").c_str(), GDAL_OF_RASTER | GDAL_OF_UPDATE));
    std::vector<float> gap(50 * 100, -9999);  // the western half
    ASSERT_EQ(open->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, 50, 100, gap.data(), 50, 100, GDT_Float32, 0,
                                               0, nullptr),
              CE_None);
  }
  index({older, newer});
  const auto heights = read(load(), {kEast, kNorth, kEast + 100, kNorth + 100});
  ASSERT_TRUE(heights) << heights.error().text;
  EXPECT_EQ(heights->heights.at(10, 50), 100);
  EXPECT_EQ(heights->heights.at(90, 50), 200);
  EXPECT_EQ(heights->years, (std::vector<int>{2023, 2015}));
}

TEST_F(TileSets, TheYearsAreThoseOfTheTilesThePlacesOwnFirst) {
  index({flat(0, 0, 100, 2015, "a.tif"), flat(1, 0, 100, 2023, "b.tif"), flat(2, 0, 100, {}, "c.tif")});
  const auto catalogue = load(R"(, "name": "DOM", "year": 1999, "attribution": "Amt, {year}")");
  const auto heights = read(catalogue, {kEast, kNorth, kEast + 190, kNorth + 100});
  ASSERT_TRUE(heights);
  EXPECT_EQ(heights->years, (std::vector<int>{2015, 2023})) << "the middle lies in the first";
  const auto sources = geo::sources_of(catalogue.of(geo::DataKind::dsm)[0], heights->years);
  ASSERT_EQ(sources.size(), 2u);
  EXPECT_EQ(sources[0].attribution, "Amt, 2015");
  EXPECT_EQ(sources[1].year, 2023);
  const auto far = read(catalogue, {kEast + 210, kNorth, kEast + 290, kNorth + 100});
  EXPECT_EQ(far->years, std::vector<int>{1999}) << "a tile without a year is of the entry's";
}

TEST_F(TileSets, ATileThatIsNotHereOrThatTheOfficeLacksIsAGap) {
  auto here = flat(0, 0, 100, 2020, "here.tif");
  geo::Tile known{.bounds = {kEast + 100, kNorth, kEast + 200, kNorth + 100},
                  .url = "https://office.example/1.tif",
                  .cell_m = 1};
  geo::Tile missing{.bounds = {kEast + 200, kNorth, kEast + 300, kNorth + 100},
                    .url = "https://office.example/2.tif",
                    .cell_m = 1,
                    .state = geo::TileState::missing};
  index({here, known, missing});
  const auto heights = read(load(), {kEast, kNorth, kEast + 300, kNorth + 100});
  ASSERT_TRUE(heights) << heights.error().text;
  EXPECT_EQ(heights->heights.width, 300);
  EXPECT_EQ(heights->heights.at(50, 50), 100);
  EXPECT_TRUE(std::isnan(heights->heights.at(150, 50)));
  EXPECT_TRUE(std::isnan(heights->heights.at(250, 50)));
}

TEST_F(TileSets, ATileThatLiesElsewhereThanItsIndexSaysFailsAndIsNamed) {
  auto tile = flat(0, 0, 100, 2020, "wrong.tif");
  tile.bounds = {kEast + 100, kNorth, kEast + 200, kNorth + 100};
  index({tile});
  const auto heights = read(load(), {kEast + 120, kNorth, kEast + 180, kNorth + 100});
  ASSERT_FALSE(heights);
  EXPECT_THAT(heights.error().text, HasSubstr("wrong.tif: lies elsewhere than"));
}

TEST_F(TileSets, TilesOfOtherCellsAreAveragedOrInterpolatedWithoutASeam) {
  write_flat(file("fine.tif"), {kEast, kNorth, kEast + 100, kNorth + 100}, 100, 0.2);
  write_flat(file("coarse.tif"), {kEast + 100, kNorth, kEast + 200, kNorth + 100}, 100, 1);
  index({{.bounds = {kEast, kNorth, kEast + 100, kNorth + 100},
          .location = "fine.tif",
          .year = 2023,
          .cell_m = 0.2,
          .state = geo::TileState::held},
         {.bounds = {kEast + 100, kNorth, kEast + 200, kNorth + 100},
          .location = "coarse.tif",
          .year = 2020,
          .cell_m = 1,
          .state = geo::TileState::held}});
  const auto heights = read(load(), {kEast, kNorth, kEast + 200, kNorth + 100});
  ASSERT_TRUE(heights) << heights.error().text;
  EXPECT_EQ(heights->heights.cell_m, 0.5);
  for (const float z : heights->heights.values) ASSERT_EQ(z, 100);
}

TEST_F(TileSets, ARunOpensItsTilesOnceAndTheNextRunThereNone) {
  index({flat(0, 0, 100, 2020, "a.tif"), flat(1, 0, 100, 2020, "b.tif"), flat(5, 0, 100, 2020, "c.tif")});
  const auto catalogue = load();
  geo::close_all_kept();
  const auto openings = [&] {
    const std::size_t before = geo::openings_of_this_thread();
    EXPECT_TRUE(read(catalogue, {kEast + 50, kNorth, kEast + 150, kNorth + 100}));
    return geo::openings_of_this_thread() - before;
  };
  EXPECT_EQ(openings(), 3u) << "the index and two tiles";
  EXPECT_EQ(openings(), 0u);
}

TEST_F(TileSets, AChangedIndexIsSeenByTheNextRead) {
  index({flat(0, 0, 100, 2020, "a.tif")});
  const auto catalogue = load();
  const geo::Box window{kEast, kNorth, kEast + 100, kNorth + 100};
  EXPECT_EQ(read(catalogue, window)->heights.at(5, 5), 100);
  index({flat(0, 0, 300, 2024, "b.tif")});
  EXPECT_EQ(read(catalogue, window)->heights.at(5, 5), 300);
}

TEST_F(TileSets, AWindowOverTooManyTilesIsRefusedInsteadOfOpeningThemAll) {
  std::vector<geo::Tile> tiles;
  for (int i = 0; i <= static_cast<int>(geo::kMostTiles); ++i)
    tiles.push_back({.bounds = {kEast + i, kNorth, kEast + i + 1, kNorth + 1},
                     .location = "none.tif",
                     .cell_m = 1,
                     .state = geo::TileState::held});
  for (std::size_t i = 0; i < tiles.size(); ++i) tiles[i].url = std::to_string(i);
  index(tiles);
  const auto heights = read(load(), {kEast, kNorth, kEast + 1000, kNorth + 1});
  ASSERT_FALSE(heights);
  EXPECT_THAT(heights.error().text, HasSubstr("touches more than 400 tiles"));
}

TEST_F(TileSets, OfTwoRegionsThatMeetTheSecondGoesOnWhereTheFirstEnds) {
  index({flat(0, 0, 100, 2020, "a.tif")});
  index({flat(1, 0, 200, 2021, "b.tif")}, "other.gpkg");
  const auto catalogue = load("", R"(, {"kind": "dsm", "index": "other.gpkg"})");
  const auto frame = geo::PlaceFrame::create("EPSG:25832", {9, 48.75});
  const auto window = window_at(catalogue, frame->to_lonlat({kEast + 90, kNorth + 50}), 50);
  ASSERT_EQ(window.used.size(), 2u);
  EXPECT_EQ(window.heights.at(20, 50), 100);
  EXPECT_EQ(window.heights.at(80, 50), 200);
}

TEST_F(TileSets, ASetServesOnlyWithinItsOutline) {
  index({flat(0, 0, 100, 2020, "a.tif")});
  const auto frame = geo::PlaceFrame::create("EPSG:25832", {9, 48.75});
  const geo::LonLat place = frame->to_lonlat({kEast + 50, kNorth + 50});
  const auto outline = [&](double from, double to) {
    std::ostringstream ring;
    ring.precision(10);
    ring << R"(, "outline": {"type": "Polygon", "coordinates": [[)";
    for (const auto& [x, y] : {std::pair{from, from}, {to, from}, {to, to}, {from, to}, {from, from}})
      ring << "[" << place.lon_deg + x << "," << place.lat_deg + y << "],";
    std::string text = ring.str();
    text.pop_back();
    return text + "]]}";
  };
  EXPECT_EQ(load(outline(-0.1, 0.1)).covering(geo::DataKind::dsm, place).size(), 1u);
  EXPECT_EQ(load(outline(0.1, 0.2)).covering(geo::DataKind::dsm, place).size(), 0u);
}

TEST_F(TileSets, ATileIndexGoesIntoNoOtherEntryAndSaysWhy) {
  index({flat(0, 0, 100, 2020, "a.tif")});
  EXPECT_THAT(why_not(R"({"kind": "buildings", "index": "dsm.gpkg"})"),
              HasSubstr("index: only heights and aerial images have tiles"));
  EXPECT_THAT(why_not(R"({"kind": "dsm", "path": "a.tif", "remote": true})"),
              HasSubstr("remote is said of an index only"));
  EXPECT_THAT(why_not(R"({"kind": "dsm", "index": "a.tif"})"),
              HasSubstr("a.tif: cannot be opened as a tile index"));
  EXPECT_THAT(why_not(R"({"kind": "dsm", "path": "a.tif", "layer": "x"})"),
              HasSubstr("layer and where are said of"));
  EXPECT_THAT(
      why_not(R"({"kind": "dsm", "path": "a.tif", "outline": {"type": "Point", "coordinates": [1, 2]}})"),
      HasSubstr("outline is no polygon"));
  write_flat(file("b.tif"), {kEast, kNorth, kEast + 100, kNorth + 100}, 1);
  EXPECT_THAT(why_not(R"({"kind": "relief", "index": "dsm.gpkg"})"),
              HasSubstr("a relief has cells of 5 m or more"));
}

TEST_F(TileSets, AnIndexThatIsNoneIsRefusedWithItsName) {
  {
    auto writer = geo::TileIndexWriter::open(file("empty.gpkg"), "EPSG:25832");
    ASSERT_TRUE(writer && writer->commit());
  }
  EXPECT_THAT(why_not(R"({"kind": "dsm", "index": "empty.gpkg"})"), HasSubstr("empty.gpkg: holds no tiles"));
  index({flat(0, 0, 100, 2020, "a.tif")});
  fs::resize_file(file("dsm.gpkg"), fs::file_size(file("dsm.gpkg")) / 3);
  EXPECT_FALSE(why_not(R"({"kind": "dsm", "index": "dsm.gpkg"})").empty());
  EXPECT_FALSE(geo::TileIndexWriter::open(file("x.gpkg"), "EPSG:nonsense"));
}

/// What gdaltindex writes when nothing else is asked of it: a layer named after the file, whose only column
/// is the location.
void write_as_gdaltindex(const std::string& path, const char* format, const std::vector<geo::Tile>& tiles) {
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName(format);
  const geo::DatasetHandle file(driver->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  OGRSpatialReference system;
  system.importFromEPSG(25832);
  OGRLayer* layer = file->CreateLayer(fs::path(path).stem().c_str(), &system, wkbPolygon, nullptr);
  OGRFieldDefn location("location", OFTString);
  ASSERT_EQ(layer->CreateField(&location), OGRERR_NONE);
  for (const geo::Tile& tile : tiles) {
    OGRFeature row(layer->GetLayerDefn());
    row.SetField("location", tile.location.c_str());
    OGRLinearRing ring;
    const geo::Box& b = tile.bounds;
    ring.addPoint(b.min_x, b.max_y), ring.addPoint(b.max_x, b.max_y), ring.addPoint(b.max_x, b.min_y);
    ring.addPoint(b.min_x, b.min_y), ring.addPoint(b.min_x, b.max_y);
    OGRPolygon shape;
    shape.addRing(&ring);
    row.SetGeometry(&shape);
    ASSERT_EQ(layer->CreateFeature(&row), OGRERR_NONE);
  }
}

TEST_F(TileSets, AnIndexAsGdaltindexMakesItServes) {
  const std::vector<geo::Tile> tiles{flat(0, 0, 100, {}, "a.tif"), flat(1, 0, 110, {}, "b.tif")};
  for (const auto& [name, format] : {std::pair{"made.gpkg", "GPKG"}, {"made.shp", "ESRI Shapefile"}}) {
    write_as_gdaltindex(file(name), format, tiles);
    const auto catalogue =
        catalogue_of(write_catalogue(folder_, R"({"kind": "dsm", "index": ")" + std::string(name) + R"("})"));
    ASSERT_EQ(catalogue.of(geo::DataKind::dsm).size(), 1u) << name;
    EXPECT_EQ(catalogue.of(geo::DataKind::dsm)[0].cell_m, 1) << name << ": as the tiles have it";
    const auto heights = read(catalogue, {kEast + 50, kNorth + 10, kEast + 150, kNorth + 20});
    ASSERT_TRUE(heights) << heights.error().text;
    EXPECT_EQ(heights->heights.values.front(), 100);
    EXPECT_EQ(heights->heights.values.back(), 110);
  }
}

TEST_F(TileSets, AnIndexWithoutCellSizesWhoseTilesAreNotThereIsRefused) {
  geo::Tile tile = flat(0, 0, 100, {}, "a.tif");
  tile.location = "elsewhere.tif";
  write_as_gdaltindex(file("made.gpkg"), "GPKG", {tile});
  EXPECT_THAT(why_not(R"({"kind": "dsm", "index": "made.gpkg"})"),
              AllOf(HasSubstr("made.gpkg"), HasSubstr("cell_m"), HasSubstr("elsewhere.tif")));
}

TEST_F(TileSets, WhatIsNotCommittedIsNotThere) {
  index({flat(0, 0, 100, 2020, "a.tif")});
  {
    auto writer = geo::TileIndexWriter::open(file("dsm.gpkg"), "EPSG:25832");
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->put(flat(1, 0, 100, 2020, "b.tif")));
  }
  auto writer = geo::TileIndexWriter::open(file("dsm.gpkg"), "EPSG:25832");
  ASSERT_TRUE(writer);
  EXPECT_EQ(writer->all()->size(), 1u);
  auto again = flat(0, 0, 100, 2024, "a.tif");
  ASSERT_TRUE(writer->put(again) && writer->commit());
  const auto all = writer->all();
  ASSERT_EQ(all->size(), 1u) << "replaced, not added";
  EXPECT_EQ(all->front().year, 2024);
  ASSERT_TRUE(writer->remove(again) && writer->commit());
  EXPECT_TRUE(writer->all()->empty());
}

TEST_F(TileSets, WhoeverOpensAnIndexReadsItsExtentAndNotEveryRow) {
  index({flat(0, 0, 100, 2020, "a.tif"), flat(1, 0, 100, 2020, "b.tif")});
  {
    auto writer = geo::TileIndexWriter::open(file("dsm.gpkg"), "EPSG:25832");
    ASSERT_TRUE(writer && writer->put(flat(0, 1, 100, 2020, "c.tif")) && writer->commit());
    ASSERT_TRUE(writer->put(flat(4, 0, 100, 2020, "d.tif")) && writer->commit());
    ASSERT_TRUE(writer->put(flat(9, 9, 100, 2020, "e.tif")));  // not committed
  }
  const auto read = geo::TileIndex::open(file("dsm.gpkg"));
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(read->size(), 4u);
  EXPECT_EQ(read->bounds(), (geo::Box{kEast, kNorth, kEast + 500, kNorth + 200}));
  EXPECT_TRUE(read->dataset().GetLayerByName("tiles")->TestCapability(OLCFastGetExtent));
}

TEST_F(TileSets, ATileThatIsHereIsFoundAmongTilesAtTheOfficeWithoutReadingEveryRow) {
  auto here = flat(1, 0, 100, 2020, "b.tif"), away = flat(0, 0, 100, 2020, "a.tif");
  away.url = "https://office.invalid/a.tif", away.location.clear(), away.state = geo::TileState::known;
  index({away, here});
  const auto read = geo::TileIndex::open(file("dsm.gpkg"));
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(read->sample()->location, "b.tif");
  OGRLayer* const plan = read->dataset().ExecuteSQL(
      "EXPLAIN QUERY PLAN SELECT * FROM tiles WHERE (location <> '')", nullptr, nullptr);
  ASSERT_TRUE(plan);
  const OGRFeatureUniquePtr step(plan->GetNextFeature());
  EXPECT_THAT(step->GetFieldAsString("detail"), HasSubstr("tiles_here"));
  read->dataset().ReleaseResultSet(plan);
}

TEST_F(TileSets, EntriesBesideTheCatalogueCountAsItsOwn) {
  index({flat(0, 0, 100, 2020, "a.tif")});
  fs::create_directory(file("geodata.d"));
  write_flat(file("geodata.d/own.tif"), {kEast, kNorth, kEast + 100, kNorth + 100}, 1);
  std::ofstream(file("geodata.d/at.json")) << R"({"datasets": [{"kind": "dtm", "path": "own.tif"}]})";
  EXPECT_EQ(load().of(geo::DataKind::dtm).size(), 1u);
  std::ofstream(file("geodata.d/broken.json")) << "{";
  EXPECT_THAT(why_not(R"({"kind": "dsm", "index": "dsm.gpkg"})"), HasSubstr("broken.json: is not JSON"));
}

}  // namespace
