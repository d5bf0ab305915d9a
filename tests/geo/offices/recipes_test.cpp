#include "geo/offices/recipes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <tuple>

#include "../../temporary_folder.hpp"
#include "geo/offices/area.hpp"
#include "geo/offices/found_files.hpp"
#include "geo/offices/larger_towns.hpp"
#include "geo/offices/plan.hpp"

namespace {

using namespace geo::offices;
using testing::HasSubstr;

const std::vector<Recipe>& compiled_in() {
  static const std::vector<Recipe> kAll = *all_recipes("");
  return kAll;
}

TEST(Recipes, ThereIsOneOfEachRegion) {
  std::set<std::string> ids;
  for (const Recipe& recipe : compiled_in()) ids.insert(recipe.id);
  EXPECT_EQ(ids, (std::set<std::string>{"at", "ch", "de-bb", "de-be", "de-bw", "de-by", "de-hb", "de-he",
                                        "de-hh", "de-mv", "de-ni", "de-nw", "de-rp", "de-sh", "de-sl",
                                        "de-sn", "de-st", "de-th", "glo-30"}));
}

TEST(Recipes, EachRegionOffersSurfaceAndTerrainWithLicenceAndNotice) {
  for (const Recipe& recipe : compiled_in()) {
    if (recipe.id != "glo-30") {
      EXPECT_TRUE(recipe.source(geo::DataKind::dsm)) << recipe.id;
      EXPECT_TRUE(recipe.source(geo::DataKind::dtm)) << recipe.id;
    }
    for (const Source& source : recipe.sources) {
      const std::string notice = notice_of(source, 20250915, 0);
      EXPECT_EQ(notice.find('{'), std::string::npos) << source.id << ": " << notice;
      EXPECT_GT(notice.size(), 8U) << source.id;
      EXPECT_TRUE(source.licence_url.starts_with("https://")) << source.id;
      EXPECT_TRUE(source.checked || !source.note.empty())
          << source.id << " is not checked, and does not say what";
    }
  }
}

// Bavaria's addresses are sold. Schleswig-Holstein's buildings come in the cadastre's own exchange form (NAS)
// alone, a file for each of some 10,000 fields.
TEST(Recipes, OfferBuildingsAndAddressesWhereverTheyAreOpen) {
  std::set<std::string> without_buildings, without_addresses;
  for (const Recipe& recipe : compiled_in()) {
    if (!recipe.source(geo::DataKind::buildings)) without_buildings.insert(recipe.id);
    if (!recipe.source(geo::DataKind::addresses)) without_addresses.insert(recipe.id);
  }
  EXPECT_EQ(without_buildings, (std::set<std::string>{"de-sh", "glo-30"}));
  EXPECT_EQ(without_addresses, (std::set<std::string>{"de-by", "glo-30"}));
}

TEST(Recipes, OfRegistersThatDoNotSayTheirCountryStateIt) {
  for (const Recipe& recipe : compiled_in())
    for (const Source& source : recipe.sources)
      if (source.import_as.starts_with("vector:") || source.import_as.starts_with("csv:")) {
        EXPECT_THAT(source.import_as, HasSubstr(",country=DE")) << source.id;
      }
}

const Source& source_in(const std::string& region, geo::DataKind kind) {
  return *(*find_recipe(compiled_in(), region))->source(kind);
}

// As the offices ask for them; of several kinds those that differ.
TEST(Recipes, NoticesAreInTheOfficesOwnWords) {
  const std::string bev = "Datenquelle: BEV – Bundesamt für Eich- und Vermessungswesen, ";
  const std::string lgln = "Quelle: Auszug aus den Geodaten des Landesamtes für Geoinformation und ";
  const std::string survey = "Amtliche Vermessung, kantonale Geoinformationsstellen";
  using enum geo::DataKind;
  const std::vector<std::tuple<std::string, geo::DataKind, std::string>> notices{
      {"at", dsm, bev + "ALS DSM Höhenraster 1 m, Stichtag 15.09.2025, CC BY 4.0"},
      {"at", dtm, bev + "ALS DTM Höhenraster 1 m, Stichtag 15.09.2025, CC BY 4.0"},
      {"at", addresses, "© Österreichisches Adressregister, Stichtagsdaten"},
      {"ch", dsm, "© swisstopo"},
      {"ch", addresses, "© swisstopo"},
      {"ch", buildings, survey},
      {"ch", parcels, survey},
      {"de-bb", dsm, "© GeoBasis-DE/LGB, dl-de/by-2-0"},
      {"de-be", dsm, "Geoportal Berlin"},
      {"de-bw", dsm, "Datenquelle: LGL, www.lgl-bw.de, dl-de/by-2-0"},
      {"de-by", dsm, "Bayerische Vermessungsverwaltung – www.geodaten.bayern.de"},
      {"de-hb", dsm, "Landesamt GeoInformation Bremen"},
      {"de-he", dsm, "Hessische Verwaltung für Bodenmanagement und Geoinformation (HVBG)"},
      {"de-hh", dsm,
       "Freie und Hansestadt Hamburg, Landesbetrieb Geoinformation und Vermessung (LGV), dl-de/by-2-0"},
      {"de-mv", dsm, "© GeoBasis-DE/M-V (2026), CC BY 4.0"},
      {"de-ni", dsm, lgln + "Landesvermessung Niedersachsen, ©2026, CC BY 4.0, Daten geändert"},
      {"de-nw", dsm, "Geobasis NRW"},
      {"de-rp", dsm,
       "©GeoBasis-DE / LVermGeoRP (2026), dl-de/by-2-0, www.lvermgeo.rlp.de [Daten bearbeitet]"},
      {"de-sh", dsm, "©GeoBasis-DE/LVermGeo SH/CC BY 4.0"},
      {"de-sl", dsm, "© GeoBasis DE/LVGL-SL (2026)"},
      {"de-sn", dsm, "Quelle: GeoSN, dl-de/by-2-0"},
      {"de-st", dsm, "© GeoBasis-DE / LVermGeo ST, dl-de/by-2-0"},
      {"de-th", dsm, "© GDI-Th"},
  };
  for (const auto& [region, kind, notice] : notices)
    EXPECT_EQ(notice_of(source_in(region, kind), 20250915, 20261124), notice) << region;
}

TEST(Recipes, NoYearOfAFetchIsWrittenIntoANotice) {
  const Source& heights = source_in("de-rp", geo::DataKind::dsm);
  EXPECT_THAT(notice_of(heights, 20230000, 20280301), HasSubstr("LVermGeoRP (2028)"));
  EXPECT_THAT(notice_of(heights, 20230000, 0), HasSubstr("LVermGeoRP (2023)"));
  // Years of data that do not change stand there; none of a fetch to come does.
  for (const Recipe& recipe : compiled_in())
    for (const Source& source : recipe.sources)
      for (int year = 2024; year < 2040; ++year)
        EXPECT_EQ(source.notice.find(std::to_string(year)), std::string::npos) << source.notice;
}

TEST(Recipes, NoNoticeTakesTheDayOfTheFetchForTheDatas) {
  for (const Recipe& recipe : compiled_in())
    for (const Source& source : recipe.sources) {
      if (source.notice.find("{year}") == std::string::npos &&
          source.notice.find("{date}") == std::string::npos)
        continue;
      const bool told = std::any_of(
          source.find.names.begin(), source.find.names.end(),
          [](const NamePattern& name) { return name.asks("date") || name.asks("day") || name.asks("year"); });
      EXPECT_TRUE(told || !source.find.date_field.empty()) << source.id << ": " << source.notice;
    }
}

TEST(Recipes, AustriasCadastreIsOfTheDayInItsFilesName) {
  for (const geo::DataKind kind : {geo::DataKind::buildings, geo::DataKind::parcels}) {
    const Source& source = source_in("at", kind);
    const auto found = found_files(source, {ListedFile{.url = source.find.urls.front()}}, "20261124");
    ASSERT_EQ(found.files.size(), 1U);
    EXPECT_THAT(notice_of(source, found.files.front().fields.date, 20261124),
                HasSubstr("Stichtag 02.10.2025"));
  }
}

// Towns beside the region's border, in each direction: the outlines are drawn by hand and must be too wide
// rather than too narrow.
TEST(Recipes, OutlinesHoldTheTownsAtTheirBorders) {
  const std::vector<std::pair<std::string, std::vector<geo::LonLat>>> kTowns{
      {"at",
       {{9.65, 47.50},
        {9.60, 47.27},
        {10.51, 46.87},
        {14.43, 46.40},
        {16.05, 46.69},
        {16.65, 47.52},
        {17.06, 48.00},
        {16.94, 48.27},
        {16.90, 48.61},
        {15.01, 49.01},
        {13.84, 48.76},
        {12.77, 48.12},
        {13.04, 47.81},
        {12.17, 47.63},
        {10.70, 47.55},
        {10.16, 47.36},
        {12.39, 46.74}}},
      {"ch",
       {{5.97, 46.14},
        {6.24, 46.30},
        {6.87, 47.37},
        {7.59, 47.58},
        {8.60, 47.80},
        {8.86, 47.70},
        {9.56, 47.50},
        {9.53, 47.14},
        {10.48, 46.92},
        {10.47, 46.63},
        {10.12, 46.23},
        {9.02, 45.83},
        {8.72, 46.11},
        {7.95, 45.97},
        {7.17, 45.87},
        {8.13, 46.19}}},
      {"de-bw",
       {{7.62, 47.60},
        {7.58, 48.03},
        {8.20, 48.86},
        {8.45, 49.50},
        {8.67, 49.56},
        {9.51, 49.76},
        {9.78, 49.78},
        {10.02, 49.46},
        {10.07, 49.13},
        {10.49, 48.80},
        {10.13, 48.46},
        {10.04, 48.00},
        {10.05, 47.70},
        {9.58, 47.58},
        {9.17, 47.66},
        {8.57, 47.61},
        {7.69, 47.54}}},
      {"de-by",
       {{9.02, 50.08},  {9.01, 49.95},  {9.16, 49.71},  {9.93, 49.50},  {10.11, 49.38}, {10.31, 49.07},
        {10.45, 48.85}, {9.99, 48.39},  {10.12, 47.98}, {9.58, 47.55},  {10.18, 47.28}, {11.10, 47.40},
        {12.19, 47.60}, {12.97, 47.55}, {13.00, 47.84}, {12.83, 48.15}, {13.45, 48.57}, {13.83, 48.76},
        {13.22, 49.11}, {12.51, 49.64}, {12.54, 50.00}, {12.17, 50.18}, {11.98, 50.39}, {11.38, 50.51},
        {10.80, 50.37}, {10.14, 50.54}, {9.79, 50.31}}},
      {"de-be", {{13.09, 52.43}, {13.75, 52.44}, {13.48, 52.67}, {13.42, 52.34}}},
      {"de-bb",
       {{11.45, 53.09},
        {12.22, 53.30},
        {13.20, 53.22},
        {13.85, 53.54},
        {14.38, 53.21},
        {14.28, 53.06},
        {14.63, 52.58},
        {14.55, 52.34},
        {14.72, 51.95},
        {14.71, 51.74},
        {13.75, 51.37},
        {13.20, 51.43},
        {12.29, 52.20},
        {12.24, 52.62},
        {11.75, 53.00}}},
      {"de-hb", {{8.51, 53.19}, {8.98, 53.06}, {8.80, 53.02}, {8.55, 53.60}, {8.64, 53.53}}},
      {"de-hh", {{9.74, 53.57}, {10.07, 53.72}, {10.31, 53.44}, {9.95, 53.41}, {8.50, 53.92}}},
      {"de-he",
       {{7.80, 50.04},
        {8.00, 50.38},
        {8.20, 50.75},
        {8.55, 51.28},
        {9.02, 51.50},
        {9.44, 51.65},
        {9.86, 51.34},
        {10.22, 51.19},
        {10.17, 51.01},
        {10.02, 50.87},
        {10.03, 50.64},
        {9.75, 50.30},
        {9.47, 50.14},
        {9.02, 49.96},
        {9.12, 49.52},
        {8.84, 49.41},
        {8.47, 49.59},
        {8.34, 49.97}}},
      {"de-mv",
       {{10.62, 53.38},
        {10.90, 53.85},
        {11.19, 54.00},
        {12.35, 54.44},
        {13.43, 54.67},
        {13.75, 54.40},
        {14.25, 53.91},
        {14.21, 53.45},
        {14.35, 53.28},
        {13.44, 53.33},
        {12.86, 53.21},
        {12.26, 53.36},
        {11.49, 53.21},
        {11.25, 53.12}}},
      {"de-ni",
       {{6.67, 53.59},  {7.75, 53.79},  {8.70, 53.87},  {9.47, 53.60},  {9.95, 53.37},  {10.42, 53.38},
        {11.02, 53.30}, {11.57, 53.04}, {11.15, 52.90}, {10.74, 52.73}, {11.00, 52.23}, {10.97, 52.14},
        {10.56, 51.88}, {10.66, 51.70}, {10.62, 51.58}, {10.26, 51.51}, {9.65, 51.42},  {9.70, 51.31},
        {9.45, 51.83},  {9.25, 51.98},  {9.05, 52.26},  {8.37, 52.46},  {8.20, 52.10},  {7.90, 52.07},
        {7.16, 52.27},  {6.72, 52.63},  {7.05, 52.84},  {7.20, 53.24}}},
      {"de-nw", {{5.89, 51.03}, {6.10, 51.24}, {5.97, 51.82}, {6.46, 51.85}, {6.72, 52.05}, {7.03, 52.22},
                 {7.60, 52.39}, {7.73, 52.38}, {8.34, 52.44}, {8.63, 52.47}, {9.05, 52.50}, {9.27, 51.95},
                 {9.44, 51.77}, {9.40, 51.65}, {9.15, 51.48}, {8.78, 51.40}, {8.80, 51.22}, {8.63, 51.10},
                 {8.45, 50.92}, {8.12, 50.71}, {7.73, 50.85}, {7.23, 50.63}, {6.80, 50.50}, {6.55, 50.34},
                 {6.22, 50.50}, {6.02, 50.77}}},
      {"de-rp", {{6.13, 50.08}, {6.42, 50.33}, {7.00, 50.43}, {7.20, 50.62}, {7.80, 50.92}, {8.00, 50.73},
                 {8.12, 50.60}, {8.03, 50.38}, {7.76, 50.09}, {8.28, 50.01}, {8.36, 49.60}, {8.46, 49.45},
                 {8.47, 49.31}, {8.25, 49.04}, {8.20, 48.98}, {7.60, 49.10}, {7.37, 49.19}, {7.30, 49.35},
                 {7.17, 49.58}, {6.90, 49.62}, {6.53, 49.55}, {6.38, 49.55}, {6.42, 49.81}, {6.15, 49.95}}},
      {"de-sl",
       {{6.37, 49.47},
        {6.40, 49.54},
        {6.95, 49.62},
        {7.25, 49.57},
        {7.38, 49.30},
        {7.30, 49.15},
        {7.04, 49.13},
        {6.70, 49.20},
        {6.55, 49.37}}},
      {"de-sn",
       {{11.90, 50.45},
        {12.32, 50.20},
        {12.47, 50.33},
        {12.97, 50.40},
        {13.75, 50.74},
        {14.27, 50.88},
        {14.80, 50.88},
        {15.02, 51.20},
        {14.75, 51.55},
        {14.24, 51.52},
        {13.50, 51.40},
        {13.10, 51.67},
        {12.60, 51.63},
        {12.20, 51.45},
        {12.20, 51.15},
        {12.40, 50.85},
        {12.05, 50.55}}},
      {"de-st",
       {{10.62, 51.85},
        {10.58, 52.00},
        {10.93, 52.40},
        {10.80, 52.75},
        {11.55, 53.02},
        {12.20, 52.85},
        {12.25, 52.40},
        {12.60, 52.00},
        {13.15, 51.75},
        {13.05, 51.65},
        {12.20, 51.55},
        {12.20, 51.00},
        {12.15, 50.95},
        {11.60, 51.10},
        {11.00, 51.42},
        {10.93, 51.60}}},
      {"de-th",
       {{9.95, 51.37},
        {10.70, 51.63},
        {11.40, 51.38},
        {11.68, 51.05},
        {12.30, 51.08},
        {12.60, 50.98},
        {12.30, 50.65},
        {11.95, 50.63},
        {11.82, 50.42},
        {11.63, 50.40},
        {11.20, 50.30},
        {10.72, 50.22},
        {10.35, 50.50},
        {10.05, 50.55},
        {9.93, 50.70},
        {10.00, 50.82},
        {10.20, 51.13}}},
      {"de-sh",
       {{7.89, 54.18},
        {8.30, 54.75},
        {8.44, 55.03},
        {8.90, 54.90},
        {9.45, 54.82},
        {9.99, 54.75},
        {11.05, 54.53},
        {11.28, 54.41},
        {10.87, 53.96},
        {10.75, 53.83},
        {10.60, 53.38},
        {10.40, 53.42},
        {9.70, 53.57},
        {9.42, 53.79},
        {9.15, 53.89},
        {8.88, 54.02}}},
  };
  for (const auto& [id, towns] : kTowns) {
    const auto recipe = find_recipe(compiled_in(), id);
    ASSERT_TRUE(recipe) << id;
    for (const geo::LonLat p : towns) {
      const geo::Box point{p.lon_deg, p.lat_deg, p.lon_deg, p.lat_deg};
      EXPECT_TRUE(ring_touches((*recipe)->sources.front().outline, point))
          << id << " " << p.lon_deg << "," << p.lat_deg;
    }
  }
}

TEST(Recipes, EveryLargerTownLiesInARegionOfItsCountry) {
  for (const Town& town : towns()) {
    const geo::Box point{town.centre.lon_deg, town.centre.lat_deg, town.centre.lon_deg, town.centre.lat_deg};
    bool lies = false;
    for (const Recipe& recipe : compiled_in())
      lies = lies ||
             (recipe.id.starts_with(town.country) && ring_touches(recipe.sources.front().outline, point));
    EXPECT_TRUE(lies) << town.name;
  }
}

const std::string kSource =
    R"({"kind":"dsm","title":"T","cell_m":1,"tile":{"size":1000,"unit":1000},"file_mb":1,"form":"geotiff",
  "find":{"method":"listing","urls":["https://a.de/"],"names":["{E}_{N}.tif"]}})";
std::string recipe_with(const std::string& source, const std::string& more = "") {
  return R"({"id":"x","title":"X","provider":"P","licence":"L","licence_url":"https://l","notice":"N {year}","crs":"EPSG:25832","heights":"H",
    "outline":[[7,50],[8,50],[8,51]],)" +
         more + R"("sources":[)" + source + "]}";
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error(from);
  return text.replace(at, from.size(), to);
}

TEST(Recipes, RefusesWhatDoesNotHoldTogetherWithOneSentence) {
  ASSERT_TRUE(read_recipe(recipe_with(kSource), "x.json"))
      << read_recipe(recipe_with(kSource), "x.json").error().text;
  const auto refusal = [](const std::string& text) {
    const auto recipe = read_recipe(text, "x.json");
    return recipe ? std::string("taken") : recipe.error().text;
  };
  EXPECT_THAT(refusal("{"), HasSubstr("x.json: is not a recipe in JSON"));
  EXPECT_THAT(refusal("[1]"), HasSubstr("x.json: is not a recipe in JSON"));
  EXPECT_EQ(refusal(R"({"id":"x"})"), "x.json: title is missing");
  EXPECT_EQ(refusal(recipe_with("")), "x.json: sources is empty");
  EXPECT_EQ(refusal(recipe_with(kSource, R"("colour":1,)")), "x.json: colour is not a field of a recipe");
  EXPECT_EQ(refusal(recipe_with(kSource + "," + kSource)),
            "x.json: sources[1]: there is another \"x-dsm\"; give it an id");
  EXPECT_EQ(refusal(recipe_with("5")), "x.json: sources[0] is not an object");
  const std::vector<std::array<std::string, 3>> kChanges{
      {R"("kind":"dsm")", R"("kind":"sea")", "x.json: sources[0]: kind \"sea\" is not known"},
      {R"("kind":"dsm")", R"("kind":7)", "x.json: sources[0]: kind is not a string"},
      {R"("cell_m":1)", R"("cell_m":"1")", "x.json: sources[0]: cell_m is not a number"},
      {R"("cell_m":1,)", "", "x.json: sources[0]: cell_m is missing"},
      {R"("size":1000)", R"("size":0)", "x.json: sources[0].tile: size is out of range"},
      {R"("file_mb":1)", R"("file_mb":-1)", "x.json: sources[0]: file_mb is out of range"},
      {R"("form":"geotiff")", R"("form":"vector")", "x.json: sources[0]: form does not fit the kind"},
      {R"("form":"geotiff")", R"("form":"jpeg2000")",
       "x.json: sources[0]: form jpeg2000 holds pictures alone"},
      {R"("form":"geotiff")", R"("form":"geotiff","zipped":true,"read":"window")",
       "x.json: sources[0]: read window needs plain GeoTIFFs of a server that answers ranges"},
      {R"("form":"geotiff")", R"("form":"geotiff","read":"window","no_height":0)",
       "x.json: sources[0]: no_height needs heights that are made into tiles here"},
      {R"("form":"geotiff")", R"("form":"geotiff","quirks":["rude"])",
       "x.json: sources[0]: quirks holds \"rude\", which is not known"},
      {R"("form":"geotiff")", R"("form":"geotiff","stored_cell_m":0.5)",
       "x.json: sources[0]: stored_cell_m is finer than cell_m"},
      {R"("form":"geotiff")", R"("form":"geotiff","mirrors":["https://a.de/"])",
       "x.json: sources[0]: mirrors need the URLs' own beginning first, and one or more others"},
      {R"("form":"geotiff")", R"("form":"geotiff","notice":"{day}")",
       "x.json: sources[0]: notice has a field that is none of {year}, {date} and {fetched}"},
      {R"("form":"geotiff")", R"("form":"geotiff","crs":"EPSG:nonsense")", "x.json: sources[0]: crs: "},
      {R"("form":"geotiff")", R"("form":"geotiff","connections":99)",
       "x.json: sources[0]: connections is out of range"},
      {R"("listing")", R"("guess")", "x.json: sources[0].find: method \"guess\" is not known"},
      {R"(["https://a.de/"])", R"(["file:///etc/"])",
       "x.json: sources[0].find: urls holds \"file:///etc/\", which is no http or https address"},
      {R"(["https://a.de/"])", R"([])", "x.json: sources[0]: find: urls is missing"},
      {R"("{E}_{N}.tif")", R"("{E}.tif")", "x.json: sources[0]: find: names must hold {E} and {N}"},
      {R"("{E}_{N}.tif")", R"("{Q}.tif")",
       "x.json: sources[0].find: names is wrong: the pattern \"{Q}.tif\" has a field {Q} that is not known"},
      {R"("listing")", R"("index")", "x.json: sources[0]: find: an index needs url_field or url"},
      {R"("listing")", R"("tile_numbers")", "x.json: sources[0]: find: tile_numbers needs url, and no urls"},
      {R"("listing")", R"("file")",
       "x.json: sources[0]: find: a raster's files need names that say where they lie"},
  };
  for (const auto& [from, to, sentence] : kChanges)
    EXPECT_THAT(refusal(recipe_with(replaced(kSource, from, to))), HasSubstr(sentence)) << to;

  const std::string pages =
      R"({"kind":"buildings","title":"T","file_mb":1,"form":"vector","refresh_days":1,"find":{"method":"features",
      "urls":["https://a.de/hits"],"page_url":"https://a.de/?at={offset}&n={count}","page_size":10}})";
  ASSERT_EQ(refusal(recipe_with(pages)), "taken");
  const std::vector<std::array<std::string, 3>> kOfPages{
      {R"(,"page_size":10)", "", "features needs page_url and page_size"},
      {R"("page_size":10)", R"("page_size":0)", "page_size is out of range"},
      {R"("https://a.de/?at={offset}&n={count}")", R"("/at")", "page_url is no http or https address"},
      {R"(&n={count})", "", "page_url needs both {offset} and {count}, or none for all at once"},
      {R"("refresh_days":1)", R"("refresh_days":30)", "features needs refresh_days 1"},
      {R"(["https://a.de/hits"])", R"(["https://a.de/hits","https://b.de/hits"])",
       "features needs one of urls"},
      {R"("features")", R"("file")", "features needs page_url and page_size, and no other method has them"},
      {R"("form":"vector")", R"("form":"vector","zipped":true)", "come in no ZIP"},
  };
  for (const auto& [from, to, sentence] : kOfPages)
    EXPECT_THAT(refusal(recipe_with(replaced(pages, from, to))), HasSubstr(sentence)) << to;
}

TEST(Recipes, ZerosOfBadenWuerttembergAreNoHeights) {
  for (const geo::DataKind kind : {geo::DataKind::dsm, geo::DataKind::dtm})
    EXPECT_EQ((*find_recipe(compiled_in(), "de-bw"))->source(kind)->no_height, 0);
  EXPECT_FALSE((*find_recipe(compiled_in(), "de-nw"))->source(geo::DataKind::dtm)->no_height);
}

TEST(Recipes, TheOperatorsOwnTakesThePlaceOfOneWithItsId) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("mine.json")) << replaced(recipe_with(kSource), R"("id":"x")", R"("id":"de-nw")");
  const auto recipes = all_recipes(folder.path());
  ASSERT_TRUE(recipes) << recipes.error().text;
  EXPECT_EQ(recipes->size(), compiled_in().size());
  EXPECT_EQ((*find_recipe(*recipes, "de-nw"))->title, "X");
  std::ofstream(folder.file("torn.json")) << "{";
  EXPECT_THAT(all_recipes(folder.path()).error().text,
              HasSubstr(folder.file("torn.json") + ": is not a recipe"));
}

TEST(Recipes, AnUnknownRegionIsToldTheKnownOnes) {
  EXPECT_THAT(find_recipe(compiled_in(), "fr").error().text,
              HasSubstr("\"fr\" is none of the regions at, ch, de-bb"));
}

}  // namespace
