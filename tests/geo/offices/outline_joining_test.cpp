// Packets of outlines as one file: all of them, or a sentence why not.
#include "geo/offices/outline_joining.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "../../full_disk.hpp"
#include "../../temporary_folder.hpp"
#include "geo/data/vector_layers.hpp"
#include "tile_forms.hpp"

namespace {

using namespace geo::offices;
using testing::HasSubstr;

constexpr std::size_t kSquares = 2000;

std::vector<std::pair<double, double>> many_places() {
  std::vector<std::pair<double, double>> places;
  for (std::size_t i = 0; i < kSquares; ++i) {
    const std::size_t row = i / 100;
    places.emplace_back(360000 + 20.0 * static_cast<double>(i % 100),
                        5702000 + 20.0 * static_cast<double>(row));
  }
  return places;
}

/// Packets of some thousand squares in a folder, and what becomes of them.
class OutlineJoining : public testing::Test {
 protected:
  OutlineJoining() {
    source_.id = "test-buildings";
    source_.crs = "EPSG:25832";
    source_.layer = "Gebaeude";
  }
  std::filesystem::path packet(const std::string& name) {
    static const std::string bytes = test::squares_gpkg("Gebaeude", many_places());
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }
  auto joined(const std::vector<std::filesystem::path>& packets) {
    return join_outlines(source_, packets, nullptr, file("parts"), file("joined.gpkg"), control_);
  }
  std::size_t count() {
    const auto polygons = geo::read_polygons({.path = file("joined.gpkg")},
                                             {300000, 5600000, 400000, 5800000}, "EPSG:25832", control_);
    return polygons ? polygons->size() : 0;
  }
  std::filesystem::path file(const std::string& name) const { return temporary_.path() / name; }
  std::set<std::string> files_there() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(temporary_.path()))
      names.insert(entry.path().filename());
    return names;
  }

  Source source_;
  geo::RunControl control_;
  test::TemporaryFolder temporary_;
};

TEST_F(OutlineJoining, AFullDiskLosesNoOutlineWithoutAWord) {
  const std::vector<std::filesystem::path> packets{packet("a.gpkg"), packet("b.gpkg")};
  ASSERT_EQ(*joined(packets), 2 * kSquares);
  ASSERT_EQ(count(), 2 * kSquares);
  const auto size = std::filesystem::file_size(file("joined.gpkg"));
  std::filesystem::remove(file("joined.gpkg"));
  constexpr std::size_t kParts = 16;  // from an empty file to the index, which is written last
  for (std::size_t part = 0; part < kParts; ++part) {
    const auto result = [&] {
      const test::FullDisk full(size * part / kParts);
      return joined(packets);
    }();
    ASSERT_FALSE(result) << part;
    EXPECT_TRUE(result.error().no_room) << part << ": " << result.error().text;
    EXPECT_EQ(result.error().packet, "") << "the packets are good";
    EXPECT_EQ(files_there(), (std::set<std::string>{"a.gpkg", "b.gpkg"})) << part;
  }
  EXPECT_EQ(*joined(packets), 2 * kSquares);
}

TEST_F(OutlineJoining, APacketThatIsDamagedInItsMiddleIsRefusedAndNotTakenForItsBeginning) {
  constexpr std::size_t kPage = 4096;  // of SQLite
  const std::string junk(2 * kPage, '\xff');
  std::size_t refused = 0;
  for (std::size_t part = 1; part < 8; ++part) {
    const auto damaged = packet("a.gpkg");
    {
      std::fstream out(damaged, std::ios::in | std::ios::out | std::ios::binary);
      const std::size_t middle = std::filesystem::file_size(damaged) * part / 8;
      out.seekp(static_cast<std::streamoff>(middle / kPage * kPage));
      out << junk;
    }
    const auto result = joined({damaged});
    if (result) {  // what is damaged is not asked for
      EXPECT_EQ(*result, kSquares) << part;
      continue;
    }
    ++refused;
    EXPECT_EQ(result.error().packet, damaged);
    EXPECT_THAT(result.error().text, HasSubstr("a.gpkg"));
  }
  EXPECT_GE(refused, 1U);
}

}  // namespace
