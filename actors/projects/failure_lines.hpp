// The log's lines about failures in a project: the request that began it, its account and project, the code
// that the client is told, and the reason, which only the log has.
#pragma once
#include <string_view>

#include "actors/log.hpp"
#include "actors/refusal.hpp"
#include "persistence/records.hpp"

namespace actors {

/// How serious a failure is for an operator.
LogLevel level_of(Code failure);

/// A run that has ended as failed.
void tell_failed_run(Log& log, const persistence::Run& run);

struct FailedRequest {
  std::string_view request_id;
  std::uint64_t account = 0;
  std::uint64_t project = 0;  ///< 0: none yet
};
/// A request that failed through no fault of the client.
void tell_failed_request(Log& log, std::string_view event, const FailedRequest& request, Code code,
                         std::string_view reason);

}  // namespace actors
