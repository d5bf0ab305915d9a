// What is proposed for an address that names no house: the likeliest first, ten at most, and every proposal
// resolves when it is sent again.
#include <gmock/gmock.h>

#include <random>

#include "geo/addresses/pieces.hpp"
#include "geo/addresses/register.hpp"
#include "tests/geo/both_registers.hpp"

namespace {

using namespace geo;
using ::testing::ElementsAre;
using Kind = AddressMatch::Kind;

House house(const std::string& street, const std::string& number, const std::string& postcode,
            const std::string& town, double lat_deg = 48.3) {
  return {street, number, postcode, town, "AT", {14.3, lat_deg}};
}

const test::BothRegisters& streets() {
  static const test::BothRegisters all([] {
    std::vector<House> houses;
    for (const char* number : {"10", "2", "1", "1a", "4", "3", "12-16", "20"})
      houses.push_back(house("Hauptstraße", number, "4020", "Linz"));
    for (const char* number : {"7", "1"})
      houses.push_back(house("Hauptstraße", number, "4400", "Steyr", 48.0));
    houses.push_back(house("Steyr", "1", "4020", "Linz"));
    for (int number = 1; number <= 30; ++number)
      houses.push_back(house("Dorf", std::to_string(number), "5020", "Dorf", 47.8));
    return houses;
  }());
  return all;
}

std::vector<std::string> proposed(const std::string& text) {
  const AddressMatch match = streets().find(text);
  EXPECT_EQ(match.kind, match.candidates.empty() ? Kind::unknown : Kind::ambiguous) << text;
  return match.candidates;
}

TEST(Candidates, OfAStreetWithoutANumberAreItsHousesInTheirOrder) {
  EXPECT_THAT(proposed("Hauptstraße, 4020 Linz"),
              ElementsAre("Hauptstraße 1, 4020 Linz", "Hauptstraße 1a, 4020 Linz", "Hauptstraße 2, 4020 Linz",
                          "Hauptstraße 3, 4020 Linz", "Hauptstraße 4, 4020 Linz", "Hauptstraße 10, 4020 Linz",
                          "Hauptstraße 12-16, 4020 Linz", "Hauptstraße 20, 4020 Linz"));
  EXPECT_THAT(proposed("Hauptstr. Steyr"),
              ElementsAre("Hauptstraße 1, 4400 Steyr", "Hauptstraße 7, 4400 Steyr"));
}

TEST(Candidates, OfAStreetInSeveralTownsBeginWithTheFirstHouseOfEach) {
  const auto all = proposed("Hauptstraße");
  ASSERT_EQ(all.size(), 10U);
  EXPECT_EQ(all[0], "Hauptstraße 1, 4400 Steyr");
  EXPECT_EQ(all[1], "Hauptstraße 1, 4020 Linz");
}

TEST(Candidates, OfANumberThatTheStreetDoesNotHaveAreTheNearest) {
  const auto all = proposed("Hauptstraße 5, 4020 Linz");
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(all[0], "Hauptstraße 4, 4020 Linz");
  EXPECT_EQ(all[1], "Hauptstraße 3, 4020 Linz");
  EXPECT_EQ(proposed("Hauptstraße 14, 4020 Linz").at(0), "Hauptstraße 12-16, 4020 Linz");
  EXPECT_EQ(proposed("Hauptstraße 3 a, Linz").at(0), "Hauptstraße 3, 4020 Linz");
}

TEST(Candidates, OfATypingErrorAreInTheTownThatIsNamed) {
  EXPECT_EQ(proposed("Hautpstraße 2, 4020 Linz"), std::vector<std::string>{"Hauptstraße 2, 4020 Linz"});
  EXPECT_EQ(proposed("Haubtstrasse, Steyr").at(0), "Hauptstraße 1, 4400 Steyr");
  EXPECT_EQ(proposed("Hautpstr. 7 Steyr").at(0), "Hauptstraße 7, 4400 Steyr");
  EXPECT_EQ(proposed("Hauptstraße 2, 4020 Lintz").at(0), "Hauptstraße 2, 4020 Linz");
}

TEST(Candidates, OfAStreetThatIsCalledLikeTheTownAreItsHouses) {
  const auto all = proposed("Dorf, 5020 Dorf");
  ASSERT_EQ(all.size(), 10U);
  EXPECT_EQ(all[0], "Dorf 1, 5020 Dorf");
  EXPECT_EQ(all[9], "Dorf 10, 5020 Dorf");
  EXPECT_EQ(proposed("Dorf 31, 5020 Dorf").at(0), "Dorf 30, 5020 Dorf");
}

TEST(Candidates, OfAnotherTownAreTheStreetsOfThatName) {
  EXPECT_THAT(proposed("Hauptstraße 2, 9020 Klagenfurt"), ElementsAre("Hauptstraße 2, 4020 Linz"));
}

TEST(Candidates, OfATownAloneOrOfNothingAreNone) {
  for (const char* text : {"4020 Linz", "", " ,", "5", "Xyzzyweg 5, Linz"})
    EXPECT_EQ(streets().find(text).kind, Kind::unknown) << text;
}

// Two houses so far apart are two houses, whatever the register calls them.
TEST(Candidates, OfTwoHousesOfOneSpellingFarApartSayWhereEachIs) {
  const test::BothRegisters twins({{"Gasse", "1", "", "Neustadt", "DE", {10.0, 48.0}},
                                   {"Gasse", "1", "", "Neustadt", "DE", {11.0, 52.0}},
                                   {"Gasse", "1", "", "Neustadt", "DE", {11.0005, 52.0}}});
  const AddressMatch match = twins.find("Gasse 1, Neustadt");
  ASSERT_EQ(match.kind, Kind::ambiguous);
  ASSERT_EQ(match.candidates.size(), 2U);
  std::vector<double> latitudes;
  for (const std::string& candidate : match.candidates) {
    const AddressMatch again = twins.find(candidate);
    ASSERT_EQ(again.kind, Kind::house) << candidate;
    EXPECT_EQ(spelling_of(again.house), candidate);
    latitudes.push_back(again.house.place.lat_deg);
  }
  EXPECT_THAT(latitudes, ElementsAre(48.0, 52.0));
}

TEST(Candidates, OfAHouseWithTwoEntrancesAreOne) {
  const test::BothRegisters house({{"Gasse", "1", "8010", "Graz", "AT", {15.4, 47.07}},
                                   {"Gasse", "1", "8010", "Graz", "AT", {15.4003, 47.0702}}});
  EXPECT_EQ(house.find("Gasse 1, Graz").kind, Kind::house);
  EXPECT_EQ(house.find("Gasse 1, Graz").house.place.lat_deg, 47.07);
}

std::string one_of(std::mt19937& random, const std::vector<std::string>& all) {
  return all[random() % all.size()];
}

/// A register of houses that are as hard to tell apart as possible.
test::BothRegisters confusing(std::mt19937& random) {
  const std::vector<std::string> streets = {
      "Gasse",    "Weg",        "Weg 1",         "Linz",   "Steyr", "Am Berg", "Berg", "Q 1",       "",
      "St. Anna", "Sankt Anna", "1. Mai-Straße", "Weg 1-", "Haus",  "Top",     "A",    "Straße 8 b"};
  const std::vector<std::string> numbers = {"1",     "2",    "3",   "13",     "1-3",  "1/3", "1a",
                                            "1 a",   "4020", "",    "5 1/2",  "1/2",  "2²",  "3 Stiege 1",
                                            "12a-c", "s.n.", "1;3", "Haus 2", "4020a"};
  const std::vector<std::string> postcodes = {"4020", "4400", ""};
  const std::vector<std::string> towns = {
      "Linz", "Steyr", "Linz an der Donau", "St. Anna", "Anna", "Weg", "A", "Wien 9", "Haus"};
  std::vector<House> houses;
  for (int i = 0; i < 120; ++i)
    houses.push_back({one_of(random, streets),
                      one_of(random, numbers),
                      one_of(random, postcodes),
                      one_of(random, towns),
                      one_of(random, {"AT", "DE", ""}),
                      {10 + (random() % 3) * 0.9, 47.5 + (random() % 3) * 0.4}});
  return test::BothRegisters(houses);
}

TEST(Candidates, ResolveWhenTheyAreSentAgainAlways) {
  std::mt19937 random(5);
  const std::vector<std::string> asked = {
      "Weg",     "Weg 1",    "Gasse 1",    "Gase 3",         "Linz",
      "Steyr 1", "Berg 1-3", "St. Anna",   "Anna 3",         "Q 1",
      "Q 1 3",   "Haus 2",   "Am Brg",     "1. Mai-Strasse", "Weg 1, 4020 Linz",
      "A 4020",  "Top 3",    "Straße 8 b", "Weg 1-",         "Gasse 4020"};
  std::size_t candidates = 0;
  for (int round = 0; round < 40; ++round) {
    const test::BothRegisters all = confusing(random);
    for (const std::string& text : asked)
      for (const std::string& candidate : all.find(text).candidates) {
        ++candidates;
        const AddressMatch again = all.find(candidate);
        ASSERT_EQ(again.kind, Kind::house) << text << " -> " << candidate;
        EXPECT_EQ(normal_address_text(spelling_of(again.house)), normal_address_text(candidate));
        const auto looked_up = all.look_up(candidate);
        ASSERT_TRUE(looked_up) << candidate;
        EXPECT_EQ(spelling_of(looked_up->house), spelling_of(again.house));
      }
  }
  EXPECT_GT(candidates, 2'000U);
}

}  // namespace
