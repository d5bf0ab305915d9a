// One project: waiting, computing, finished, failed or expired; and what its owner does with it.
#include <chrono>

#include "geo/drawing/german_text.hpp"
#include "http/api/errors.hpp"
#include "http/api/field_checks.hpp"
#include "http/api/load_profiles.hpp"
#include "http/web/economics/economics_page.hpp"
#include "http/web/economics/typed_number.hpp"
#include "http/web/pages/overview_html.hpp"
#include "http/web/pages/page_data.hpp"
#include "http/web/pages/page_routes.hpp"
#include "http/web/pages/project_files.hpp"
#include "http/web/pages/project_result_data.hpp"
#include "http/web/pages/project_visit.hpp"

namespace http {
namespace {

using actors::ProjectRecord;

constexpr int kOverviewWidth_px = 800;
constexpr int kRefresh_s = 5;
constexpr int kUnfit = 422;

/// What stands beside the fields of the page's forms after a POST.
struct ProjectFaults {
  std::string name, consumption, profile, deletion;
  bool any() const { return !(name + consumption + profile + deletion).empty(); }
};

void add_failure(const actors::Refusal& refusal, TemplateData& data) {
  data.set("fehler_meldung", meldung_of(refusal));
  data.set("fehler_tun", tu_of(refusal));
}

void add_steps(const actors::Running& run, TemplateData& data) {
  TemplateData steps = list();
  const auto add = [&](const std::string& name, bool done, bool now) {
    TemplateData step = object();
    step.set("schritt_name", name);
    step.set("schritt_fertig", flag(done));
    step.set("schritt_jetzt", flag(now));
    steps << step;
  };
  add("Adresse gefunden", true, false);
  add("Platz frei", !run.waiting, run.waiting);
  if (!run.waiting) {
    const std::string of = run.steps_total > 0 ? " (" + std::to_string(run.steps_done + 1) + " von " +
                                                     std::to_string(run.steps_total) + ")"
                                               : std::string();
    add((run.step.empty() ? std::string("Beginnt") : run.step) + of, false, true);
  }
  add("Ergebnis", false, false);
  data.set("schritte", steps);
}

void add_state(const char* state, TemplateData& data) {
  for (const char* one : {"laeuft", "fehlgeschlagen", "abgelaufen", "fertig"})
    data.set(one, flag(std::string_view(one) == state));
}

/// "Lindenstraße 2, 86987 Lerchenmoos · 4.500 kWh im Jahr · H0 Haushalt"; the address may be the name
/// already.
std::string what_is_known(const ProjectRecord& record) {
  constexpr std::string_view kBetween = " · ";
  std::string text;
  if (record.name != address_of(record)) text.append(address_of(record)).append(kBetween);
  text.append(geo::german_number(record.consumption_kwh, 0)).append(" kWh im Jahr").append(kBetween);
  text += record.load_profile;
  for (const LoadProfile& profile : kLoadProfiles)
    if (profile.code == record.load_profile) text.append(" ").append(profile.name);
  return text;
}

/// What the page has in every state.
Page project_frame(const PageVisit& visit, const ProjectRecord& record, const ProjectFaults& faults) {
  Page page{.name = "projekt", .title = record.name, .section = "projekte"};
  if (faults.any()) page.status = kUnfit;
  page.data.set("projekt_name", record.name);
  page.data.set("projekt_angaben", what_is_known(record));
  page.data.set("wirtschaftlichkeit_url", project_path(record.project) + "/wirtschaftlichkeit");
  page.data.set("gespeichert_am", text_or_none(record.saved_ms > 0 ? german_date(record.saved_ms) : ""));
  page.data.set("name_wert", visit.form.value("name") ? visit.field("name") : record.name);
  page.data.set("fehler_name", text_or_none(faults.name));
  page.data.set("fehler_loeschen", text_or_none(faults.deletion));
  page.data.set("testkonto", flag(visit.session.person.plan == "test"));
  add_consumption_fields(visit.form.value("jahresverbrauch_kwh") ? visit.field("jahresverbrauch_kwh")
                                                                 : typable(record.consumption_kwh),
                         visit.form.value("lastprofil") ? visit.field("lastprofil") : record.load_profile,
                         page.data);
  page.data.set("fehler_verbrauch", text_or_none(faults.consumption));
  page.data.set("fehler_lastprofil", text_or_none(faults.profile));
  return page;
}

PageTask running_page(PageVisitPtr visit, Page page, actors::Running run) {
  add_state("laeuft", page.data);
  page.refresh_s = kRefresh_s;
  page.data.set("stand_url", visit->request.path);
  page.data.set("wartet", flag(run.waiting));
  page.data.set("platz", std::to_string(run.ahead + 1));
  page.data.set("plaetze", std::to_string(visit->site->actors().slots));
  add_steps(run, page.data);
  co_return visit->respond(std::move(page));
}

PageTask finished_page(PageVisitPtr visit, ProjectRecord record, ProjectFaults faults) {
  actors::Command read = actors::ReadAnalysis{record.project};
  const auto answer = co_await visit->ask(std::move(read));
  const std::string inputs = inputs_of(record, result_in(answer), visit->session.person.plan);
  if (auto made = visit->made_before(inputs)) co_return std::move(*made);
  Page page = project_frame(*visit, record, faults);
  FoundAnalysis found;
  take_analysis(answer, found);
  if (!found.analysis) {
    const bool expired = found.refusal->code == actors::Code::analyse_fehlt;
    add_state(expired ? "abgelaufen" : "fehlgeschlagen", page.data);
    add_failure(*found.refusal, page.data);
    co_return visit->respond(std::move(page));
  }
  add_state("fertig", page.data);
  add_result(*found.analysis, page.data);
  add_downloads(record, *found.analysis, page.data);
  actors::Command draw = actors::QueryMedia{
      .project = record.project, .kind = actors::MediaKind::overview_image, .width_px = kOverviewWidth_px};
  const auto drawn = co_await visit->ask(std::move(draw));
  const auto* medium = drawn ? caf::get_if<actors::Medium>(&drawn->outcome) : nullptr;
  const Overview overview = medium ? overview_html(*medium->body.text) : Overview();
  page.data.set("uebersicht_html", overview.html);
  page.data.set("bildbreite_m", overview.width_m);
  Response response = visit->respond(std::move(page));
  co_return medium ? visit->keep(inputs, std::move(response)) : std::move(response);
}

PageTask project_view(PageVisitPtr visit, ProjectFaults faults) {
  FoundProject found = co_await find_project(visit);
  if (found.instead) co_return std::move(*found.instead);
  ProjectRecord record = *found.record;
  if (record.state == actors::ProjectState::finished)
    co_return co_await finished_page(visit, std::move(record), std::move(faults));
  Page page = project_frame(*visit, record, faults);
  // The query is an attempt to get a slot, too.
  actors::Command query = actors::QueryAnalysis{record.project};
  const auto state = co_await visit->ask(std::move(query));
  if (!state) co_return visit->unavailable();
  if (const auto* running = caf::get_if<actors::Running>(&state->outcome)) {
    actors::Running run = *running;
    co_return co_await running_page(visit, std::move(page), std::move(run));
  }
  if (const auto* refusal = caf::get_if<actors::Refusal>(&state->outcome)) {
    add_state("fehlgeschlagen", page.data);
    add_failure(*refusal, page.data);
    co_return visit->respond(std::move(page));
  }
  co_return co_await finished_page(visit, std::move(record), std::move(faults));
}

PageTask project_shown(PageVisitPtr visit) { return project_view(std::move(visit), ProjectFaults()); }

// ---- deeds ----------------------------------------------------------------------------------------------

/// Back to the page with the sentence of a refusal above it.
PageTask told_above(PageVisitPtr visit, std::optional<actors::Answer> answer) {
  const auto* refusal = answer ? caf::get_if<actors::Refusal>(&answer->outcome) : nullptr;
  if (!refusal) co_return visit->unavailable();
  if (refusal->code == actors::Code::projekt_unbekannt) co_return visit->not_found();
  visit->bad = meldung_of(*refusal) + " " + tu_of(*refusal);
  co_return co_await project_view(visit, ProjectFaults());
}

bool succeeded(const std::optional<actors::Answer>& answer) {
  return answer && !caf::holds_alternative<actors::Refusal>(answer->outcome);
}

PageTask save_project(PageVisitPtr visit) {
  actors::Command command = actors::StoreMedia{project_of_path(*visit)};
  auto answer = co_await visit->ask(std::move(command), actors::LimitClass::media);
  if (succeeded(answer)) co_return visit->redirect(visit->request.path + "?meldung=gespeichert");
  co_return co_await told_above(visit, std::move(answer));
}

PageTask rename_project(PageVisitPtr visit) {
  const std::string name = visit->field("name");
  if (const auto checked = checked_name(name); !checked) {
    ProjectFaults faults{.name = "Geben Sie einen Namen mit höchstens 150 Zeichen ein."};
    co_return co_await project_view(visit, std::move(faults));
  }
  actors::Command command = actors::RenameProject{project_of_path(*visit), name};
  auto answer = co_await visit->ask(std::move(command));
  if (succeeded(answer)) co_return visit->redirect(visit->request.path + "?meldung=umbenannt");
  co_return co_await told_above(visit, std::move(answer));
}

PageTask delete_project(PageVisitPtr visit) {
  if (visit->field("bestaetigt") != "ja") {
    ProjectFaults faults{.deletion =
                             "Bestätigen Sie mit dem Häkchen, dass das Projekt gelöscht werden soll."};
    co_return co_await project_view(visit, std::move(faults));
  }
  actors::Command command = actors::DeleteProject{project_of_path(*visit)};
  auto answer = co_await visit->ask(std::move(command));
  if (succeeded(answer)) co_return visit->redirect("/projekte?meldung=geloescht");
  co_return co_await told_above(visit, std::move(answer));
}

PageTask compute_again(PageVisitPtr visit, bool as_before) {
  actors::RestartAnalysis order{.project = project_of_path(*visit), .request_id = visit->request.id};
  if (!as_before) {
    const auto kwh = typed_consumption(*visit);
    const auto profile = checked_profile(visit->field("lastprofil"));
    ProjectFaults faults;
    if (!kwh) faults.consumption = unfit_consumption();
    if (!profile) faults.profile = "Wählen Sie ein Lastprofil.";
    if (faults.any()) co_return co_await project_view(visit, std::move(faults));
    order.consumption_kwh = *kwh;
    order.load_profile = *profile;
  }
  actors::Command command = std::move(order);
  auto answer = co_await visit->ask(std::move(command), actors::LimitClass::create);
  if (succeeded(answer)) co_return visit->redirect(visit->request.path);
  co_return co_await told_above(visit, std::move(answer));
}

PageTask project_deed(PageVisitPtr visit) {
  const std::string deed = visit->field("tat");
  if (deed == "speichern") return save_project(std::move(visit));
  if (deed == "umbenennen") return rename_project(std::move(visit));
  if (deed == "loeschen") return delete_project(std::move(visit));
  if (deed == "neu_berechnen") return compute_again(std::move(visit), false);
  if (deed == "neu_berechnen_wie_zuvor") return compute_again(std::move(visit), true);
  visit->tell_unknown_deed();
  return project_view(std::move(visit), ProjectFaults());
}

// ---- economics ------------------------------------------------------------------------------------------

constexpr auto kEconomicsPath = "/wirtschaftlichkeit";

std::chrono::sys_days today() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

EconomicsInput economics_input(const ProjectRecord& record, geo::RoofAnalysis analysis) {
  const std::string path = project_path(record.project);
  return {.project_name = record.name,
          .project_address = path,
          .csv_address = path + kEconomicsPath + ".csv",
          .country = record.country,
          .place = {record.lon_deg, record.lat_deg},
          .consumption_kwh = record.consumption_kwh,
          .load_profile = record.load_profile,
          .today = today(),
          .analysis = std::move(analysis)};
}

/// Without a result there is nothing to count with: the project's page says why.
PageTask project_economics(PageVisitPtr visit) {
  const FoundProject project = co_await find_project(visit);
  if (project.instead) co_return *project.instead;
  const ProjectRecord& record = *project.record;
  actors::Command read = actors::ReadAnalysis{record.project};
  const auto answer = co_await visit->ask(std::move(read));
  const std::string inputs = inputs_of(record, result_in(answer), today().time_since_epoch().count());
  if (auto made = visit->made_before(inputs)) co_return std::move(*made);
  FoundAnalysis found;
  take_analysis(answer, found);
  if (!found.analysis) co_return visit->redirect(project_path(record.project));
  Page page{
      .name = "wirtschaftlichkeit", .title = "Wirtschaftlichkeit: " + record.name, .section = "projekte"};
  auto compute = [input = economics_input(record, std::move(*found.analysis)), query = visit->request.query] {
    return economics_page(input, query, input.project_address + kEconomicsPath);
  };
  auto data = co_await visit->apart(std::move(compute));
  if (!data) co_return visit->unavailable();
  page.data = std::move(*data);
  co_return visit->keep(inputs, visit->respond(std::move(page)));
}

PageTask project_economics_csv(PageVisitPtr visit) {
  FoundAnalysis found = co_await find_analysis(visit);
  if (found.instead) co_return std::move(*found.instead);
  if (!found.analysis) co_return visit->redirect(project_path(project_of_path(*visit)));
  auto compute = [input = economics_input(*found.record, std::move(*found.analysis)),
                  query = visit->request.query] { return economics_csv(input, query); };
  auto table = co_await visit->apart(std::move(compute));
  if (!table) co_return visit->unavailable();
  Response response{.status = 200, .content_type = "text/csv; charset=utf-8"};
  response.body = std::move(*table);
  visit->site->security().add_to(response);
  co_return response.with("Content-Disposition", "attachment; filename=\"wirtschaftlichkeit-" +
                                                     std::to_string(found.record->project) + ".csv\"");
}

}  // namespace

std::vector<PageRoute> project_routes() {
  return {{{.method = "GET", .path = "/projekte/{projekt_id}"}, true, project_shown},
          {{.method = "POST", .path = "/projekte/{projekt_id}"}, true, project_deed},
          {{.method = "GET", .path = "/projekte/{projekt_id}/wirtschaftlichkeit"}, true, project_economics},
          {{.method = "GET", .path = "/projekte/{projekt_id}/wirtschaftlichkeit.csv"},
           true,
           project_economics_csv},
          {{.method = "GET", .path = "/projekte/{projekt_id}/datei/{name}"}, true, project_file, true}};
}

}  // namespace http
