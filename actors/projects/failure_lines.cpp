#include "actors/projects/failure_lines.hpp"

namespace actors {

LogLevel level_of(Code failure) {
  switch (failure) {
    case Code::kein_dach:
      return LogLevel::info;  // an answer like any other
    case Code::analyse_abgebrochen:
    case Code::dienst_nicht_erreichbar:
    case Code::dienst_ueberlastet:
      return LogLevel::warning;
    default:
      return LogLevel::error;
  }
}

void tell_failed_run(Log& log, const persistence::Run& run) {
  LogLine line("run failed");
  line.field("id", run.request_id).field("account", run.account).field("project", run.project);
  line.field("run", run.id).field("code", run.failure_code).field("after", run.step);
  log.write(level_of(code_of(run.failure_code)), line.field("reason", run.failure_reason));
}

void tell_failed_request(Log& log, std::string_view event, const FailedRequest& request, Code code,
                         std::string_view reason) {
  LogLine line(event);
  line.field("id", request.request_id).field("account", request.account);
  if (request.project != 0) line.field("project", request.project);
  log.write(level_of(code), line.field("code", name_of(code)).field("reason", reason));
}

}  // namespace actors
