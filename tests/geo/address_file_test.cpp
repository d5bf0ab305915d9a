// Address registers as offices write them, with invented places: encodings, decimal commas, rows that are
// wrong.
#include "geo/data/address_file.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "geo/addresses/register.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using namespace geo;
using ::testing::HasSubstr;

const std::string kHeader = "strasse,hausnummer,plz,ort,land,lon,lat\n";

struct AddressFiles : ::testing::Test {
  test::TemporaryFolder folder;
  std::string write(const std::string& bytes, const std::string& name = "addresses.csv") const {
    std::ofstream(folder.file(name), std::ios::binary) << bytes;
    return folder.file(name);
  }
  Result<AddressFile> read(const std::string& bytes) const { return read_address_file(write(bytes)); }
  /// The sentence that refuses the register.
  std::string refusal(const std::string& bytes) const {
    const auto file = read(bytes);
    return file ? "accepted" : file.error().text;
  }
  /// The only row's refusal.
  std::string refusal_of_row(const std::string& row) const { return refusal(kHeader + row + "\n"); }
};

TEST_F(AddressFiles, AreReadInUtf8WithAndWithoutBom) {
  for (const std::string bom : {"", "\xEF\xBB\xBF"}) {
    const auto file = read(bom + kHeader + "Mühlgässchen,1,4020,Österdorf,AT,14.3,48.3\n");
    ASSERT_TRUE(file) << file.error().text;
    ASSERT_EQ(file->houses.size(), 1U);
    EXPECT_EQ(file->houses[0].street, "Mühlgässchen");
    EXPECT_THAT(file->note, HasSubstr("UTF-8"));
  }
}

TEST_F(AddressFiles, AreReadInWindows1252AndLatin1AndSaySo) {
  const auto file = read(
      kHeader + "M\xFChlgasse,1,4020,\xD6sterdorf,AT,14.3,48.3\nGasse \x96 Weg,2,4020,Linz,AT,14.3,48.3\n");
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(file->houses[0].street, "Mühlgasse");
  EXPECT_EQ(file->houses[0].town, "Österdorf");
  EXPECT_EQ(file->houses[1].street, "Gasse – Weg");
  EXPECT_THAT(file->note, HasSubstr("Windows-1252"));
}

TEST_F(AddressFiles, OfTwoEncodingsOrOfNoneAreRefusedWithTheLines) {
  const std::string mixed = refusal(
      kHeader +
      "Weg,1,4020,Linz,AT,14.3,48.3\nM\xFChle,1,4020,Linz,AT,14.3,48.3\nMühle,2,4020,Linz,AT,14.3,48.3\n");
  EXPECT_THAT(mixed, HasSubstr("line 3"));
  EXPECT_THAT(mixed, HasSubstr("line 4"));
  EXPECT_THAT(refusal_of_row("M\x81hle,1,4020,Linz,AT,14.3,48.3"), HasSubstr("line 2 is neither UTF-8"));
  EXPECT_NE(refusal(std::string("s\0t\0r\0a\0s\0s\0e\0", 14)), "accepted");
}

TEST_F(AddressFiles, HaveNumbersWithAPointOrAComma) {
  const auto file = read("strasse;hausnummer;plz;ort;land;lon;lat\nWeg;1;4020;Linz;AT;14,31234;48,30987\n");
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_DOUBLE_EQ(file->houses[0].place.lon_deg, 14.31234);
  EXPECT_DOUBLE_EQ(file->houses[0].place.lat_deg, 48.30987);
}

TEST_F(AddressFiles, HavePostcodesOfWhichATableProgramMadeNumbers) {
  const auto file = read(kHeader +
                         "Weg,1,1067.0,Dresden,DE,13.73,51.05\nWeg,2,1067,Dresden,,13.73,51.05\n"
                         "Weg,3,86987.0,Lech,DE,10.9,47.7\nWeg,4,4020.0,Linz,AT,14.3,48.3\n"
                         "Weg,5,4020,Linz,,14.3,48.3\nWeg,6,A-4020,Linz,AT,14.3,48.3\nWeg,8,1111,Luxemburg,,"
                         "6.1,49.6\nWeg,7,.0,Linz,AT,14.3,48.3\n");
  ASSERT_TRUE(file) << file.error().text;
  std::vector<std::string> postcodes;
  for (const House& house : file->houses) postcodes.push_back(house.postcode);
  EXPECT_THAT(postcodes,
              ::testing::ElementsAre("01067", "01067", "86987", "4020", "4020", "A-4020", "1111", ".0"));
}

TEST_F(AddressFiles, WithoutAWholeNumberForAPlaceAreRefused) {
  for (const char* place :
       {",", "14.3,", ",48.3", "14.3x,48.3", "14.3,48.3 N", "nan,48.3", "inf,inf", "\"1.234,5\",48.3", "0,0"})
    EXPECT_THAT(refusal_of_row("Weg,1,4020,Linz,AT," + std::string(place)), HasSubstr("line 2")) << place;
}

TEST_F(AddressFiles, WithPlacesElsewhereOrSwappedAreRefused) {
  EXPECT_THAT(refusal_of_row("Weg,1,4020,Linz,AT,48.3,14.3"), HasSubstr("lies in none of"));
  EXPECT_THAT(refusal_of_row("Weg,1,4020,Linz,,2.35,48.85"), HasSubstr("lies in none of"));
  EXPECT_THAT(refusal_of_row("Weg,1,4020,Linz,CH,14.3,48.3"), HasSubstr("does not lie in its land"));
  EXPECT_THAT(refusal_of_row("Weg,1,4020,Linz,IT,14.3,48.3"), HasSubstr("another land"));
  EXPECT_THAT(refusal_of_row(",1,4020,,AT,14.3,48.3"), HasSubstr("neither strasse nor ort"));
}

TEST_F(AddressFiles, MayNameTheCountry) {
  const auto file = read(
      kHeader + "Weg,1,4020,Linz,Österreich,14.3,48.3\nWeg,1,3011,Bern,ch,7.4,46.9\nWeg,1,1,Ort,,8,49\n");
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(file->houses[0].country, "AT");
  EXPECT_EQ(file->houses[1].country, "CH");
  EXPECT_EQ(file->houses[2].country, "");
}

std::string rows(int good, int bad) {
  std::string text = kHeader;
  for (int i = 0; i < good + bad; ++i)
    text +=
        "Weg," + std::to_string(i) + ",4020,Linz,AT," + (i >= 5 && i < 5 + bad ? "," : "14.3,48.3") + "\n";
  return text;
}

TEST_F(AddressFiles, LeaveOutARowInAHundredAndSaySo) {
  const auto file = read(rows(198, 2));
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(file->houses.size(), 198U);
  EXPECT_THAT(file->note, HasSubstr("2 of 200 rows"));
  EXPECT_THAT(file->note, HasSubstr("line 7"));
}

TEST_F(AddressFiles, WithMoreBadRowsAreRefusedWithTheirNumberAndTheFirstLine) {
  const std::string why = refusal(rows(197, 3));
  EXPECT_THAT(why, HasSubstr("3 of 200 rows"));
  EXPECT_THAT(why, HasSubstr("line 7"));
  EXPECT_THAT(why, HasSubstr("addresses.csv"));
  EXPECT_EQ(why.find('\n'), std::string::npos);
}

TEST_F(AddressFiles, WithoutRowsOrColumnsAreRefused) {
  EXPECT_THAT(refusal(kHeader), HasSubstr("no rows"));
  EXPECT_THAT(refusal("strasse,hausnummer,plz,lon,lat\nWeg,1,4020,14.3,48.3\n"),
              HasSubstr("the column ort is missing"));
  EXPECT_THAT(refusal("strasse,hausnummer,plz,ort\nWeg,1,4020,Linz\n"),
              HasSubstr("neither the columns lon and lat nor points"));
}

TEST_F(AddressFiles, MayHaveTheirPointsInSetsOfOne) {
  const auto feature = [](const std::string& geometry) {
    return R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{"strasse":"Weg","hausnummer":"1",
      "plz":"4020","ort":"Linz"},"geometry":)" +
           geometry + "}]}";
  };
  for (const char* geometry : {R"({"type":"Point","coordinates":[14.3,48.3]})",
                               R"({"type":"MultiPoint","coordinates":[[14.3,48.3]]})"}) {
    const auto file = read_address_file(write(feature(geometry), "houses.geojson"));
    ASSERT_TRUE(file) << file.error().text;
    ASSERT_EQ(file->houses.size(), 1U);
    EXPECT_NEAR(file->houses[0].place.lon_deg, 14.3, 1e-9);
    EXPECT_NEAR(file->houses[0].place.lat_deg, 48.3, 1e-9);
  }
  const auto two = read_address_file(
      write(feature(R"({"type":"MultiPoint","coordinates":[[14.3,48.3],[14.4,48.3]]})"), "two.geojson"));
  ASSERT_FALSE(two);
  EXPECT_THAT(two.error().text, HasSubstr("row 1 has no valid lon and lat"));
}

// In the manner of BEV, swisstopo and the HK-DE table: streets that are a village's name, annexes, letters in
// their own notation, no postcodes.
TEST_F(AddressFiles, InTheMannerOfTheOfficesAnswer) {
  std::vector<House> houses;
  for (const char* office :
       {"\xEF\xBB\xBFstrasse;hausnummer;plz;ort;land;lon;lat\n"
        "\"\";\"12\";\"9999\";\"Hinterau\";\"AT\";\"13,10000\";\"47,20000\"\n"
        "\"Obere Zeile\";\"10/1\";\"9999\";\"Hinterau\";\"AT\";\"13,11000\";\"47,20000\"\n"
        "\"Obere Zeile\";\"12 a\";\"9999\";\"Hinterau\";\"AT\";\"13,12000\";\"47,20000\"\n",
        "strasse,hausnummer,plz,ort,land,lon,lat\nSeeblickstrasse,12.1,8999,Unterwil ZH,CH,8.6,47.3\n",
        "strasse;hausnummer;plz;ort;land;lon;lat\nAmselpfad;106a;;Eschental;DE;8,0;48,5\n"}) {
    auto file = read(office);
    ASSERT_TRUE(file) << file.error().text;
    houses.insert(houses.end(), file->houses.begin(), file->houses.end());
  }
  const AddressRegister all(houses);
  for (const auto& [asked, number] : {std::pair{"Hinterau 12, 9999 Hinterau", "12"},
                                      {"Obere Zeile 10/1/7, A-9999 Hinterau", "10/1"},
                                      {"Obere Zeile 12a, Hinterau", "12 a"},
                                      {"Seeblickstr. 12.1, CH-8999 Unterwil", "12.1"},
                                      {"Amselpfad 106 A, 77777 Eschental", "106a"}}) {
    const AddressMatch match = all.find(asked);
    ASSERT_EQ(match.kind, AddressMatch::Kind::house) << asked;
    EXPECT_EQ(match.house.number, number) << asked;
  }
}

}  // namespace
