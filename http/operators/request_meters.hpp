// Figures of the requests: how many by endpoint and status, and how long they took. An endpoint is a path of
// the table of routes with its {placeholders}, so that clients cannot add time series.
#pragma once
#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <array>
#include <atomic>
#include <map>

#include "http/api/routes.hpp"
#include "http/wire/response.hpp"
#include "http/wire/server.hpp"

namespace http {

/// Thread-safe; counting is two atomic additions and one short lock.
class RequestMeters {
 public:
  explicit RequestMeters(prometheus::Registry& registry);
  /// Counts the answer and the time from the request's last byte to it, without the time for sending.
  void count(const Exchange& exchange, int status);

 private:
  static constexpr std::size_t kStatuses = 600;
  struct Endpoint {
    std::string route, method;
    prometheus::Histogram* seconds = nullptr;
    // Made when a status first occurs: most statuses never do.
    std::array<std::atomic<prometheus::Counter*>, kStatuses> by_status{};
  };
  prometheus::Counter& counter(Endpoint& endpoint, int status);

  prometheus::Family<prometheus::Counter>& requests_;
  std::map<const Route*, Endpoint> endpoints_;  // null: unknown paths and methods
};

}  // namespace http
