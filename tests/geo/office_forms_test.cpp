// Whatever an office cuts a model into, and however it writes the tiles, a run gets what the whole file would
// give.
#include <gdal_priv.h>
#include <gdal_utils.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>

#include "geo/data/geodata.hpp"
#include "geo/data/tile_index.hpp"
#include "run_bytes.hpp"
#include "tests/shared_data.hpp"
#include "tests/temporary_folder.hpp"
#include "tile_catalogue.hpp"

namespace {

namespace fs = std::filesystem;
using test::catalogue_of;
using test::window_at;
using test::write_catalogue;
using Words = std::vector<std::string>;

geo::DatasetHandle translate(GDALDataset& source, const std::string& out, const Words& words) {
  CPLStringList arguments;
  for (const std::string& word : words) arguments.AddString(word.c_str());
  auto* options = GDALTranslateOptionsNew(arguments.List(), nullptr);
  int error = 0;
  geo::DatasetHandle made(
      GDALDataset::FromHandle(GDALTranslate(out.c_str(), GDALDataset::ToHandle(&source), options, &error)));
  GDALTranslateOptionsFree(options);
  EXPECT_TRUE(made && !error) << out << ": " << CPLGetLastErrorMsg();
  return made;
}

/// How an office writes a tile. `name` without an ending becomes the file that is returned.
using Form = std::function<std::string(GDALDataset& cells, const Words& window, const std::string& name)>;

std::string as_tiff(GDALDataset& cells, Words window, const std::string& name, const Words& more) {
  window.insert(window.end(), more.begin(), more.end());
  translate(cells, name + ".tif", window);
  return name + ".tif";
}
std::string as_cog(GDALDataset& cells, const Words& window, const std::string& name) {
  return as_tiff(cells, window, name, {"-of", "COG", "-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=3"});
}
std::string as_strips(GDALDataset& cells, const Words& window, const std::string& name) {
  return as_tiff(cells, window, name, {"-co", "COMPRESS=LZW"});
}
/// Written row by row, for what GDALTranslate does not make.
std::string written(GDALDataset& cells, Words window, const std::string& name, bool south_up,
                    bool with_system) {
  window.insert(window.end(), {"-of", "MEM"});
  const geo::DatasetHandle part = translate(cells, "", window);
  const int width = part->GetRasterXSize(), height = part->GetRasterYSize();
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  const geo::DatasetHandle out(
      driver->Create((name + ".tif").c_str(), width, height, 1, GDT_Float32, nullptr));
  double t[6];
  part->GetGeoTransform(t);
  if (south_up) t[3] += height * t[5], t[5] = -t[5];
  out->SetGeoTransform(t);
  if (with_system) out->SetSpatialRef(part->GetSpatialRef());
  int has = 0;
  if (const double nodata = part->GetRasterBand(1)->GetNoDataValue(&has); has)
    out->GetRasterBand(1)->SetNoDataValue(nodata);
  std::vector<float> row(static_cast<std::size_t>(width));
  for (int y = 0; y < height; ++y) {
    EXPECT_EQ(part->GetRasterBand(1)->RasterIO(GF_Read, 0, y, width, 1, row.data(), width, 1, GDT_Float32, 0,
                                               0, nullptr),
              CE_None);
    EXPECT_EQ(out->GetRasterBand(1)->RasterIO(GF_Write, 0, south_up ? height - 1 - y : y, width, 1,
                                              row.data(), width, 1, GDT_Float32, 0, 0, nullptr),
              CE_None);
  }
  return name + ".tif";
}
std::string without_system(GDALDataset& cells, const Words& window, const std::string& name) {
  return written(cells, window, name, false, false);
}
/// The rows go from south to north, as in BEV's orthophotos.
std::string south_up(GDALDataset& cells, const Words& window, const std::string& name) {
  return written(cells, window, name, true, true);
}
std::string as_xyz(GDALDataset& cells, Words window, const std::string& name) {
  window.insert(window.end(), {"-of", "XYZ", "-co", "DECIMAL_PRECISION=6"});
  translate(cells, name + ".xyz", window);
  return name + ".xyz";
}
std::string as_zipped_xyz(GDALDataset& cells, const Words& window, const std::string& name) {
  const std::string text = as_xyz(cells, window, name);
  std::string zipped = "/vsizip/" + name + ".zip/" + fs::path(text).filename().string();
  EXPECT_EQ(CPLCopyFile(zipped.c_str(), text.c_str()), 0);
  fs::remove(text);
  return zipped;
}

/// Cuts a raster into square tiles of `side_m` along whole multiples of it and writes their index.
void cut(
    const std::string& from, const std::string& index, double side_m, const Form& form,
    const std::function<void(geo::Tile&)>& change = [](geo::Tile&) {}) {
  const auto raster = geo::Raster::open(from);
  ASSERT_TRUE(raster) << raster.error().text;
  const geo::Box& all = raster->bounds();
  const double cell = raster->cell_m();
  auto writer = geo::TileIndexWriter::open(index, raster->crs_wkt());
  ASSERT_TRUE(writer) << writer.error().text;
  for (double y = std::floor(all.min_y / side_m) * side_m; y < all.max_y; y += side_m)
    for (double x = std::floor(all.min_x / side_m) * side_m; x < all.max_x; x += side_m) {
      geo::Tile tile{.bounds = {std::max(x, all.min_x), std::max(y, all.min_y),
                                std::min(x + side_m, all.max_x), std::min(y + side_m, all.max_y)}};
      const auto text = [](double value) { return std::to_string(std::lround(value)); };
      const geo::Box& b = tile.bounds;
      const Words window{"-srcwin", text((b.min_x - all.min_x) / cell), text((all.max_y - b.max_y) / cell),
                         text((b.max_x - b.min_x) / cell), text((b.max_y - b.min_y) / cell)};
      const std::string name = fs::path(index).replace_extension().string() + "_" + text(x) + "_" + text(y);
      tile.location = form(raster->dataset(), window, name);
      if (!tile.location.starts_with("/vsi")) tile.location = fs::path(tile.location).filename().string();
      tile.cell_m = cell;
      tile.state = geo::TileState::held;
      change(tile);
      ASSERT_TRUE(writer->put(tile));
    }
  ASSERT_TRUE(writer->commit());
}

void expect_same(const geo::Grid<float>& a, const geo::Grid<float>& b) {
  ASSERT_EQ(a.width, b.width);
  ASSERT_EQ(a.height, b.height);
  EXPECT_EQ(a.west, b.west);
  EXPECT_EQ(a.north, b.north);
  EXPECT_EQ(a.cell_m, b.cell_m);
  EXPECT_EQ(std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)), 0);
}

/// A way in which an office may deliver a model.
struct OfficeForm {
  std::string name;
  double side_m;
  Form written;
};
const std::vector<OfficeForm>& forms() {
  static const std::vector<OfficeForm> all{{"cog", 250, as_cog},
                                           {"cogs", 100, as_cog},
                                           {"strips", 250, as_strips},
                                           {"south_up", 250, south_up},
                                           {"no_system", 250, without_system},
                                           {"xyz", 250, as_xyz},
                                           {"zipped", 250, as_zipped_xyz}};
  return all;
}

/// ROOF_EVERY_PLACE=1 tries all forms at all places, some minutes; without it a part of both.
bool every_place() { return std::getenv("ROOF_EVERY_PLACE") != nullptr; }

/// The real tile of NRW, and the points in it.
class RealTile : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_shared_data()) GTEST_SKIP() << "the shared reference data are not here";
    for (const test::Row& row : test::shared_table("data/nrw/addresses.csv"))
      places_.push_back({row.number("lon"), row.number("lat")});
    ASSERT_GE(places_.size(), 20u);
  }
  std::string file() const { return test::shared_file("data/nrw/dsm.tif").string(); }
  std::vector<geo::LonLat> places_;
};

TEST_F(RealTile, GivesTheSameCellsInWhateverTilesAnOfficeCutsIt) {
  const test::TemporaryFolder folder;
  const auto whole = catalogue_of(write_catalogue(folder, R"({"kind": "dsm", "path": ")" + file() + "\"}"));
  for (const OfficeForm& form : forms()) {
    SCOPED_TRACE(form.name);
    cut(file(), folder.file(form.name + ".gpkg"), form.side_m, form.written);
    const auto tiles =
        catalogue_of(write_catalogue(folder, R"({"kind": "dsm", "index": ")" + form.name + ".gpkg\"}"));
    for (std::size_t i = 0; i < places_.size(); i += every_place() || form.name == "cog" ? 1 : 11) {
      const auto expected = window_at(whole, places_[i]);
      ASSERT_GT(expected.heights.values.size(), 100'000u);
      expect_same(window_at(tiles, places_[i]).heights, expected.heights);
    }
  }
}

TEST_F(RealTile, GivesTheSameRunsInTiles) {
  const test::TemporaryFolder folder;
  const std::string addresses =
      R"(, {"kind": "addresses", "path": ")" + test::shared_file("data/nrw/addresses.csv").string() + "\"}";
  const std::string facts = R"("name": "DOM1", "attribution": "Geobasis NRW", "year": 2020})";
  const auto whole = geo::Geodata::load(
      write_catalogue(folder, R"({"kind": "dsm", "path": ")" + file() + "\", " + facts + addresses));
  ASSERT_TRUE(whole);
  std::vector<std::size_t> tried{0, 4, 12};
  if (every_place()) {
    tried.resize(places_.size());
    std::iota(tried.begin(), tried.end(), 0);
  }
  std::map<std::size_t, std::string> expected;
  for (const std::size_t i : tried) {
    expected[i] = test::run_bytes(*whole, places_[i]);
    // Two of the places end with a sentence instead of surfaces, the three that are always tried do not.
    EXPECT_GT(expected[i].size(), every_place() ? 0u : 1000u);
  }
  for (const OfficeForm& form : forms()) {
    if (!every_place() && form.name != "cog") continue;
    cut(file(), folder.file(form.name + ".gpkg"), form.side_m, form.written);
    const auto tiles = geo::Geodata::load(write_catalogue(
        folder, R"({"kind": "dsm", "index": ")" + form.name + R"(.gpkg", )" + facts + addresses));
    ASSERT_TRUE(tiles);
    for (const std::size_t i : tried)
      EXPECT_TRUE(test::run_bytes(*tiles, places_[i]) == expected[i]) << form.name << ", Messpunkt " << i + 1;
  }
}

}  // namespace
