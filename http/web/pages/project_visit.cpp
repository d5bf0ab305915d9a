#include "http/web/pages/project_visit.hpp"

#include <charconv>

#include "geo/drawing/german_text.hpp"
#include "http/api/field_checks.hpp"
#include "http/api/forms.hpp"
#include "http/api/load_profiles.hpp"
#include "http/web/economics/typed_number.hpp"
#include "http/web/pages/page_data.hpp"
#include "persistence/result_codec.hpp"

namespace http {

std::uint64_t project_of_path(const PageVisit& visit) {
  const std::string& text = visit.parameters.front();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

Task<FoundProject> find_project(PageVisitPtr visit) {
  FoundProject found;
  actors::Command command = actors::ReadProject{project_of_path(*visit)};
  const auto answer = co_await visit->ask(std::move(command));
  if (!answer)
    found.instead = visit->unavailable();
  else if (const auto* record = caf::get_if<actors::ProjectRecord>(&answer->outcome))
    found.record = *record;
  else if (const auto* refusal = caf::get_if<actors::Refusal>(&answer->outcome);
           refusal && refusal->code == actors::Code::projekt_unbekannt)
    found.instead = visit->not_found();
  else
    found.instead = visit->unavailable();
  co_return found;
}

Task<FoundAnalysis> find_analysis(PageVisitPtr visit) {
  FoundAnalysis found;
  FoundProject project = co_await find_project(visit);
  found.record = std::move(project.record);
  found.instead = std::move(project.instead);
  if (!found.record) co_return found;
  actors::Command command = actors::ReadAnalysis{found.record->project};
  take_analysis(co_await visit->ask(std::move(command)), found);
  co_return found;
}

std::string result_in(const std::optional<actors::Answer>& answer) {
  const auto* stored = answer ? caf::get_if<actors::StoredAnalysis>(&answer->outcome) : nullptr;
  return stored ? *stored->bytes.text : std::string();
}

void take_analysis(const std::optional<actors::Answer>& answer, FoundAnalysis& found) {
  found.analysis = persistence::decode_result(result_in(answer));
  if (found.analysis) return;
  const auto* refusal = answer ? caf::get_if<actors::Refusal>(&answer->outcome) : nullptr;
  found.refusal = refusal ? *refusal : actors::Refusal{.code = actors::Code::analyse_unlesbar};
}

std::string address_of(const actors::ProjectRecord& record) {
  std::string street = record.street;
  if (!record.house_number.empty()) street += " " + record.house_number;
  return street + ", " + record.postcode + " " + record.town;
}

std::optional<double> typed_consumption(const PageVisit& visit) {
  const auto typed = typed_number(visit.field("jahresverbrauch_kwh"), true);
  const auto kwh = checked_consumption(typed.value_or(0));
  return kwh ? std::optional(*kwh) : std::nullopt;
}

std::string unfit_consumption() {
  return "Geben Sie den Verbrauch in kWh ein, zum Beispiel 4500: mehr als 0, höchstens " +
         geo::german_number(kConsumptionMax_kwh, 0) + ".";
}

std::string project_path(std::uint64_t project) { return "/projekte/" + std::to_string(project); }

void add_consumption_fields(const std::string& typed_kwh, const std::string& profile, TemplateData& data) {
  data.set("verbrauch_wert", typed_kwh);
  data.set("fehler_verbrauch", flag(false));
  data.set("fehler_lastprofil", flag(false));
  TemplateData groups = list();
  for (const auto& [letter, name] :
       {std::pair('H', "Haushalt"), std::pair('G', "Gewerbe"), std::pair('L', "Landwirtschaft")}) {
    TemplateData profiles = list();
    for (const LoadProfile& one : kLoadProfiles) {
      if (one.code.front() != letter) continue;
      TemplateData item = object();
      item.set("kennung", std::string(one.code));
      item.set("bezeichnung", std::string(one.code) + " " + std::string(one.name));
      item.set("gewaehlt", flag(one.code == profile));
      profiles << item;
    }
    TemplateData group = object();
    group.set("gruppe_name", std::string(name));
    group.set("profile", profiles);
    groups << group;
  }
  data.set("profilgruppen", groups);
}

}  // namespace http
