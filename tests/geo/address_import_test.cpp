// The offices' registers in the forms in which they publish them, with invented places: what is asked is
// answered from the imported index. Registers that are wrong are refused with one clear sentence, and nothing
// stays.
#include "geo/address_import/import.hpp"

#include <cpl_vsi.h>
#include <gmock/gmock.h>
#include <ogr_spatialref.h>
#include <ogrsf_frmts.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "geo/addresses/register.hpp"
#include "geo/data/coordinate_system.hpp"
#include "geo/data/gdal.hpp"
#include "tests/geo/both_registers.hpp"

namespace {

using namespace geo;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Kind = AddressMatch::Kind;

struct AddressImports : ::testing::Test {
  test::TemporaryFolder folder;
  std::string out = folder.file("out.addr");

  std::string write(const std::string& bytes, const std::string& name) const {
    std::filesystem::create_directories((folder.path() / name).parent_path());
    std::ofstream(folder.file(name), std::ios::binary) << bytes;
    return folder.file(name);
  }
  Result<std::string> import(const std::string& file, const std::string& as) const {
    return import_addresses({{file}, as, out}, [](const ImportProgress&) { return true; });
  }
  std::string zip(const std::string& name, const std::map<std::string, std::string>& members) const {
    const std::string archive = "/vsizip/" + folder.file(name);
    VSILFILE* whole = VSIFOpenL(archive.c_str(), "wb");
    EXPECT_TRUE(whole);
    for (const auto& [member, bytes] : members) {
      VSILFILE* file = VSIFOpenL((archive + "/" + member).c_str(), "wb");
      EXPECT_TRUE(file);
      VSIFWriteL(bytes.data(), 1, bytes.size(), file);
      VSIFCloseL(file);
    }
    VSIFCloseL(whole);
    return folder.file(name);
  }
  /// The register of a file that must be read.
  AddressRegister imported(const std::string& file, const std::string& as) const {
    const auto done = import(file, as);
    EXPECT_TRUE(done) << (done ? "" : done.error().text);
    return test::opened({out});
  }
  /// The sentence that refuses it; nothing may be left of it.
  std::string refusal(const std::string& file, const std::string& as) const {
    const auto done = import(file, as);
    EXPECT_FALSE(std::filesystem::exists(out));
    EXPECT_FALSE(std::filesystem::exists(out + ".part"));
    if (done) return "imported";
    EXPECT_EQ(done.error().text.find('\n'), std::string::npos);
    return done.error().text;
  }
  static std::string answer(const AddressRegister& all, const std::string& text) {
    const auto match = all.find(text);
    return match.kind == Kind::house     ? street_of(match.house) + " " + match.house.number
           : match.kind == Kind::unknown ? "unknown"
                                         : "proposed";
  }
};

/// "RW;HW" or whatever stands between, in a system's metres.
std::string in_system(const std::string& crs, LonLat place, const std::string& between = ";") {
  const auto way = transformation_from_wgs84(crs);
  double x = place.lon_deg, y = place.lat_deg;
  EXPECT_TRUE(way && way->Transform(1, &x, &y));
  char text[80];
  std::snprintf(text, sizeof text, "%.2f%s%.2f", x, between.c_str(), y);
  return text;
}

// ---- Austria

struct BevRegister : AddressImports {
  std::string address(int key, const std::string& municipality, const std::string& locality,
                      const std::string& postcode, const std::string& street, const std::string& number,
                      int epsg, LonLat place) const {
    const auto quoted = [](const std::string& text) { return "\"" + text + "\""; };
    std::string row;
    for (const std::string& cell :
         {std::to_string(key), municipality, locality, postcode, street, std::string("0"), std::string(),
          number, std::string(), std::string(), std::string(), std::string(), std::string("keine Angabe"),
          number, std::string("0"), std::string("")})
      row += quoted(cell) + ";";
    std::string at = in_system("EPSG:" + std::to_string(epsg), place, "\";\"");
    return row + quoted(at) + ";" + std::to_string(epsg) + ";\"G\";\"Z\"\n";
  }
  std::map<std::string, std::string> tables() const {
    std::string addresses =
        "\xEF\xBB\xBF\"ADRCD\";\"GKZ\";\"OKZ\";\"PLZ\";\"SKZ\";\"ZAEHLSPRENGEL\";\"HAUSNRTEXT\";"
        "\"HAUSNRZAHL1\";"
        "\"HAUSNRBUCHSTABE1\";\"HAUSNRVERBINDUNG1\";\"HAUSNRZAHL2\";\"HAUSNRBUCHSTABE2\";\"HAUSNRBEREICH\";"
        "\"HNR_ADR_ZUSAMMEN\";\"GNRADRESSE\";\"HOFNAME\";\"RW\";\"HW\";\"EPSG\";\"QUELLADRESSE\";"
        "\"BESTIMMUNGSART\"\n";
    addresses += address(1, "90001", "901", "1090", "901001", "25", 31256, vienna);
    addresses += address(2, "90001", "901", "1090", "901001", "9", 31256, {16.352, 48.222});
    addresses += address(3, "60101", "6011", "8010", "601001", "12a", 31256, {15.44, 47.065});
    addresses += address(4, "80201", "8021", "6866", "", "12", 31254, {9.89, 47.44});
    addresses += address(5, "80201", "8022", "6866", "", "12", 31254, {9.91, 47.45});
    addresses += address(6, "80201", "8021", "6866", "802001", "10", 31254, {9.892, 47.441});
    addresses += address(7, "40101", "4011", "4020", "401001", "3-5", 31255, {14.29, 48.3});
    return {
        {"ADRESSE.csv", addresses},
        {"STRASSE.csv",
         "\"SKZ\";\"STRASSENNAME\";\"STRASSENNAMENZUSATZ\";\"SZUSADRBEST\";\"GKZ\";\"ZUSTELLORT\"\n"
         "\"901001\";\"Währinger Straße\";\"\";\"0\";\"90001\";\"Wien\"\n"
         "\"601001\";\"Jakominiplatz\";\"\";\"0\";\"60101\";\"Graz\"\n"
         "\"802001\";\"Hof\";\"\";\"0\";\"80201\";\"Andelsbuch\"\n"
         "\"401001\";\"Lange Zeile\";\"\";\"0\";\"40101\";\"Linz\"\n"},
        {"ORTSCHAFT.csv",
         "\"GKZ\";\"OKZ\";\"ORTSNAME\"\n\"90001\";\"901\";\"Wien,Alsergrund\"\n"
         "\"60101\";\"6011\";\"Graz,06.Bez.:Jakomini\"\n\"80201\";\"8021\";\"Andelsbuch\"\n"
         "\"80201\";\"8022\";\"Moos\"\n\"40101\";\"4011\";\"Linz\"\n"},
        {"GEMEINDE.csv",
         "\"GKZ\";\"GEMEINDENAME\"\n\"90001\";\"Wien\"\n\"60101\";\"Graz\"\n\"80201\";\"Andelsbuch\"\n"
         "\"40101\";\"Linz\"\n"},
        {"GEBAEUDE.csv",
         "\"ADRCD\";\"SUBCD\";\"OBJEKTNUMMER\";\"HNR_GEB_ZUSAMMEN\";\"EIGENSCHAFT\";\"RW\";\"HW\";\"EPSG\"\n"
         "\"6\";\"001\";\"11\";\"/1\";\"01\";\"" +
             in_system("EPSG:31254", {9.8921, 47.4411}, "\";\"") +
             "\";31254\n\"6\";\"002\";\"12\";\"/2\";\"01\";\"" +
             in_system("EPSG:31254", {9.8925, 47.4412}, "\";\"") +
             "\";31254\n\"7\";\"001\";\"13\";\"\";\"01\";\"" +
             in_system("EPSG:31255", {14.2901, 48.3001}, "\";\"") + "\";31255\n"}};
  }
  std::string as_folder() const {
    for (const auto& [name, bytes] : tables()) write(bytes, "bev/" + name);
    return folder.file("bev");
  }
  const LonLat vienna{16.3544, 48.2213};
};

TEST_F(BevRegister, AnswersAsALocalWouldExpect) {
  const AddressRegister all = imported(as_folder(), "bev");
  for (const char* text :
       {"Währinger Straße 25, 1090 Wien", "Währinger Str. 25, Wien 9",
        "Währinger Straße 25, Wien, Alsergrund", "Währinger Straße 25, Wien, 9. Bezirk",
        "Währinger Straße 25, 9. Bez., Wien", "1090 Wien, Währinger Straße 25",
        "Währinger Straße 25/2/14, 1090 Wien", "Währinger Straße 25, A-1090 Wien 9, Österreich"})
    EXPECT_EQ(answer(all, text), "Währinger Straße 25") << text;
  for (const char* text :
       {"Währinger Straße 9, 1090 Wien", "Währinger Straße 9, Wien 9", "Währinger Straße 9, Wien"})
    EXPECT_EQ(answer(all, text), "Währinger Straße 9") << text;
  for (const char* text : {"Jakominiplatz 12 a, 8010 Graz", "Jakominiplatz 12a, Graz-Jakomini",
                           "Jakominiplatz 12A, Graz, 6. Bezirk", "Jakominiplatz 12a/Top 7, Graz"})
    EXPECT_EQ(answer(all, text), "Jakominiplatz 12a") << text;
  EXPECT_EQ(answer(all, "Lange Zeile 3 - 5, Linz"), "Lange Zeile 3-5");
  EXPECT_EQ(answer(all, "Lange Zeile 4, Linz"), "proposed");
  EXPECT_EQ(answer(all, "Währinger Straße, 1090 Wien"), "proposed");
  EXPECT_EQ(answer(all, "Währinger Staße 25, 1090 Wien"), "proposed");
  EXPECT_EQ(answer(all, "Währinger Straße 25, 1190 Wien"), "proposed");
}

TEST_F(BevRegister, HasVillagesWithoutStreetsAndStairwaysOfTheirOwn) {
  const AddressRegister all = imported(as_folder(), "bev");
  for (const char* text : {"Andelsbuch 12", "6866 Andelsbuch 12", "Andelsbuch 12, 6866 Andelsbuch"})
    EXPECT_LT(metres_between(all.find(text).house.place, {9.89, 47.44}), 3) << text;
  for (const char* text : {"Moos 12, 6866 Andelsbuch", "Moos 12", "Andelsbuch, Moos 12"})
    EXPECT_LT(metres_between(all.find(text).house.place, {9.91, 47.45}), 3) << text;
  EXPECT_EQ(answer(all, "Hof 10, Andelsbuch"), "Hof 10");
  EXPECT_EQ(answer(all, "Hof 10/2/5, Andelsbuch"), "Hof 10/2");
  EXPECT_EQ(answer(all, "Hof 10 Stiege 1 Tür 4, Andelsbuch"), "Hof 10/1");
  EXPECT_EQ(answer(all, "Hof 10/3, Andelsbuch"), "proposed");
}

TEST_F(BevRegister, BringsEachRowsOwnSystemToItsPlace) {
  const AddressRegister all = imported(as_folder(), "bev");
  EXPECT_LT(metres_between(all.find("Währinger Straße 25, Wien").house.place, vienna), 0.1);
  EXPECT_LT(metres_between(all.find("Lange Zeile 3-5, Linz").house.place, {14.2901, 48.3001}), 0.1)
      << "its building's";
  EXPECT_EQ(all.find("Lange Zeile 3-5, Linz").house.country, "AT");
  EXPECT_EQ(all.size(), 9U);
}

TEST_F(BevRegister, ABuildingsNumberDoesNotBecomeTheHouses) {
  auto all_tables = tables();
  all_tables["ADRESSE.csv"] += address(8, "80201", "8021", "6866", "802001", "1", 31254, {9.893, 47.442});
  for (const char* building : {"1", "2", "12", "1/3"})
    all_tables["GEBAEUDE.csv"] += "\"8\";\"001\";\"20\";\"" + std::string(building) + "\";\"01\";\"" +
                                  in_system("EPSG:31254", {9.8931, 47.4421}, "\";\"") + "\";31254\n";
  for (const auto& [name, bytes] : all_tables) write(bytes, "bev/" + name);
  const AddressRegister all = imported(folder.file("bev"), "bev");
  for (const char* house : {"Hof 1", "Hof 1/2", "Hof 1/3", "Hof 1/12"})
    EXPECT_EQ(answer(all, house + std::string(", 6866 Andelsbuch")), house);
  EXPECT_EQ(answer(all, "Hof 12, 6866 Andelsbuch"), "proposed") << "it is another house";
}

TEST_F(BevRegister, WithoutAPlaceTakesTheBuildingsOrIsLeftOut) {
  const LonLat at{9.893, 47.442};
  const std::string place = in_system("EPSG:31254", at, "\";\"");
  const auto row_with = [&](int key, const std::string& number, const std::string& coordinates) {
    std::string row = address(key, "80201", "8021", "6866", "802001", number, 31254, at);
    return row.replace(row.find(place), place.size(), coordinates);
  };
  auto all_tables = tables();
  all_tables["ADRESSE.csv"] += row_with(8, "20", "\";\"") + row_with(9, "22", "\";\"");
  all_tables["GEBAEUDE.csv"] += "\"8\";\"001\";\"20\";\"\";\"01\";\"" + place + "\";31254\n";
  for (const auto& [name, bytes] : all_tables) write(bytes, "bev/" + name);
  const auto note = import(folder.file("bev"), "bev");
  ASSERT_TRUE(note) << note.error().text;
  EXPECT_THAT(*note, HasSubstr("1 addresses without a place are left out"));
  const AddressRegister all = test::opened({out});
  EXPECT_LT(metres_between(all.find("Hof 20, 6866 Andelsbuch").house.place, at), 0.1);
  EXPECT_EQ(answer(all, "Hof 22, 6866 Andelsbuch"), "proposed");
  std::filesystem::remove(out);
  write(all_tables["ADRESSE.csv"] + row_with(10, "24", "x\";\"y"), "bev/ADRESSE.csv");
  EXPECT_THAT(refusal(folder.file("bev"), "bev"), HasSubstr("has no RW, HW and EPSG that are numbers"));
}

TEST_F(BevRegister, IsReadOutOfItsZip) {
  EXPECT_EQ(imported(zip("Adresse_Relationale_Tabellen_Stichtagsdaten.zip", tables()), "bev").size(), 9U);
}

TEST_F(BevRegister, WithoutATableOrAColumnIsRefused) {
  const std::string place = as_folder();
  std::filesystem::remove(place + "/ORTSCHAFT.csv");
  EXPECT_THAT(refusal(place, "bev"), HasSubstr("has no ORTSCHAFT.csv"));
  write("GKZ;NAME\n1;Wien\n", "bev/ORTSCHAFT.csv");
  EXPECT_THAT(refusal(place, "bev"),
              AllOf(HasSubstr("ORTSCHAFT.csv"), HasSubstr("the column OKZ is missing")));
}

// ---- Switzerland

TEST_F(AddressImports, OfSwisstopoHaveAnnexesPostalTownsAndMunicipalities) {
  const std::string header =
      "\xEF\xBB\xBF"
      "ADR_EGAID;STR_ESID;BDG_EGID;ADR_EDID;STN_LABEL;ADR_NUMBER;BDG_CATEGORY;BDG_NAME;ZIP_LABEL;COM_FOSNR;"
      "COM_NAME;COM_CANTON;ADR_STATUS;ADR_OFFICIAL;ADR_MODIFIED;ADR_EASTING;ADR_NORTHING\r\n";
  const auto row = [](const std::string& street, const std::string& number, const std::string& zip,
                      const std::string& municipality, const std::string& canton, const std::string& status,
                      LonLat place) {
    return "100;10;1;0;" + street + ";" + number + ";residential;;" + zip + ";2701;" + municipality + ";" +
           canton + ";" + status + ";true;01.01.2026;" + in_system("EPSG:2056", place) + "\r\n";
  };
  const std::string file =
      write(header + row("Seestrasse", "12", "8712 Stäfa", "Stäfa", "ZH", "real", {8.72, 47.24}) +
                row("Seestrasse", "12.1", "8712 Stäfa", "Stäfa", "ZH", "real", {8.721, 47.241}) +
                row("Rue du Lac", "5bis", "1006 Lausanne", "Lausanne", "VD", "real", {6.63, 46.51}) +
                row("Dorfstrasse", "3", "3084 Wabern", "Köniz", "BE", "real", {7.45, 46.93}) +
                row("Dorfstrasse", "4", "3084 Wabern", "Köniz", "BE", "planned", {7.451, 46.93}),
            "ch.csv");
  const AddressRegister all = imported(file, "swisstopo");
  EXPECT_EQ(all.size(), 4U);
  EXPECT_EQ(answer(all, "Seestr. 12.1, 8712 Stäfa"), "Seestrasse 12.1");
  EXPECT_EQ(answer(all, "Seestrasse 12, CH-8712 Stäfa ZH"), "Seestrasse 12");
  EXPECT_EQ(answer(all, "Rue du lac 5 bis, Lausanne"), "Rue du Lac 5bis");
  EXPECT_EQ(answer(all, "Dorfstrasse 3, Köniz"), "Dorfstrasse 3");
  EXPECT_EQ(answer(all, "Dorfstrasse 3, 3084 Wabern"), "Dorfstrasse 3");
  EXPECT_EQ(answer(all, "Dorfstrasse 4, Wabern"), "proposed");
  EXPECT_LT(metres_between(all.find("Seestrasse 12, Stäfa").house.place, {8.72, 47.24}), 1);
}

// ---- Germany

/// The HK-DE table's 24 columns.
std::string hk_row(const std::string& street, const std::string& number, const std::string& addition,
                   LonLat place, const std::string& municipality, const std::string& district = "",
                   const std::string& postcode = "", const std::string& town = "",
                   const std::string& quality = "A") {
  return "N;DEBW00000001;" + quality + ";08;Baden-Württemberg;3;Freiburg;11;Freiburg;000;" + municipality +
         ";0001;" + district + ";00123;" + street + ";" + number + ";" + addition + ";32;" +
         in_system("EPSG:25832", place) + ";" + postcode + ";" + town + ";;";
}
const std::string kHkHeader =
    "nba;oid;qua;landschl;land;regbezschl;regbez;kreisschl;kreis;gmdschl;gmd;ottschl;ott;strschl;str;hnr;adz;"
    "zone;"
    "ostwert;nordwert;postplz;postonm;postonmzus;postott\n";

TEST_F(AddressImports, OfHkDeAreReadWithAndWithoutNames) {
  const std::string rows =
      hk_row("Ahornweg", "5", "", {7.85, 48.0}, "Freiburg im Breisgau, Stadt", "Herdern") + "\r\n" +
      hk_row("Ahornweg", "12", "a", {7.851, 48.0}, "Freiburg im Breisgau, Stadt", "Herdern") + "\r\n" +
      hk_row("Ahornweg", "0012", "-14", {7.852, 48.0}, "Freiburg im Breisgau, Stadt") + "\r\n" +
      hk_row("Schulweg", "1", "", {7.853, 48.01}, "Kirchheim unter Teck", "", "73230",
             "Kirchheim unter Teck") +
      "\r\n" + hk_row("Schulweg", "2", "", {7.853, 48.01}, "Kirchheim", "", "", "", "C") + "\r\n";
  for (const std::string& header : {std::string(), kHkHeader}) {
    const AddressRegister all = imported(write(header + rows, "hk.csv"), "hk-de");
    EXPECT_EQ(all.size(), 4U);
    for (const char* text :
         {"Ahornweg 5, 79104 Freiburg", "Ahornweg 5, Freiburg i. Br.", "Ahornweg 5, Freiburg-Herdern",
          "Ahornweg 5, Freiburg im Breisgau, Stadt", "Ahornweg 5, Herdern"})
      EXPECT_EQ(answer(all, text), "Ahornweg 5") << text;
    EXPECT_EQ(answer(all, "Ahornweg 12 a, Freiburg"), "Ahornweg 12a");
    EXPECT_EQ(answer(all, "Ahornweg 12-14, Freiburg"), "Ahornweg 12-14");
    EXPECT_EQ(all.find("Ahornweg 5, Freiburg").house.town, "Freiburg im Breisgau");
    EXPECT_EQ(answer(all, "Schulweg 1, 73230 Kirchheim u. Teck"), "Schulweg 1");
    EXPECT_EQ(answer(all, "Schulweg 1, 99999 Kirchheim"), "proposed") << "its postcode is known";
    EXPECT_EQ(answer(all, "Ahornweg 5, 4020 Freiburg"), "proposed") << "no German postcode";
    EXPECT_EQ(answer(all, "Ahornweg 5, 79104"), "proposed") << "no town decides";
    EXPECT_EQ(answer(all, "Schulweg 2, Kirchheim"), "proposed");
    EXPECT_LT(metres_between(all.find("Ahornweg 5, Freiburg").house.place, {7.85, 48.0}), 0.1);
  }
}

TEST_F(AddressImports, OfHkDeTakeTheHabitsOfTheLaender) {
  std::string hesse = kHkHeader;
  for (char& c : hesse) c = c == ';' ? ',' : c;
  hesse.replace(hesse.find("kreisschl"), 9, "kreissch");
  hesse.insert(hesse.size() - 1, "\r");
  std::string row =
      "\"N\",\"x\",\"A\",\"06\",\"Hessen\",\"4\",\"\",\"12\",\"\",\"000\",\"Hanau\",\"\",\"\",\"1\","
      "\"Am Markt, Nord\",\"7\",\"b\",\"32\",\"" +
      in_system("EPSG:25832", {8.9, 50.1}, "\",\"") + "\",\"\",\"\",\"\",\"\"\r\n";
  EXPECT_EQ(answer(imported(write(hesse + row, "he.csv"), "hk-de"), "Am Markt Nord 7b, Hanau"),
            "Am Markt, Nord 7b");

  // The zone before the easting, a comma in the numbers, Windows-1252, as a .txt of twenty columns.
  std::string east_north = in_system("EPSG:25833", {13.7, 51.05});
  east_north = "33" + east_north;
  std::replace(east_north.begin(), east_north.end(), '.', ',');
  const std::string saxony =
      "N;DESN;A;14;Sachsen;;;;;000;Dresden;;;00001;K\xF6nigsbr\xFC"
      "cker Stra\xDF"
      "e;12;;;" +
      east_north + "\n";
  const AddressRegister all = imported(write(saxony, "sn.txt"), "hk-de");
  EXPECT_EQ(answer(all, "Königsbrücker Str. 12, 01099 Dresden"), "Königsbrücker Straße 12");
  EXPECT_LT(metres_between(all.find("Königsbrücker Str. 12, Dresden").house.place, {13.7, 51.05}), 0.1);

  // Saarland's own twenty columns: numbers where others have names of places, the zone before the easting.
  const std::string saarland =
      "OI;QUA;LAN;RBZ;KRS;GMD;OTT;SSS;HNR;ADZ;XCOORD;YCOORD;STN;PLZ;ONM;PSN;a;b;c;AUD\n"
      "DESL;A;10;0;41;100;0001;00017;3;;32" +
      in_system("EPSG:25832", {7.0, 49.23}) + ";Hafenweg;66111;Saarbrücken;Hafenweg;;;;05.10.2025\n";
  const AddressRegister saar = imported(write(saarland, "sl.csv"), "hk-de");
  EXPECT_EQ(answer(saar, "Hafenweg 3, 66111 Saarbrücken"), "Hafenweg 3");
  EXPECT_EQ(saar.find("Hafenweg 3, Saarbrücken").house.also_in, std::vector<std::string>());
  EXPECT_LT(metres_between(saar.find("Hafenweg 3, Saarbrücken").house.place, {7.0, 49.23}), 0.1);
}

TEST_F(AddressImports, OfGebrefHaveTwentyColumnsByPosition) {
  const std::string row =
      "N;DENW;A;05;Nordrhein-Westfalen;1;Düsseldorf;13;Essen;000;Essen;0;;00001;Gildehofstraße;1;;32;" +
      in_system("EPSG:25832", {7.015, 51.452}) + "\r\n";
  const AddressRegister all = imported(write(row, "gebref.txt"), "gebref");
  EXPECT_EQ(answer(all, "Gildehofstr. 1, 45127 Essen"), "Gildehofstraße 1");
  const std::map<std::string, std::string> others = {{"gebref_schluessel.txt", "L;05;Nordrhein-Westfalen\n"},
                                                     {"liesmich.txt", "\nHauskoordinaten\n"},
                                                     {"lizenz.pdf", "%PDF"}};
  auto members = others;
  members["gebref.txt"] = row;
  EXPECT_EQ(imported(zip("gebref_EPSG25832_ASCII.zip", members), "gebref").size(), 1U);
  std::filesystem::remove(out);
  EXPECT_THAT(refusal(zip("others.zip", others), "gebref"),
              HasSubstr("gebref_schluessel.txt: has 3 columns"));
  EXPECT_THAT(refusal(write("a;b;c\n1;2;3\n", "short.txt"), "gebref"), HasSubstr("has 3 columns"));
}

TEST_F(AddressImports, OfAnyColumnsAreMapped) {
  const std::string table = "OST,NORD,STR,HNR,ADZ,PLZ,ONM,OTT\n" +
                            in_system("EPSG:25832", {10.0, 53.55}, ",") +
                            ",Neuer Wall,7,a,20354,Hamburg,Neustadt\n";
  const std::string mapping =
      "csv:street=STR,number=HNR+ADZ,postcode=PLZ,town=ONM,also=OTT,country=DE,x=OST,y=NORD,crs=25832";
  const AddressRegister all = imported(write(table, "hh.csv"), mapping);
  EXPECT_EQ(answer(all, "Neuer Wall 7a, 20354 Hamburg-Neustadt"), "Neuer Wall 7a");
  EXPECT_EQ(all.find("Neuer Wall 7a, Hamburg").house.country, "DE");
  const AddressRegister plain = imported(
      write("strasse,hausnummer,plz,ort,land,lon,lat\nWeg,1,4020,Linz,A,14.3,48.3\n", "own.csv"), "csv");
  EXPECT_EQ(answer(plain, "Weg 1, Linz"), "Weg 1");
}

TEST_F(AddressImports, HavePostcodesOfWhichATableProgramMadeNumbers) {
  const auto file = write("str,nr,plz,ort,x,y\nWeg,1,1067.0,Dresden,13.73,51.05\n", "numbers.csv");
  const auto all = imported(file, "csv:street=str,number=nr,postcode=plz,town=ort,x=x,y=y,crs=EPSG:4326");
  EXPECT_EQ(answer(all, "Weg 1, 01067 Dresden"), "Weg 1");
}

TEST_F(AddressImports, OfAGeoPackageAreMapped) {
  register_gdal_drivers();
  const std::string file = folder.file("points.gpkg");
  {
    const std::unique_ptr<GDALDataset> data(
        GetGDALDriverManager()->GetDriverByName("GPKG")->Create(file.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
    OGRSpatialReference utm;
    utm.importFromEPSG(25832);
    OGRLayer* layer = data->CreateLayer("adressen", &utm, wkbPoint, nullptr);
    for (const char* name : {"str", "hnr", "gem"}) {
      OGRFieldDefn field(name, OFTString);
      layer->CreateField(&field);
    }
    for (int i = 1; i <= 3; ++i) {
      const OGRFeatureUniquePtr feature(OGRFeature::CreateFeature(layer->GetLayerDefn()));
      feature->SetField("str", "Deichweg");
      feature->SetField("hnr", i);
      feature->SetField("gem", "Norden");
      OGRPoint point(380'000 + i * 20, 5'940'000);
      feature->SetGeometry(&point);
      ASSERT_EQ(layer->CreateFeature(feature.get()), OGRERR_NONE);
    }
  }
  const AddressRegister all = imported(file, "csv:street=str,number=hnr,town=gem,country=DE");
  EXPECT_EQ(answer(all, "Deichweg 2, 26506 Norden"), "Deichweg 2");
  std::filesystem::remove(out);
  EXPECT_THAT(refusal(file, "csv:street=strasse,number=hnr"), HasSubstr("the column strasse is missing"));
}

// ---- what is wrong

std::string hk_table(int good, int bad) {
  std::string text = kHkHeader;
  for (int i = 0; i < good + bad; ++i)
    text += i >= 5 && i < 5 + bad ? "N;x;A\n"
                                  : hk_row("Weg", std::to_string(i), "", {8 + i * 1e-4, 50}, "Ort") + "\n";
  return text;
}

TEST_F(AddressImports, LeaveOutARowInAHundredAndSayWhich) {
  const auto done = import(write(hk_table(990, 10), "hk.csv"), "hk-de");
  ASSERT_TRUE(done) << done.error().text;
  EXPECT_THAT(*done, AllOf(HasSubstr("990 addresses"), HasSubstr("line 7 has only 3 columns"),
                           HasSubstr("10 of 1000 rows")));
}

TEST_F(AddressImports, WithMoreWrongRowsAreRefusedAndNothingStays) {
  EXPECT_THAT(refusal(write(hk_table(980, 20), "hk.csv"), "hk-de"),
              AllOf(HasSubstr("hk.csv: line 7"), HasSubstr("20 of 1000 rows")));
}

TEST_F(AddressImports, ThatAreRefusedLeaveTheIndexThatWasThere) {
  ASSERT_TRUE(import(write(hk_table(50, 0), "good.csv"), "hk-de"));
  EXPECT_FALSE(import(write(hk_table(50, 20), "bad.csv"), "hk-de"));
  EXPECT_EQ(test::opened({out}).size(), 50U);
}

TEST_F(AddressImports, InAnotherSystemThanStatedAreRefused) {
  const std::string table = "x,y,s,n,t\n" + in_system("EPSG:25832", {10, 53.5}, ",") + ",Weg,1,Ort\n";
  const std::string file = write(table, "t.csv");
  EXPECT_THAT(refusal(file, "csv:street=s,number=n,town=t,x=x,y=y,crs=2056"), HasSubstr("line 2 "));
  EXPECT_THAT(refusal(file, "csv:street=s,number=n,town=t,lon=x,lat=y"), HasSubstr("line 2 lies in none of"));
  EXPECT_THAT(refusal(file, "csv:street=s,number=n,town=t,x=y,y=x,crs=25832"), HasSubstr("line 2 "));
  EXPECT_THAT(refusal(file, "csv:street=s,number=n,town=t,x=x,y=y,crs=99999"), HasSubstr("crs"));
}

TEST_F(AddressImports, WithWrongOptionsOrFilesAreRefused) {
  const std::string file = write("x,y,s\n1,2,3\n", "t.csv");
  for (const auto& [as, why] : {std::pair{"hk", "is none of hk-de"},
                                {"csv:street", "is not of the form"},
                                {"csv:strasse=s", "is none of street"},
                                {"csv:street=s", "names no x, y and crs"},
                                {"csv:number=s,x=x,y=y,crs=25832", "neither a street nor a town"},
                                {"csv:street=q,x=x,y=y,crs=25832", "the column q is missing"},
                                {"hk-de:25832", "is not of the form"},
                                {"hk-de", "3 columns"},
                                {"swisstopo", "the column STN_LABEL is missing"},
                                {"bev", "has no STRASSE.csv"}})
    EXPECT_THAT(refusal(file, as), HasSubstr(why)) << as;
  EXPECT_THAT(refusal(folder.file("nowhere.csv"), "hk-de"), HasSubstr("nowhere.csv: cannot be opened"));
  EXPECT_THAT(refusal(folder.path().string(), "hk-de"), HasSubstr("is a folder"));
  EXPECT_THAT(refusal(write("", "empty.csv"), "hk-de"), HasSubstr("empty.csv"));
  EXPECT_THAT(refusal(write(std::string("\xFF\xFEn\0b\0a\0;\0", 10), "utf16.csv"), "hk-de"),
              HasSubstr("is UTF-16; iconv"));
  EXPECT_THAT(refusal(write(kHkHeader, "no_rows.csv"), "hk-de"), HasSubstr("has no houses"));
}

TEST_F(AddressImports, OfBrokenTextsAreRefused) {
  const std::string good = hk_row("Weg", "1", "", {8, 50}, "Ort") + "\n";
  EXPECT_THAT(refusal(write(good + hk_row("Gr\xFCn", "1", "", {8, 50}, "Ort") + "\n" +
                                hk_row("Grün", "1", "", {8, 50}, "Ort") + "\n",
                            "two.csv"),
                      "hk-de"),
              AllOf(HasSubstr("line 1 is UTF-8"), HasSubstr("line 2 is not")));
  EXPECT_THAT(refusal(write(hk_row("Gr\x81n", "1", "", {8, 50}, "Ort") + "\n", "none.csv"), "hk-de"),
              HasSubstr("neither UTF-8"));
  EXPECT_THAT(refusal(write(good + "N;\"open" + good + good, "quote.csv"), "hk-de"),
              HasSubstr("is a quote open?"));
  std::string long_row = good + "N;\"";
  for (int i = 0; i < 40'000; ++i) long_row += good;
  EXPECT_THAT(refusal(write(long_row, "long.csv"), "hk-de"), HasSubstr("is a quote open?"));
  std::string bytes;
  for (unsigned i = 0; i < 100'000; ++i) bytes += static_cast<char>(i * 2654435761U >> 13U);
  EXPECT_NE(refusal(write(bytes, "noise.csv"), "hk-de"), "imported");
}

TEST_F(AddressImports, CanBeStopped) {
  const std::string file = write(hk_table(2000, 0), "hk.csv");
  const auto stopped = import_addresses({{file}, "hk-de", out}, [](const ImportProgress&) { return false; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, FailureKind::cancelled);
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_FALSE(std::filesystem::exists(out + ".part"));
}

}  // namespace
