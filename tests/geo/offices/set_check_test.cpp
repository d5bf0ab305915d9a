#include "geo/offices/set_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "../../temporary_folder.hpp"
#include "geo/data/tile_index.hpp"
#include "tile_forms.hpp"

namespace {

using namespace geo::offices;
using testing::HasSubstr;

/// A folder with a surface and a terrain of one tile each.
class SetCheck : public testing::Test {
 protected:
  void SetUp() override {
    make("x-dsm", 10);
    make("x-dtm", 0);
  }
  void make(const std::string& id, float lift) {
    auto grid = test::made_heights(356000, 5699000, 300, 1);
    for (float& value : grid.values) value += lift;
    std::filesystem::create_directories(root() / "tiles" / id);
    std::ofstream(root() / "tiles" / id / "a.tif", std::ios::binary) << test::tif_of(grid, "EPSG:25832");
    auto index = geo::TileIndexWriter::open((root() / (id + ".gpkg")).string(), "EPSG:25832");
    geo::Tile tile{.bounds = {356000, 5699000, 356300, 5699300},
                   .location = "tiles/" + id + "/a.tif",
                   .url = "https://a.de/" + id,
                   .year = 2020,
                   .cell_m = 1,
                   .state = geo::TileState::held};
    if (!index || !index->put(tile) || !index->commit()) throw std::runtime_error("no index");
  }
  std::filesystem::path root() const { return temporary_.path(); }
  static NamedSet set(const std::string& kind) {
    return {.region = "x",
            .id = "x-" + kind,
            .kind = kind,
            .index = "x-" + kind + ".gpkg",
            .attribution = "A",
            .licence = "L"};
  }
  std::string faults(const NamedSet& set, bool deep = true) {
    std::string all;
    for (const Finding& finding : check_set(set, folder_, deep, geo::RunControl()))
      if (finding.is_fault) all += finding.text + "\n";
    return all;
  }

  test::TemporaryFolder temporary_;
  DataFolder folder_{temporary_.path() / "geodata.json"};
};

TEST_F(SetCheck, ASoundSetHasNoFault) {
  EXPECT_EQ(faults(set("dsm")), "");
  const auto status = status_of(set("dsm"), folder_);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->held, 1U);
  EXPECT_EQ(status->newest_year, 2020);
  EXPECT_GT(status->bytes, 300U * 300U * 4U);
}

TEST_F(SetCheck, SaysWhatIsGoneDamagedOrWithoutANotice) {
  NamedSet nameless = set("dsm");
  nameless.attribution.clear();
  EXPECT_THAT(faults(nameless), HasSubstr("names no licence or no attribution"));
  const auto tile = root() / "tiles/x-dsm/a.tif";
  std::filesystem::resize_file(tile, std::filesystem::file_size(tile) - 100'000);
  EXPECT_THAT(faults(set("dsm")), HasSubstr("a.tif"));
  std::filesystem::remove(tile);
  EXPECT_THAT(faults(set("dsm"), false), HasSubstr("a.tif is gone"));
  std::filesystem::remove(root() / "x-dsm.gpkg");
  EXPECT_THAT(faults(set("dsm")), HasSubstr("x-dsm.gpkg"));
}

TEST_F(SetCheck, ASurfaceLiesAboveItsTerrain) {
  const Finding good = compare_heights(set("dsm"), set("dtm"), folder_, 10);
  EXPECT_FALSE(good.is_fault);
  EXPECT_THAT(good.text, HasSubstr("100.00 % of 40000 cells"));
  const Finding swapped = compare_heights(set("dtm"), set("dsm"), folder_, 10);
  EXPECT_TRUE(swapped.is_fault);
  EXPECT_THAT(swapped.text, HasSubstr("the two do not belong together"));
}

}  // namespace
