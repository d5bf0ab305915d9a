// Addresses out of cadastres' shapes and GeoPackages, in the forms in which offices put them on the net.
#include <gdal_priv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <fstream>

#include "../office_server.hpp"
#include "../temporary_folder.hpp"
#include "geo/address_import/import.hpp"
#include "geo/addresses/register.hpp"
#include "geo/data/gdal.hpp"

namespace {

using namespace geo;
using testing::HasSubstr;

struct Feature {
  std::string shape;  // WKT
  std::vector<std::string> cells;
};

void write_layer(const std::string& driver, const std::string& file, const std::string& name, int epsg,
                 const std::vector<std::string>& columns, const std::vector<Feature>& features) {
  register_gdal_drivers();
  GDALDriver* const maker = GetGDALDriverManager()->GetDriverByName(driver.c_str());
  const std::unique_ptr<GDALDataset> data(
      std::filesystem::exists(file) ? GDALDataset::Open(file.c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE)
                                    : maker->Create(file.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  ASSERT_TRUE(data) << file;
  OGRSpatialReference system;
  system.importFromEPSG(epsg);
  const bool points = features.front().shape.starts_with("POINT");
  OGRLayer* const layer = data->CreateLayer(name.c_str(), &system, points ? wkbPoint : wkbPolygon, nullptr);
  ASSERT_TRUE(layer) << name;
  for (const std::string& column : columns) {
    OGRFieldDefn field(column.c_str(), OFTString);
    layer->CreateField(&field);
  }
  for (const Feature& one : features) {
    const OGRFeatureUniquePtr feature(OGRFeature::CreateFeature(layer->GetLayerDefn()));
    for (std::size_t i = 0; i < one.cells.size(); ++i)
      feature->SetField(static_cast<int>(i), one.cells[i].c_str());
    OGRGeometry* shape = nullptr;
    OGRGeometryFactory::createFromWkt(one.shape.c_str(), nullptr, &shape);
    feature->SetGeometryDirectly(shape);
    ASSERT_EQ(layer->CreateFeature(feature.get()), OGRERR_NONE);
  }
}

std::string square(double west, double south, double size) {
  const auto at = [](double x, double y) { return std::to_string(x) + " " + std::to_string(y); };
  return "POLYGON((" + at(west, south) + "," + at(west + size, south) + "," + at(west + size, south + size) +
         "," + at(west, south + size) + "," + at(west, south) + "))";
}
std::string point(double x, double y) { return "POINT(" + std::to_string(x) + " " + std::to_string(y) + ")"; }

struct VectorImports : testing::Test {
  test::TemporaryFolder folder;
  std::string out = folder.file("out.addr");

  Result<std::string> import(std::vector<std::string> files, const std::string& as) const {
    return import_addresses({std::move(files), as, out}, [](const ImportProgress&) { return true; });
  }
  AddressRegister imported(std::vector<std::string> files, const std::string& as) const {
    const auto done = import(std::move(files), as);
    EXPECT_TRUE(done) << (done ? "" : done.error().text);
    auto index = AddressIndex::open(out);
    EXPECT_TRUE(index);
    std::vector<AddressIndex> parts;
    parts.push_back(std::move(*index));
    return AddressRegister(std::move(parts));
  }
  std::string refusal(std::vector<std::string> files, const std::string& as) const {
    const auto done = import(std::move(files), as);
    EXPECT_FALSE(done) << (done ? *done : "");
    EXPECT_FALSE(std::filesystem::exists(out)) << "something is left";
    return done ? "" : done.error().text;
  }
  /// A page with a house in a Gasse; `more`: properties besides, each after a comma.
  std::string page(const std::string& name, int number, const std::string& more = "") const {
    std::ofstream(folder.file(name))
        << R"({"type":"FeatureCollection","features":[{"type":"Feature","geometry":)"
        << R"({"type":"Point","coordinates":[12.55,52.41]},"properties":{"s":"Gasse","n":)" << number << more
        << "}}]}";
    return folder.file(name);
  }
  /// All files of the folder `from`, in a ZIP.
  std::string zip(const std::string& name, const std::string& from) const {
    const std::string archive = "/vsizip/" + folder.file(name);
    VSILFILE* const whole = VSIFOpenL(archive.c_str(), "wb");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.file(from))) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(in), {}};
      VSILFILE* const member = VSIFOpenL((archive + "/" + entry.path().filename().string()).c_str(), "wb");
      VSIFWriteL(bytes.data(), 1, bytes.size(), member);
      VSIFCloseL(member);
    }
    VSIFCloseL(whole);
    return folder.file(name);
  }
};

std::string spelling(const AddressRegister& all, const std::string& text) {
  const AddressMatch match = all.find(text);
  return match.kind == AddressMatch::Kind::house ? spelling_of(match.house) : "none";
}

constexpr auto kMecklenburg =
    "vector:layer=02341_Hausnummer_P,street=TEXT,number=HNR,within=11001_Flurstueck_F,town=GMN_TXT,country="
    "DE";

struct Mecklenburg : VectorImports {
  void SetUp() override {
    std::filesystem::create_directories(folder.file("mv"));
    write_layer("ESRI Shapefile", folder.file("mv/02341_Hausnummer_P.shp"), "02341_Hausnummer_P", 25833,
                {"TEXT", "HNR"},
                {{point(263'010, 5'941'010), {"Seestraße", "3a"}},
                 {point(263'510, 5'941'010), {"Seestraße", "3a"}},
                 {point(263'020, 5'941'020), {"Seestraße", ""}}});
    // Land use lies over all of it; its name only ends like the parcels'.
    write_layer("ESRI Shapefile", folder.file("mv/11001_Flurstueck_F.shp"), "11001_Flurstueck_F", 25833,
                {"GMN_TXT", "KRS_TXT"},
                {{square(263'000, 5'941'000, 100), {"Schwerin", "Schwerin"}},
                 {square(263'500, 5'941'000, 100), {"Pingelshagen", "Nordwestmecklenburg"}}});
    write_layer("ESRI Shapefile", folder.file("mv/21001_NutzungFlurstueck_F.shp"), "x", 25833, {"GMN_TXT"},
                {{square(263'000, 5'941'000, 900), {"wrong"}}});
  }
};

TEST_F(Mecklenburg, AHouseLiesInTheTownOfItsParcel) {
  for (const std::string& file : {zip("mv.zip", "mv"), folder.file("mv")}) {
    const AddressRegister all = imported({file}, kMecklenburg);
    EXPECT_EQ(all.size(), 2U) << "a label without a number is no house";
    EXPECT_EQ(spelling(all, "seestr. 3 a, schwerin"), "Seestraße 3a, Schwerin");
    EXPECT_EQ(spelling(all, "Seestraße 3a, 19069 Pingelshagen"), "Seestraße 3a, Pingelshagen");
    EXPECT_EQ(spelling(all, "Seestraße 3a"), "none") << "two towns have it";
  }
}

TEST_F(Mecklenburg, WithoutALayerOrAColumnIsRefused) {
  const std::string file = zip("mv.zip", "mv");
  EXPECT_THAT(refusal({file}, "vector:layer=Hausnummern,street=TEXT,number=HNR"),
              HasSubstr("holds no layer Hausnummern"));
  EXPECT_THAT(refusal({file},
                      "vector:layer=02341_Hausnummer_P,street=TEXT,number=HNR,within=11001_Flurstueck_F,"
                      "town=GEMEINDE"),
              HasSubstr("the column GEMEINDE is missing, also in the layer 11001_Flurstueck_F"));
  EXPECT_THAT(refusal({file}, "vector:layer=02341_Hausnummer_P,street=TEXT,number=HNR,town=GMN_TXT"),
              HasSubstr("the column GMN_TXT is missing"));
}

TEST_F(VectorImports, OfBuildingsLieInsideThemAndAShedIsNone) {
  const std::string file = folder.file("district.gpkg");
  write_layer("GPKG", file, "gebaeude", 25832, {"bez", "hnr"},
              // In the shape of an L, whose middle lies outside.
              {{"POLYGON((550000 5800000,550040 5800000,550040 5800004,550004 5800004,550004 5800040,"
                "550000 5800040,550000 5800000))",
                {"Am Deich", "12"}},
               {square(550'050, 5'800'000, 4), {"", ""}}});
  write_layer("GPKG", file, "flurstuecke", 25832, {"gem__bez"},
              {{"POLYGON((549990 5799990,550045 5799990,550045 5800005,550005 5800005,550005 5800045,"
                "549990 5800045,549990 5799990))",
                {"Hannover"}},
               {square(550'006, 5'800'006, 60), {"Garbsen"}}});
  const AddressRegister all = imported(
      {file}, "vector:layer=gebaeude,street=bez,number=hnr,within=flurstuecke,town=gem__bez,country=DE");
  EXPECT_EQ(all.size(), 1U);
  EXPECT_EQ(spelling(all, "Am Deich 12, Hannover"), "Am Deich 12, Hannover");
}

TEST_F(VectorImports, OfAShapeInAZipInAZipAreRead) {
  std::filesystem::create_directories(folder.file("month"));
  std::filesystem::create_directories(folder.file("outer"));
  write_layer("ESRI Shapefile", folder.file("month/gebaeudeadressen.shp"), "gebaeudeadressen", 25832,
              {"stn", "hnr", "adz", "plz", "onm"},
              {{point(486'000, 5'883'000), {"Contrescarpe", "72", "b", "28195", "Bremen"}}});
  std::filesystem::rename(zip("GEBAEUDEADRESSEN_2026_08.zip", "month"),
                          folder.file("outer/GEBAEUDEADRESSEN_2026_08.zip"));
  const AddressRegister all = imported({zip("outer.zip", "outer")},
                                       "vector:street=stn,number=hnr+adz,postcode=plz,town=onm,country=DE");
  EXPECT_EQ(spelling(all, "Contrescarpe 72b, 28195 Bremen"), "Contrescarpe 72b, 28195 Bremen");
}

TEST_F(VectorImports, OfAnOfficesPagesShareTheTownThatIsStatedAndTheLastIsEmpty) {
  const auto page = [&](const std::string& name, const std::string& features) {
    // As it comes from the office: no ending tells what it is.
    std::ofstream(folder.file(name)) << R"({"type":"FeatureCollection","numberMatched":2,"features":[)"
                                     << features << "]}";
    return folder.file(name);
  };
  const auto house = [](int number, double lon) {
    return R"({"type":"Feature","id":"H)" + std::to_string(number) +
           R"(","geometry":{"type":"Point","coordinates":[)" + std::to_string(lon) +
           R"(,53.55]},"properties":{"strassenname":"Große Bleichen","hausnummer":)" +
           std::to_string(number) +
           R"(,"hausnummernzusatz":null,"postleitzahl":"20354","postOrtsteil":"Neustadt"}})";
  };
  const AddressRegister all = imported(
      {page("0-1f", house(5, 9.98)), page("1-2e", house(7, 9.985)), page("2-3d", "")},
      "vector:street=strassenname,number=hausnummer+hausnummernzusatz,postcode=postleitzahl,town='Hamburg',"
      "also=postOrtsteil,country=DE");
  EXPECT_EQ(all.size(), 2U);
  EXPECT_EQ(spelling(all, "Große Bleichen 7, 20354 Hamburg"), "Große Bleichen 7, 20354 Hamburg");
  EXPECT_EQ(spelling(all, "Große Bleichen 5, Neustadt"), "Große Bleichen 5, 20354 Hamburg");
}

TEST_F(VectorImports, InTwoSystemsAreRefused) {
  const std::string file = folder.file("mixed.gpkg");
  write_layer("GPKG", file, "houses", 25832, {"street", "number"},
              {{point(550'010, 5'800'010), {"Weg", "1"}}});
  write_layer("GPKG", file, "parcels", 25833, {"town"}, {{square(550'000, 5'800'000, 100), {"Ort"}}});
  EXPECT_THAT(refusal({file}, "vector:layer=houses,street=street,number=number,within=parcels,town=town"),
              HasSubstr("different coordinate reference systems"));
}

TEST_F(VectorImports, OfADamagedPackageAreRefusedAndNothingIsLeft) {
  const std::string file = folder.file("torn.gpkg");
  std::vector<Feature> houses;
  for (int i = 0; i < 4'000; ++i)
    houses.push_back({point(550'000 + i, 5'800'000), {"Langer Weg", std::to_string(i), "Ort"}});
  write_layer("GPKG", file, "houses", 25832, {"street", "number", "town"}, houses);
  const std::string as = "vector:street=street,number=number,town=town,country=DE";
  EXPECT_EQ(imported({file}, as).size(), 4'000U);
  std::filesystem::remove(out);
  std::fstream bytes(file, std::ios::binary | std::ios::in | std::ios::out);
  bytes.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file) / 2));
  bytes << std::string(20'000, '\xEE');
  bytes.close();
  EXPECT_THAT(refusal({file}, as), HasSubstr("is damaged"));
}

TEST_F(VectorImports, OfAShapeThatDoesNotSayItsEncodingAreReadAsTablesAre) {
  std::filesystem::create_directories(folder.file("old"));
  const std::string stem = folder.file("old/houses");
  write_layer("ESRI Shapefile", stem + ".shp", "houses", 25832, {"street", "number", "town"},
              {{point(550'000, 5'800'000), {"Große Straße", "7", "Münder"}}});
  std::filesystem::remove(stem + ".cpg");
  std::fstream table(stem + ".dbf", std::ios::binary | std::ios::in | std::ios::out);
  constexpr int kCodePage = 29;
  table.seekp(kCodePage).put('\0');
  table.close();
  const AddressRegister all =
      imported({stem + ".shp"}, "vector:street=street,number=number,town=town,country=DE");
  EXPECT_EQ(spelling(all, "große strasse 7, muender"), "Große Straße 7, Münder");
}

TEST_F(VectorImports, OfHousesAndParcelsEachHaveAnEncodingOfTheirOwn) {
  std::filesystem::create_directories(folder.file("two"));
  write_layer("ESRI Shapefile", folder.file("two/houses.shp"), "houses", 25832, {"street", "number"},
              {{point(550'010, 5'800'010), {"Große Straße", "7"}}});
  write_layer("ESRI Shapefile", folder.file("two/parcels.shp"), "parcels", 25832, {"town"},
              {{square(550'000, 5'800'000, 100), {"Münder"}}});
  std::filesystem::remove(folder.file("two/parcels.cpg"));
  std::fstream table(folder.file("two/parcels.dbf"), std::ios::binary | std::ios::in | std::ios::out);
  constexpr int kCodePage = 29;
  table.seekp(kCodePage).put('\0');
  table.close();
  const AddressRegister all =
      imported({folder.file("two")},
               "vector:layer=houses,street=street,number=number,within=parcels,town=town,country=DE");
  EXPECT_EQ(spelling(all, "Große Straße 7, Münder"), "Große Straße 7, Münder");
}

TEST_F(VectorImports, OfHousesThatLieInNoParcelAreRefused) {
  const std::string file = folder.file("apart.gpkg");
  write_layer("GPKG", file, "houses", 25832, {"street", "number"},
              {{point(550'010, 5'800'010), {"Weg", "1"}}, {point(551'010, 5'800'010), {"Weg", "2"}}});
  write_layer("GPKG", file, "parcels", 25832, {"town"}, {{square(550'000, 5'800'000, 100), {"Ort"}}});
  EXPECT_THAT(refusal({file}, "vector:layer=houses,street=street,number=number,within=parcels,town=town"),
              HasSubstr("line 2 lies in none of the areas of parcels; 1 of 2 rows are wrong"));
}

TEST_F(VectorImports, OfAPageWithoutAColumnThatOthersHaveAreReadAndADescriptionBesideIsLeft) {
  const std::string as = "vector:street=s,number=n+z,town='Ort',country=DE";
  const AddressRegister all = imported({page("1.geojson", 4, R"(,"z":"b")"), page("2.geojson", 5)}, as);
  EXPECT_EQ(spelling(all, "Gasse 4b, Ort"), "Gasse 4b, Ort");
  EXPECT_EQ(spelling(all, "Gasse 5, Ort"), "Gasse 5, Ort");
  std::filesystem::remove(out);
  EXPECT_THAT(refusal({folder.file("2.geojson")}, as), HasSubstr("the column z is missing"));

  std::filesystem::create_directories(folder.file("beside"));
  std::filesystem::rename(folder.file("1.geojson"), folder.file("beside/1.geojson"));
  std::ofstream(folder.file("beside/metadata.json")) << R"({"title":"Adressen"})";
  std::ofstream(folder.file("beside/._1.geojson")) << "Mac OS X";
  EXPECT_EQ(imported({folder.file("beside")}, as).size(), 1U);
}

TEST_F(VectorImports, AColumnThatOnlyALaterPageHasIsNoneThatIsMissing) {
  const std::vector<std::string> pages{page("1.geojson", 4, R"(,"o":"Brandenburg")"),
                                       page("2.geojson", 5, R"(,"o":"Brandenburg","z":"an der Havel")")};
  const std::string as = "vector:street=s,number=n,town=o+z,country=DE";
  const AddressRegister all = imported(pages, as);
  EXPECT_EQ(spelling(all, "Gasse 4, Brandenburg"), "Gasse 4, Brandenburg");
  EXPECT_EQ(spelling(all, "Gasse 5, Brandenburg an der Havel"), "Gasse 5, Brandenburg an der Havel");
  std::filesystem::remove(out);
  EXPECT_THAT(refusal(pages, "vector:street=s,number=n,town=o+q,country=DE"),
              HasSubstr("the 2 files together: the column q is missing; there are s, n, o"));
}

// OGR would write what it found in one page beside it, under a name that all of a server's files share, and
// read the others by that. Nor does it fetch the schema that a page names.
TEST_F(VectorImports, EachPageOfGmlIsReadForItselfAndNamesNothingThatIsFetched) {
  test::OfficeServer office;
  const auto page =
      [&](const std::string& name, const std::string& columns) {
        std::ofstream(folder.file(name))
            << R"(<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" )"
            << R"(xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:a="http://a.de" )"
            << R"(xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://a.de )"
            << office.url("/wfs?service=wfs&amp;version=2.0.0&amp;request=DescribeFeatureType")
            << R"("><wfs:member><a:haus gml:id="h1"><a:s>Gasse</a:s>)" << columns
            << R"(<a:geom><gml:Point srsName="urn:ogc:def:crs:EPSG::25832"><gml:pos>550000 5800000</gml:pos>)"
            << "</gml:Point></a:geom></a:haus></wfs:member></wfs:FeatureCollection>";
        return folder.file(name);
      };
  const std::vector<std::string> pages{page("geodienste.a.de_wfs-0", "<a:n>4</a:n>"),
                                       page("geodienste.a.de_wfs-1", "<a:n>5</a:n><a:z>b</a:z>")};
  const AddressRegister all = imported(pages, "vector:street=s,number=n+z,town='Ort',country=DE");
  EXPECT_EQ(spelling(all, "Gasse 4, Ort"), "Gasse 4, Ort");
  EXPECT_EQ(spelling(all, "Gasse 5b, Ort"), "Gasse 5b, Ort");
  EXPECT_EQ(office.counts().requests, 0);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_NE(entry.path().extension(), ".gfs");
}

// Brandenburg's service has Berlin's houses, too.
TEST_F(VectorImports, OnlyFeaturesForWhichTheConditionHoldsBecomeHouses) {
  const std::string file = folder.file("both.gpkg");
  write_layer(
      "GPKG", file, "houses", 25833, {"s", "n", "land"},
      {{point(370'000, 5'800'000), {"Weg", "1", "12"}}, {point(390'000, 5'820'000), {"Weg", "2", "11"}}});
  const std::string as = "street=s,number=n,town='Ort',country=DE";
  EXPECT_EQ(imported({file}, "vector:where=land='12'," + as).size(), 1U);
  EXPECT_EQ(imported({file}, "vector:" + as).size(), 2U);
  std::filesystem::remove(out);
  EXPECT_THAT(refusal({file}, "vector:where=region='12'," + as),
              HasSubstr("layer houses cannot be asked for \"region='12'\" ("));
  std::ofstream(folder.file("table.csv")) << "s;n;x;y\nWeg;1;370000;5800000\n";
  EXPECT_THAT(refusal({folder.file("table.csv")}, "csv:where=s='Weg',street=s,number=n,x=x,y=y,crs=25833"),
              HasSubstr("layer, within and where are of vector data sets"));
}

TEST_F(VectorImports, TheSentenceNamesTheFileThatIsWrong) {
  const auto one = [&](const std::string& name, double east) {
    write_layer("GPKG", folder.file(name), "houses", 25832, {"s", "n"},
                {{point(east, 5'800'000), {"Weg", "1"}}});
    return folder.file(name);
  };
  const std::vector<std::string> files{one("first.gpkg", 550'000), one("second.gpkg", 1'550'000),
                                       one("third.gpkg", 550'000)};
  EXPECT_THAT(refusal(files, "vector:street=s,number=n,country=DE"), HasSubstr("second.gpkg: line 1 "));
}

TEST_F(VectorImports, OfAPacketThatWasUnpackedSayWhichPacketItWas) {
  const auto unpacked = [&](const std::string&) -> Result<std::string> {
    std::filesystem::create_directories(folder.file("parts"));
    std::ofstream(folder.file("parts/part0_houses.gpkg")) << "no GeoPackage";
    return folder.file("parts");
  };
  const auto done = import_addresses({{"district.zip"}, "vector:street=s,number=n,country=DE", out, unpacked},
                                     [](const ImportProgress&) { return true; });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().text, "district.zip/part0_houses.gpkg: cannot be opened as a vector data set");
}

}  // namespace
