// Building models as offices ship them, read by the accuracy benchmark as truth for its surveys.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "benchmarks/geo/accuracy_models.hpp"
#include "benchmarks/geo/city_system.hpp"
#include "geo/data/coordinate_system.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/shapes/plane_geometry.hpp"
#include "tests/geo/city_model_files.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using test::city_gml;
using test::city_json;
using test::DrawnHouse;
using test::two_houses;

using Lines = std::vector<std::string>;

class CityModels : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_.file(name), std::ios::binary) << bytes;
    return folder_.file(name);
  }
  std::string packed(const std::string& name, const std::string& bytes) const {
    const gzFile out = gzopen(folder_.file(name).c_str(), "wb");
    gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(out);
    return folder_.file(name);
  }
  std::string geopackage() const {
    std::string path = folder_.file("houses.gpkg");
    test::write_city_geopackage(two_houses(), path);
    return path;
  }
  test::TemporaryFolder folder_;
};

/// A place beside the houses: on their meridian, whether north is 180 or -180 degrees would hang on rounding.
geo::PlaceFrame frame_of_houses(const bench::BuildingModel& model) {
  return std::move(*geo::PlaceFrame::create(model.crs_wkt, {9.01, 50.0}));
}

std::string line_of(const char* what, int building, const geo::Polygon& outline, double a, double b,
                    double c) {
  const geo::Box box = geo::bounding_box(outline.outer);
  char text[160];
  std::snprintf(text, sizeof text, "%s of %d: %ld %ld %ld, holes %zu, plan %ld from %ld %ld", what, building,
                std::lround(100 * a), std::lround(100 * b), std::lround(100 * c), outline.holes.size(),
                std::lround(100 * geo::area(outline)), std::lround(100 * box.min_x),
                std::lround(100 * box.min_y));
  return text;
}

Lines roofs_in(const bench::BuildingModel& model) {
  Lines lines;
  for (const bench::TruePlane& t : bench::true_surfaces(model, false, frame_of_houses(model)))
    lines.push_back(line_of("roof", t.building, t.outline, t.tilt_deg, t.azimuth_deg, t.area_m2));
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// All that a survey is made from, to a centimetre; or why there is none.
Lines truth_in(const std::string& path) {
  const auto model = bench::read_building_model(path);
  if (!model) return {model.error().text};
  Lines lines = roofs_in(*model);
  for (const bench::ModelGround& g : model->grounds)
    lines.push_back(line_of("ground", g.building, g.outline, g.height_m, 0, 0));
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string changed_text(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string changed_throughout(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

void expect_sentence_of_model(const std::string& path, const std::string& says) {
  const auto model = bench::read_building_model(path);
  ASSERT_FALSE(model) << path << " should not be readable: " << says;
  const std::string& text = model.error().text;
  EXPECT_TRUE(text.starts_with(path)) << text;
  EXPECT_NE(text.find(says), std::string::npos) << text << "\n  does not say: " << says;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST_F(CityModels, GableIsTwoSlopesWithTheirTiltAndGround) {
  const auto model = bench::read_building_model(file("house.gml", city_gml({two_houses()[0]})));
  ASSERT_TRUE(model) << model.error().text;
  EXPECT_EQ(model->name, "house");
  EXPECT_EQ(model->left_out, 0);
  ASSERT_EQ(model->faces.size(), 2u);
  const auto truth = bench::true_surfaces(*model, false, frame_of_houses(*model));
  ASSERT_EQ(truth.size(), 2u);
  for (const bench::TruePlane& slope : truth) {
    EXPECT_NEAR(slope.tilt_deg, std::atan(3.0 / 4) * 180 / std::numbers::pi, 0.05);
    EXPECT_NEAR(slope.area_m2, 50, 0.1);
    EXPECT_NEAR(slope.plane.height_at({500015, 5540014}), 109, 1e-6);  // the ridge
    EXPECT_TRUE(slope.judged);
  }
  EXPECT_NEAR(std::abs(std::abs(truth[0].azimuth_deg) - std::abs(truth[1].azimuth_deg)), 180, 0.05);
  ASSERT_EQ(model->grounds.size(), 1u);
  EXPECT_NEAR(geo::area(model->grounds[0].outline), 80, 1e-6);
  EXPECT_NEAR(model->grounds[0].height_m, 100, 1e-9);
}

TEST_F(CityModels, PartsAndCourtsAreOfTheirBuilding) {
  const auto model = bench::read_building_model(file("house.json", city_json(two_houses())));
  ASSERT_TRUE(model) << model.error().text;
  std::vector<int> faces(2);
  for (const bench::ModelFace& face : model->faces) ++faces.at(static_cast<std::size_t>(face.building));
  EXPECT_EQ(faces, (std::vector<int>{2, 3}));
  const auto around_court = std::find_if(model->faces.begin(), model->faces.end(),
                                         [](const auto& face) { return !face.outline.holes.empty(); });
  ASSERT_NE(around_court, model->faces.end());
  EXPECT_NEAR(geo::area(around_court->outline), 80 - 4, 1e-6);
  EXPECT_NEAR(around_court->plane.height_at({500056, 5540015}), 104, 1e-6);
}

TEST_F(CityModels, AreTheSameTruthInAllFormats) {
  const Lines truth = truth_in(geopackage());
  ASSERT_EQ(truth.size(), 5u + 3u) << truth[0];
  for (const char* version : {"1.0", "1.1", "2.0"})
    EXPECT_EQ(truth_in(file("houses.city.json", city_json(two_houses(), {.version = version}))), truth)
        << "CityJSON " << version;
  EXPECT_EQ(truth_in(file("houses.city.jsonl", city_json(two_houses(), {.sequence = true}))), truth);
  for (const char* version : {"1.0", "2.0"})
    for (const char* prefix : {"core:", ""})
      EXPECT_EQ(truth_in(file("houses.gml", city_gml(two_houses(), {.version = version, .prefix = prefix}))),
                truth)
          << "CityGML " << version << " " << prefix;
}

TEST_F(CityModels, AreTheSameTruthInOtherDialectsOfCityGml) {
  const Lines truth = truth_in(geopackage());
  EXPECT_EQ(truth_in(file("pos.gml", city_gml(two_houses(), {.single_positions = true}))), truth);
  EXPECT_EQ(truth_in(file("links.gml", city_gml(two_houses(), {.linked_surfaces = true}))), truth);
  EXPECT_EQ(
      truth_in(file("srs.gml", city_gml(two_houses(), {.system = "EPSG:25832", .system_on_surfaces = true}))),
      truth);
  EXPECT_EQ(truth_in(file("srs links.gml",
                          city_gml(two_houses(), {.system_on_surfaces = true, .linked_surfaces = true}))),
            truth);
  std::string patches = city_gml(two_houses());
  patches = changed_throughout(patches, "<gml:Polygon ", "<gml:Surface><gml:patches><gml:PolygonPatch ");
  patches = changed_throughout(patches, "</gml:Polygon>", "</gml:PolygonPatch></gml:patches></gml:Surface>");
  EXPECT_EQ(truth_in(file("patches.gml", patches)), truth);
  std::string prefixes = changed_throughout(city_gml(two_houses()), "bldg:", "b:");
  prefixes = changed_text(prefixes, "xmlns:bldg=", "xmlns:b=");
  prefixes = changed_throughout(changed_text(prefixes, "xmlns:gml=", "xmlns:g="), "gml:", "g:");
  EXPECT_EQ(truth_in(file("prefixes.gml", prefixes)), truth);
}

TEST_F(CityModels, AreToldByTheirContentNotTheirName) {
  const Lines truth = truth_in(geopackage());
  EXPECT_EQ(truth_in(file("gml.json", city_gml(two_houses()))), truth);
  EXPECT_EQ(truth_in(file("json.gml", "\xEF\xBB\xBF \n" + city_json(two_houses()))), truth);
  EXPECT_EQ(truth_in(file("sequence.xml", city_json(two_houses(), {.sequence = true}))), truth);
  EXPECT_EQ(truth_in(packed("tile.city.json.gz", city_json(two_houses()))), truth);
  EXPECT_EQ(truth_in(packed("tile.gml.gz", city_gml(two_houses()))), truth);
  const std::string over_lines = changed_throughout(city_json(two_houses()), "],", "],\n");
  EXPECT_EQ(truth_in(file("printed.json", over_lines)), truth);
}

TEST_F(CityModels, HaveTheirFilesNameWithoutItsEndings) {
  for (const auto& [name, expected] : {std::pair{"9-284-556.city.json", "9-284-556"},
                                       {"LoD2_32_280_5657_1_NW.gml", "LoD2_32_280_5657_1_NW"},
                                       {"v1.5.city.jsonl", "v1.5"}}) {
    const bool json = std::string(name).find("json") != std::string::npos;
    const auto model = bench::read_building_model(
        file(name, json ? city_json(two_houses(), {.sequence = std::string(name).ends_with("l")})
                        : city_gml(two_houses())));
    ASSERT_TRUE(model) << model.error().text;
    EXPECT_EQ(model->name, expected);
  }
}

TEST_F(CityModels, ClosedSolidsWithoutNamesHaveTheirRoofsWhereTheyLookUp) {
  const auto named = bench::read_building_model(geopackage());
  ASSERT_TRUE(named);
  for (const std::string& path : {file("solids.gml", city_gml(two_houses(), {.semantics = false})),
                                  file("solids.json", city_json(two_houses(), {.semantics = false}))}) {
    const auto model = bench::read_building_model(path);
    ASSERT_TRUE(model) << model.error().text;
    EXPECT_EQ(roofs_in(*model), roofs_in(*named)) << path;
    double ground_m2 = 0;
    std::set<double> heights;
    for (const bench::ModelGround& g : model->grounds)
      ground_m2 += geo::area(g.outline), heights.insert(g.height_m);
    EXPECT_NEAR(ground_m2, 80 + 120 + 76, 1e-6);
    EXPECT_EQ(heights, (std::set<double>{100, 101}));
  }
}

/// All faces of the houses turned round: their solids then look in.
std::vector<DrawnHouse> houses_inside_out() {
  std::vector<DrawnHouse> houses = two_houses();
  for (DrawnHouse& house : houses)
    for (test::DrawnPart& part : house.parts)
      for (test::DrawnFace& face : part.faces)
        for (auto& ring : face.rings) std::reverse(ring.begin(), ring.end());
  return houses;
}

TEST_F(CityModels, SolidsInsideOutHaveTheSameRoofs) {
  const auto named = bench::read_building_model(geopackage());
  const auto model =
      bench::read_building_model(file("solids.gml", city_gml(houses_inside_out(), {.semantics = false})));
  ASSERT_TRUE(named && model);
  EXPECT_EQ(roofs_in(*model), roofs_in(*named));
}

TEST_F(CityModels, OpenSolidsWithoutNamesAreNotGuessedAt) {
  std::vector<DrawnHouse> houses = two_houses();
  for (DrawnHouse& house : houses)
    for (test::DrawnPart& part : house.parts) part.faces.erase(part.faces.begin());  // the floor
  expect_sentence_of_model(file("open.gml", city_gml(houses, {.semantics = false})),
                           "none of its 2 buildings has a roof");
  expect_sentence_of_model(file("open.json", city_json(houses, {.semantics = false})),
                           "none of its 2 buildings has a roof");
}

TEST_F(CityModels, BuildingsWithoutARoofAreLeftOutAndCounted) {
  std::vector<DrawnHouse> houses = two_houses();
  std::erase_if(houses[0].parts[0].faces,
                [](const test::DrawnFace& face) { return face.kind == "RoofSurface"; });
  for (const std::string& path :
       {file("roofless.gml", city_gml(houses)), file("roofless.json", city_json(houses))}) {
    const auto model = bench::read_building_model(path);
    ASSERT_TRUE(model) << model.error().text;
    EXPECT_EQ(model->left_out, 1);
    EXPECT_EQ(model->faces.size(), 3u);
    EXPECT_EQ(model->grounds.size(), 2u);
  }
}

TEST_F(CityModels, BuildingsWithoutAFloorStandAtTheFeetOfTheirWalls) {
  std::vector<DrawnHouse> houses{two_houses()[0]};
  std::erase_if(houses[0].parts[0].faces,
                [](const test::DrawnFace& face) { return face.kind == "GroundSurface"; });
  const auto model = bench::read_building_model(file("floorless.gml", city_gml(houses)));
  ASSERT_TRUE(model) << model.error().text;
  ASSERT_EQ(model->grounds.size(), 2u);
  EXPECT_NEAR(model->grounds[0].height_m, 100, 1e-9);
  EXPECT_NEAR(geo::area(model->grounds[0].outline) + geo::area(model->grounds[1].outline), 80, 1e-6);
}

TEST_F(CityModels, OtherLevelsOfDetailAreNoRoofs) {
  const Lines truth = truth_in(geopackage());
  const std::string coarse =
      "<bldg:lod3MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior>"
      "<gml:LinearRing><gml:posList>500010 5540010 900 500020 5540010 900 500020 5540018 900 "
      "500010 5540010 900</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>"
      "</gml:surfaceMember></gml:MultiSurface></bldg:lod3MultiSurface>";
  EXPECT_EQ(truth_in(file("finer.gml", changed_text(city_gml(two_houses()), "</bldg:RoofSurface>",
                                                    coarse + "</bldg:RoofSurface>"))),
            truth);
}

TEST(SystemsOfCityModels, AreUnderstoodInEverySpelling) {
  for (const auto& [name, epsg] : {std::pair{"EPSG:25832", "EPSG:25832"},
                                   {"urn:ogc:def:crs:EPSG::25832", "EPSG:25832"},
                                   {"urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::7837", "EPSG:25832"},
                                   {"urn:ogc:def:crs,crs:EPSG:6.12:2056,crs:EPSG:6.12:5728", "EPSG:2056"},
                                   {"urn:ogc:def:crs:EPSG:6.9:25833", "EPSG:25833"},
                                   {"http://www.opengis.net/def/crs/EPSG/0/28992", "EPSG:28992"},
                                   {"https://www.opengis.net/def/crs/EPSG/0/7415", "EPSG:28992"},
                                   {"http://www.opengis.net/gml/srs/epsg.xml#25833", "EPSG:25833"},
                                   {"EPSG:25832+7837", "EPSG:25832"},
                                   {"urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH", "EPSG:25832"},
                                   {"urn:adv:crs:ETRS89_UTM33", "EPSG:25833"},
                                   {"ETRS89_UTM32*DE_DHHN2016_NH", "EPSG:25832"},
                                   {"CH1903", "EPSG:21781"},
                                   {"CH1903+", "EPSG:2056"}}) {
    const auto system = bench::city_system(name);
    ASSERT_TRUE(system) << system.error().text;
    EXPECT_TRUE(geo::same_positions(*system, epsg)) << name;
  }
}

TEST(SystemsOfCityModels, ThatAreUnknownOrNotInMetresAreRefused) {
  for (const char* name : {"EPSG:4979", "urn:ogc:def:crs:EPSG::2263", "EPSG:", "EPSG:999999", "local",
                           "urn:adv:crs:DE_DHDN_3GK2_NW101", "http://example.org/crs/25832"}) {
    const auto system = bench::city_system(name);
    ASSERT_FALSE(system) << name;
    EXPECT_NE(system.error().text.find(name), std::string::npos) << system.error().text;
  }
}

TEST_F(CityModels, ThatCannotBeOpenedOrAreSomethingElseAreRefusedInASentence) {
  expect_sentence_of_model(folder_.file("nowhere.gml"), "cannot be opened");
  expect_sentence_of_model(file("empty.gml", " \n"), "is empty");
  expect_sentence_of_model(file("notes.json", "# Real roofs"),
                           "neither a GeoPackage nor CityJSON nor CityGML");
  expect_sentence_of_model(file("tile.gml", std::string("PK\x03\x04") + std::string(40, 'x')),
                           "unpack it first");
  expect_sentence_of_model(file("page.xml", "<html><body/></html>"), "its root is html");
  expect_sentence_of_model(file("geo.json", R"({"type":"FeatureCollection","features":[]})"),
                           "is JSON, but no CityJSON");
  std::string half = packed("half.gz", city_gml(two_houses()));
  std::filesystem::resize_file(half, std::filesystem::file_size(half) / 2);
  expect_sentence_of_model(half, "cannot be read to its end");
}

TEST_F(CityModels, BrokenCityJsonIsRefusedInASentence) {
  const std::string whole = city_json(two_houses());
  const auto expect = [&](const std::string& text, const std::string& says) {
    expect_sentence_of_model(file("broken.json", text), says);
  };
  expect(whole.substr(0, whole.size() / 2), "is not JSON as it should be");
  expect(changed_text(whole, R"("2.0")", R"("0.9")"), "is CityJSON 0.9; 1.0, 1.1 and 2.0 can be read");
  expect(changed_text(whole, R"("transform")", R"("former")"), "has no transform");
  expect(changed_text(whole, R"("referenceSystem")", R"("system")"), "names no system of coordinates");
  expect(changed_text(whole, "EPSG/0/25832", "EPSG/0/4979"), "other units than metres");
  expect(changed_text(whole, R"("values":[[0,1,1)", R"("values":[[0,1,7)"),
         "a face is of kind 7, and its semantics has 3");
  expect(changed_text(whole, R"("values":[[0,1,1)", R"("values":[[0,1)"), "values for");
  expect(changed_text(whole, "[[[[4,5,6,7]]", "[[[[4,5,6,99999]]"), "vertex 99999");
  expect(changed_text(whole, R"("vertices":[[)", R"("vertices":[[7],[)"), "of 1 numbers in place of three");
  expect(changed_text(whole, R"("type":"BuildingPart",)", ""), "DENW43AL00001iVt-0: ");
  expect(city_json({}), "has no buildings");
}

TEST_F(CityModels, BrokenSequencesOfCityJsonAreRefusedInASentence) {
  const std::string whole = city_json(two_houses(), {.sequence = true});
  const std::size_t second = whole.find('\n') + 1, third = whole.find('\n', second) + 1;
  expect_sentence_of_model(file("no header.jsonl", whole.substr(second)),
                           "the line before it, with the transform, is missing");
  expect_sentence_of_model(file("half.jsonl", whole.substr(0, whole.size() - 40)),
                           "line 3: is not JSON as it should be");
  expect_sentence_of_model(file("twice.jsonl", whole.substr(0, third) + whole),
                           "line 3: is no CityJSONFeature");
}

TEST_F(CityModels, BrokenCityGmlIsRefusedInASentence) {
  const std::string whole = city_gml(two_houses());
  const auto expect = [&](const std::string& text, const std::string& says) {
    expect_sentence_of_model(file("broken.gml", text), says);
  };
  expect(whole.substr(0, whole.size() / 2), "is not XML as it should be");
  expect(city_gml(two_houses(), {.version = "3.0"}), "is CityGML 3.0; 1.0 and 2.0 can be read");
  expect(changed_text(whole, " srsName=\"urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH\"", ""),
         "DENW43AL00001iVt: no system of coordinates is named");
  expect(city_gml(two_houses(), {.system = "EPSG:4258"}), "other units than metres");
  expect(changed_text(whole, "<gml:MultiSurface>", "<gml:MultiSurface srsName=\"EPSG:25833\">"),
         "another system of coordinates");
  expect(changed_text(whole, "<gml:posList srsDimension=\"3\">", "<gml:posList srsDimension=\"3\">1 2 "),
         "not three for each corner");
  expect(changed_text(whole, "srsDimension=\"3\">500010.000 ", "srsDimension=\"3\">west "),
         "corners that are no numbers");
  expect(changed_text(whole, "<gml:posList srsDimension=\"3\">", "<gml:posList srsDimension=\"2\">"),
         "no heights");
  expect(changed_text(city_gml(two_houses(), {.linked_surfaces = true}), "xlink:href=\"#UUID_0\"",
                      "xlink:href=\"#UUID_none\""),
         "#UUID_none, which is not there");
  expect(changed_throughout(whole, "lod2", "lod1"), "none of its 2 buildings has a roof");
  expect(city_gml({}), "has no bldg:Building of CityGML (its root is core:CityModel)");
}

TEST_F(CityModels, LinksInACircleEnd) {
  const std::string circle = changed_text(
      city_gml(two_houses()), "<gml:surfaceMember><gml:Polygon gml:id=\"UUID_0\">",
      "<gml:surfaceMember><gml:CompositeSurface gml:id=\"round\"><gml:surfaceMember xlink:href=\"#round\"/>"
      "</gml:CompositeSurface></gml:surfaceMember><gml:surfaceMember><gml:Polygon gml:id=\"UUID_0\">");
  expect_sentence_of_model(file("circle.gml", circle), "links go in a circle");
}

}  // namespace
