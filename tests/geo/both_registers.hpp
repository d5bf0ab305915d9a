// The same houses in memory and on disk, asked the same: an answer that differs fails the test.
#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "geo/addresses/index_file.hpp"
#include "geo/addresses/pieces.hpp"
#include "geo/addresses/register.hpp"
#include "tests/temporary_folder.hpp"

namespace test {

inline void write_index(const std::vector<geo::House>& houses, const std::string& path) {
  geo::AddressIndexBuilder builder;
  for (const geo::House& house : houses) builder.add(house);
  auto writer = geo::AddressIndexWriter::create(path);
  ASSERT_TRUE(writer) << writer.error().text;
  builder.write([&](geo::PageId id, std::string_view bytes) { (*writer)->add(id, bytes); });
  const auto finished = (*writer)->finish();
  ASSERT_TRUE(finished) << finished.error().text;
}

inline geo::AddressRegister opened(const std::vector<std::string>& paths) {
  std::vector<geo::AddressIndex> registers;
  for (const std::string& path : paths) {
    auto index = geo::AddressIndex::open(path);
    EXPECT_TRUE(index) << (index ? "" : index.error().text);
    if (index) registers.push_back(std::move(*index));
  }
  return geo::AddressRegister(std::move(registers));
}

inline std::string told(const geo::AddressMatch& match) {
  std::string text = std::to_string(static_cast<int>(match.kind)) + "|" + geo::spelling_of(match.house) +
                     "|" + match.house.country + "|" + std::to_string(match.house.place.lon_deg) + "|" +
                     std::to_string(match.house.place.lat_deg);
  for (const std::string& candidate : match.candidates) text += "|" + candidate;
  return text;
}

class BothRegisters {
 public:
  explicit BothRegisters(const std::vector<geo::House>& houses)
      : folder_(std::make_unique<TemporaryFolder>()), in_memory_(houses), on_disk_(written(houses)) {}

  geo::AddressMatch find(std::string_view text) const {
    auto match = in_memory_.find(text);
    EXPECT_EQ(told(match), told(on_disk_.find(text))) << text;
    return match;
  }
  std::optional<geo::AddressMatch> look_up(std::string_view sent) const {
    const geo::AddressText text{std::string(sent)};
    auto match = in_memory_.look_up(text);
    const auto other = on_disk_.look_up(text);
    EXPECT_EQ(match.has_value(), other.has_value()) << sent;
    if (match && other) {
      EXPECT_EQ(told(*match), told(*other)) << sent;
    }
    return match;
  }
  std::vector<geo::LonLat> near(geo::LonLat place, double radius_deg) const {
    auto houses = in_memory_.near(place, radius_deg);
    const auto others = on_disk_.near(place, radius_deg);
    EXPECT_EQ(houses.size(), others.size());
    for (std::size_t i = 0; i < std::min(houses.size(), others.size()); ++i)
      EXPECT_TRUE(houses[i].lon_deg == others[i].lon_deg && houses[i].lat_deg == others[i].lat_deg);
    return houses;
  }

 private:
  geo::AddressRegister written(const std::vector<geo::House>& houses) const {
    const std::string path = folder_->file("houses.addr");
    write_index(houses, path);
    return opened({path});
  }
  std::unique_ptr<TemporaryFolder> folder_;
  geo::AddressRegister in_memory_, on_disk_;
};

}  // namespace test
