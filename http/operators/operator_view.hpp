// The data behind /metrics and /readyz of a running service: figures of the actors, the requests, the store,
// the server and the process.
#pragma once
#include <atomic>
#include <string>

#include "actors/meters.hpp"
#include "http/operators/operator_log.hpp"
#include "http/operators/operator_pages.hpp"
#include "http/operators/watchdog.hpp"
#include "http/wire/server.hpp"
#include "persistence/store.hpp"

namespace http {

/// All of them outlive the operators' server.
struct OperatorView {
  actors::Meters& meters;
  const persistence::Store& store;
  const Server& server;
  const OperatorLog& log;
  const std::atomic<bool>& draining;
  std::string geodata;  ///< the catalogue's path
  const Watchdog& watchdog;
};

/// Prometheus text format 0.0.4.
std::string metrics_text(const OperatorView& view);

OperatorSources operator_sources(const OperatorView& view);

}  // namespace http
