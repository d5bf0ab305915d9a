// Members of ZIP files on a server, by ranged requests.
#include <zip.h>

#include "geo/fetch/remote_zip.hpp"
#include "tests/geo/fetch/office_fixture.hpp"

namespace {

using namespace std::chrono_literals;
using fetch_test::Bytes;
using fetch_test::bytes_of;
using testing::HasSubstr;

std::string noise(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() % 32);  // packs, but not to nothing
  return bytes;
}

class RemoteZipTest : public testing::Test {
 protected:
  /// Stored or deflated members; with `zip64` the directory has 64-bit fields, as of files over 4 GB.
  std::string zip_of(const std::vector<std::pair<std::string, std::string>>& members, bool stored = false) {
    const std::string path = folder_.file("made.zip");
    int error = 0;
    zip_t* zip = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
    for (const auto& [name, bytes] : members) {
      zip_source_t* source = zip_source_buffer(zip, bytes.data(), bytes.size(), 0);
      const zip_int64_t index = zip_file_add(zip, name.c_str(), source, 0);
      if (stored) zip_set_file_compression(zip, index, ZIP_CM_STORE, 0);
    }
    EXPECT_EQ(zip_close(zip), 0);
    return bytes_of(path);
  }
  std::string zip_by_python(const std::string& program) {
    const std::string path = folder_.file("made.zip");
    const std::string command =
        "python3 -c 'import zipfile,sys,random\npath=sys.argv[1]\n" + program + "' " + path;
    EXPECT_EQ(std::system(command.c_str()), 0);
    return bytes_of(path);
  }
  geo::FetchResult<geo::RemoteZip> opened() {
    return geo::RemoteZip::open(fetcher_, office_.url("/all.zip"), control_);
  }
  std::string failure_of(const geo::RemoteZip& zip, std::size_t member, geo::MemberRequest request = {}) {
    request.target = folder_.file("out.tif");
    const auto result = zip.fetch(zip.members()[member], request, control_);
    EXPECT_FALSE(std::filesystem::exists(request.target));
    EXPECT_FALSE(std::filesystem::exists(request.target.string() + ".part"));
    return result ? "" : result.error().text;
  }

  test::TemporaryFolder folder_;
  test::OfficeServer office_;
  geo::RunControl control_;
  geo::Network network_{fetch_test::quick_network()};
  geo::Fetcher fetcher_{network_, {.tries = 3, .first_wait = 20ms}};
};

TEST_F(RemoteZipTest, MembersComeByOneRequestEach) {
  for (const bool stored : {false, true}) {
    std::vector<std::pair<std::string, std::string>> members;
    for (int i = 0; i < 30; ++i)
      members.emplace_back("DOM1/dom1_32_" + std::to_string(i) + ".tif", noise(200'000 + i, i));
    members.emplace_back("DOM1/", "");
    office_.put("/all.zip", {.body = zip_of(members, stored)});
    office_.forget_counts();
    const auto zip = opened();
    ASSERT_TRUE(zip) << zip.error().text;
    ASSERT_EQ(zip->members().size(), 30u);
    const int before = office_.counts().requests;
    EXPECT_EQ(before, 2);
    for (const int i : {17, 3, 29}) {
      const std::string target = folder_.file("tile" + std::to_string(i));
      const auto result = zip->fetch(zip->members()[i], {.target = target, .replace = true}, control_);
      ASSERT_TRUE(result) << result.error().text;
      EXPECT_EQ(Bytes(bytes_of(target)), Bytes(members[i].second));
    }
    EXPECT_LE(office_.counts().requests, before + 3);
    EXPECT_LT(office_.counts().bytes, 2'500'000u);
  }
}

TEST_F(RemoteZipTest, Zip64IsRead) {
  // Python writes the end record, sizes and offsets in their 64-bit forms when it takes 1000 for too many.
  office_.put("/all.zip", {.body = zip_by_python(R"(
zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = 1000, 10
z = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
for i in range(20): z.writestr("e/%d" % i, b"x" * 2000)
with z.open("tile.tif", "w", force_zip64=True) as f: f.write(b"II*\0" + bytes(range(256)) * 1000)
z.close())")});
  ASSERT_NE(bytes_of(folder_.file("made.zip")).find("PK\6\6"), std::string::npos);  // ZIP64's end record
  const auto zip = opened();
  ASSERT_TRUE(zip) << zip.error().text;
  ASSERT_EQ(zip->members().size(), 21u);
  const auto& member = zip->members().back();
  EXPECT_EQ(member.name, "tile.tif");
  const std::string target = folder_.file("tile.tif");
  const auto result = zip->fetch(member, {.target = target, .content = geo::Content::tiff}, control_);
  ASSERT_TRUE(result) << result.error().text;
  EXPECT_EQ(std::filesystem::file_size(target), 256'004u);
}

TEST_F(RemoteZipTest, AnOfficeWithoutRangesOrWithoutAZipIsToldSo) {
  office_.put("/all.zip", {.body = zip_of({{"a.tif", "II*"}}), .habits = {.ignores_range = true}});
  EXPECT_THAT(opened().error().text, HasSubstr("in parts"));
  office_.put("/all.zip", {.body = std::string(3'000'000, 'x')});
  EXPECT_THAT(opened().error().text, HasSubstr("is no ZIP file"));
  office_.take_away("/all.zip");
  EXPECT_TRUE(opened().error().missing());
}

TEST_F(RemoteZipTest, NamesThatLeadOutOfAFolderAreRefused) {
  for (const char* name : {"../../etc/passwd", "/etc/passwd", "a/../../b", "..", "a\\b", "a\nb"}) {
    office_.put("/all.zip", {.body = zip_of({{name, "x"}})});
    const auto zip = opened();
    ASSERT_FALSE(zip) << name;
    EXPECT_THAT(zip.error().text, HasSubstr("leads out"));
  }
  office_.put("/all.zip", {.body = zip_of({{"a..b/c...tif", "x"}})});
  EXPECT_TRUE(opened());
}

TEST_F(RemoteZipTest, DamagedMembersAreRefusedAndLeaveNothing) {
  const std::string good = zip_of({{"a.tif", noise(300'000, 1)}});
  for (const std::size_t at : {std::size_t{200}, good.size() / 2}) {
    std::string bad = good;
    bad[at] ^= 1;
    office_.put("/all.zip", {.body = bad});
    const auto zip = opened();
    ASSERT_TRUE(zip);
    EXPECT_NE(failure_of(*zip, 0), "");
  }
  office_.put("/all.zip", {.body = good});
  const auto zip = opened();
  ASSERT_TRUE(zip);
  EXPECT_THAT(failure_of(*zip, 0, {.content = geo::Content::tiff}), HasSubstr("not a TIFF"));
  EXPECT_THAT(failure_of(*zip, 0, {.most_bytes = 1'000}), HasSubstr("not to be trusted"));
}

TEST_F(RemoteZipTest, AnyByteOfTheDirectoryMayBeWrong) {
  const std::string good = zip_of({{"a.tif", noise(20'000, 1)}, {"b.tif", noise(30'000, 2)}});
  const std::size_t directory = good.find("PK\1\2");
  ASSERT_NE(directory, std::string::npos);
  std::mt19937 random(5);
  for (int round = 0; round < 150; ++round) {
    std::string bad = good;
    for (int i = 0; i < 1 + round % 4; ++i)
      bad[directory + random() % (bad.size() - directory)] = static_cast<char>(round % 3 ? random() : 0xff);
    office_.put("/all.zip", {.body = bad});
    const auto zip = opened();
    if (!zip) continue;
    for (const auto& member : zip->members()) {
      const std::string target = folder_.file("out");
      const auto result = zip->fetch(member, {.target = target, .replace = true}, control_);
      // What passes is right: its CRC says so, and the directory's CRC would have had to be met by chance.
      if (result && member.bytes > 0) {
        const Bytes bytes = bytes_of(target);
        EXPECT_TRUE(bytes == Bytes(noise(20'000, 1)) || bytes == Bytes(noise(30'000, 2))) << round;
      }
    }
  }
}

TEST_F(RemoteZipTest, ABombIsNotUnpacked) {
  // Says to unpack to little, and does not.
  std::string lies = zip_of({{"a.tif", std::string(5'000'000, '\0')}});
  const auto put_number = [&lies](std::size_t at, std::uint32_t number) {
    for (int i = 0; i < 4; ++i) lies[at + i] = static_cast<char>(number >> (8 * i));
  };
  const std::size_t directory = lies.find("PK\1\2");
  put_number(directory + 24, 1'000);
  put_number(22, 1'000);
  office_.put("/all.zip", {.body = lies});
  auto zip = opened();
  ASSERT_TRUE(zip);
  EXPECT_NE(failure_of(*zip, 0), "");
  // Says to unpack to more than can be.
  put_number(directory + 24, 0xfffffff0);
  office_.put("/all.zip", {.body = lies});
  zip = opened();
  ASSERT_TRUE(zip);
  EXPECT_THAT(failure_of(*zip, 0, {.most_bytes = 1ull << 40}), HasSubstr("not to be trusted"));
}

}  // namespace
