// The figures of the requests: how many by endpoint and status, and how long they took. An endpoint is the
// path of the table of routes with its {placeholders}, so that the number of time series is bounded whatever
// clients send.
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
  /// Time from a request's last byte to its answer, without sending it.
  void count(const Exchange& exchange, int status);

 private:
  static constexpr std::size_t kStatuses = 600;
  struct Endpoint {
    std::string route, method;
    prometheus::Histogram* seconds = nullptr;
    // Made when a status first occurs: most never do.
    std::array<std::atomic<prometheus::Counter*>, kStatuses> by_status{};
  };
  prometheus::Counter& counter(Endpoint& endpoint, int status);

  prometheus::Family<prometheus::Counter>& requests_;
  std::map<const Route*, Endpoint> endpoints_;  // null: paths and methods that there are not
};

}  // namespace http
