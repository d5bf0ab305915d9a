// What tells one machine's data from another's.
#include "geo/data/data_identity.hpp"

#include <gmock/gmock.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include "tests/geo/hostile_catalogue.hpp"

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

}  // namespace
