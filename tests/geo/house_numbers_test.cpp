// House numbers and the rest of an address as people in the three countries write them: the house that a
// local would go to, or a proposal; never another house.
#include <gmock/gmock.h>

#include <random>
#include <regex>
#include <set>

#include "geo/addresses/pieces.hpp"
#include "geo/addresses/register.hpp"
#include "tests/geo/both_registers.hpp"

namespace {

using namespace geo;
using Kind = AddressMatch::Kind;

House at(const std::string& street, const std::string& number, const std::string& postcode,
         const std::string& town) {
  return {street, number, postcode, town, "AT", {14.3, 48.3}};
}
House de(const std::string& street, const std::string& number, const std::string& postcode,
         const std::string& town) {
  return {street, number, postcode, town, "DE", {8.5, 49.5}};
}
House ch(const std::string& street, const std::string& number, const std::string& postcode,
         const std::string& town) {
  return {street, number, postcode, town, "CH", {7.45, 46.95}};
}

std::vector<House> on_one_street(const std::vector<std::string>& numbers) {
  std::vector<House> houses;
  for (const std::string& number : numbers) houses.push_back(de("Lange Gasse", number, "68159", "Hain"));
  return houses;
}

/// The number of the house that answers on a street with these numbers; "?" for proposals, "-" for none.
std::string answering(const std::vector<std::string>& numbers, const std::string& asked) {
  const AddressMatch match =
      test::BothRegisters(on_one_street(numbers)).find("Lange Gasse " + asked + ", 68159 Hain");
  return match.kind == Kind::house ? match.house.number : match.kind == Kind::ambiguous ? "?" : "-";
}

const test::BothRegisters& country() {
  static const test::BothRegisters all({at("Mariahilfer Straße", "10", "1060", "Wien"),
                                        at("Mariahilfer Straße", "12", "1060", "Wien"),
                                        at("Mariahilfer Straße", "12a", "1060", "Wien"),
                                        at("Hofweg", "4/1", "1060", "Wien"),
                                        at("Hofweg", "4/2", "1060", "Wien"),
                                        at("Hofweg", "4", "1060", "Wien"),
                                        at("", "12", "9999", "Hinterdorf"),
                                        at("Haus", "7", "8967", "Haus"),
                                        at("1. Mai-Straße", "3", "4020", "Linz"),
                                        at("Linz", "5", "4400", "Steyr"),
                                        at("Mühlkreisbahnstraße", "5", "4020", "Linz"),
                                        at("Kirchengasse", "2", "3100", "St. Pölten"),
                                        de("Straße des 17. Juni", "135", "10623", "Berlin"),
                                        de("Platz der Republik", "1", "11011", "Berlin"),
                                        de("Platz der Republik", "12/1", "11011", "Berlin"),
                                        de("Platz der Republik", "12", "11011", "Berlin"),
                                        de("Platz der Republik", "14", "11011", "Berlin"),
                                        de("Platz der Republik", "16-18", "11011", "Berlin"),
                                        de("Q 1", "5", "68161", "Mannheim"),
                                        de("Q 1", "15", "68161", "Mannheim"),
                                        de("L 13", "4", "68161", "Mannheim"),
                                        de("Ahornweg", "5", "79098", "Freiburg im Breisgau"),
                                        de("Schwalbenweg", "106", "", "Offenburg"),
                                        ch("Bundesplatz", "3", "3011", "Bern"),
                                        ch("Bundesplatz", "3.1", "3011", "Bern"),
                                        ch("Rue de Lausanne", "5bis", "1201", "Genève")});
  return all;
}

std::string found_in_country(const std::string& text) {
  const AddressMatch match = country().find(text);
  return match.kind == Kind::house     ? street_of(match.house) + " " + match.house.number
         : match.kind == Kind::unknown ? "unknown"
                                       : "proposed";
}

TEST(HouseNumbers, ARangeNeverAnswersForAnotherHouse) {
  EXPECT_EQ(answering({"13", "1", "3"}, "1-3"), "?");
  EXPECT_EQ(answering({"12"}, "1/2"), "?");
  EXPECT_EQ(answering({"112"}, "1.12"), "?");
  EXPECT_EQ(answering({"22", "2"}, "2²"), "?");
  EXPECT_EQ(answering({"51/2", "5"}, "5½"), "?");
  EXPECT_EQ(answering({"57", "5", "7"}, "5+7"), "?");
  EXPECT_EQ(answering({"1/3", "1", "13"}, "1-3"), "?");
}

TEST(HouseNumbers, ARangeIsTheHouseThatTheRegisterHasForIt) {
  for (const char* dash : {"-", " - ", "–", " – ", "\u2010", "\u2212", "\uFF0D", " bis "})
    EXPECT_EQ(answering({"12", "14", "12-14"}, std::string("12") + dash + "14"), "12-14") << dash;
  EXPECT_EQ(answering({"12 - 14"}, "12-14"), "12 - 14");
  EXPECT_EQ(answering({"12a-c", "12a"}, "12a-12c"), "12a-c");
  EXPECT_EQ(answering({"12a-c", "12a"}, "12 a - c"), "12a-c");
  EXPECT_EQ(answering({"12+14", "12"}, "12 + 14"), "12+14");
  EXPECT_EQ(answering({"16-18"}, "16"), "?");
  EXPECT_EQ(answering({"16-18"}, "17"), "?");
}

TEST(HouseNumbers, ALetterBelongsToTheHouse) {
  EXPECT_EQ(answering({"3"}, "3 A"), "?");
  EXPECT_EQ(answering({"3"}, "3 d"), "?");
  EXPECT_EQ(answering({"3", "3a"}, "3 A"), "3a");
  EXPECT_EQ(answering({"3", "3 a"}, "3A"), "3 a");
  EXPECT_EQ(answering({"3", "3a"}, "3-a"), "3a");
  EXPECT_EQ(answering({"3", "3a"}, "３ａ"), "3a");
  EXPECT_EQ(answering({"3a"}, "3"), "?");
  EXPECT_EQ(answering({"5", "5bis"}, "5 bis"), "5bis");
}

TEST(HouseNumbers, FractionsAndAnnexesAreHousesOfTheirOwn) {
  EXPECT_EQ(answering({"5", "5 1/2"}, "5 1/2"), "5 1/2");
  EXPECT_EQ(answering({"5", "5 1/2"}, "5½"), "5 1/2");
  EXPECT_EQ(answering({"5", "5½"}, "5 1/2"), "5½");
  EXPECT_EQ(answering({"5"}, "5 1/2"), "?");
  EXPECT_EQ(found_in_country("Bundesplatz 3.1, 3011 Bern"), "Bundesplatz 3.1");
  EXPECT_EQ(found_in_country("Bundesplatz 3, 3011 Bern"), "Bundesplatz 3");
  EXPECT_EQ(found_in_country("Rue de Lausanne 5 bis, Genève"), "Rue de Lausanne 5bis");
}

TEST(HouseNumbers, OfAnAustrianDoorTheHouseAnswers) {
  for (const char* number : {"10/2/14", "10/2", "10 / 2 / 14", "10 Stiege 2 Tür 14", "10/2/Top 14",
                             "10, Stg. 2, Top 14", "10, 2. Stock", "10/14 Tür links", "10, EG"})
    EXPECT_EQ(found_in_country("Mariahilfer Straße " + std::string(number) + ", 1060 Wien"),
              "Mariahilfer Straße 10")
        << number;
  EXPECT_EQ(found_in_country("Mariahilferstr. 12a/3/14 1060 Wien"), "Mariahilfer Straße 12a");
  EXPECT_EQ(found_in_country("Mariahilfer Straße 10, 1060 Wien, Tür 5"), "Mariahilfer Straße 10");
}

TEST(HouseNumbers, OfADoorTheStairwaysOwnEntryAnswersWhereTheRegisterHasOne) {
  EXPECT_EQ(found_in_country("Hofweg 4/2/14, Wien"), "Hofweg 4/2");
  EXPECT_EQ(found_in_country("Hofweg 4 Stiege 2 Tür 14, Wien"), "Hofweg 4/2");
  EXPECT_EQ(found_in_country("Hofweg 4/3/14, Wien"), "proposed");
}

TEST(HouseNumbers, ASlashOutsideAustriaIsAnotherHouseAndAWordForAFlatIsNot) {
  EXPECT_EQ(found_in_country("Platz der Republik 14/1, Berlin"), "proposed");
  EXPECT_EQ(found_in_country("Platz der Republik 12/1, Berlin"), "Platz der Republik 12/1");
  EXPECT_EQ(found_in_country("Platz der Republik 14, Whg. 3, 11011 Berlin"), "Platz der Republik 14");
  EXPECT_EQ(found_in_country("Platz der Republik 14, 3. OG links, 11011 Berlin"), "Platz der Republik 14");
  EXPECT_EQ(found_in_country("Platz der Republik 14 Hinterhaus, 11011 Berlin"), "Platz der Republik 14");
  EXPECT_EQ(found_in_country("Platz der Republik 3. Stock, 11011 Berlin"), "proposed");
}

TEST(HouseNumbers, MayHaveAWordBeforeThem) {
  for (const char* number : {"Nr. 14", "Nr.14", "Hausnummer 14", "Haus 14", "Hnr 14"})
    EXPECT_EQ(found_in_country("Platz der Republik " + std::string(number) + ", Berlin"),
              "Platz der Republik 14")
        << number;
  EXPECT_EQ(found_in_country("Platz der Republik 14 Haus 3, Berlin"), "proposed");
  EXPECT_EQ(found_in_country("Haus 7, 8967 Haus"), "Haus 7");
  EXPECT_EQ(found_in_country("c/o Familie Muster 8, Platz der Republik 14, 11011 Berlin"),
            "Platz der Republik 14");
}

TEST(HouseNumbers, AreToldFromNumbersInAStreetsName) {
  EXPECT_EQ(found_in_country("Straße des 17. Juni 135, 10623 Berlin"), "Straße des 17. Juni 135");
  EXPECT_EQ(found_in_country("Str. des 17.Juni 135 Berlin"), "Straße des 17. Juni 135");
  EXPECT_EQ(found_in_country("Platz der Republik 1"), "Platz der Republik 1");
  EXPECT_EQ(found_in_country("1. Mai-Straße 3, 4020 Linz"), "1. Mai-Straße 3");
  EXPECT_EQ(found_in_country("1.-Mai-Str. 3, Linz"), "1. Mai-Straße 3");
  for (const char* text : {"Q1 5, 68161 Mannheim", "Q 1 5 Mannheim", "Q1, 5, Mannheim", "q 1, 5"})
    EXPECT_EQ(found_in_country(text), "Q 1 5") << text;
  EXPECT_EQ(found_in_country("Q 15, Mannheim"), "unknown");
  EXPECT_EQ(found_in_country("L 1 3 4, Mannheim"), "unknown");
}

TEST(HouseNumbers, MayStandFirst) {
  EXPECT_EQ(found_in_country("135 Straße des 17. Juni, 10623 Berlin"), "Straße des 17. Juni 135");
  EXPECT_EQ(found_in_country("10623 Berlin Straße des 17. Juni 135"), "Straße des 17. Juni 135");
  EXPECT_EQ(found_in_country("12a Mariahilfer Straße 1060 Wien"), "Mariahilfer Straße 12a");
}

TEST(Addresses, OfAVillageWithoutStreetsAreNumbered) {
  EXPECT_EQ(found_in_country("Hinterdorf 12, 9999 Hinterdorf"), "Hinterdorf 12");
  EXPECT_EQ(found_in_country("9999 Hinterdorf 12"), "Hinterdorf 12");
  EXPECT_EQ(found_in_country("Hinterdorf Nr. 12"), "Hinterdorf 12");
}

TEST(Addresses, MayNameTheCountryBeforeThePostcodeOrAtTheEnd) {
  for (const char* text :
       {"Bundesplatz 3, CH-3011 Bern", "Bundesplatz 3 CH-3011 Bern", "Bundesplatz 3, CH 3011 Bern",
        "Bundesplatz 3, 3011 Bern, Schweiz", "Bundesplatz 3\u00A0·\u00A0CH–3011\u00A0Bern"})
    EXPECT_EQ(found_in_country(text), "Bundesplatz 3") << text;
  EXPECT_EQ(found_in_country("Mariahilfer Straße 12, A-1060 Wien"), "Mariahilfer Straße 12");
  EXPECT_EQ(found_in_country("Mariahilfer Straße 12 A-1060 Wien"), "Mariahilfer Straße 12");
  EXPECT_EQ(found_in_country("Mariahilfer Straße 12 A, 1060 Wien"), "Mariahilfer Straße 12a");
  EXPECT_EQ(found_in_country("Mariahilfer Straße 12, A 1060 Wien"), "Mariahilfer Straße 12");
  EXPECT_EQ(found_in_country("Straße des 17. Juni 135 D-10623 Berlin"), "Straße des 17. Juni 135");
  EXPECT_EQ(found_in_country("Mühlkreisbahnstraße 5 - 4020 Linz"), "Mühlkreisbahnstraße 5");
}

TEST(Addresses, OfAContradictingCountryAreOnlyProposed) {
  EXPECT_EQ(found_in_country("Bundesplatz 3, Bern, Deutschland"), "proposed");
  EXPECT_EQ(found_in_country("Bundesplatz 3, D-3011 Bern"), "proposed");
  EXPECT_EQ(found_in_country("Mariahilfer Straße 12, Wien, Schweiz"), "proposed");
  EXPECT_EQ(found_in_country("Mariahilfer Straße 12, Wien, Österreich"), "Mariahilfer Straße 12");
}

TEST(Addresses, WithoutACountryInTheRegisterStillMayNotContradictTheirPlace) {
  const test::BothRegisters houses({{"Gasse", "1", "3011", "Bern", "", {7.45, 46.95}}});
  EXPECT_EQ(houses.find("Gasse 1, Bern, Schweiz").kind, Kind::house);
  EXPECT_EQ(houses.find("Gasse 1, Bern, Österreich").kind, Kind::ambiguous);
}

TEST(Addresses, MayAbbreviateTheTown) {
  EXPECT_EQ(found_in_country("Ahornweg 5, Freiburg i. Br."), "Ahornweg 5");
  EXPECT_EQ(found_in_country("Kirchengasse 2, Sankt Pölten"), "Kirchengasse 2");
  EXPECT_EQ(found_in_country("Kirchengasse 2, 3100 St.Pölten"), "Kirchengasse 2");
}

TEST(Addresses, WithoutAPostcodeInTheRegisterAreDecidedByTheTown) {
  EXPECT_EQ(found_in_country("Schwalbenweg 106, 77652 Offenburg"), "Schwalbenweg 106");
  EXPECT_EQ(found_in_country("Schwalbenweg 107, 77652 Offenburg"), "proposed");
}

TEST(Addresses, AreNotMisledByAStreetThatIsCalledLikeTheTown) {
  EXPECT_EQ(found_in_country("Mühlkreisbahnstraße 5, 4020 Linz"), "Mühlkreisbahnstraße 5");
  EXPECT_EQ(found_in_country("Linz 5, 4400 Steyr"), "Linz 5");
}

TEST(AddressText, TellsHousesApart) {
  const auto text = [](const char* number) { return normal_address_text("Gasse " + std::string(number)); };
  EXPECT_NE(text("1-3"), text("1/3"));
  EXPECT_NE(text("1-3"), text("1 3"));
  EXPECT_NE(text("1.3"), text("13"));
  EXPECT_NE(text("2²"), text("22"));
  EXPECT_NE(text("5½"), text("51/2"));
  EXPECT_NE(text("3 A, 1010 Wien"), text("3, A-1010 Wien"));
  EXPECT_EQ(text("3 a"), text("3A"));
  EXPECT_EQ(text("1 – 3"), text("1-3"));
}

/// The groups of digits in a text, raised ones and fractions as their own.
std::multiset<std::string> digit_groups(const std::string& text) {
  static const std::regex digits("[0-9]+");
  std::string plain = text;
  for (const auto& [odd, written] : {std::pair{"²", " 2 "}, {"½", " 1 2 "}, {"１", "1"}})
    for (auto at = plain.find(odd); at != std::string::npos; at = plain.find(odd))
      plain.replace(at, std::string(odd).size(), written);
  return {std::sregex_token_iterator(plain.begin(), plain.end(), digits), std::sregex_token_iterator()};
}

// Whatever is written, a house answers only for a text in which its number's digits stand as they are.
TEST(Addresses, NeverAnswerForAHouseWhoseDigitsWereNotSent) {
  const std::vector<std::string> pieces = {
      "Lange Gasse", "Gasse", "lange",      "1",    "2",    "3",    "12",     "13",   "14",
      "112",         "22",    "5",          "51",   "4020", "Linz", "a",      "A",    "c",
      "-",           "–",     "/",          ".",    "+",    ",",    " ",      " ",    "²",
      "½",           "１",    "\u00A0",     "bis",  "Nr.",  "Top",  "Stiege", "Haus", "A-4020",
      "D",           "c/o",   "Österreich", "\xC3", "\xFF", "(",    "'",      "m",    "\xE2\x80\x8B"};
  std::vector<House> houses;
  for (const char* number :
       {"1", "2", "3", "12", "13", "112", "22", "1-3", "5", "51/2", "12a", "5 1/2", "1/2", "2/1/4"})
    houses.push_back(at("Lange Gasse", number, "4020", "Linz"));
  const test::BothRegisters all(houses);
  std::mt19937 random(11);
  int answered = 0;
  for (int round = 0; round < 30'000; ++round) {
    std::string text = round % 2 ? "Lange Gasse " : "";
    for (unsigned i = 0, count = 1 + random() % 8; i < count; ++i) text += pieces[random() % pieces.size()];
    const AddressMatch match = all.find(text);
    if (match.kind != Kind::house) continue;
    ++answered;
    const auto sent = digit_groups(text);
    for (const std::string& group : digit_groups(match.house.number))
      ASSERT_TRUE(sent.contains(group)) << text << " answers " << match.house.number;
  }
  EXPECT_GT(answered, 500);
}

TEST(Addresses, OfAnyBytesDoNoHarm) {
  std::mt19937 random(3);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (unsigned i = 0, count = random() % 40; i < count; ++i)
      text += random() % 3 ? static_cast<char>(' ' + random() % 90) : static_cast<char>(random() % 256);
    EXPECT_NO_THROW(country().find(text));
    EXPECT_NO_THROW(country().look_up(text));
  }
  EXPECT_EQ(country().find(std::string(200, '1')).kind, Kind::unknown);
}

}  // namespace
