#include "actors/geocoding/external_geocoder.hpp"

#include <thread>

#include "geo/addresses/pieces.hpp"
#include "geo/data/catalogue.hpp"

namespace actors {
namespace {

constexpr int kFailuresMax = 5;
constexpr auto kPause = std::chrono::seconds(30);
constexpr auto kBusyPause = std::chrono::seconds(30);  // when the service does not say how long
constexpr auto kBusyPauseMax = std::chrono::seconds(600);
constexpr auto kKept = std::chrono::hours(24);
constexpr auto kConnectTimeout = std::chrono::milliseconds(2'000);

Located unreachable(std::string reason) {
  return {.kind = Located::Kind::unreachable, .reason = std::move(reason)};
}
Located overloaded(std::string reason) {
  return {.kind = Located::Kind::overloaded, .reason = std::move(reason)};
}

}  // namespace

Located located(geo::AddressMatch match) {
  using Kind = Located::Kind;
  Located result;
  result.candidates = std::move(match.candidates);
  if (match.kind == geo::AddressMatch::Kind::ambiguous) result.kind = Kind::ambiguous;
  if (match.kind != geo::AddressMatch::Kind::house) return result;
  geo::House& h = match.house;
  return {Kind::house,
          std::move(h.street),
          std::move(h.number),
          std::move(h.postcode),
          std::move(h.town),
          std::move(h.country),
          h.place.lon_deg,
          h.place.lat_deg,
          {},
          {}};
}

ExternalGeocoder::ExternalGeocoder(const GeocodingDialect& dialect, ExternalGeocoderOptions options)
    : dialect_(dialect),
      options_(std::move(options)),
      cache_(options_.cached),
      breaker_(kFailuresMax, kPause) {
  if (options_.url.empty()) options_.url = dialect.url;
}

Located ExternalGeocoder::locate(const std::string& address) {
  const std::string key = geo::normal_address_text(address);
  if (auto place = remembered(key)) return *place;
  if (auto refusal = not_now()) return *refusal;
  await_turn();
  Located fault;
  auto houses = ask(address, fault);
  if (!houses) return fault;
  return remember(key, located(geo::AddressRegister(*houses).find(address)));
}

geo::Source ExternalGeocoder::source() const {
  return {name_of(geo::DataKind::addresses),
          dialect_.title,
          dialect_.provider,
          dialect_.licence,
          dialect_.attribution,
          dialect_.licence_url,
          {},
          {}};
}

std::optional<Located> ExternalGeocoder::remembered(const std::string& key) {
  const std::lock_guard guard(mutex_);
  const Remembered* known = cache_.find(key);
  if (!known || Steady::now() > known->until) return {};
  return known->place;
}

Located ExternalGeocoder::remember(const std::string& key, Located place) {
  const std::lock_guard guard(mutex_);
  return cache_.put(key, {std::move(place), Steady::now() + kKept}).place;
}

/// Why the service is not asked at the moment; nothing when it can be asked.
std::optional<Located> ExternalGeocoder::not_now() {
  const std::lock_guard guard(mutex_);
  const auto now = Steady::now();
  if (now < busy_until_) return overloaded("not asked until it has had the pause that it wants");
  if (!breaker_.allows(now)) return unreachable("not asked for a while: the last requests failed");
  return {};
}

void ExternalGeocoder::await_turn() {
  Steady::time_point turn;
  {
    const std::lock_guard guard(mutex_);
    const auto pace = options_.pace_ms > 0 ? std::chrono::milliseconds(options_.pace_ms) : dialect_.pace;
    turn = std::max(next_turn_, Steady::now());
    next_turn_ = turn + pace;
  }
  std::this_thread::sleep_until(turn);
}

/// Nothing when there was no usable answer; `fault` then says why.
std::optional<Houses> ExternalGeocoder::ask(const std::string& address, Located& fault) {
  const HttpGetOptions options{kConnectTimeout, std::chrono::milliseconds(options_.timeout_ms),
                               "roofd (" + options_.contact + ")"};
  const auto reply = http_get(dialect_.request(options_.url, address), options);
  const bool busy = reply && (reply->status == 429 || reply->status == 503);
  auto houses = reply && reply->status == 200 ? dialect_.houses(reply->body) : std::nullopt;

  const std::lock_guard guard(mutex_);
  const auto now = Steady::now();
  if (houses) {
    breaker_.succeeded();
  } else if (busy) {
    breaker_.succeeded();  // a refusal, but the service answers
    const auto pause = reply->retry_after.count() > 0 ? reply->retry_after : kBusyPause;
    busy_until_ = now + std::min<std::chrono::seconds>(pause, kBusyPauseMax);
    fault = overloaded("it answers " + std::to_string(reply->status));
  } else {
    breaker_.failed(now);
    fault = unreachable(!reply                 ? reply.error()
                        : reply->status == 200 ? std::string("it answers what it should not")
                                               : "it answers " + std::to_string(reply->status));
  }
  return houses;
}

}  // namespace actors
