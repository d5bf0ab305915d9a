#include "geo/fetch/network.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "geo/fetch/exchange.hpp"
#include "geo/fetch/host_pace.hpp"
#include "geo/fetch/url.hpp"

namespace geo {
namespace {

std::atomic<bool> g_offline{false};
constexpr std::chrono::milliseconds kCancellationLook{100};

using Clock = HostPace::Clock;

tl::unexpected<FetchFailure> refused(FailureKind kind, std::string text) {
  return tl::make_unexpected(fetch_failure(kind, std::move(text)));
}

}  // namespace

void go_offline(bool offline) { g_offline = offline; }
bool is_offline() { return g_offline; }

std::string validator_of(const std::string& etag, const std::string& last_modified) {
  return !etag.empty() && !etag.starts_with("W/") ? etag : last_modified;
}

std::string HttpAnswer::validator() const { return validator_of(etag, last_modified); }

/// All servers' turns, and the connections that are kept to them.
class Network::Hosts {
 public:
  explicit Hosts(const NetworkOptions& options) : options_(options) {}

  struct Host {
    const HostRules& rules;
    HostPace pace;
    std::vector<std::unique_ptr<Exchange>> idle{};
  };
  /// A place at a server, and a connection.
  struct Lease {
    Host* host = nullptr;
    std::unique_ptr<Exchange> exchange;
  };

  const HostRules& rules_of(const std::string& host) const {
    const auto own = options_.hosts.find(host);
    return own != options_.hosts.end() ? own->second : options_.rules;
  }

  FetchResult<Lease> enter(const Url& url, const HttpAsk& ask, const RunControl& control) {
    const auto deadline = Clock::now() + ask.patience;
    std::unique_lock lock(mutex_);
    Host& host = host_of(url);
    for (;;) {
      if (control.cancelled()) return refused(FailureKind::cancelled, url.shown + ": the fetch was stopped");
      const auto now = Clock::now();
      auto again = Clock::time_point::max();
      if (under_way_ < options_.connections) {
        const HostPace::Turn turn = host.pace.enter(now);
        if (turn.granted) break;
        again = turn.again;
      }
      if (const auto& reason = host.pace.reason(now);
          reason && again > std::min(deadline, now + ask.longest_pause))
        return tl::make_unexpected(paused(url, *reason, again - now));
      if (now >= deadline)
        return refused(FailureKind::data_overloaded,
                       url.shown + " had no turn in time: too many others are fetched from its server");
      changed_.wait_until(lock, std::min({again, deadline, now + kCancellationLook}));
    }
    ++under_way_;
    Lease lease{&host, nullptr};
    if (host.idle.empty()) {
      lease.exchange = std::make_unique<Exchange>(options_, host.rules);
    } else {
      lease.exchange = std::move(host.idle.back());
      host.idle.pop_back();
    }
    return lease;
  }

  void leave(Lease lease, const FetchResult<HttpAnswer>& result) {
    {
      const std::lock_guard lock(mutex_);
      HostPace& pace = lease.host->pace;
      --under_way_;
      if (result || !result.error().passes) {
        const bool cancelled = !result && result.error().kind == FailureKind::cancelled;
        cancelled ? pace.left() : pace.answered();
      } else {
        pace.failed(result.error(), Clock::now());
      }
      lease.host->idle.push_back(std::move(lease.exchange));
    }
    changed_.notify_all();
  }

 private:
  Host& host_of(const Url& url) {
    const auto known = hosts_.find(url.place);
    if (known != hosts_.end()) return known->second;
    const HostRules& rules = rules_of(url.host);
    return hosts_
        .emplace(url.place, Host{rules, HostPace(rules.connections, rules.requests_per_s, rules.burst,
                                                 options_.dead_for)})
        .first->second;
  }

  static FetchFailure paused(const Url& url, FetchFailure reason, Clock::duration rest) {
    const auto rest_s = std::chrono::ceil<std::chrono::seconds>(rest);
    reason.text = url.shown + " is not asked for another " + std::to_string(rest_s.count()) + " s, because " +
                  reason.text;
    reason.retry_after = rest_s;
    return reason;
  }

  const NetworkOptions& options_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  int under_way_ = 0;
  std::map<std::string, Host> hosts_;  // by Url::place
};

Network::Network(NetworkOptions options)
    : options_(std::move(options)), hosts_(std::make_unique<Hosts>(options_)) {}

Network::~Network() = default;

const HostRules& Network::rules_for(const std::string& url) const {
  const auto parsed = parse_url(url);
  return hosts_->rules_of(parsed ? parsed->host : std::string());
}

FetchResult<HttpAnswer> Network::get(const HttpAsk& ask, const TakeBytes& take, const RunControl& control) {
  const auto url = parse_url(ask.url);
  if (!url) return refused(FailureKind::invalid_input, shown_url(ask.url) + " is no http or https URL");
  if (is_offline())
    return refused(FailureKind::data_unreachable,
                   url->shown + " is not on this machine, and with --offline nothing is fetched");
  auto lease = hosts_->enter(*url, ask, control);
  if (!lease) return tl::make_unexpected(lease.error());
  auto result = lease->exchange->get(ask, *url, take, control);
  hosts_->leave(*std::move(lease), result);
  return result;
}

}  // namespace geo
