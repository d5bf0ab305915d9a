// An external geocoding service: asked at its pace, cached, and left alone while it fails. Its answers are
// compared with the words of the address by the same rules as the register's houses, so that a typing error
// is never resolved silently.
#pragma once
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "actors/geocoding/circuit_breaker.hpp"
#include "actors/geocoding/dialect.hpp"
#include "actors/geocoding/http_get.hpp"
#include "actors/recent_cache.hpp"
#include "actors/values.hpp"
#include "geo/roof_analysis.hpp"

namespace actors {

struct ExternalGeocoderOptions {
  std::string url;                   ///< empty: the public service
  std::uint32_t pace_ms = 0;         ///< between two requests; 0: the service's own pace
  std::uint32_t timeout_ms = 5'000;  ///< of one request
  std::uint32_t cached = 10'000;     ///< addresses in the cache
  std::string contact;               ///< for the User-Agent: how the service's operators reach ours
};

/// The result of comparing an address text with a set of houses.
Located located(geo::AddressMatch match);

/// Thread-safe: all threads share pace, cache and circuit breaker.
class ExternalGeocoder {
 public:
  ExternalGeocoder(const GeocodingDialect& dialect, ExternalGeocoderOptions options);

  /// Blocks for the pace and the request. `unreachable`: no answer in time, an answer in another format, or
  /// not asked because the last requests failed; `overloaded`: the service answers 429 or 503, or has said
  /// when to come back and that time is not over.
  Located locate(const std::string& address);

  /// What a result must name when this service found its address.
  geo::Source source() const;

 private:
  using Steady = std::chrono::steady_clock;
  struct Remembered {
    Located place;
    Steady::time_point until;
  };
  std::optional<Located> remembered(const std::string& key);
  Located remember(const std::string& key, Located place);
  std::optional<Located> not_now();
  void await_turn();
  std::optional<Houses> ask(const std::string& address, Located& fault);

  const GeocodingDialect& dialect_;
  ExternalGeocoderOptions options_;
  std::mutex mutex_;  // guards what follows
  RecentCache<std::string, Remembered> cache_;
  CircuitBreaker breaker_;
  Steady::time_point next_turn_{};
  Steady::time_point busy_until_{};
};

}  // namespace actors
