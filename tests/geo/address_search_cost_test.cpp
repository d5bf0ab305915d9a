// A search looks at a bounded number of entries, however long the text and however large the register: an
// address that does not exist must not keep other accounts waiting. benchmarks/geo measures the time.
#include <gtest/gtest.h>

#include "geo/addresses/register.hpp"

namespace {

using namespace geo;

/// 300 towns with streets whose names differ in three letters, and one street that every town has.
AddressRegister many_streets(int streets) {
  std::vector<House> houses;
  for (int i = 0; i < streets; ++i) {
    const std::string town = "Ort" + std::to_string(i % 300);
    const std::string letters = {static_cast<char>('a' + i % 26), static_cast<char>('a' + i / 26 % 26),
                                 static_cast<char>('a' + i / 676 % 26)};
    const LonLat place{8 + i * 1e-4, 49};
    houses.push_back(
        {"Auf der " + letters + "straße", "1", "5" + std::to_string(1000 + i % 300), town, "DE", place});
    houses.push_back(
        {"Hauptstraße", std::to_string(i), "5" + std::to_string(1000 + i % 300), town, "DE", place});
  }
  return AddressRegister(houses);
}

std::string repeated(const std::string& text) {
  std::string all;
  while (all.size() + text.size() <= 200) all += text;
  return all;
}

TEST(AddressSearch, LooksAtABoundedNumberOfStreetsTownsAndHousesForTheWorstText) {
  const AddressRegister all = many_streets(15'000);
  std::size_t most = 0;
  for (const std::string& text :
       {repeated("auf "), repeated("Auf der xqstraße "), repeated("straße der auf "),
        repeated("Hauptstraße 1 "), repeated("derstra"), repeated("a "), std::string("Haubtstraße 1"),
        std::string("Hauptstraße"), repeated("d. "), repeated("Joh. d. Hauptstr. "),
        repeated("Auf d. xqstr. ")}) {
    const AddressMatch match = all.find(text);
    EXPECT_NE(match.kind, AddressMatch::Kind::house) << text;
    EXPECT_LT(match.looked_at, 400'000U) << text;
    most = std::max(most, match.looked_at);
  }
  EXPECT_GT(most, 1'000U) << "the worst texts are bad enough";
}

TEST(AddressSearch, StillFindsTheMisspeltStreetAmongMany) {
  const AddressMatch match = many_streets(5'000).find("Auf dre weastraße 1, Ort126");
  ASSERT_EQ(match.kind, AddressMatch::Kind::ambiguous);
  EXPECT_EQ(match.candidates.at(0), "Auf der weastraße 1, 51126 Ort126");
}

}  // namespace
