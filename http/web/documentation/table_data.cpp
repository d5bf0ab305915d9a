#include <algorithm>
#include <boost/algorithm/string/replace.hpp>

#include "http/api/limit_table.hpp"
#include "http/api/load_profiles.hpp"
#include "http/description/accuracy_figures.hpp"
#include "http/web/documentation/documentation_data.hpp"
#include "http/web/pages/page_data.hpp"

namespace http {
namespace {

/// The endpoints that can answer with a code; or, in `everywhere`, that all can.
TemplateData endpoints_with(actors::Code code, std::string& everywhere) {
  TemplateData some = list();
  bool with_key = true;     // whether all endpoints with a key can
  bool without_key = true;  // whether all endpoints without a key can
  for (const Route& route : route_table()) {
    const auto codes = errors_of(route);
    if (std::find(codes.begin(), codes.end(), code) == codes.end()) {
      (route.keyed() ? with_key : without_key) = false;
      continue;
    }
    TemplateData one = object();
    one.set("bei_id", std::string(route.id));
    one.set("bei_titel", std::string(route.summary));
    some << one;
  }
  if (with_key && !without_key) everywhere = "Bei jeder Anfrage mit Schlüssel möglich.";
  if ((with_key && without_key) || some.is_empty_list()) everywhere = "Bei jeder Anfrage möglich.";
  return everywhere.empty() ? some : list();
}

std::string next_step(const ErrorRow& row) {
  std::string text = row.tu;
  constexpr std::string_view kSeconds = "{s} Sekunden";
  if (const auto at = text.find(kSeconds); at != std::string::npos)
    text.replace(at, kSeconds.size(), "die Sekunden ab, die Retry-After nennt,");
  if (text.ends_with(",.")) text.replace(text.size() - 2, 2, ".");
  return text;
}

TemplateData error_data(const ErrorRow& row) {
  TemplateData data = object();
  data.set("fehler_code", std::string(actors::name_of(row.code)));
  data.set("fehler_status", std::to_string(row.status));
  data.set("fehler_farbe", std::string(row.status < 500 ? "warn" : "bad"));
  data.set("fehler_meldung", std::string(row.meldung));
  data.set("fehler_tun", next_step(row));
  data.set("fehler_feld",
           text_or_none(row.extra == Extra::none ? std::string() : std::string(path_of(row.extra))));
  std::string everywhere;
  data.set("fehler_bei", endpoints_with(row.code, everywhere));
  data.set("fehler_ueberall", text_or_none(everywhere));
  return data;
}

/// A line of a table of two columns, as doku_zeile.html shows it.
TemplateData line_data(std::string_view what, std::string_view value) {
  TemplateData data = object();
  data.set("zeile_was", std::string(what));
  data.set("zeile_wert", std::string(value));
  return data;
}

/// Writes decimal commas. Commas between figures become slashes.
std::string german_figures(std::string_view figures) {
  return boost::replace_all_copy(boost::replace_all_copy(std::string(figures), ", ", " / "), ".", ",");
}

}  // namespace

TemplateData error_list() {
  TemplateData errors = list();
  for (const ErrorRow& row : error_table()) errors << error_data(row);
  return errors;
}

TemplateData limit_list(const PageContext& context) {
  TemplateData limits = list();
  for (const LimitRow& row : limit_table(context.options)) limits << line_data(row.what, row.value);
  return limits;
}

TemplateData load_profile_list() {
  TemplateData profiles = list();
  for (const LoadProfile& profile : kLoadProfiles) profiles << line_data(profile.code, profile.name);
  return profiles;
}

TemplateData accuracy_list() {
  TemplateData figures = list();
  for (const AccuracyFigure& row : kAccuracyFigures) {
    TemplateData data = object();
    data.set("genauigkeit_was", std::string(row.what));
    data.set("genauigkeit_mit", german_figures(row.with_footprints));
    data.set("genauigkeit_ohne", german_figures(row.without_footprints));
    data.set("genauigkeit_ziel", german_figures(row.target));
    figures << data;
  }
  return figures;
}

TemplateData real_accuracy_list() {
  TemplateData figures = list();
  for (const RealAccuracyFigure& row : kRealAccuracyFigures) {
    TemplateData data = object();
    data.set("echt_was", std::string(row.cells));
    data.set("echt_dorf_mit", german_figures(row.villages_with_footprints));
    data.set("echt_dorf_ohne", german_figures(row.villages_without));
    data.set("echt_stadt_mit", german_figures(row.old_town_with_footprints));
    data.set("echt_stadt_ohne", german_figures(row.old_town_without));
    figures << data;
  }
  return figures;
}

TemplateData honesty_list() {
  const auto german = [](std::string_view range) {
    return boost::replace_all_copy(std::string(range), " to ", " bis ");
  };
  TemplateData ranges = list();
  for (const HonestyFigure& row : kHonestyFigures) {
    TemplateData data = object();
    data.set("spanne_was", std::string(row.of));
    data.set("spanne_neigung", german(row.tilt));
    data.set("spanne_ausrichtung", german(row.azimuth));
    data.set("spanne_flaeche", german(row.area));
    ranges << data;
  }
  return ranges;
}

}  // namespace http
