// The Ergebnis against its schema: a whole analysis, and one in which everything is missing that may be.
#include <gtest/gtest.h>

#include <cmath>

#include "http/api/result.hpp"
#include "tests/http/schema_check.hpp"

namespace {

using nlohmann::json;

geo::RoofSurface surface(int id, double azimuth_deg) {
  geo::RoofSurface s;
  s.id = id;
  s.name = "Fläche";
  s.building = 1;
  s.plan_area_m2 = 50;
  s.roof_area_m2 = 61.04;
  s.tilt_deg = 35;
  s.azimuth_deg = azimuth_deg;
  s.ridge_height_m = 9.1;
  s.outline_wgs84 = {{{16.1, 48.1}, {16.2, 48.1}, {16.2, 48.2}, {16.1, 48.1}}};
  s.modules.resize(3);
  s.modules_recommended = 2;
  s.yield_kwh_per_kwp = 1049.6;
  s.shading = geo::SurfaceShading{3.21, {{"traufe_links", {16.1, 48.1}, 4}, {"mitte", {16.15, 48.15}, 2.4}}};
  return s;
}

geo::RoofAnalysis whole_analysis();

TEST(Ergebnis, AnswersTheConsumptionThatWasSent) {
  for (const double sent : {1e-7, 0.0005, 4500.0, 4321.123456789, 99'999'999.999, 1e8}) {
    const persistence::Project project{.id = 1, .account = 1};
    const persistence::Run run{.id = 1, .project = 1, .account = 1, .consumption_kwh = sent};
    const geo::RoofAnalysis analysis = whole_analysis();
    const auto body = json::parse(http::ergebnis_json({project, run, analysis}, http::Links()));
    EXPECT_EQ(body["jahresverbrauch_kwh"].get<double>(), sent);
  }
}

geo::RoofAnalysis whole_analysis() {
  geo::RoofAnalysis a;
  a.module_power_w = 440;
  a.surfaces = {surface(1, -12.34), surface(2, 100)};
  a.totals = {100, 122.08, 1, 6, 4.3, 4, 2, 1847.3};
  a.sources = {{"dsm", "DOM", "Amt", "CC BY 4.0", "© Amt", "https://amt.example", 2020, 1.0},
               {.kind = "climate"}};
  a.warnings = {"Etwas fehlt."};
  a.duration_s = 1.234;
  return a;
}

json ergebnis(const geo::RoofAnalysis& analysis) {
  persistence::Project project;
  project.id = 42;
  persistence::Run run;
  run.consumption_kwh = 4500;
  run.load_profile = "H0";
  return json::parse(http::ergebnis_json({project, run, analysis}, test::page_context().links));
}

TEST(Ergebnis, FitsTheContract) {
  const json body = ergebnis(whole_analysis());
  EXPECT_EQ(test::faults_as("Ergebnis", body), "");
  EXPECT_EQ(body["zustand"], "fertig");
  EXPECT_EQ(body["flaechen"][0]["leistung_moeglich_kwp"], 1.32);
  EXPECT_EQ(body["flaechen"][0]["azimut_grad"], -12.3);
  EXPECT_EQ(body["flaechen"][1]["bild_url"], "https://dach.example/api/v1/projekte/42/bilder/flaeche/2");
  EXPECT_EQ(body["zusammenfassung"]["auslegung_kwp"], 1.76);
  EXPECT_EQ(body["zusammenfassung"]["spez_ertrag_kwh_kwp"], 1050);
  EXPECT_EQ(body["quellen"][0]["art"], "oberflaechenmodell");
}

TEST(Ergebnis, FitsTheContractWhereEverythingIsMissingThatMayBe) {
  geo::RoofAnalysis bare;
  bare.module_power_w = 440;
  geo::RoofSurface s;
  s.id = 1;
  s.name = "Fläche";
  s.outline_wgs84 = {{{16.1, 48.1}, {16.2, 48.1}, {16.2, 48.2}, {16.1, 48.1}}};
  bare.surfaces = {s};
  const json body = ergebnis(bare);
  EXPECT_EQ(test::faults_as("Ergebnis", body), "");
  for (const char* field : {"gebaeude", "firsthoehe_m", "ertrag_kwh_pro_kwp", "verschattung"})
    EXPECT_TRUE(body["flaechen"][0][field].is_null()) << field;
  for (const char* field : {"empfehlung_kwp", "bestand_kwp", "ertrag_kwh", "spez_ertrag_kwh_kwp"})
    EXPECT_TRUE(body["zusammenfassung"][field].is_null()) << field;
}

TEST(Ergebnis, RoundsAnAzimuthJustBeyondNorthIntoItsRange) {
  geo::RoofAnalysis analysis = whole_analysis();
  analysis.surfaces = {surface(1, -179.97), surface(2, 179.97), surface(3, -0.04)};
  const json body = ergebnis(analysis);
  EXPECT_EQ(test::faults_as("Ergebnis", body), "");
  EXPECT_EQ(body["flaechen"][0]["azimut_grad"], 180.0);
  EXPECT_EQ(body["flaechen"][1]["azimut_grad"], 180.0);
  EXPECT_EQ(body["flaechen"][2].dump().find("-0.0"), std::string::npos);
}

TEST(Ergebnis, IsJsonWhateverItsFiguresAre) {
  geo::RoofAnalysis analysis = whole_analysis();
  analysis.surfaces[0].tilt_deg = std::nan("");
  analysis.surfaces[0].plan_area_m2 = 1e307;  // more than a double holds once it is rounded
  analysis.totals.roof_area_m2 = -HUGE_VAL;
  const json body = ergebnis(analysis);
  EXPECT_TRUE(body["flaechen"][0]["neigung_grad"].is_null());
  EXPECT_TRUE(body["flaechen"][0]["grundflaeche_m2"].is_null());
  EXPECT_TRUE(body["zusammenfassung"]["dachflaeche_m2"].is_null());
}

TEST(Ergebnis, WritesOutlinesLongitudeFirst) {
  const json ring = ergebnis(whole_analysis())["flaechen"][0]["umriss"]["coordinates"][0];
  EXPECT_EQ(ring[0], json({16.1, 48.1}));
  EXPECT_EQ(ring.front(), ring.back());
}

}  // namespace
