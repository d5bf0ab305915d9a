// The data behind /metrics and /readyz of a running service: figures of the actors, the requests, the store,
// the server and the process.
#pragma once
#include <atomic>
#include <string>

#include <functional>
#include <vector>

#include "actors/meters.hpp"
#include "http/operators/cluster_figures.hpp"
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
  // Of a member of a pair; empty: there is none.
  std::function<std::vector<ClusterFigure>()> cluster = {};
  std::function<std::string()> cluster_note = {};
};

/// Prometheus text format 0.0.4.
std::string metrics_text(const OperatorView& view);

OperatorSources operator_sources(const OperatorView& view);

}  // namespace http
