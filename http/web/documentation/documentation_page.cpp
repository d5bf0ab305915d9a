// /doku: every endpoint, field, error and limit on one page to read and to search, made from the tables.
#include "http/api/limit_table.hpp"
#include "http/description/accuracy_figures.hpp"
#include "http/description/pages.hpp"
#include "http/description/speed_figures.hpp"
#include "http/web/documentation/commands.hpp"
#include "http/web/documentation/documentation_data.hpp"
#include "http/web/documentation/public_frame.hpp"

namespace http {

Response documentation_page(const PageContext& context) {
  PublicPage page{.name = "doku",
                  .title = "Dokumentation",
                  .summary = "Endpunkte, Felder, Fehler und Grenzen der Dachanalyse-Schnittstelle."};
  page.data.set("openapi_url", context.links.description());
  page.data.set("fassung", std::string(kDescriptionVersion));
  page.data.set("frist_s", std::to_string(kPollingDeadline_s));
  page.data.set("tempo_rechner", std::string(kSpeedFigures.machine));
  page.data.set("tempo_je_s", std::string(kSpeedFigures.runs_per_s));
  page.data.set("tempo_rechenzeit_ms", std::string(kSpeedFigures.processor_ms_a_run));
  page.data.set("tempo_schritte_ms", std::string(kSpeedFigures.stages_ms_a_run));
  page.data.set("saat", std::to_string(kAccuracyFirstSeed));
  page.data.set("befehl_adresse", command_data("adresse-der-api", context.links.base_url));
  page.data.set("befehl_header", command_data("header", "X-API-Key: $SCHLUESSEL"));
  page.data.set("endpunkte", endpoint_list(context));
  page.data.set("fehlerliste", error_list());
  page.data.set("schemas", schema_list(context));
  page.data.set("grenzen", limit_list(context));
  page.data.set("profile", load_profile_list());
  page.data.set("genauigkeit", accuracy_list());
  page.data.set("genauigkeit_echt", real_accuracy_list());
  page.data.set("spannen", honesty_list());
  return framed(std::move(page), context);
}

}  // namespace http
