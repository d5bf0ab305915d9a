// How CAF 0.17 reads and writes the values of messages: their fields, one after the other.
#pragma once
#include <memory>
#include <string>

#include "actors/inspect.hpp"
#include "actors/values.hpp"
#include "persistence/store.hpp"

namespace actors {

ACTORS_INSPECT(Refusal, x.code, x.text, x.advice, x.found, x.existing, x.project, x.retry_after_s)
ACTORS_INSPECT(CreateProject, x.name, x.address, x.consumption_kwh, x.load_profile, x.request_id)
ACTORS_INSPECT(SingleCall, x.project)
ACTORS_INSPECT(QueryAnalysis, x.project)
ACTORS_INSPECT(RestartAnalysis, x.project, x.consumption_kwh, x.load_profile, x.request_id)
ACTORS_INSPECT(ListProjects, x.limit, x.before, x.details, x.search)
ACTORS_INSPECT(ReadProject, x.project)
ACTORS_INSPECT(ReadAnalysis, x.project)
ACTORS_INSPECT(RenameProject, x.project, x.name)
ACTORS_INSPECT(StoreMedia, x.project)
ACTORS_INSPECT(DeleteProject, x.project)
ACTORS_INSPECT(QueryMedia, x.project, x.kind, x.surface, x.png, x.width_px)
ACTORS_INSPECT(Allowance, x.limit, x.remaining, x.reset_s)
ACTORS_INSPECT(AddressAllowances, x.hour, x.day)
ACTORS_INSPECT(SentKey, x.text, x.account)
ACTORS_INSPECT(Call, x.key, x.from, x.limit, x.command, x.address)
ACTORS_INSPECT(Ticket, x.account, x.single_project, x.limit, x.remaining, x.reset_s, x.address)
ACTORS_INSPECT(Created, x.project, x.name, x.address, x.lat_deg, x.lon_deg, x.retry_s)
ACTORS_INSPECT(Running, x.project, x.waiting, x.step, x.steps_done, x.steps_total, x.retry_s, x.ahead,
               x.keeps_inputs)
ACTORS_INSPECT(Finished, x.project, x.body)
ACTORS_INSPECT(ProjectLine, x.project, x.name, x.street, x.postcode, x.town, x.lat_deg, x.lon_deg,
               x.created_ms, x.state, x.has_result, x.kwp, x.kwh_per_year)
ACTORS_INSPECT(ProjectPage, x.projects, x.more, x.before)
ACTORS_INSPECT(ProjectRecord, x.project, x.name, x.address_sent, x.street, x.house_number, x.postcode, x.town,
               x.country, x.lon_deg, x.lat_deg, x.consumption_kwh, x.load_profile, x.created_ms, x.state,
               x.saved_ms, x.model_bytes, x.orthophoto_bytes)
ACTORS_INSPECT(StoredAnalysis, x.project, x.bytes)
ACTORS_INSPECT(MediaItem, x.kind, x.surface, x.available, x.refusal, x.size_bytes, x.attribution)
ACTORS_INSPECT(Medium, x.project, x.kind, x.surface, x.png, x.body)
ACTORS_INSPECT(RenderOrder, x.account, x.project, x.version, x.kind, x.anew, x.surface, x.png, x.width_px)
ACTORS_INSPECT(Rendered, x.ok, x.code, x.body, x.reason)
ACTORS_INSPECT(SaveProject, x.account, x.project)
ACTORS_INSPECT(SurfaceQuality, x.surface, x.tilt_error_deg, x.azimuth_error_deg, x.area_error_m2,
               x.residual_m, x.cells, x.coverage_pct)
ACTORS_INSPECT(MediaList, x.project, x.media, x.surfaces)
ACTORS_INSPECT(Answer, x.ticket, x.outcome)
ACTORS_INSPECT(RunRef, x.run, x.account, x.project)
ACTORS_INSPECT(AnalysisJob, x.run, x.lon_deg, x.lat_deg, x.consumption_kwh)
ACTORS_INSPECT(StepDone, x.run, x.step, x.done, x.total)
ACTORS_INSPECT(RunOutcome, x.run, x.finished, x.result, x.scene, x.design_kwp, x.design_kwh, x.code, x.text,
               x.reason)
ACTORS_INSPECT(Located, x.kind, x.street, x.house_number, x.postcode, x.town, x.country, x.lon_deg, x.lat_deg,
               x.candidates, x.reason)
ACTORS_INSPECT(AddAccount, x.email, x.plan)
ACTORS_INSPECT(AddKey, x.account, x.name, x.beside)
ACTORS_INSPECT(QuarantineResult, x.account, x.project)
ACTORS_INSPECT(GiveUpLost, x.account, x.project)
ACTORS_INSPECT(RevokeKey, x.account, x.key_id)
ACTORS_INSPECT(DiscardAside, x.account, x.project)
ACTORS_INSPECT(EraseProjects, x.account)
ACTORS_INSPECT(AdminReply, x.ok, x.text, x.outdated)

template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, Visit&) {
  return f(caf::meta::type_name("Visit"));
}
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, Welcome&) {
  return f(caf::meta::type_name("Welcome"));
}
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, Done&) {
  return f(caf::meta::type_name("Done"));
}

template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, SharedText& x) {
  // When reading, the text goes into a fresh string that nobody else holds yet, so the const_cast is safe.
  if constexpr (!Inspector::reads_state) x.text = std::make_shared<const std::string>();
  return f(caf::meta::type_name("SharedText"), const_cast<std::string&>(*x.text), x.tag);
}

}  // namespace actors

namespace persistence {
ACTORS_INSPECT(Write, x.table, x.key, x.value, x.erase)
}
