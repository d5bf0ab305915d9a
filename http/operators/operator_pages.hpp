// What the service tells its operators over HTTP, on an address of its own (admin.address, admin.port):
// /metrics (Prometheus text format), /healthz (the process answers), /readyz (it can do its work). Plain
// text. No key is needed, so by default only this machine can reach the address.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "http/wire/request.hpp"
#include "http/wire/response.hpp"
#include "http/wire/server.hpp"

namespace http {

struct OperatorSources {
  /// The figures as text.
  std::function<std::string()> metrics;
  /// Nothing when the service can do its work, else one sentence that says why not.
  std::function<std::optional<std::string>()> fault;
  /// What an operator should know although the service works, such as a missing standby; empty: nothing. May
  /// be missing.
  std::function<std::string()> note = {};
};

Response operator_page(const Request& request, const OperatorSources& sources);

/// For Server::start: every request is answered at once.
ServerHandlers operator_handlers(OperatorSources sources);

}  // namespace http
