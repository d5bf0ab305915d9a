// Whether two machines have the same data.
#include "geo/data/data_identity.hpp"

#include <gdal_priv.h>
#include <gmock/gmock.h>
#include <ogrsf_frmts.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "geo/data/tile_index.hpp"
#include "tests/geo/hostile_catalogue.hpp"
#include "tile_catalogue.hpp"

namespace {

namespace fs = std::filesystem;

/// Root may read everything: while this object exists, this thread may read what the user nobody may.
class ReadsAsNobody {
 public:
  ReadsAsNobody() { ::setfsuid(65534); }
  ~ReadsAsNobody() { ::setfsuid(::geteuid()); }
};

TEST(DataIdentity, OfAFolderThatCannotBeReadAsAWholeIsAFaultAndNothingIsThrown) {
  hostile::Draft draft;
  const fs::path folder = draft.file("outlines"), locked = folder / "locked";
  fs::create_directories(locked);
  hostile::vector_translated((hostile::region() / "buildings.gpkg").string(),
                             (folder / "buildings.shp").string(), {"-f", "ESRI Shapefile"});
  draft.use("buildings", folder.string());
  const auto catalogue = geo::Catalogue::load(draft.catalogue());
  ASSERT_TRUE(catalogue) << catalogue.error().text;
  ASSERT_TRUE(geo::digest_of(*catalogue));
  fs::permissions(folder.parent_path(), fs::perms::all);
  fs::permissions(locked, fs::perms::none);
  const auto digest = [&] {
    const ReadsAsNobody nobody;
    return geo::digest_of(*catalogue);
  }();
  fs::permissions(locked, fs::perms::all);
  ASSERT_FALSE(digest);
  EXPECT_THAT(digest.error().text, testing::HasSubstr("outlines: not all of this folder can be read"));
}

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
