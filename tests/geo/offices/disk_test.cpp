// What the disk says of files: that it took one for good, or why not.
#include "geo/offices/disk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "../../full_disk.hpp"
#include "../../temporary_folder.hpp"
#include "geo/offices/data_folder.hpp"

namespace {

using namespace geo::offices;
using testing::HasSubstr;

TEST(Disk, AFileThatIsWrittenWholeSaysWhyItCannotBe) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("none")) << "x";
  const auto elsewhere = write_whole(folder.path() / "none" / "a", "text");
  ASSERT_FALSE(elsewhere);
  EXPECT_FALSE(elsewhere.error().no_room);
  EXPECT_THAT(elsewhere.error().text, HasSubstr("Not a directory"));
  geo::Result<void> full;
  {
    const test::FullDisk disk(1000);
    full = write_whole(folder.path() / "a", std::string(2000, 'x'));
  }
  ASSERT_FALSE(full);
  EXPECT_TRUE(full.error().no_room) << full.error().text;
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "a"));
  ASSERT_TRUE(write_whole(folder.path() / "a", std::string(2000, 'x')));
}

TEST(Disk, IsAskedWhyItTookNothingAndIsLeftAsItWas) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(error_of_writing(folder.path(), 100'000), 0);
  EXPECT_FALSE(geo::means_no_room(error_of_writing(folder.path() / "none", 1)));
  EXPECT_NE(error_of_writing(folder.path() / "none", 1), 0);
  int error = 0;
  {
    const test::FullDisk disk(1000);
    error = error_of_writing(folder.path(), 100'000);
  }
  EXPECT_TRUE(geo::means_no_room(error)) << error;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Disk, HasOnlyFilesThatAreThere) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("a")) << "x";
  EXPECT_TRUE(bring_to_disk({}));
  EXPECT_TRUE(bring_to_disk({folder.path() / "a"}));
  const auto gone = bring_to_disk({folder.path() / "a", folder.path() / "b"});
  ASSERT_FALSE(gone);
  EXPECT_THAT(gone.error().text, HasSubstr("/b: cannot be written"));
  EXPECT_FALSE(gone.error().no_room);
}

}  // namespace
