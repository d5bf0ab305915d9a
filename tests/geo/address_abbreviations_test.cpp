// Streets as locals abbreviate them and registers do not: written out in the question alone.
#include <gmock/gmock.h>

#include "geo/addresses/abbreviations.hpp"
#include "geo/addresses/register.hpp"
#include "tests/geo/both_registers.hpp"

namespace {

using namespace geo;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;
using Kind = AddressMatch::Kind;

const test::BothRegisters& written_out_streets() {
  static const test::BothRegisters all({
      {"Neubaugasse", "12", "1070", "Wien", "AT", {16.349, 48.202}},
      {"Karlsplatz", "1", "1010", "Wien", "AT", {16.370, 48.200}},
      {"Linke Wienzeile", "4", "1060", "Wien", "AT", {16.364, 48.199}},
      {"Johann-Strauß-Gasse", "3", "1040", "Wien", "AT", {16.368, 48.191}},
      {"Johannes-Strauß-Gasse", "3", "1040", "Wien", "AT", {16.388, 48.191}},
      {"Dr.-Karl-Renner-Platz", "2", "8010", "Graz", "AT", {15.44, 47.07}},
      {"Kirchweg", "9", "6020", "Innsbruck", "AT", {11.39, 47.26}},
      {"Bürgermeister-Müller-Straße", "5", "80331", "München", "DE", {11.57, 48.13}},
      {"Straße des 17. Juni", "135", "10623", "Berlin", "DE", {13.32, 52.51}},
      {"Große Bergstraße", "20", "22767", "Hamburg", "DE", {9.94, 53.55}},
      {"Kieler Chaussee", "8", "24214", "Gettorf", "DE", {9.97, 54.40}},
      {"Bahnhofplatz", "3", "3011", "Bern", "CH", {7.44, 46.95}},
      {"Chemin des Fleurs", "5", "1007", "Lausanne", "CH", {6.61, 46.52}},
      {"Avenue de la Gare", "3", "1003", "Lausanne", "CH", {6.63, 46.518}},
      {"Place de la Gare", "2", "1003", "Lausanne", "CH", {6.629, 46.517}},
      {"Route de Berne", "7", "1010", "Lausanne", "CH", {6.66, 46.53}},
      {"Boulevard de Grancy", "8", "1006", "Lausanne", "CH", {6.63, 46.515}},
      {"Quai du Mont-Blanc", "9", "1201", "Genève", "CH", {6.15, 46.21}},
      {"Piazza Grande", "3", "6600", "Locarno", "CH", {8.79, 46.17}},
      {"Corso Elvezia", "4", "6900", "Lugano", "CH", {8.96, 46.01}},
      {"Via San Gottardo", "6", "6900", "Lugano", "CH", {8.95, 46.02}},
      {"Strada di Gandria", "2", "6976", "Lugano", "CH", {8.99, 46.01}},
  });
  return all;
}

std::string found_written_out(const std::string& text) {
  const AddressMatch match = written_out_streets().find(text);
  return match.kind == Kind::house     ? street_of(match.house) + " " + match.house.number
         : match.kind == Kind::unknown ? "unknown"
                                       : "ambiguous";
}

TEST(AbbreviatedStreets, AreFoundAsLocalsWriteThem) {
  const std::pair<const char*, const char*> both[] = {
      {"Neubaug. 12, 1070 Wien", "Neubaugasse 12"},
      {"Neubaug.12, 1070 Wien", "Neubaugasse 12"},
      {"NEUBAUG. 12 WIEN", "Neubaugasse 12"},
      {"Karlspl. 1, 1010 Wien", "Karlsplatz 1"},
      {"Linke Wienz. 4, 1060 Wien", "Linke Wienzeile 4"},
      {"Dr.-Karl-Renner-Pl. 2, Graz", "Dr.-Karl-Renner-Platz 2"},
      {"Kirchw. 9, 6020 Innsbruck", "Kirchweg 9"},
      {"Bgm.-Müller-Str. 5", "Bürgermeister-Müller-Straße 5"},
      {"Bgmstr.-Müller-Str. 5, München", "Bürgermeister-Müller-Straße 5"},
      {"Str. d. 17. Juni 135, Berlin", "Straße des 17. Juni 135"},
      {"Gr. Bergstr. 20, 22767 Hamburg", "Große Bergstraße 20"},
      {"Kieler Ch. 8, Gettorf", "Kieler Chaussee 8"},
      {"Bahnhofpl. 3, Bern", "Bahnhofplatz 3"},
      {"Ch. des Fleurs 5", "Chemin des Fleurs 5"},
      {"ch. des Fleurs 5, CH-1007 Lausanne", "Chemin des Fleurs 5"},
      {"Av. de la Gare 3, 1003 Lausanne", "Avenue de la Gare 3"},
      {"Pl. de la Gare 2, Lausanne", "Place de la Gare 2"},
      {"Q. du Mont-Blanc 9, Genève", "Quai du Mont-Blanc 9"},
      {"P.za Grande 3, Locarno", "Piazza Grande 3"},
      {"C.so Elvezia 4, 6900 Lugano", "Corso Elvezia 4"},
      {"V. S. Gottardo 6, Lugano", "Via San Gottardo 6"},
      {"Str. di Gandria 2", "Strada di Gandria 2"},
  };
  for (const auto& [abbreviated, street] : both)
    EXPECT_EQ(found_written_out(abbreviated), street) << abbreviated;
}

TEST(AbbreviatedStreets, NeedADotWhereTheLettersMayMeanAnythingElse) {
  EXPECT_EQ(found_written_out("Rte de Berne 7"), "Route de Berne 7");
  EXPECT_EQ(found_written_out("Bd de Grancy 8, Lausanne"), "Boulevard de Grancy 8");
  EXPECT_EQ(found_written_out("Karlspl 1, 1010 Wien"), "Karlsplatz 1");
  EXPECT_EQ(found_written_out("Neubaug 12, 1070 Wien"), "unknown");
  EXPECT_EQ(found_written_out("Kirchw 9, 6020 Innsbruck"), "unknown");
}

TEST(AbbreviatedStreets, MayBeTheRegistersOwnAndWrittenOutByWhoAsks) {
  EXPECT_EQ(found_written_out("Doktor-Karl-Renner-Platz 2, Graz"), "Dr.-Karl-Renner-Platz 2");
  const test::BothRegisters own({{"Bgm.-Müller-Straße", "5", "80331", "München", "DE", {11.57, 48.13}}});
  EXPECT_EQ(own.find("Bürgermeister-Müller-Str. 5, München").kind, Kind::house);
}

TEST(AbbreviatedStreets, ThatFitTwoAreProposedWithBoth) {
  const AddressMatch match = written_out_streets().find("Joh.-Strauß-G. 3, 1040 Wien");
  EXPECT_EQ(match.kind, Kind::ambiguous);
  EXPECT_THAT(match.candidates,
              UnorderedElementsAre("Johann-Strauß-Gasse 3, 1040 Wien", "Johannes-Strauß-Gasse 3, 1040 Wien"));
}

TEST(AbbreviatedStreets, ThatAreMisspeltAreProposedAndNeverResolved) {
  const std::pair<const char*, const char*> both[] = {
      {"Neubuag. 12, 1070 Wien", "Neubaugasse 12, 1070 Wien"},
      {"Karslpl. 1, 1010 Wien", "Karlsplatz 1, 1010 Wien"},
      {"Av. de la Grae 3, Lausanne", "Avenue de la Gare 3, 1003 Lausanne"},
      {"Neubaug. 12, 1070 Wein", "Neubaugasse 12, 1070 Wien"},
  };
  for (const auto& [misspelt, meant] : both) {
    const AddressMatch match = written_out_streets().find(misspelt);
    EXPECT_EQ(match.kind, Kind::ambiguous) << misspelt;
    EXPECT_THAT(match.candidates, ElementsAre(meant)) << misspelt;
  }
}

TEST(AbbreviatedStreets, WithoutTheNumberProposeTheNearestHouse) {
  EXPECT_THAT(written_out_streets().find("Neubaug. 13, 1070 Wien").candidates,
              ElementsAre("Neubaugasse 12, 1070 Wien"));
}

TEST(AbbreviatedStreets, AreWrittenOutOnlyWhenNoStreetIsCalledSo) {
  const test::BothRegisters all({{"Bahnhofpl.", "3", "3011", "Bern", "CH", {7.44, 46.95}},
                                 {"Bahnhofplatz", "3", "3011", "Bern", "CH", {7.46, 46.95}}});
  EXPECT_EQ(all.find("Bahnhofpl. 3, Bern").house.street, "Bahnhofpl.");
  EXPECT_EQ(all.find("Bahnhofplatz 3, Bern").house.street, "Bahnhofplatz");
  EXPECT_TRUE(names_written_out(address_pieces("Bahnhofplatz 3, 3011 Bern").all, 30).empty());
}

}  // namespace
