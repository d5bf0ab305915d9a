// What the pages of one project share: its number in the path, its record, its stored analysis.
#pragma once
#include <optional>
#include <string>

#include "geo/roof_analysis.hpp"
#include "http/web/visit.hpp"

namespace http {

/// From the path's first parameter; 0 for a text that is no number.
std::uint64_t project_of_path(const PageVisit& visit);

/// The project, or the page that says why not. Somebody else's project gives the same page as none.
struct FoundProject {
  std::optional<actors::ProjectRecord> record;
  std::optional<Response> instead;
};
Task<FoundProject> find_project(PageVisitPtr visit);

/// The same with its result; `refusal` when there is none to be had.
struct FoundAnalysis {
  std::optional<actors::ProjectRecord> record;
  std::optional<geo::RoofAnalysis> analysis;
  std::optional<actors::Refusal> refusal;
  std::optional<Response> instead;
};
Task<FoundAnalysis> find_analysis(PageVisitPtr visit);
/// The stored result's bytes in the answer to ReadAnalysis; empty when there is none.
std::string result_in(const std::optional<actors::Answer>& answer);
/// Analysis or refusal in it.
void take_analysis(const std::optional<actors::Answer>& answer, FoundAnalysis& found);

/// "Hauptplatz 1, 8010 Graz"
std::string address_of(const actors::ProjectRecord& record);

std::string project_path(std::uint64_t project);

/// From a form's field; nothing for what no project may have. And the sentence beside the field then.
std::optional<double> typed_consumption(const PageVisit& visit);
std::string unfit_consumption();

/// Consumption and profile as the forms of templates/verbrauch_feld.html and lastprofil_feld.html have them.
void add_consumption_fields(const std::string& typed_kwh, const std::string& profile, TemplateData& data);

}  // namespace http
