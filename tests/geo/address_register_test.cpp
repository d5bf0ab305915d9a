// Addresses as people write them: one text for all spellings, and the house_at that is meant or none.
#include "geo/addresses/register.hpp"

#include <gmock/gmock.h>

#include <random>

#include "geo/addresses/pieces.hpp"
#include "geo/addresses/text.hpp"
#include "tests/geo/both_registers.hpp"

namespace {

using namespace geo;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = AddressMatch::Kind;

// ---- texts

TEST(AddressText, IsTheSameInEverySpelling) {
  for (const char* spelling :
       {"Hauptstraße 5a, 4020 Linz", "HAUPTSTRASSE 5A 4020 LINZ", "hauptstr. 5a,4020 linz",
        "  Hauptstraße   5a\t4020,,Linz ", "Hauptstra\u1E9Ee 5a 4020 Linz"})
    EXPECT_EQ(normal_address_text(spelling), "hauptstrasse 5a 4020 linz") << spelling;
}

TEST(AddressText, WritesUmlautsAsTwoLettersComposedOrNot) {
  EXPECT_EQ(normal_address_text("Ägidius-Öd-Übel"), "aegidius oed uebel");
  EXPECT_EQ(normal_address_text("A\u0308gidius-O\u0308d-U\u0308bel"), "aegidius oed uebel");
  EXPECT_EQ(normal_address_text("Aegidius Oed Uebel"), "aegidius oed uebel");
}

TEST(AddressText, LosesOtherAccents) {
  EXPECT_EQ(normal_address_text("Rue de Genève, Café Zoë, Šafaříkgasse"),
            "rue de geneve cafe zoe safarikgasse");
}

TEST(AddressText, OfBytesThatAreNoUtf8HasNoWords) {
  for (const char* bytes : {"Stra\xDF", "Gasse 1 \xC3", "\xFF", "Gasse\xE2\x82 1", "\xED\xA0\x80 1"})
    EXPECT_THAT(address_words(bytes), IsEmpty());
}

TEST(AddressText, EndsAWordAtWhateverIsNoLetterAndNoDigit) {
  EXPECT_THAT(address_words("a-b/c.d,e\u00A0f\u2013g\u20ACh (i)"),
              ElementsAre("a", "b", "c", "d", "e", "f", "g", "h", "i"));
  EXPECT_THAT(address_words(std::string_view("a\0b", 3)), ElementsAre("a", "b"));
  EXPECT_THAT(address_words(" ,.-"), IsEmpty());
}

// Nearly all words take a short way that knows ASCII and the German letters alone. A soft hyphen, which
// Unicode ignores, sends a word the long way, and must not change it.
TEST(AddressText, IsTheSameByTheShortWayAndByUnicodesTables) {
  const std::vector<std::string> letters = {"a", "B", "z", "S", "t", "r", "0", "9",
                                            "ä", "Ö", "ü", "Ü", "ß", "Ä", "ö"};
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string plain, hyphened;
    for (int word = 0; word < 3; ++word) {
      const std::string space = random() % 2 ? " " : ", ";
      plain += space;
      hyphened += space;
      for (unsigned i = 0, length = 1 + random() % 8; i < length; ++i) {
        const std::string& letter = letters[random() % letters.size()];
        plain += letter;
        hyphened += letter + (i == length / 2 ? "\u00AD" : "");
      }
    }
    ASSERT_EQ(address_words(plain), address_words(hyphened)) << plain;
  }
}

// ---- the register

House house_at(const std::string& street, const std::string& number, const std::string& postcode,
               const std::string& town, double lat_deg) {
  return {street, number, postcode, town, "AT", {14.3, lat_deg}};
}

const test::BothRegisters& two_towns() {
  static const test::BothRegisters all({house_at("Hauptstraße", "5", "4020", "Linz", 48.3),
                                        house_at("Hauptstraße", "5a", "4020", "Linz", 48.31),
                                        house_at("Hauptstraße", "50", "4020", "Linz", 48.32),
                                        house_at("Hauptstraße", "5", "4400", "Steyr", 48.0),
                                        house_at("Hauptstraße", "1234", "4400", "Steyr", 48.01),
                                        house_at("Am Berg", "12/3", "4400", "Steyr", 48.02),
                                        house_at("Straße des 17. Juni", "3", "4400", "Steyr", 48.03)});
  return all;
}

std::string found_in_towns(const std::string& text) {
  const AddressMatch match = two_towns().find(text);
  return match.kind == Kind::house     ? spelling_of(match.house)
         : match.kind == Kind::unknown ? "unknown"
                                       : "ambiguous";
}

TEST(AddressRegister, FindsTheHouseByItsNumberPostcodeAndTown) {
  EXPECT_EQ(found_in_towns("Hauptstr. 5, 4020 Linz"), "Hauptstraße 5, 4020 Linz");
  EXPECT_EQ(found_in_towns("hauptstrasse 5 steyr"), "Hauptstraße 5, 4400 Steyr");
  EXPECT_EQ(found_in_towns("4400 Hauptstraße 5"), "Hauptstraße 5, 4400 Steyr");
  EXPECT_EQ(found_in_towns("Hauptstraße 5 a, Linz, Österreich"), "Hauptstraße 5a, 4020 Linz");
  EXPECT_EQ(found_in_towns("Hauptstraße 50"), "Hauptstraße 50, 4020 Linz");
}

TEST(AddressRegister, FindsNumbersOfSeveralPartsAndOfFourDigits) {
  EXPECT_EQ(found_in_towns("Am Berg 12/3"), "Am Berg 12/3, 4400 Steyr");
  EXPECT_EQ(found_in_towns("am berg 12-3 steyr"), "Am Berg 12/3, 4400 Steyr");
  EXPECT_EQ(found_in_towns("Hauptstraße 1234, 4400 Steyr"), "Hauptstraße 1234, 4400 Steyr");
  EXPECT_EQ(found_in_towns("Straße des 17. Juni 3"), "Straße des 17. Juni 3, 4400 Steyr");
}

TEST(AddressRegister, ProposesAllOfAnAmbiguousNumberFromSouthToNorth) {
  const AddressMatch match = two_towns().find("Hauptstraße 5");
  EXPECT_EQ(match.kind, Kind::ambiguous);
  EXPECT_THAT(match.candidates, ElementsAre("Hauptstraße 5, 4400 Steyr", "Hauptstraße 5, 4020 Linz"));
}

TEST(AddressRegister, KnowsNoHouseThatTheStreetDoesNotHave) {
  EXPECT_EQ(found_in_towns("Hauptstraße 6, 4020 Linz"), "ambiguous");
  EXPECT_EQ(found_in_towns("Hauptstraße, 4020 Linz"), "ambiguous");
  EXPECT_EQ(found_in_towns("Fernweg 6, 4020 Linz"), "unknown");
  EXPECT_EQ(found_in_towns(""), "unknown");
}

TEST(AddressRegister, LooksUpTheHousesThatItFindsAndNothingElse) {
  for (const char* text : {"Hauptstr. 5, 4020 Linz", "am berg 12-3 steyr", "Straße des 17. Juni 3"}) {
    const auto looked_up = two_towns().look_up(text);
    ASSERT_TRUE(looked_up) << text;
    EXPECT_EQ(looked_up->kind, Kind::house) << text;
    EXPECT_EQ(spelling_of(looked_up->house), spelling_of(two_towns().find(text).house)) << text;
  }
  for (const char* text :
       {"Hauptstraße 5", "Hauptstraße 6, 4020 Linz", "Hauptstrase 50, 4020 Linz", "Berg", "", "5"})
    EXPECT_FALSE(two_towns().look_up(text)) << text;
}

TEST(AddressRegister, OnlyProposesForATypingError) {
  const AddressMatch match = two_towns().find("Hauptstrase 50, 4020 Linz");
  EXPECT_EQ(match.kind, Kind::ambiguous);
  EXPECT_THAT(match.candidates, ElementsAre("Hauptstraße 50, 4020 Linz"));
}

}  // namespace
