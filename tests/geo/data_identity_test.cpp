// Whether two machines have the same data.
#include "geo/data/data_identity.hpp"

#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <filesystem>
#include <fstream>

#include "geo/data/tile_index.hpp"
#include "tile_catalogue.hpp"

namespace {

/// A machine with two tiles of 100 m and their index.
struct MachineWithTiles {
  MachineWithTiles() {
    geo::register_gdal_drivers();
    auto writer = geo::TileIndexWriter::open(folder.file("dsm.gpkg"), "EPSG:25832");
    EXPECT_TRUE(writer) << writer.error().text;
    for (int i = 0; i < 2; ++i) {
      const double x = 500000 + 100 * i, y = 5400000;
      const std::string name = "tile" + std::to_string(i) + ".tif";
      std::ofstream(folder.file(name)) << "heights " << i;
      EXPECT_TRUE(writer->put({.bounds = {x, y, x + 100, y + 100},
                               .location = name,
                               .cell_m = 1,
                               .state = geo::TileState::held}));
    }
    EXPECT_TRUE(writer->commit());
    catalogue = test::write_catalogue(folder, R"({"kind": "dsm", "index": "dsm.gpkg"})");
  }
  std::string digest() const {
    const auto made = geo::digest_of(test::catalogue_of(catalogue));
    EXPECT_TRUE(made) << made.error().text;
    return made ? *made : std::string();
  }
  test::TemporaryFolder folder;
  std::string catalogue;
};

TEST(DataIdentity, ATileThatIsMissingOrOfAnotherSizeIsADifference) {
  const MachineWithTiles machine;
  const std::string whole = machine.digest();
  EXPECT_EQ(machine.digest(), whole);
  std::ofstream(machine.folder.file("tile1.tif")) << "other heights";
  const std::string other = machine.digest();
  EXPECT_NE(other, whole);
  std::filesystem::remove(machine.folder.file("tile1.tif"));
  EXPECT_NE(machine.digest(), whole);
  EXPECT_NE(machine.digest(), other);
  std::ofstream(machine.folder.file("tile1.tif")) << "heights 1";
  EXPECT_EQ(machine.digest(), whole);
}

}  // namespace
