// roofd worker: computes runs for a home, until SIGTERM or SIGINT.
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "actors/runs/analysts.hpp"
#include "actors/runs/thread_priority.hpp"
#include "actors/watch.hpp"
#include "actors/workers/home_finder.hpp"
#include "actors/workers/node.hpp"
#include "actors/workers/run_lines.hpp"
#include "actors/workers/worker.hpp"
#include "http/commands/commands.hpp"
#include "http/commands/computing.hpp"
#include "http/commands/configuration.hpp"
#include "http/commands/fresh_geodata.hpp"
#include "http/commands/startup.hpp"
#include "http/operators/operator_log.hpp"
#include "http/operators/watchdog.hpp"

namespace http {
namespace {

using namespace std::chrono_literals;

constexpr auto kToFinish = 5s;  // at the end: runs that finish by themselves
constexpr auto kToStop = 2s;    // and those that are given back
constexpr auto kLook = 20ms;

/// All of roofd.conf, so that home and workers may share the file, and where the home is.
class WorkerConfig : public ServeConfig {
 public:
  WorkerConfig() {
    opt_group{custom_options_, "global"}.add(
        home, "home", "HOST:PORT of the service that it computes for; several, by commas, are tried in turn");
    cluster.of_worker = true;
  }
  std::string home;

  /// The error is a sentence.
  tl::expected<std::vector<HostPort>, std::string> homes() const {
    std::vector<std::string> texts;
    boost::split(texts, home, boost::is_any_of(","));
    std::vector<HostPort> places;
    for (std::string& text : texts) {
      boost::trim(text);
      const auto place = host_port_of(text);
      if (!place) return tl::make_unexpected("--home=" + home + " is not HOST:PORT[,HOST:PORT]");
      places.push_back(*place);
    }
    return places;
  }
};

/// Sees to it from a thread of its own that nothing computes beyond the lease, whatever the actors do: tells
/// the analysts to stop, and ends the program when they do not. The home gives the runs to others then.
/// It ends the program also for a run that does not stop although the home is there, which would hold the
/// home's slot for ever: first the worker leaves, and its other runs have their time to end.
class LeaseGuard {
 public:
  LeaseGuard(actors::LeasePtr lease, actors::Analysts analysts, actors::WorkerProcess worker)
      : thread_([lease = std::move(lease), analysts = std::move(analysts), worker = std::move(worker), this] {
          watch(*lease, analysts, worker);
        }) {}
  ~LeaseGuard() {
    over_ = true;
    thread_.join();
  }
  LeaseGuard(const LeaseGuard&) = delete;
  LeaseGuard& operator=(const LeaseGuard&) = delete;

 private:
  static constexpr auto kPatience = actors::kStopping - 200ms;
  /// A process that was stopped notices late, and its threads still need their time to end.
  static constexpr auto kLeast = 300ms;
  void watch(const actors::Lease& lease, const actors::Analysts& analysts,
             const actors::WorkerProcess& worker) const {
    std::chrono::milliseconds noticed = 0ms;
    bool leaves = false;                // because of a run that does not stop; it does not come back
    std::chrono::milliseconds busy{0};  // when another run than such a one was last computing
    for (; !over_; std::this_thread::sleep_for(kLook)) {
      if (lease.stuck > 0 && !std::exchange(leaves, true)) caf::anon_send(worker, actors::leave_atom::value);
      if (!leaves || lease.computing > lease.stuck) busy = std::chrono::milliseconds(actors::waking_ms());
      if (std::chrono::milliseconds(actors::waking_ms()) - busy > kToFinish)
        actors::end_with(
            "a run does not stop, as when a read of the data hangs; the program ends, so that the home gets "
            "its slot back and the worker is started anew");
      const std::chrono::milliseconds now(actors::waking_ms()),
          beyond = now - std::chrono::milliseconds(lease.until_ms);
      if (beyond <= 0ms || lease.computing == 0) {
        noticed = 0ms;
        continue;
      }
      if (noticed == 0ms) noticed = now;
      caf::anon_send(analysts, actors::cancel_atom::value);
      if (beyond < kPatience || now - noticed < kLeast) continue;
      actors::end_with(
          "the home has not answered, and a run does not stop; the program ends, because the home "
          "has another one compute it");
    }
  }
  std::atomic<bool> over_{false};
  std::thread thread_;
};

sigset_t hold_back_end() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGHUP,
              SIG_IGN);  // a service reads its data anew at it; a worker is restarted, and not ended by it
  return signals;
}

/// Waits until the home has heard of the end of every run, and that the worker leaves. False when it has not
/// in time, or when another signal to end has come.
bool wait_for_runs(caf::actor_system& system, const actors::WorkerProcess& worker, const sigset_t& signals,
                   std::chrono::milliseconds most) {
  caf::scoped_actor self(system);
  const auto end = std::chrono::steady_clock::now() + most;
  while (true) {
    std::uint64_t left = 0;
    self->request(worker, caf::infinite, actors::drain_atom::value)
        .receive([&](std::uint64_t n) { left = n; }, [](const caf::error&) {});
    if (left == 0) return true;
    if (std::chrono::steady_clock::now() > end) return false;
    const timespec look{0, std::chrono::nanoseconds(kLook).count()};
    if (::sigtimedwait(&signals, nullptr, &look) > 0) return false;
  }
}

}  // namespace

int worker_command(const Arguments& arguments) {
  WorkerConfig config;
  if (const auto code = config.parse_or_exit_code(arguments, "roofd.conf")) return *code;
  config.cluster.of_worker = true;
  if (config.home.empty()) return refuse("--home is missing: HOST:PORT of the service that it computes for");
  const auto homes = config.homes();
  if (!homes) return refuse(homes.error());
  if (const auto fault = config.cluster.fault()) return refuse(*fault);
  const auto tls =
      persistence::MutualTls::load(config.cluster.certificate, config.cluster.key, config.cluster.ca);
  if (!tls) return refuse("--cluster." + tls.error());
  if (!log_level_of(config.log_level)) return refuse("--log.level is info, warning, error or off");
  std::vector<std::string> faults;
  auto geodata = try_geodata(config, faults);
  for (const std::string& fault : faults) refuse(fault);
  if (!geodata) return 2;
  const sigset_t signals = hold_back_end();
  if (const auto fault = config.offices.begin(config.geodata, config.data_dir)) return refuse(*fault);

  const auto log = std::make_shared<OperatorLog>(*log_level_of(config.log_level), STDERR_FILENO,
                                                 is_journal(STDERR_FILENO));
  const auto meters = std::make_shared<actors::Meters>(log);
  FreshGeodata data(
      std::move(*geodata), [&config](std::vector<std::string>& told) { return try_geodata(config, told); },
      log);
  const auto lease = std::make_shared<actors::Lease>();
  actors::prepare_node(config);
  caf::actor_system system(config);

  const auto compute = actors::with_lines(
      compute_of(config, data.live(), geocoder_of(config, config.resolved_links())), log, lease);
  const auto analysts = system.spawn<actors::AnalystsActor>(
      [&system, compute, meters] {
        return system.spawn<actors::AnalystActor, caf::detached>(
            compute, [] { actors::step_behind_others(actors::kComputing); }, meters);
      },
      meters, [lease](std::size_t runs) { lease->stuck = static_cast<int>(runs); });
  std::vector<actors::SecurePortOptions> places;
  for (const HostPort& home : *homes) places.push_back(secure_port_of(config, home));
  const auto finder = system.spawn<actors::HomeFinderActor, caf::detached>(std::move(places), *tls, meters);
  const auto facts = facts_of(config, data.live());
  const auto worker = system.spawn<actors::WorkerActor>(
      actors::WorkerParts{.analysts = analysts,
                          .finder = finder,
                          .facts = [&data, facts]() -> std::optional<actors::WorkerFacts> {
                            return data.refresh() ? std::optional(facts()) : std::nullopt;
                          },
                          .data_as_read = [&data] { return data.as_read(); },
                          .lease = lease,
                          .message_max = std::size_t{config.cluster.message_max_mb} << 20U},
      meters);
  actors::watch(analysts, actors::end_program);
  actors::watch(finder, actors::end_program);
  actors::watch(worker, actors::end_program);
  std::optional<LeaseGuard> guard(std::in_place, lease, analysts, worker);
  std::optional<Watchdog> watchdog(
      std::in_place, std::vector{caf::actor_cast<caf::actor>(worker), caf::actor_cast<caf::actor>(analysts)},
      std::vector<caf::actor>());
  std::cout << "roofd computes for " << config.home << " with " << config.cluster.resolved_threads()
            << " threads" << std::endl;
  ::sd_notify(0, "READY=1");

  int signal = 0;
  sigwait(&signals, &signal);
  ::sd_notify(0, "STOPPING=1");
  caf::anon_send(worker, actors::leave_atom::value);
  const bool finished = wait_for_runs(system, worker, signals, kToFinish);
  if (!finished) caf::anon_send(worker, actors::cancel_atom::value);
  const bool all = finished || wait_for_runs(system, worker, signals, kToStop);
  log->write(actors::LogLevel::info,
             actors::LogLine("worker ends")
                 .field("note", finished ? "every run is finished"
                                : all    ? "what was not finished was given back"
                                         : "a run does not stop; the home gives it to another worker"));
  guard.reset();
  watchdog.reset();
  for (const auto& actor : {caf::actor_cast<caf::actor>(worker), caf::actor_cast<caf::actor>(finder),
                            caf::actor_cast<caf::actor>(analysts)})
    caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  if (!all) std::_Exit(0);
  system.await_all_actors_done();
  return 0;
}

}  // namespace http
