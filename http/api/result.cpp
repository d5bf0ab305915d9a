#include "http/api/result.hpp"

#include <cmath>

#include "http/api/json.hpp"

namespace http {
namespace {

/// The German names of the catalogue's kinds.
std::string_view source_kind(std::string_view kind) {
  if (kind == "dsm") return "oberflaechenmodell";
  if (kind == "dtm") return "gelaendemodell";
  if (kind == "buildings") return "gebaeude";
  if (kind == "parcels") return "grundstuecke";
  if (kind == "addresses") return "adressen";
  if (kind == "orthophoto") return "orthofoto";
  if (kind == "relief") return "relief";
  if (kind == "irradiance" || kind == "climate") return "einstrahlung";
  return kind;
}

/// To a tenth, still within (-180, 180].
double rounded_azimuth(double azimuth_deg) {
  const double rounded = std::round(azimuth_deg * 10) / 10;
  return rounded <= -180 ? rounded + 360 : rounded;
}

void write_shading(Json& json, const std::optional<geo::SurfaceShading>& shading) {
  json.key("verschattung");
  if (!shading) {
    json.null();
    return;
  }
  json.begin_object().field("verfahren", "5-Punkt-Verfahren");
  json.field("verlust_mittel_pct", shading->mean_loss_pct, 1);
  json.key("messpunkte").begin_array();
  for (const geo::PointLoss& point : shading->points) {
    json.begin_object().field("punkt", point.label);
    json.field("lat", point.place.lat_deg, 7).field("lon", point.place.lon_deg, 7);
    json.field("verlust_pct", point.loss_pct, 1).end_object();
  }
  json.end_array().end_object();
}

/// GeoJSON, longitude before latitude (RFC 7946).
void write_outline(Json& json, const geo::RoofSurface& surface) {
  json.key("umriss").begin_object().field("type", "Polygon").key("coordinates").begin_array();
  for (const auto& ring : surface.outline_wgs84) {
    json.begin_array();
    for (const geo::LonLat& p : ring)
      json.begin_array().number(p.lon_deg, 7).number(p.lat_deg, 7).end_array();
    json.end_array();
  }
  json.end_array().end_object();
}

void write_surface(Json& json, const geo::RoofSurface& s, const geo::RoofAnalysis& analysis,
                   const std::string& image) {
  json.begin_object();
  json.field("id", s.id).field("name", s.name).field("gebaeude", s.building);
  json.field("grundflaeche_m2", s.plan_area_m2, 2).field("dachflaeche_m2", s.roof_area_m2, 2);
  json.field("neigung_grad", s.tilt_deg, 1).field("azimut_grad", rounded_azimuth(s.azimuth_deg), 1);
  json.field("firsthoehe_m", s.ridge_height_m, 2);
  json.field("module_moeglich", s.modules_possible());
  json.field("leistung_moeglich_kwp", geo::peak_power_kwp(analysis, s.modules_possible()), 2);
  json.field("module_empfohlen", s.modules_recommended);
  json.field("leistung_empfohlen_kwp", geo::peak_power_kwp(analysis, s.modules_recommended), 2);
  json.field("ertrag_kwh_pro_kwp", s.yield_kwh_per_kwp, 0).field("ertrag_enthaelt_verschattung", true);
  json.field("empfohlen", s.modules_recommended > 0);
  write_shading(json, s.shading);
  write_outline(json, s);
  json.field("bild_url", image).end_object();
}

void write_summary(Json& json, const geo::RoofAnalysis& analysis) {
  const geo::Totals& t = analysis.totals;
  const double design_kwp = geo::peak_power_kwp(analysis, t.design_modules);
  json.key("zusammenfassung").begin_object();
  json.field("flaechen_anzahl", static_cast<int>(analysis.surfaces.size()));
  json.field("grundflaeche_m2", t.plan_area_m2, 2).field("dachflaeche_m2", t.roof_area_m2, 2);
  json.field("gebaeude", t.buildings).field("module_moeglich", t.modules_possible);
  json.field("leistung_moeglich_kwp", geo::peak_power_kwp(analysis, t.modules_possible), 2);
  json.field("empfehlung_kwp", t.demand_kwp, 2);
  json.field("auslegung_kwp", design_kwp, 2).field("auslegung_module", t.design_modules);
  json.field("auslegung_flaechen", t.design_surfaces);
  json.key("bestand_kwp").null();
  json.field("modulleistung_w", analysis.module_power_w, 0);
  json.field("ertrag_kwh", t.design_yield_kwh, 0);
  const bool has_yield = t.design_yield_kwh && design_kwp > 0;
  json.field("spez_ertrag_kwh_kwp",
             has_yield ? std::optional(*t.design_yield_kwh / design_kwp) : std::nullopt, 0);
  json.end_object();
}

void write_sources(Json& json, const geo::RoofAnalysis& analysis) {
  json.key("quellen").begin_array();
  for (const geo::Source& s : analysis.sources) {
    json.begin_object().field("art", source_kind(s.kind)).text_or_null("name", s.name);
    json.text_or_null("anbieter", s.provider).text_or_null("lizenz", s.licence);
    json.text_or_null("namensnennung", s.attribution).text_or_null("url", s.url);
    json.field("jahr", s.year).field("raster_m", s.cell_m, 2).end_object();
  }
  json.end_array();
}

}  // namespace

std::string ergebnis_json(const actors::ResultView& result, const Links& links) {
  const auto& [project, run, analysis] = result;
  Json json;
  json.begin_object().field("zustand", "fertig").field("projekt_id", project.id);
  json.exact("jahresverbrauch_kwh", run.consumption_kwh).field("lastprofil", run.load_profile);
  json.field("dauer_s", analysis.duration_s, 2);
  json.key("flaechen").begin_array();
  for (const geo::RoofSurface& surface : analysis.surfaces)
    write_surface(json, surface, analysis, links.surface_image(project.id, surface.id));
  json.end_array();
  write_summary(json, analysis);
  json.key("wirtschaftlichkeit").begin_object().field("verfuegbar", false);
  json.field("url", links.economics(project.id)).field("anmeldung_noetig", true);
  json.field("hinweis",
             "Die Wirtschaftlichkeitsrechnung steht in der Webanwendung; sie braucht eine Anmeldung.");
  json.end_object();
  json.key("medien").begin_object().field("uebersicht_url", links.media(project.id));
  json.field("bild_uebersicht_url", links.overview_image(project.id)).end_object();
  write_sources(json, analysis);
  json.key("warnungen").begin_array();
  for (const std::string& warning : analysis.warnings) json.text(warning);
  json.end_array().end_object();
  return json.str();
}

}  // namespace http
