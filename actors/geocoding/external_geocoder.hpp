// A geocoding service outside, asked at its pace, remembered, and left alone while it fails. What it answers
// is held against the words of the address by the same rules as the register's houses, so that a typing error
// is never resolved silently, whatever the service makes of it.
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
  std::uint32_t pace_ms = 0;         ///< between two requests; 0: what the service's operators ask for
  std::uint32_t timeout_ms = 5'000;  ///< of one request
  std::uint32_t cached = 10'000;     ///< addresses that are remembered
  std::string contact;               ///< in the User-Agent: where the service's operators reach ours
};

/// An address text held against a set of houses.
Located located(const geo::AddressMatch& match);

/// Any number of threads may ask at once; they share pace, memory and circuit breaker.
class ExternalGeocoder {
 public:
  ExternalGeocoder(const GeocodingDialect& dialect, ExternalGeocoderOptions options);

  /// Blocks for the pace and the request. `unreachable`: no answer in time, not the service's answer, or not
  /// asked since the last ones failed; `overloaded`: the service answers 429 or 503, or said when to come
  /// back.
  Located locate(const std::string& address);

  /// What must be named in a result for an address that it found.
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
