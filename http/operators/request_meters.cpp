#include "http/operators/request_meters.hpp"

#include <algorithm>
#include <chrono>

#include "http/web/pages/page_routes.hpp"

namespace http {
namespace {

const prometheus::Histogram::BucketBoundaries kLatency_s{0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03,
                                                         0.1,    0.3,    1,     3,     10,   30};

}  // namespace

RequestMeters::RequestMeters(prometheus::Registry& registry)
    : requests_(prometheus::BuildCounter()
                    .Name("roof_http_requests_total")
                    .Help("Answered requests by endpoint and status")
                    .Register(registry)) {
  auto& seconds = prometheus::BuildHistogram()
                      .Name("roof_http_request_seconds")
                      .Help("Time from a request's last byte to its answer")
                      .Register(registry);
  const auto add = [&](const Route* route, std::string path, std::string method) {
    Endpoint& endpoint = endpoints_[route];
    endpoint.seconds = &seconds.Add({{"route", path}, {"method", method}}, kLatency_s);
    endpoint.route = std::move(path);
    endpoint.method = std::move(method);
  };
  add(nullptr, "-", "-");
  for (const Route& route : route_table()) add(&route, std::string(route.path), std::string(route.method));
  for (const PageRoute& page : page_table())
    add(&page.named, std::string(page.named.path), std::string(page.named.method));
}

prometheus::Counter& RequestMeters::counter(Endpoint& endpoint, int status) {
  auto& slot = endpoint.by_status[static_cast<std::size_t>(std::clamp(status, 0, int{kStatuses} - 1))];
  prometheus::Counter* known = slot.load(std::memory_order_acquire);
  if (!known) {  // two threads may both come here: the family gives both the same counter
    known = &requests_.Add(
        {{"route", endpoint.route}, {"method", endpoint.method}, {"status", std::to_string(status)}});
    slot.store(known, std::memory_order_release);
  }
  return *known;
}

void RequestMeters::count(const Exchange& exchange, int status) {
  const auto it = endpoints_.find(exchange.route);
  if (it == endpoints_.end()) return;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - exchange.began;
  it->second.seconds->Observe(took.count());
  counter(it->second, status).Increment();
}

}  // namespace http
