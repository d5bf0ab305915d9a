#include "http/web/pages/project_result_data.hpp"

#include <algorithm>
#include <set>

#include "geo/drawing/german_text.hpp"
#include "http/api/json.hpp"
#include "http/web/pages/page_data.hpp"

namespace http {
namespace {

using geo::german_number;

constexpr auto kUnknown = "–";

std::string number_or_dash(const std::optional<double>& value, int decimals) {
  return value ? german_number(*value, decimals) : std::string(kUnknown);
}

std::string plus_minus(double error, const char* unit) { return "± " + german_number(error, 1) + unit; }

std::string point_name(const std::string& label) {
  if (label == "traufe_links") return "Traufe links";
  if (label == "traufe_rechts") return "Traufe rechts";
  if (label == "first_links") return "First links";
  if (label == "first_rechts") return "First rechts";
  return "Mitte";
}

void add_shading(const geo::RoofSurface& surface, TemplateData& row) {
  TemplateData points = list();
  if (surface.shading)
    for (const geo::PointLoss& point : surface.shading->points) {
      TemplateData item = object();
      item.set("punkt_name", point_name(point.label));
      item.set("punkt_verlust", german_number(point.loss_pct, 1) + " %");
      points << item;
    }
  row.set("verschattung",
          surface.shading ? german_number(surface.shading->mean_loss_pct, 1) + " %" : std::string(kUnknown));
  row.set("hat_punkte", flag(surface.shading && !surface.shading->points.empty()));
  row.set("punkte", points);
}

TemplateData surface_row(const geo::RoofSurface& surface, const geo::RoofAnalysis& analysis) {
  const bool flat = surface.tilt_deg < geo::kFlat_deg;
  TemplateData row = object();
  row.set("flaeche_id", std::to_string(surface.id));
  row.set("flaeche_name", surface.name);
  row.set("im_bild", flag(surface.modules_possible() > 0));  // the overview draws no others
  row.set("ist_empfohlen", flag(surface.modules_recommended > 0));
  row.set("module_empfohlen", std::to_string(surface.modules_recommended));
  row.set("module_moeglich", std::to_string(surface.modules_possible()));
  row.set("flaeche_kwp",
          german_number(geo::peak_power_kwp(analysis, surface.modules_possible()), 2) + " kWp");
  row.set("neigung", german_number(surface.tilt_deg, 1) + "°");
  row.set("neigung_fehler", plus_minus(surface.fit.tilt_error_deg, "°"));
  row.set("azimut", flat ? std::string("flach")
                         : geo::direction_name(surface.tilt_deg, surface.azimuth_deg) + ", " +
                               german_number(surface.azimuth_deg, 1) + "°");
  row.set("azimut_fehler", flat ? std::string() : plus_minus(surface.fit.azimuth_error_deg, "°"));
  row.set("flaeche_m2", german_number(surface.roof_area_m2, 1) + " m²");
  row.set("flaeche_fehler", plus_minus(surface.fit.area_error_m2, " m²"));
  row.set("ertrag", number_or_dash(surface.yield_kwh_per_kwp, 0));
  add_shading(surface, row);
  return row;
}

void add_figures(const geo::RoofAnalysis& analysis, TemplateData& data) {
  const geo::Totals& totals = analysis.totals;
  const double kwp = geo::peak_power_kwp(analysis, totals.design_modules);
  data.set("kwp", german_number(kwp, 2));
  data.set("module", std::to_string(totals.design_modules));
  data.set("kwh", number_or_dash(totals.design_yield_kwh, 0));
  data.set("spez", totals.design_yield_kwh && kwp > 0 ? german_number(*totals.design_yield_kwh / kwp, 0)
                                                      : std::string(kUnknown));
  data.set("moeglich_kwp", german_number(geo::peak_power_kwp(analysis, totals.modules_possible), 2));
  data.set("moeglich_module", std::to_string(totals.modules_possible));
  data.set("dach_m2", german_number(totals.roof_area_m2, 0));
  const auto surfaces = analysis.surfaces.size();
  data.set("flaechen_text", std::to_string(surfaces) + (surfaces == 1 ? " Fläche, " : " Flächen, ") +
                                std::to_string(totals.buildings) + " Gebäude");
}

/// "2019–2024"; of the heights and the aerial image alone.
std::string years_of_data(const geo::RoofAnalysis& analysis) {
  std::set<int> years;
  for (const geo::Source& source : analysis.sources)
    if (source.year && (source.kind == "dsm" || source.kind == "dtm" || source.kind == "orthophoto"))
      years.insert(*source.year);
  if (years.empty()) return "unbekannt";
  const std::string first = std::to_string(*years.begin());
  return years.size() == 1 ? first : first + "–" + std::to_string(*years.rbegin());
}

void add_sources(const geo::RoofAnalysis& analysis, TemplateData& data) {
  TemplateData rows = list();
  for (const geo::Source& source : analysis.sources) {
    TemplateData row = object();
    row.set("quelle_name", source.name.empty() ? source.provider : source.name);
    row.set("quelle_url", text_or_none(source.url.starts_with("http") ? source.url : std::string()));
    row.set("quelle_jahr", source.year ? std::to_string(*source.year) : std::string(kUnknown));
    row.set("quelle_lizenz", source.licence);
    rows << row;
  }
  data.set("quellen", rows);
  data.set("quellen_text", geo::attribution_line(analysis.sources));
  data.set("datenjahr", years_of_data(analysis));
  const bool photo = std::any_of(analysis.sources.begin(), analysis.sources.end(),
                                 [](const geo::Source& source) { return source.kind == "orthophoto"; });
  data.set("datenart", std::string(photo ? "Höhen- und Luftbilddaten" : "Höhendaten"));
}

}  // namespace

void add_result(const geo::RoofAnalysis& analysis, TemplateData& data) {
  add_figures(analysis, data);
  TemplateData warnings = list();
  for (const std::string& warning : analysis.warnings) {
    TemplateData row = object();
    row.set("warnung", warning);
    warnings << row;
  }
  data.set("hat_warnungen", flag(!analysis.warnings.empty()));
  data.set("warnungen", warnings);
  TemplateData rows = list();
  for (const geo::RoofSurface& surface : analysis.surfaces) rows << surface_row(surface, analysis);
  data.set("flaechen", rows);
  data.set("fehler_hinweis",
           std::string("± ist der Standardfehler aus den Höhendaten: In zwei von drei Fällen liegt der wahre "
                       "Wert in dieser Spanne. Ausrichtung: Grad von Süd, nach Westen positiv."));
  add_sources(analysis, data);
}

std::string surfaces_geojson(const geo::RoofAnalysis& analysis, const std::string& address) {
  Json json;
  json.begin_object().field("type", "FeatureCollection");
  json.field("quellen", geo::attribution_line(analysis.sources)).key("features").begin_array();
  for (const geo::RoofSurface& surface : analysis.surfaces) {
    json.begin_object().field("type", "Feature").key("properties").begin_object();
    json.field("adresse", address).field("gebaeude", surface.building);
    json.field("id", surface.id).field("name", surface.name).field("neigung_grad", surface.tilt_deg, 1);
    json.field("neigung_fehler_grad", surface.fit.tilt_error_deg, 1);
    json.field("azimut_grad", surface.azimuth_deg, 1);
    json.field("azimut_fehler_grad", surface.fit.azimuth_error_deg, 1);
    json.field("dachflaeche_m2", surface.roof_area_m2, 2);
    json.field("dachflaeche_fehler_m2", surface.fit.area_error_m2, 2);
    json.field("module_moeglich", surface.modules_possible());
    json.field("module_empfohlen", surface.modules_recommended);
    json.field("ertrag_kwh_pro_kwp", surface.yield_kwh_per_kwp, 0).end_object();
    json.key("geometry").begin_object().field("type", "Polygon").key("coordinates").begin_array();
    for (const auto& ring : surface.outline_wgs84) {
      json.begin_array();
      for (const geo::LonLat& corner : ring)
        json.begin_array().number(corner.lon_deg, 7).number(corner.lat_deg, 7).end_array();
      json.end_array();
    }
    json.end_array().end_object().end_object();
  }
  json.end_array().end_object();
  return json.str();
}

}  // namespace http
