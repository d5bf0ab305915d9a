// /anleitung: from the first key to a finished result, for a person with a command line and for an agent.
// Works without scripts.
#include <array>

#include "http/api/errors.hpp"
#include "http/api/limit_table.hpp"
#include "http/description/pages.hpp"
#include "http/web/documentation/commands.hpp"
#include "http/web/documentation/public_frame.hpp"
#include "http/web/html_text.hpp"
#include "http/web/pages/page_data.hpp"

namespace http {
namespace {

using actors::Code;

constexpr std::array kCommonErrors{Code::schluessel_ungueltig,    Code::adresse_nicht_gefunden,
                                   Code::projekt_besteht_bereits, Code::kein_dach,
                                   Code::analyse_fehlgeschlagen,  Code::testkontingent_erschoepft};

std::string error_link(Code code, const PageContext& context) {
  const std::string name = actors::name_of(code);
  return "<a href=\"" + html::escaped(context.links.error(name)) + "\"><code>" + name + "</code></a>";
}

TemplateData common_errors(const PageContext& context) {
  TemplateData errors = list();
  for (const Code code : kCommonErrors) {
    TemplateData data = object();
    data.set("haeufig_link_html", error_link(code, context));
    data.set("haeufig_text", error_row(code).meldung + std::string(" ") + error_row(code).tu);
    errors << data;
  }
  return errors;
}

/// The commands and answers that the page shows: curl_ID, antwort_NAME with the tables' own names.
void add_commands(TemplateData& data, const PageContext& context) {
  const auto name_in_template = [](std::string_view name) {
    std::string out;
    for (const char c : name) {
      if (c >= 'A' && c <= 'Z' && !out.empty()) out += '_';
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
  };
  for (const Route& route : route_table()) {
    const std::string id(route.id);
    data.set("curl_" + name_in_template(id), command_data("curl-" + id, curl_of(route, context)));
  }
  for (const Schema& schema : schema_table()) {
    const std::string name(schema.name);
    data.set("antwort_" + name_in_template(name),
             command_data("antwort-" + name, example_text(schema, context)));
  }
  data.set("befehl_schluessel", command_data("schluessel-ablegen", "read -rs SCHLUESSEL"));
  data.set("befehl_einzeln",
           command_data("ein-aufruf-adresse", context.links.base_url +
                                                  "/analyse?adresse=Musterstra%C3%9Fe%201%2C%201010%20Wien"
                                                  "&jahresverbrauch_kwh=4500&schluessel=IHR_SCHLUESSEL"));
}

}  // namespace

Response guide_page(const PageContext& context) {
  PublicPage page{
      .name = "anleitung",
      .title = "Anleitung",
      .summary = "Vom ersten Schlüssel zum fertigen Ergebnis der Dachanalyse, für Menschen und für Agenten."};
  page.data.set("openapi_url", context.links.description());
  page.data.set("frist_s", std::to_string(kPollingDeadline_s));
  page.data.set("abstand_s", std::to_string(kSingleCallPace_s));
  for (const ErrorRow& row : error_table())
    page.data.set("fehler_" + std::string(actors::name_of(row.code)) + "_html",
                  error_link(row.code, context));
  page.data.set("haeufige_fehler", common_errors(context));
  add_commands(page.data, context);
  return framed(std::move(page), context);
}

}  // namespace http
