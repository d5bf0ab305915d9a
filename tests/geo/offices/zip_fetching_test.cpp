// One member of a ZIP at an office.
#include "geo/offices/zip_fetching.hpp"

#include <gtest/gtest.h>

namespace {

using namespace geo::offices;

TEST(ZipFetching, AMemberWhoseFetchIsStoppedAfterTooShortAGuessIsNotDamaged) {
  const ZipMember member{.name = "a.tif", .offset = 1000, .stored = 100, .size = 100};
  geo::RunControl control;
  int asked = 0;
  const auto too_short = [&](geo::ByteRange range) -> geo::FetchResult<std::string> {
    ++asked;
    control.cancel();
    return std::string(range.count, 'x');
  };
  const auto fetched = fetch_member(member, too_short, control);
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().kind, geo::FailureKind::cancelled);
  EXPECT_EQ(asked, 1);
}

TEST(ZipFetching, AMemberWhoseNamesAreLongerThanGuessedIsAskedForAsItsHeaderSays) {
  // The local header, then a name and 200 bytes of other fields, then the content.
  const std::string content = "0123456789";
  const ZipMember member{.name = "a", .stored = 10, .size = 10, .crc = 0xa684c7c6};
  std::string zip = std::string("PK\3\4") + std::string(22, '\0');
  zip += std::string("\1\0\310\0", 4) + "a" + std::string(200, 'x') + content;
  const geo::RunControl control;
  const auto bytes = [&](geo::ByteRange range) -> geo::FetchResult<std::string> {
    return zip.substr(range.first, range.count);
  };
  const auto fetched = fetch_member(member, bytes, control);
  ASSERT_TRUE(fetched);
  ASSERT_TRUE(fetched->content) << fetched->content.error().text;
  EXPECT_EQ(*fetched->content, content);
}

}  // namespace
