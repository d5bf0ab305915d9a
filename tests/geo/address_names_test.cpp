// The names of a house's place: postal town, municipality, district, abbreviated or misspelt.
#include <gmock/gmock.h>

#include "geo/addresses/register.hpp"
#include "tests/geo/both_registers.hpp"

namespace {

using namespace geo;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;
using Kind = AddressMatch::Kind;

House in(const std::string& town, const std::vector<std::string>& also, LonLat place = {8, 48},
         const std::string& postcode = "", const std::string& street = "Hauptstraße") {
  return {street, "5", postcode, town, "DE", place, also};
}

TEST(TownNames, AllOfAPlaceMayBeWritten) {
  const test::BothRegisters all(
      {in("Freiburg im Breisgau", {"Herdern", "Freiburg im Breisgau, Stadt"}, {7.85, 48.0}),
       in("Neustadt", {"Titisee-Neustadt"}, {8.2, 47.9})});
  for (const char* town : {"Freiburg", "Freiburg i. Br.", "Freiburg-Herdern", "79104 Freiburg im Breisgau",
                           "Herdern", "Freiburg im Breisgau OT Herdern"})
    EXPECT_EQ(all.find("Hauptstr. 5, " + std::string(town)).house.town.substr(0, 8),
              std::string(town).find("OT") == std::string::npos ? "Freiburg" : "")
        << town;
  EXPECT_EQ(all.find("Hauptstraße 5, Titisee-Neustadt").house.town, "Neustadt");
  EXPECT_EQ(all.find("Hauptstraße 5, Freiburg-Neustadt").kind, Kind::ambiguous);
}

TEST(TownNames, ThatTheRegisterAbbreviatesMayBeWrittenOut) {
  const test::BothRegisters all({in("Freiburg i. Br.", {}, {7.85, 48.0}),
                                 in("Frankfurt a.M.", {}, {8.68, 50.1}),
                                 in("Neustadt b. Coburg", {}, {11.1, 50.3})});
  EXPECT_EQ(all.find("Hauptstraße 5, Freiburg im Breisgau").house.town, "Freiburg i. Br.");
  EXPECT_EQ(all.find("Hauptstraße 5, Freiburg i. Br.").house.town, "Freiburg i. Br.");
  EXPECT_EQ(all.find("Hauptstraße 5, Neustadt bei Coburg").house.town, "Neustadt b. Coburg");
  EXPECT_EQ(all.find("Hauptstraße 5, Freiburg am Breisgau").kind, Kind::ambiguous);
  EXPECT_EQ(all.find("Hauptstraße 5, Neustadt Bern").kind, Kind::ambiguous);
}

TEST(TownNames, ThatAreMisspeltAreProposedFirst) {
  std::vector<House> houses;
  for (int i = 0; i < 40; ++i)
    houses.push_back(in("Ort" + std::string(1, static_cast<char>('a' + i % 26)) + std::to_string(i), {},
                        {8, 48 + i * 0.01}));
  houses.push_back(in("Offenburg", {}, {7.9, 48.9}));
  const test::BothRegisters all(houses);
  EXPECT_THAT(all.find("Hauptstraße 5, 77652 Ofenburg").candidates, ElementsAre("Hauptstraße 5, Offenburg"));
  EXPECT_THAT(all.find("Haubtstraße 5, Ofenburg").candidates, ElementsAre("Hauptstraße 5, Offenburg"));
}

TEST(TownNames, TellHousesOfOneSpellingApart) {
  const test::BothRegisters all(
      {in("Extertal", {"Bösingfeld"}, {9.1, 52.0}), in("Extertal", {"Almena"}, {9.1, 52.1}),
       in("Extertal", {"Almena", "Süd"}, {9.1001, 52.1001}), in("Extertal", {}, {9.2, 52.2})});
  const auto match = all.find("Hauptstraße 5, Extertal");
  ASSERT_EQ(match.kind, Kind::ambiguous);
  EXPECT_THAT(match.candidates,
              UnorderedElementsAre("Hauptstraße 5, Extertal (Bösingfeld)", "Hauptstraße 5, Extertal (Almena)",
                                   "Hauptstraße 5, Extertal (52.20000, 9.20000)"));
  for (const std::string& candidate : match.candidates) {
    EXPECT_EQ(all.find(candidate).kind, Kind::house) << candidate;
    EXPECT_EQ(spelling_of(all.find(candidate).house), candidate);
  }
  EXPECT_EQ(all.find("Hauptstraße 5, Extertal-Almena").house.place.lat_deg, 52.1);
  EXPECT_EQ(all.find("Hauptstraße 5, Bösingfeld").house.town, "Extertal (Bösingfeld)");
}

TEST(TownNames, WithThePostcodeGoBeforeThoseWhosePostcodeNobodyKnows) {
  const test::BothRegisters all({in("Neustadt", {}, {8, 48}), in("Neustadt", {}, {13.7, 51}, "01844")});
  EXPECT_EQ(all.find("Hauptstraße 5, 01844 Neustadt").house.postcode, "01844");
  EXPECT_EQ(all.find("Hauptstraße 5, 79822 Neustadt").house.postcode, "");
  const auto match = all.find("Hauptstraße 5, Neustadt");
  ASSERT_EQ(match.kind, Kind::ambiguous);
  EXPECT_THAT(match.candidates, UnorderedElementsAre("Hauptstraße 5, Neustadt (48.00000, 8.00000)",
                                                     "Hauptstraße 5, 01844 Neustadt"));
  for (const std::string& candidate : match.candidates) {
    EXPECT_EQ(all.find(candidate).kind, Kind::house) << candidate;
    EXPECT_EQ(spelling_of(all.find(candidate).house), candidate);
  }
}

TEST(TownNames, OfWhichAPartIsWrittenAreNoRivalsOfTheWhole) {
  const test::BothRegisters all({in("Essen", {}, {7, 51.45}), in("Bad Essen", {}, {8.3, 52.3}, "49152")});
  EXPECT_EQ(all.find("Hauptstraße 5, Essen").house.town, "Essen");
  EXPECT_EQ(all.find("Hauptstraße 5, Bad Essen").house.postcode, "49152");
}

}  // namespace
