// The account's projects: as a table, as points for the map; and a new one.
#include "geo/drawing/german_text.hpp"
#include "http/api/errors.hpp"
#include "http/api/field_checks.hpp"
#include "http/api/json.hpp"
#include "http/api/load_profiles.hpp"
#include "http/web/economics/typed_number.hpp"
#include "http/web/pages/page_data.hpp"
#include "http/web/pages/page_routes.hpp"
#include "http/web/pages/project_visit.hpp"

namespace http {
namespace {

constexpr int kRows = 25;
constexpr int kPoints = 200;
constexpr std::size_t kSearchMost = 200;  // bytes
constexpr auto kUnknownFigure = "–";

/// "kein", "1 Projekt"; how many there are in all is not counted.
std::string address_line(const actors::ProjectLine& line) {
  return line.street + ", " + line.postcode + " " + line.town;
}

TemplateData project_row(const actors::ProjectLine& line) {
  using actors::ProjectState;
  TemplateData row = object();
  const bool finished = line.state == ProjectState::finished;
  row.set("projekt_id", std::to_string(line.project));
  row.set("projekt_url", project_path(line.project));
  row.set("projekt_name", line.name);
  row.set("projekt_adresse", address_line(line));
  row.set("projekt_datum", german_date(line.created_ms));
  row.set("bild_url",
          text_or_none(line.has_result ? project_path(line.project) + "/datei/vorschau.png" : std::string()));
  row.set("ist_fertig", flag(finished && line.has_result));
  row.set("ist_abgelaufen", flag(finished && !line.has_result));
  row.set("ist_laeuft", flag(line.state == ProjectState::waiting || line.state == ProjectState::running));
  row.set("ist_fehlgeschlagen", flag(line.state == ProjectState::failed));
  row.set("projekt_kwp", line.kwp > 0 ? geo::german_number(line.kwp, 2) : std::string(kUnknownFigure));
  row.set("projekt_kwh",
          line.kwh_per_year > 0 ? geo::german_number(line.kwh_per_year, 0) : std::string(kUnknownFigure));
  return row;
}

std::uint64_t before_of(const PageVisit& visit) {
  return std::strtoull(std::string(visit.request.parameter("vor").value_or("0")).c_str(), nullptr, 10);
}

PageTask project_list(PageVisitPtr visit) {
  const std::string search = trimmed(visit->request.parameter("suche").value_or("").substr(0, kSearchMost));
  const std::uint64_t before = before_of(*visit);
  actors::Command command =
      actors::ListProjects{.limit = kRows, .before = before, .details = true, .search = search};
  const auto answer = co_await visit->ask(std::move(command));
  const auto* listed = answer ? caf::get_if<actors::ProjectPage>(&answer->outcome) : nullptr;
  if (!listed) co_return visit->unavailable();
  const std::string inputs = inputs_of(*listed);
  if (auto made = visit->made_before(inputs)) co_return std::move(*made);
  Page page{.name = "projekte", .title = "Projekte", .section = "projekte"};
  const bool empty = listed->projects.empty();
  const bool whole = search.empty() && before == 0;
  page.data.set("noch_keine", flag(empty && whole));
  page.data.set("nichts_gefunden", flag(empty && !whole));
  page.data.set("mehr_zu_durchsuchen", flag(listed->more));
  page.data.set("anzahl_text", flag(false));
  page.data.set("suche", search);
  page.data.set("suche_aktiv", flag(!search.empty()));
  page.data.set("karte_da", flag(!empty));
  page.data.set("karte_punkte_url", std::string("/projekte/punkte.json"));
  page.data.set("karte_kacheln", text_or_none(visit->site->options().tiles_url));
  page.data.set("karte_nachweis", visit->site->options().tiles_attribution);
  page.data.set("karte_zoom_max", std::to_string(visit->site->options().tiles_zoom_max));
  TemplateData rows = list();
  for (const actors::ProjectLine& line : listed->projects) rows << project_row(line);
  page.data.set("projekte", rows);
  const std::string query = search.empty() ? std::string() : "suche=" + url_encoded(search);
  const std::uint64_t last = listed->before > 0 ? listed->before : before;
  page.data.set("blaettern", flag(listed->more || before > 0));
  page.data.set("neuere_url", text_or_none(before > 0 ? "/projekte?" + query : std::string()));
  page.data.set("aeltere_url", text_or_none(listed->more ? "/projekte?" + query + (query.empty() ? "" : "&") +
                                                               "vor=" + std::to_string(last)
                                                         : std::string()));
  co_return visit->keep(inputs, visit->respond(std::move(page)));
}

PageTask project_points(PageVisitPtr visit) {
  actors::Command command = actors::ListProjects{.limit = kPoints};
  const auto answer = co_await visit->ask(std::move(command));
  const auto* listed = answer ? caf::get_if<actors::ProjectPage>(&answer->outcome) : nullptr;
  if (!listed) co_return visit->unavailable();
  Json json;
  json.begin_object().key("punkte").begin_array();
  for (const actors::ProjectLine& line : listed->projects) {
    json.begin_object()
        .field("id", line.project)
        .field("name", line.name)
        .field("adresse", address_line(line));
    json.field("lat", line.lat_deg, 6).field("lon", line.lon_deg, 6);
    json.field("url", project_path(line.project)).end_object();
  }
  json.end_array().end_object();
  co_return visit->respond_json(json.str());
}

// ---- a new project --------------------------------------------------------------------------------------

/// What was typed, or comes from the front page's field.
std::string typed(const PageVisit& visit, const char* name) {
  if (visit.is_post()) return visit.field(name);
  return std::string(visit.request.parameter(name).value_or(""));
}

Page new_project_page(const PageVisit& visit) {
  Page page{.name = "projekt_neu", .title = "Neues Projekt", .section = "projekte"};
  if (visit.is_post()) page.status = 422;
  page.data.set("ortsdienst", visit.site->options().address_service);
  page.data.set("adresse", typed(visit, "adresse"));
  page.data.set("name", typed(visit, "name"));
  for (const char* none : {"kontingent_erschoepft", "besteht_url", "fehler_allgemein", "mehrdeutig",
                           "fehler_adresse", "fehler_name"})
    page.data.set(none, flag(false));
  page.data.set("besteht_name", std::string());
  page.data.set("kandidaten", list());
  const std::string profile = typed(visit, "lastprofil");
  add_consumption_fields(typed(visit, "jahresverbrauch_kwh"),
                         profile.empty() ? std::string(kDefaultLoadProfile) : profile, page.data);
  return page;
}

PageTask new_project_form(PageVisitPtr visit) { co_return visit->respond(new_project_page(*visit)); }

/// The form as an order; nothing, and the faults beside the fields, when something is wrong with it.
std::optional<actors::CreateProject> read_new_project(const PageVisit& visit, Page& page) {
  const std::string candidate = visit.field("kandidat");
  const std::string address = trimmed(candidate.empty() ? visit.field("adresse") : candidate);
  const std::string name = trimmed(visit.field("name"));
  const auto kwh = typed_consumption(visit);
  const auto profile = checked_profile(visit.field("lastprofil"));
  const bool good_address = checked_address(address).has_value();
  const bool good_name = name.empty() || checked_name(name).has_value();
  page.data.set("adresse", address);
  if (!good_address)
    page.data.set("fehler_adresse", std::string("Geben Sie eine Adresse mit höchstens 200 Zeichen ein."));
  if (!good_name) page.data.set("fehler_name", std::string("Der Name ist länger als 150 Zeichen."));
  if (!kwh) page.data.set("fehler_verbrauch", unfit_consumption());
  if (!profile) page.data.set("fehler_lastprofil", std::string("Wählen Sie ein Lastprofil."));
  if (!good_address || !good_name || !kwh || !profile) return {};
  return actors::CreateProject{name.empty() ? address : name, address, *kwh, *profile, visit.request.id};
}

void add_refusal(const actors::Refusal& refusal, Page& page) {
  using actors::Code;
  const ErrorRow& row = error_row(refusal.code);
  std::string text = refusal.text.empty() || row.wording == Wording::own ? row.meldung : refusal.text;
  if (refusal.code == Code::adresse_nicht_eindeutig) {
    TemplateData candidates = list();
    for (const std::string& one : refusal.found) {
      TemplateData item = object();
      item.set("kandidat", one);
      candidates << item;
    }
    page.data.set("mehrdeutig", flag(true));
    page.data.set("kandidaten", candidates);
  } else if (refusal.code == Code::adresse_nicht_gefunden || refusal.code == Code::adresse_zu_lang) {
    page.data.set("fehler_adresse", text);
  } else if (refusal.code == Code::projekt_besteht_bereits) {
    page.data.set("besteht_url", project_path(refusal.project));
    page.data.set("besteht_name", std::string("Das bestehende Projekt"));
  } else if (refusal.code == Code::testkontingent_erschoepft) {
    page.data.set("kontingent_erschoepft", flag(true));
  } else if (refusal.code == Code::schluessel_ungueltig) {
    page.data.set("fehler_allgemein", std::string("Ihr Testkonto ist abgelaufen. Vollen Zugang gibt der "
                                                  "Betreiber."));
  } else {
    if (refusal.retry_after_s > 0)
      text += " Versuchen Sie es " + german_wait(refusal.retry_after_s) + " wieder.";
    page.data.set("fehler_allgemein", text);
  }
}

PageTask new_project(PageVisitPtr visit) {
  Page page = new_project_page(*visit);
  auto order = read_new_project(*visit, page);
  if (!order) co_return visit->respond(std::move(page));
  actors::Command command = std::move(*order);
  const auto answer = co_await visit->ask(std::move(command), actors::LimitClass::create);
  if (!answer) co_return visit->unavailable();
  if (const auto* created = caf::get_if<actors::Created>(&answer->outcome))
    co_return visit->redirect(project_path(created->project));
  if (const auto* refusal = caf::get_if<actors::Refusal>(&answer->outcome)) add_refusal(*refusal, page);
  co_return visit->respond(std::move(page));
}

}  // namespace

std::vector<PageRoute> project_list_routes() {
  return {{{.method = "GET", .path = "/projekte"}, true, project_list},
          {{.method = "GET", .path = "/projekte/punkte.json"}, true, project_points, true},
          {{.method = "GET", .path = "/projekte/neu"}, true, new_project_form, false, {}, true},
          {{.method = "POST", .path = "/projekte/neu"},
           true,
           new_project,
           false,
           {"adresse", "name", "jahresverbrauch_kwh", "lastprofil"}}};
}

}  // namespace http
