#include <algorithm>
#include <boost/algorithm/string/replace.hpp>

#include "http/api/limit_table.hpp"
#include "http/api/load_profiles.hpp"
#include "http/description/html/accuracy_figures.hpp"
#include "http/description/html/sections.hpp"
#include "http/description/html/shell.hpp"

namespace http::html {
namespace {

/// The endpoints that can answer with a code.
std::string where_it_occurs(actors::Code code) {
  std::string out;
  bool with_key = true;     // whether all endpoints with a key can
  bool without_key = true;  // whether all endpoints without a key can
  for (const Route& route : route_table()) {
    const auto codes = errors_of(route);
    if (std::find(codes.begin(), codes.end(), code) == codes.end()) {
      (route.keyed() ? with_key : without_key) = false;
      continue;
    }
    out += (out.empty() ? "" : ", ") +
           ("<a href=\"#" + std::string(route.id) + "\">" + escaped(route.summary) + "</a>");
  }
  if (with_key)
    return without_key ? "Bei jeder Anfrage möglich." : "Bei jeder Anfrage mit Schlüssel möglich.";
  return out.empty() ? "Bei jeder Anfrage möglich." : "Bei: " + out + ".";
}

std::string next_step(const ErrorRow& row) {
  std::string text = row.tu;
  constexpr std::string_view kSeconds = "{s} Sekunden";
  if (const auto at = text.find(kSeconds); at != std::string::npos)
    text.replace(at, kSeconds.size(), "die Sekunden ab, die Retry-After nennt,");
  if (text.ends_with(",.")) text.replace(text.size() - 2, 2, ".");
  return text;
}

/// Writes decimal commas. Commas between figures become slashes.
std::string german_figures(std::string_view figures) {
  return boost::replace_all_copy(boost::replace_all_copy(std::string(figures), ", ", " / "), ".", ",");
}

}  // namespace

std::string error_card(const ErrorRow& row) {
  const std::string name = actors::name_of(row.code);
  const std::string status = std::to_string(row.status);
  std::string out = "<div class=\"card\" id=\"fehler-" + name + "\" data-part>\n<h3><span class=\"chip s" +
                    status.substr(0, 1) + "\">" + status + "</span> <code>" + name + "</code></h3>\n";
  out += "<p>" + escaped(row.meldung) + "</p>\n<p class=\"do\"><strong>Was tun?</strong> " +
         escaped(next_step(row)) + "</p>\n";
  if (row.extra != Extra::none)
    out +=
        "<p class=\"small\">Dazu kommt das Feld <code>" + std::string(path_of(row.extra)) + "</code>.</p>\n";
  return out + "<p class=\"small subtle\">" + where_it_occurs(row.code) + "</p>\n</div>\n";
}

std::string limit_list(const PageContext& context) {
  std::string out = "<dl class=\"fields\">\n";
  for (const LimitRow& row : limit_table(context.options))
    out += "<div data-part><dt>" + escaped(row.what) + "</dt><dd>" + escaped(row.value) + "</dd></div>\n";
  return out + "</dl>\n";
}

std::string load_profile_list() {
  std::string out = "<dl class=\"fields\">\n";
  for (const LoadProfile& profile : kLoadProfiles)
    out += "<div data-part><dt><code>" + escaped(profile.code) + "</code></dt><dd>" + escaped(profile.name) +
           "</dd></div>\n";
  return out + "</dl>\n";
}

std::string accuracy_list() {
  std::string out = "<dl class=\"fields\">\n";
  for (const AccuracyFigure& row : kAccuracyFigures)
    out += "<div data-part><dt>" + escaped(row.what) + "</dt><dd>mit Umrissen " +
           escaped(german_figures(row.with_footprints)) + "<br>ohne " +
           escaped(german_figures(row.without_footprints)) + "<br>Ziel " +
           escaped(german_figures(row.target)) + "</dd></div>\n";
  return out + "</dl>\n";
}

}  // namespace http::html
