// Data sets that stay open: opened once however often they are read, anew when a file has changed, and never
// in another one's way.
#include "geo/data/kept_open.hpp"

#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "geo/data/geodata.hpp"
#include "geo/data/kept_relief.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/data/set_heights.hpp"
#include "geo/property_analysis.hpp"
#include "run_bytes.hpp"
#include "sample_region_files.hpp"
#include "tests/loopback_server.hpp"
#include "tests/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;

constexpr double kEast_m = 600000, kNorth_m = 5320000;

/// A raster of 20 x 20 cells of one height.
void write_heights(const std::string& path, float height_m) {
  geo::register_gdal_drivers();
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  const geo::DatasetHandle file(driver->Create(path.c_str(), 20, 20, 1, GDT_Float32, nullptr));
  double transform[6] = {kEast_m, 1, 0, kNorth_m, 0, -1};
  OGRSpatialReference system;
  system.importFromEPSG(25832);
  ASSERT_EQ(file->SetGeoTransform(transform), CE_None);
  ASSERT_EQ(file->SetSpatialRef(&system), CE_None);
  std::vector<float> cells(400, height_m);
  ASSERT_EQ(file->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, 20, 20, cells.data(), 20, 20, GDT_Float32, 0, 0,
                                             nullptr),
            CE_None);
}

/// A GeoPackage or GeoJSON of `count` squares, by its ending.
void write_squares(const std::string& path, int count) {
  geo::register_gdal_drivers();
  const bool json = path.ends_with("json");
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName(json ? "GeoJSON" : "GPKG");
  const geo::DatasetHandle file(driver->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  OGRSpatialReference system;
  system.importFromEPSG(json ? 4326 : 25832);
  OGRLayer* layer = file->CreateLayer("squares", &system, wkbPolygon);
  ASSERT_TRUE(layer);
  for (int i = 0; i < count; ++i) {
    const geo::Point corner = json ? geo::Point{10.5 + 0.001 * i, 48} : geo::Point{kEast_m + 3 * i, kNorth_m};
    const double side = json ? 1e-4 : 2;
    OGRLinearRing ring;
    for (const auto& [x, y] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}})
      ring.addPoint(corner.x + side * x, corner.y + side * y);
    OGRPolygon square;
    square.addRing(&ring);
    OGRFeature feature(layer->GetLayerDefn());
    feature.SetGeometry(&square);
    ASSERT_EQ(layer->CreateFeature(&feature), OGRERR_NONE);
  }
}

float height_in(const std::string& path) {
  const auto raster = geo::kept_raster(path);
  const auto cells = raster ? (*raster)->read((*raster)->bounds()) : tl::make_unexpected(raster.error());
  return cells && !cells->values.empty() ? cells->values.front() : NAN;
}

int squares_in(const std::string& path) {
  const auto found = geo::read_polygons(
      {path}, {kEast_m - 1e5, kNorth_m - 1e5, kEast_m + 1e5, kNorth_m + 1e5}, "EPSG:25832", {});
  return found ? static_cast<int>(found->size()) : -1;
}

template <class Work>
std::size_t openings_of(const Work& work) {
  const std::size_t before = geo::openings_of_this_thread();
  work();
  return geo::openings_of_this_thread() - before;
}

int open_files() {
  const fs::directory_iterator all("/proc/self/fd"), end;
  return static_cast<int>(std::distance(all, end));
}

class KeptOpen : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  std::string heights_ = folder_.file("heights.tif"), squares_ = folder_.file("squares.gpkg");
};

TEST_F(KeptOpen, ADataSetIsOpenedOnceHoweverOftenItIsRead) {
  write_heights(heights_, 500);
  write_squares(squares_, 3);
  EXPECT_EQ(openings_of([&] {
              for (int i = 0; i < 5; ++i) {
                EXPECT_EQ(height_in(heights_), 500);
                EXPECT_EQ(squares_in(squares_), 3);
              }
            }),
            2u);
}

TEST_F(KeptOpen, AFileThatAnotherReplacesIsOpenedAnew) {
  write_heights(heights_, 500);
  write_squares(squares_, 3);
  EXPECT_EQ(height_in(heights_), 500);
  EXPECT_EQ(squares_in(squares_), 3);
  write_heights(folder_.file("next.tif"), 600);
  write_squares(folder_.file("next.gpkg"), 2);
  fs::rename(folder_.file("next.tif"), heights_);
  fs::rename(folder_.file("next.gpkg"), squares_);
  EXPECT_EQ(height_in(heights_), 600);
  EXPECT_EQ(squares_in(squares_), 2);
}

TEST_F(KeptOpen, AFileThatIsWrittenInPlaceIsOpenedAnew) {
  write_heights(heights_, 500);
  EXPECT_EQ(height_in(heights_), 500);
  write_heights(folder_.file("next.tif"), 600);
  const std::string next = sample_test::bytes(folder_.file("next.tif"));
  ASSERT_EQ(next.size(), fs::file_size(heights_)) << "only the time tells";
  std::ofstream(heights_, std::ios::binary) << next;
  EXPECT_EQ(height_in(heights_), 600);
}

TEST_F(KeptOpen, ATruncatedFileFailsAndServesAgainWhenItIsWhole) {
  write_heights(heights_, 500);
  const std::string whole = sample_test::bytes(heights_);
  EXPECT_EQ(height_in(heights_), 500);
  fs::resize_file(heights_, 100);
  EXPECT_TRUE(std::isnan(height_in(heights_)));
  fs::remove(heights_);
  EXPECT_TRUE(std::isnan(height_in(heights_))) << "and so does a file that is gone";
  std::ofstream(heights_, std::ios::binary) << whole;
  EXPECT_EQ(height_in(heights_), 500);
}

TEST_F(KeptOpen, AfterAFailedReadTheDataSetIsOpenedAnew) {
  write_heights(heights_, 500);
  EXPECT_EQ(height_in(heights_), 500);
  geo::close_kept(heights_);
  EXPECT_EQ(openings_of([&] { height_in(heights_); }), 1u);
}

/// Writes the file in place, as a copying program does, whenever it has been read.
struct WrittenAfterEachRead {
  std::string path, next;
  int times;  ///< that it is written
  int readings = 0;
  std::vector<float> cells{};
  geo::Result<void> operator()(const geo::Raster& raster) {
    ++readings;
    const auto read = raster.read(raster.bounds());
    if (!read) return tl::make_unexpected(read.error());
    cells = read->values;
    if (times-- > 0) std::ofstream(path, std::ios::binary) << next;
    return {};
  }
};

TEST_F(KeptOpen, AFileThatIsWrittenWhileItIsReadIsReadOnceMore) {
  write_heights(heights_, 500);
  write_heights(folder_.file("next.tif"), 600);
  WrittenAfterEachRead read{heights_, sample_test::bytes(folder_.file("next.tif")), 1};
  const auto done = geo::read_kept_raster(heights_, {}, std::ref(read));
  ASSERT_TRUE(done) << done.error().text;
  EXPECT_EQ(read.readings, 2);
  EXPECT_EQ(read.cells, std::vector<float>(400, 600));
}

TEST_F(KeptOpen, AFileThatGoesOnBeingWrittenCannotBeRead) {
  write_heights(heights_, 500);
  WrittenAfterEachRead read{heights_, sample_test::bytes(heights_), 1000};
  const auto done = geo::read_kept_raster(heights_, {}, std::ref(read));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, geo::FailureKind::data_unreachable);
  EXPECT_NE(done.error().text.find("heights.tif: is being written"), std::string::npos) << done.error().text;
  EXPECT_LT(read.readings, 10);
}

TEST_F(KeptOpen, AGeoPackageMayBeWrittenWhileItIsKept) {
  write_squares(squares_, 1);
  EXPECT_EQ(squares_in(squares_), 1);
  {
    const geo::DatasetHandle writer(
        GDALDataset::Open(squares_.c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE, nullptr, nullptr, nullptr));
    ASSERT_TRUE(writer);
    OGRLayer* layer = writer->GetLayer(0);
    layer->ResetReading();
    const OGRFeatureUniquePtr first(layer->GetNextFeature());
    first->SetFID(OGRNullFID);
    ASSERT_EQ(layer->CreateFeature(first.get()), OGRERR_NONE) << "nobody holds a lock on it";
  }
  EXPECT_EQ(squares_in(squares_), 2);
}

TEST_F(KeptOpen, AStatedSystemCounts) {
  write_heights(heights_, 500);
  const auto own = geo::kept_raster(heights_);
  const auto stated = geo::kept_raster(heights_, "EPSG:25833");
  ASSERT_TRUE(own && stated);
  EXPECT_NE((*own)->crs_wkt(), (*stated)->crs_wkt());
}

TEST_F(KeptOpen, OnlySoManyStayOpen) {
  const int before = open_files();
  for (int i = 0; i < 150; ++i) {
    const std::string path = folder_.file(std::to_string(i) + ".tif");
    write_heights(path, static_cast<float>(i));
    EXPECT_EQ(height_in(path), static_cast<float>(i));
  }
  EXPECT_LE(open_files() - before, static_cast<int>(geo::kMostKeptOpen));
}

TEST_F(KeptOpen, AFormatThatIsReadAsAWholeIsKeptOnlyWhenItIsSmall) {
  const std::string small = folder_.file("small.geojson"), large = folder_.file("large.geojson");
  write_squares(small, 2);
  write_squares(large, 2);
  std::string text = sample_test::bytes(large);
  text.insert(text.find('{') + 1, 30'000'000, ' ');
  std::ofstream(large, std::ios::binary) << text;
  EXPECT_EQ(openings_of([&] { squares_in(small), squares_in(small); }), 1u);
  EXPECT_EQ(openings_of([&] { squares_in(large), squares_in(large); }), 2u);
}

TEST_F(KeptOpen, WhatAServerHoldsIsOpenedEachTime) {
  write_heights(heights_, 500);
  const test::LoopbackServer server(
      [&](const auto& request) { return test::file_answer(heights_, request); });
  const std::string remote = "/vsicurl/" + server.url("/heights.tif");
  EXPECT_EQ(openings_of([&] { height_in(remote), height_in(remote); }), 2u);
}

TEST_F(KeptOpen, WhatLiesBelowACollectionOfCollectionsIsNoticed) {
  write_heights(heights_, 500);
  const std::string inner = folder_.file("inner.vrt"), outer = folder_.file("outer.vrt");
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("VRT");
  for (const auto& [from, to] : {std::pair{heights_, inner}, {inner, outer}}) {
    const geo::DatasetHandle source = geo::open_dataset(from, GDAL_OF_RASTER);
    geo::DatasetHandle(driver->CreateCopy(to.c_str(), source.get(), FALSE, nullptr, nullptr, nullptr));
  }
  EXPECT_EQ(height_in(outer), 500);
  write_heights(folder_.file("next.tif"), 600);
  fs::rename(folder_.file("next.tif"), heights_);
  EXPECT_EQ(height_in(outer), 600);
  EXPECT_EQ(openings_of([&] { height_in(inner), height_in(inner); }), 1u) << "a plain collection is kept";
}

TEST_F(KeptOpen, AThreadCanCloseAllThatItKeeps) {
  write_heights(heights_, 500);
  write_squares(squares_, 3);
  geo::close_all_kept();
  const int before = open_files();
  height_in(heights_), squares_in(squares_);
  EXPECT_GT(open_files(), before);
  geo::close_all_kept();
  EXPECT_EQ(open_files(), before);
}

TEST_F(KeptOpen, EachThreadHasItsOwn) {
  write_heights(heights_, 500);
  write_squares(squares_, 3);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      EXPECT_EQ(openings_of([&] {
                  for (int k = 0; k < 50; ++k) {
                    EXPECT_EQ(height_in(heights_), 500);
                    EXPECT_EQ(squares_in(squares_), 3);
                  }
                }),
                2u);
    });
  for (std::thread& thread : threads) thread.join();
}

// ---- whole runs -----------------------------------------------------------------------------------------

class KeptOpenInRuns : public testing::Test {
 protected:
  geo::Geodata geodata_ = *geo::Geodata::load(sample_test::region("EPSG:3035") / "geodata.json");
  std::vector<geo::LonLat> houses_ = geodata_.addresses.near({13, 48}, 90);
};

TEST_F(KeptOpenInRuns, ARunOpensEachDataSetOnceAndTheNextRunNone) {
  std::thread([&] {
    std::size_t sets = 0;
    for (const auto kind : {geo::DataKind::dsm, geo::DataKind::dtm, geo::DataKind::buildings,
                            geo::DataKind::parcels, geo::DataKind::orthophoto, geo::DataKind::relief})
      sets += geodata_.catalogue.of(kind).size();
    EXPECT_LE(openings_of([&] { test::run_bytes(geodata_, houses_[0]); }), sets);
    EXPECT_EQ(openings_of([&] { test::run_bytes(geodata_, houses_[1]); }), 0u);
  }).join();
}

TEST_F(KeptOpenInRuns, ResultsDoNotDependOnWhatWasReadBefore) {
  constexpr std::size_t kHouses = 6;
  std::vector<std::string> alone(kHouses), ahead(kHouses), back(kHouses);
  for (std::size_t i = 0; i < kHouses; ++i)
    std::thread([&] { alone[i] = test::run_bytes(geodata_, houses_[i]); }).join();
  std::thread([&] {
    for (std::size_t i = 0; i < kHouses; ++i) ahead[i] = test::run_bytes(geodata_, houses_[i]);
    for (std::size_t i = kHouses; i-- > 0;) back[i] = test::run_bytes(geodata_, houses_[i]);
  }).join();
  for (std::size_t i = 0; i < kHouses; ++i) {
    EXPECT_GT(alone[i].size(), 1000u);
    EXPECT_TRUE(alone[i] == ahead[i]) << "house " << i;
    EXPECT_TRUE(alone[i] == back[i]) << "house " << i;
  }
}

TEST_F(KeptOpenInRuns, ABrokenReliefThatThePlaceDoesNotNeedCostsNothing) {
  const test::TemporaryFolder folder;
  const fs::path from = sample_test::region("EPSG:3035");
  for (const char* name : {"dsm.tif", "relief.tif"}) fs::copy(from / name, folder.path() / name);
  const std::string far = folder.file("far.tif");
  write_heights(far, 500);
  {
    const geo::DatasetHandle coarse(GDALDataset::Open(far.c_str(), GDAL_OF_RASTER | GDAL_OF_UPDATE));
    double transform[6] = {kEast_m - 300'000, 20, 0, kNorth_m, 0, -20};
    ASSERT_EQ(coarse->SetGeoTransform(transform), CE_None);
  }
  std::ofstream(folder.file("geodata.json"))
      << R"({"datasets": [{"kind": "dsm", "path": "dsm.tif"}, {"kind": "relief", "path": "relief.tif"},)"
      << R"( {"kind": "relief", "path": "far.tif"}]})";
  const auto geodata = geo::Geodata::load(folder.file("geodata.json"));
  ASSERT_TRUE(geodata) << geodata.error().text;
  const std::string whole = test::run_bytes(*geodata, houses_[0]);
  EXPECT_GT(whole.size(), 1000u);
  fs::resize_file(far, 50);
  EXPECT_TRUE(test::run_bytes(*geodata, houses_[0]) == whole);
}

/// A surface model and a relief, which one entry of the catalogue describes.
class KeptRelief : public KeptOpenInRuns {
 protected:
  KeptRelief() {
    const fs::path from = sample_test::region("EPSG:3035");
    for (const char* name : {"dsm.tif", "relief.tif"}) fs::copy(from / name, folder_.path() / name);
  }
  std::shared_ptr<const geo::ReliefCells> read(const std::string& entry, geo::LonLat place) const {
    std::ofstream(folder_.file("geodata.json"))
        << R"({"datasets": [{"kind": "dsm", "path": "dsm.tif"}, {"kind": "relief", )" << entry << "}]}";
    const auto catalogue = geo::Catalogue::load(folder_.file("geodata.json"));
    EXPECT_TRUE(catalogue) << catalogue.error().text;
    const auto models = geo::HeightModels::around(*catalogue, geo::DataKind::relief, place, {});
    const auto frame = geo::PlaceFrame::create(models->working_system(), place);
    return *geo::kept_relief(*models, models->working_system(), frame->origin(), 31'000, 20, {});
  }
  void touch_relief() const {
    fs::last_write_time(folder_.path() / "relief.tif", fs::file_time_type::clock::now());
  }
  test::TemporaryFolder folder_;
};
const std::string kReliefFile = R"("path": "relief.tif")";

TEST_F(KeptRelief, OfANeighbourhoodIsReadOnceUntilItsFileChanges) {
  const auto first = read(kReliefFile, houses_[0]);
  ASSERT_EQ(first->used.size(), 1u);
  EXPECT_EQ(first->used[0].set, 0u);
  EXPECT_EQ(read(kReliefFile, houses_[1]), first) << "the same cells in memory";
  touch_relief();
  EXPECT_NE(read(kReliefFile, houses_[1]), first);
}

TEST_F(KeptRelief, IsReadAnewWhenTheCatalogueDescribesItOtherwise) {
  EXPECT_EQ(read(kReliefFile + R"(, "year": 2015)", houses_[0])->used.at(0).years, std::vector<int>{2015});
  EXPECT_EQ(read(kReliefFile + R"(, "year": 2020)", houses_[0])->used.at(0).years, std::vector<int>{2020});
}

TEST_F(KeptRelief, OfTilesIsReadAnewWhenOneChangesOfWhichTheIndexKnowsNothing) {
  const auto relief = geo::Raster::open(folder_.file("relief.tif"));
  ASSERT_TRUE(relief) << relief.error().text;
  {
    auto writer = geo::TileIndexWriter::open(folder_.file("relief.gpkg"), relief->crs_wkt());
    ASSERT_TRUE(writer) << writer.error().text;
    ASSERT_TRUE(writer->put({.bounds = relief->bounds(),
                             .location = "relief.tif",
                             .cell_m = relief->cell_m(),
                             .state = geo::TileState::held}));
    ASSERT_TRUE(writer->commit());
  }
  const std::string entry = R"("index": "relief.gpkg")";
  const auto first = read(entry, houses_[0]);
  ASSERT_EQ(first->used.size(), 1u);
  EXPECT_EQ(read(entry, houses_[1]), first) << "the same cells in memory";
  touch_relief();
  EXPECT_NE(read(entry, houses_[1]), first);
}

// ---- files that are replaced while the catalogue stays
// -----------------------------------------------------

class ReplacedHeights : public testing::Test {
 protected:
  void SetUp() override {
    write_heights(path_, 500);
    std::ofstream(folder_.file("geodata.json")) << R"({"datasets": [{"kind": "dsm", "path": "dsm.tif"}]})";
    auto catalogue = geo::Catalogue::load(folder_.file("geodata.json"));
    ASSERT_TRUE(catalogue) << catalogue.error().text;
    catalogue_ = std::move(*catalogue);
    ASSERT_TRUE(read());
  }
  geo::Result<geo::SetHeights> read() const {
    const geo::DataSet& set = catalogue_->of(geo::DataKind::dsm).front();
    return geo::heights_of(set, set.bounds, 0, 0, {});
  }
  /// Puts a raster of `width` cells, each so large, in the file's place.
  void replace(int epsg, double west_m, int width, double cell_m) const {
    const std::string next = folder_.file("next.tif");
    {
      GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
      const geo::DatasetHandle file(driver->Create(next.c_str(), width, width, 1, GDT_Float32, nullptr));
      double transform[6] = {west_m, cell_m, 0, kNorth_m, 0, -cell_m};
      OGRSpatialReference system;
      system.importFromEPSG(epsg);
      ASSERT_EQ(file->SetGeoTransform(transform), CE_None);
      ASSERT_EQ(file->SetSpatialRef(&system), CE_None);
      ASSERT_EQ(file->GetRasterBand(1)->Fill(600), CE_None);
    }
    fs::rename(next, path_);
  }
  test::TemporaryFolder folder_;
  std::string path_ = folder_.file("dsm.tif");
  std::optional<geo::Catalogue> catalogue_;
};

TEST_F(ReplacedHeights, OfTheSameCellsAreRead) {
  replace(25832, kEast_m, 20, 1);
  const auto heights = read();
  ASSERT_TRUE(heights) << heights.error().text;
  EXPECT_EQ(heights->heights.at(10, 10), 600);
}

TEST_F(ReplacedHeights, OfAnotherSystemCellSizeOrExtentAskForTheCatalogueToBeTakenAnew) {
  struct Other {
    int epsg;
    double west_m;
    int width;
    double cell_m;
  };
  for (const Other& other : {Other{25833, kEast_m, 20, 1}, Other{25832, kEast_m, 40, 0.5},
                             Other{25832, kEast_m + 0.5, 20, 1}, Other{25832, kEast_m, 21, 1}}) {
    replace(other.epsg, other.west_m, other.width, other.cell_m);
    const auto heights = read();
    ASSERT_FALSE(heights) << other.epsg << ' ' << other.west_m << ' ' << other.width;
    EXPECT_EQ(heights.error().kind, geo::FailureKind::data_unreachable);
    EXPECT_NE(heights.error().text.find("dsm.tif: has changed its system, cells or extent"),
              std::string::npos)
        << heights.error().text;
  }
}

}  // namespace
