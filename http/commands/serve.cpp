// roofd serve: assembles the program, serves until SIGTERM or SIGINT, drains and ends.
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <atomic>
#include <caf/actor_system.hpp>
#include <csignal>
#include <cstdlib>
#include <iostream>

#include "actors/workers/node.hpp"
#include "actors/workers/run_lines.hpp"
#include "actors/workers/secure_port.hpp"
#include "http/api/front.hpp"
#include "http/api/result.hpp"
#include "http/commands/certificates.hpp"
#include "http/commands/cluster_member.hpp"
#include "http/commands/commands.hpp"
#include "http/commands/computing.hpp"
#include "http/commands/configuration.hpp"
#include "http/commands/data_reload.hpp"
#include "http/commands/startup.hpp"
#include "http/operators/admin_socket.hpp"
#include "http/operators/administration.hpp"
#include "http/operators/operator_log.hpp"
#include "http/operators/operator_view.hpp"
#include "http/operators/request_log.hpp"
#include "http/operators/request_meters.hpp"
#include "http/operators/watchdog.hpp"
#include "http/web/origin_check.hpp"
#include "http/web/web_front.hpp"
#include "http/wire/server.hpp"
#include "persistence/store.hpp"

namespace http {
namespace {

constexpr auto kGrace = std::chrono::milliseconds(1500);

sigset_t signals_that_end() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

/// Blocks the signals that end the program, and the one that makes it read catalogue and certificate again,
/// in every thread, so that one thread can wait for them.
sigset_t hold_back_signals() {
  sigset_t signals = signals_that_end();
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the file size limit then fails as on a full disk
  return signals;
}

/// Waits for the program's end; meanwhile reads catalogue and certificate anew as often as it is told to.
void wait_for_end(const sigset_t& signals, DataReload& reload, Server& server, actors::Log& log) {
  for (int signal = SIGHUP; signal == SIGHUP;) {
    sigwait(&signals, &signal);
    if (signal != SIGHUP) continue;
    renew_certificate(server, log);
    reload.begin();
  }
}

/// Waits for a second signal to end, at most for `most`.
void wait_for_impatience(std::chrono::seconds most) {
  const sigset_t signals = signals_that_end();
  const timespec until{most.count(), 0};
  ::sigtimedwait(&signals, nullptr, &until);
}

actors::ServiceParts parts_of(const std::shared_ptr<const geo::LiveGeodata>& data, const ServeConfig& config,
                              const Links& links, const actors::SignInOptions& sign_in,
                              const actors::LogPtr& log) {
  const auto geocoder = geocoder_of(config, links);
  actors::Compute compute = compute_of(config, data, geocoder);
  actors::WorkersPoolActor::Facts home_facts;
  if (config.cluster.takes_workers()) {
    compute = actors::with_lines(std::move(compute), log);
    home_facts = facts_of(config, data);
  }
  return {
      .compute = std::move(compute),
      .locate =
          [data, geocoder](const std::string& address) {
            return geocoder ? geocoder->locate(address)
                            : actors::located(data->now()->addresses.find(address));
          },
      .look_up = [data, geocoder](const geo::AddressText& address) -> std::optional<actors::Located> {
        if (geocoder) return {};  // an external service must be asked
        auto match = data->now()->addresses.look_up(address);
        return match ? std::optional(actors::located(std::move(*match))) : std::nullopt;
      },
      .render = [links](const actors::ResultView& result) { return ergebnis_json(result, links); },
      .meters = std::make_shared<actors::Meters>(log),
      .sign_in = sign_in,
      .home_facts = std::move(home_facts),
      .outcome_max = std::size_t{config.cluster.message_max_mb} << 20U,
  };
}

/// The error is a sentence.
tl::expected<std::unique_ptr<actors::SecurePort>, std::string> listen_to_workers(
    const ServeConfig& config, caf::actor_system& system, const actors::WorkersPool& pool,
    const actors::MetersPtr& meters) {
  const auto tls =
      persistence::MutualTls::load(config.cluster.certificate, config.cluster.key, config.cluster.ca);
  if (!tls) return tl::make_unexpected("--cluster." + tls.error());
  auto port = actors::SecurePort::listen(
      secure_port_of(config, *host_port_of(config.cluster.workers_address)), *tls,
      [&system, pool](int descriptor) { actors::admit(system, descriptor, pool); },
      [meters](const char* why) { meters->worker_refused(why).Increment(); });
  if (!port) return tl::make_unexpected("--cluster.workers-address=" + port.error());
  return port;
}

void tell_of_reload(OperatorLog& log, const AdminResult& result) {
  log.write(result.ok ? actors::LogLevel::info : actors::LogLevel::error,
            actors::LogLine("geodata").field(result.ok ? "note" : "reason", result.text));
}

/// The API's requests and the browsers'. The API's own pages have their style and script even when there are
/// no others.
ServerHandlers handlers_of(Front& front, WebFront* web, const ClusterMember* member) {
  ServerHandlers handlers = front.handlers();
  handlers.on_request = [api = std::move(handlers.on_request), web, member](Request&& request,
                                                                            Responder responder) {
    if (member && !member->answers())
      responder.send(member->refusal(request));
    else if (auto file = page_file(request))
      responder.send(std::move(*file));
    else if (web && WebFront::concerns(request))
      web->handle(std::move(request), std::move(responder));
    else
      api(std::move(request), std::move(responder));
  };
  return handlers;
}

/// A machine that was one of a pair and is alone now.
tl::expected<void, std::string> leave_pair(const std::string& data_dir, persistence::Store& store) {
  if (store.leave_pair()) return {};
  return tl::make_unexpected(data_dir + ": the data directory cannot be written");
}

}  // namespace

int serve_command(const Arguments& arguments) {
  ServeConfig config;
  if (const auto code = config.parse_or_exit_code(arguments, "roofd.conf")) return *code;
  auto startup = try_startup(config);
  for (const std::string& fault : startup.faults) refuse(fault);
  if (!startup.geodata) return 2;
  // Before the store starts its threads: in a thread that does not block them the signals end the program at
  // once.
  const sigset_t signals = hold_back_signals();
  const auto log = std::make_shared<OperatorLog>(*log_level_of(config.log_level), STDERR_FILENO,
                                                 is_journal(STDERR_FILENO));
  tl::expected<std::unique_ptr<persistence::Store>, std::string> store;
  std::unique_ptr<ClusterMember> member;  // none: this machine is alone; it sends the store's log
  if (config.cluster.pair()) {
    auto started = ClusterMember::start(config, startup.server, log);
    if (!started) return refuse(started.error());
    member = std::move(*started);
    if (const auto code = member->stand_by(signals)) return *code;
  }
  store = persistence::Store::open(config.data_dir, member != nullptr);
  if (!store) return refuse(store.error());
  const auto owned = member ? member->lead(**store) : leave_pair(config.data_dir, **store);
  if (!owned) return refuse(owned.error());
  if (const auto fault = config.offices.begin(config.geodata, config.data_dir)) return refuse(*fault);

  const Links links = config.resolved_links();
  const auto sign_in = config.web.resolved_sign_in(links, config.data_dir);
  if (!sign_in) return refuse(sign_in.error());
  for (const std::string& note : startup.notes)
    log->write(actors::LogLevel::info, actors::LogLine("start").field("note", note));
  for (const std::string& warning : startup.warnings)
    log->write(actors::LogLevel::warning, actors::LogLine("start").field("reason", warning));
  if (const auto loss = (*store)->lost_results())
    log->write(actors::LogLevel::error, actors::LogLine("start").field("reason", *loss));
  if (config.cluster.takes_workers()) actors::prepare_node(config);
  caf::actor_system system(config);
  const auto data = std::make_shared<geo::LiveGeodata>(std::move(*startup.geodata));
  DataReload reload(
      data, [&config](std::vector<std::string>& faults) { return try_geodata(config, faults); },
      [log](const AdminResult& result) { tell_of_reload(*log, result); });
  auto parts = parts_of(data, config, links, *sign_in, log);
  if (member) parts.leads = [&member] { return member->answers(); };
  const auto service = actors::Service::start(system, **store, config.actors, parts);
  if (!service) return refuse(config.data_dir + ": " + service.error());
  RequestLog requests(*log_choice_of(config.log_requests), *log);
  RequestMeters meters(parts.meters->registry());
  const WebOptions& pages = config.web.pages;
  const PageContext context{links, config.actors, !pages.imprint_file.empty(), !pages.privacy_file.empty()};
  Front front(system, *service, context, config.front, parts.meters,
              [&](const Exchange& exchange, const Response& response) {
                meters.count(exchange, response.status);
                requests.write(exchange, response);
              });
  std::optional<WebFront> web;
  std::string web_fault;
  // On a port that is only known once it listens, pages could not tell their own forms from foreign ones.
  if (config.web.enabled() && origin_of(links.web_url)) {
    try {
      const auto site = Site::make(links, config.web.resolved_pages(config.data_dir), config.actors, log);
      web.emplace(system, *service, site, config.web.makers, std::chrono::seconds(config.front.deadline_s),
                  config.front.trusted_proxies, parts.meters);
    } catch (const std::exception& error) {
      web_fault = error.what();
    }
  }
  // The actors must be told to end, or the program would wait for them for ever. Until they have ended they
  // answer requests, so the meters and the log must still exist.
  const auto end_actors = [&] {
    front.stop();
    if (web) web->stop();
    service->stop();
    system.await_all_actors_done();
  };
  const auto give_up = [&](const std::string& sentence) {
    end_actors();
    return refuse(sentence);
  };
  if (!web_fault.empty()) return give_up(web_fault);
  auto server = Server::start(startup.server, handlers_of(front, web ? &*web : nullptr, member.get()));
  if (!server) return give_up(server.error());
  std::atomic<bool> draining{false};
  std::vector<caf::actor> prompt = service->prompt();
  for (const auto& actor : front.everyone()) prompt.push_back(actor);
  if (web)
    for (const auto& actor : web->everyone()) prompt.push_back(actor);
  std::optional<Watchdog> watchdog(std::in_place, std::move(prompt),
                                   std::vector{caf::actor_cast<caf::actor>(service->journal())});
  OperatorView view{*parts.meters, **store, **server, *log, draining, config.geodata, *watchdog};
  if (member) {
    view.cluster = [&member] { return member->figures(); };
    view.cluster_note = [&member] { return member->note(); };
  }
  auto operators = Server::start(config.admin, operator_handlers(operator_sources(view)));
  const auto give_up_watched = [&](const std::string& sentence) {
    watchdog.reset();
    return give_up(sentence);
  };
  if (!operators) return give_up_watched(operators.error());
  std::unique_ptr<actors::SecurePort> workers;
  if (config.cluster.takes_workers()) {
    auto port = listen_to_workers(config, system, service->workers(), parts.meters);
    if (!port) return give_up_watched(port.error());
    workers = std::move(*port);
  }
  auto admin = AdminSocket::listen(config.data_dir, [&](const AdminRequest& request) {
    if (member)
      if (auto result = member->administer(request)) return *result;
    if (const auto command = request.find("command");
        command == request.end() || command->second != kReloadCommand)
      return administer(system, *service, **store, request);
    AdminResult result = reload.now();
    tell_of_reload(*log, result);
    return result;
  });
  if (!admin)
    log->write(actors::LogLevel::error,
               actors::LogLine("commands beside the server are not heard").field("reason", admin.error()));
  std::cout << "roofd tells operators on http://" << config.admin.address << ":" << (*operators)->port()
            << "/metrics\n"
            << (workers ? "roofd takes workers on " + config.cluster.workers_address + "\n" : std::string())
            << (web ? "roofd shows its pages on " + links.web_url + "/\n" : std::string())
            << "roofd listens on " << links.base_url << std::endl;
  ::sd_notify(0, "READY=1");

  // A standby may lead weeks after its start. Reading the catalogue first would keep clients waiting.
  if (member) reload.begin();
  wait_for_end(signals, reload, **server, *log);
  draining = true;
  ::sd_notify(0, "STOPPING=1");
  wait_for_impatience(std::chrono::seconds(config.drain_wait_s));
  (*server)->close_listener();
  const bool drained = service->drain(system, kGrace, kGrace);
  workers.reset();
  if (admin) admin->reset();
  (*server)->finish(kGrace);
  (*server)->stop();
  (*operators)->stop();
  watchdog.reset();
  // All that was acknowledged is on disk, so the program may end at once. Otherwise a computation that hangs
  // in a foreign call would keep it alive.
  const bool idle = drained && reload.idle();
  if (idle) end_actors();
  const int code = member ? member->resign() : 0;
  if (!idle) std::_Exit(code);
  return code;
}

}  // namespace http
