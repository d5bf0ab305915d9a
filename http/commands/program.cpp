#include "http/commands/program.hpp"

#include <systemd/sd-daemon.h>

#include <cstdlib>
#include <iostream>
#include <utility>

#include "actors/workers/node.hpp"
#include "actors/workers/run_lines.hpp"
#include "http/api/result.hpp"
#include "http/commands/certificates.hpp"
#include "http/commands/computing.hpp"
#include "http/commands/startup.hpp"
#include "http/operators/administration.hpp"
#include "http/web/origin_check.hpp"

namespace http {
namespace {

constexpr auto kGrace = std::chrono::milliseconds(1500);

/// Waits for a second signal to end, at most for `most`.
void wait_for_impatience(std::chrono::seconds most) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  const timespec until{most.count(), 0};
  ::sigtimedwait(&signals, nullptr, &until);
}

/// With the options that the actor system reads when it is made.
ServeConfig& with_node(ServeConfig& config) {
  if (config.cluster.takes_workers()) actors::prepare_node(config);
  return config;
}

actors::ServiceParts parts_of(const std::shared_ptr<const geo::LiveGeodata>& data, const ServeConfig& config,
                              const Links& links, const actors::MetersPtr& meters,
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
      .meters = meters,
      .home_facts = std::move(home_facts),
      .outcome_max = std::size_t{config.cluster.message_max_mb} << 20U,
  };
}

void tell_of_reload(OperatorLog& log, const AdminResult& result) {
  log.write(result.ok ? actors::LogLevel::info : actors::LogLevel::error,
            actors::LogLine("geodata").field(result.ok ? "note" : "reason", result.text));
}

}  // namespace

Program::Program(const ProgramGround& ground, geo::Geodata geodata, const actors::SignInOptions& sign_in)
    : ground_(ground),
      config_(ground.config),
      sign_in_(sign_in),
      links_(config_.resolved_links()),
      system_(with_node(ground.config)),
      data_(std::make_shared<geo::LiveGeodata>(std::move(geodata))),
      reload_(
          data_, [this](std::vector<std::string>& faults) { return try_geodata(config_, faults); },
          [log = ground.log](const AdminResult& result) { tell_of_reload(*log, result); }),
      meters_(std::make_shared<actors::Meters>(ground.log)),
      request_log_(*log_choice_of(config_.log_requests), *ground.log),
      request_meters_(meters_->registry()) {}

Program::~Program() {
  watchdog_.reset();
  end_actors();
}

std::optional<std::string> Program::start() {
  if (auto fault = start_service()) return fault;
  make_front();
  for (const auto step :
       {&Program::make_web, &Program::listen, &Program::listen_to_operators, &Program::listen_to_workers})
    if (auto fault = (this->*step)()) return fault;
  listen_to_commands();
  tell_where();
  return {};
}

Program::Fault Program::start_service() {
  auto parts = parts_of(data_, config_, links_, meters_, ground_.log);
  parts.sign_in = sign_in_;
  if (ground_.member) parts.leads = [member = ground_.member] { return member->answers(); };
  auto started = actors::Service::start(system_, ground_.store, config_.actors, parts);
  if (!started) return config_.data_dir + ": " + started.error();
  service_.emplace(std::move(*started));
  return {};
}

void Program::make_front() {
  const WebOptions& pages = config_.web.pages;
  const PageContext context{links_, config_.actors, !pages.imprint_file.empty(), !pages.privacy_file.empty()};
  front_.emplace(system_, *service_, context, config_.front, meters_,
                 [this](const Exchange& exchange, const Response& response) {
                   request_meters_.count(exchange, response.status);
                   request_log_.write(exchange, response);
                 });
}

/// On a port that is only known once it listens, pages could not tell their own forms from foreign ones: then
/// there are none.
Program::Fault Program::make_web() {
  if (!config_.web.enabled() || !origin_of(links_.web_url)) return {};
  try {
    const auto site =
        Site::make(links_, config_.web.resolved_pages(config_.data_dir), config_.actors, ground_.log);
    web_.emplace(system_, *service_, site, config_.web.makers, std::chrono::seconds(config_.front.deadline_s),
                 config_.front.trusted_proxies, meters_);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

/// The API's requests and the browsers'. The API's own pages have their style and script even when there are
/// no others.
ServerHandlers Program::handlers() {
  ServerHandlers handlers = front_->handlers();
  handlers.on_request = [this, api = std::move(handlers.on_request)](Request&& request, Responder responder) {
    if (ground_.member && !ground_.member->answers())
      responder.send(ground_.member->refusal(request));
    else if (auto file = page_file(request))
      responder.send(std::move(*file));
    else if (web_ && WebFront::concerns(request))
      web_->handle(std::move(request), std::move(responder));
    else
      api(std::move(request), std::move(responder));
  };
  return handlers;
}

Program::Fault Program::listen() {
  auto server = Server::start(ground_.server, handlers());
  if (!server) return server.error();
  server_ = std::move(*server);
  watch();
  return {};
}

void Program::watch() {
  std::vector<caf::actor> prompt = service_->prompt();
  for (const auto& actor : front_->everyone()) prompt.push_back(actor);
  if (web_)
    for (const auto& actor : web_->everyone()) prompt.push_back(actor);
  watchdog_.emplace(std::move(prompt), std::vector{caf::actor_cast<caf::actor>(service_->journal())});
}

Program::Fault Program::listen_to_operators() {
  OperatorView view{*meters_, ground_.store, *server_, *ground_.log, draining_, config_.geodata, *watchdog_};
  if (ClusterMember* const member = ground_.member) {
    view.cluster = [member] { return member->figures(); };
    view.cluster_note = [member] { return member->note(); };
  }
  auto operators = Server::start(config_.admin, operator_handlers(operator_sources(view)));
  if (!operators) return operators.error();
  operators_ = std::move(*operators);
  return {};
}

Program::Fault Program::listen_to_workers() {
  const ClusterConfig& cluster = config_.cluster;
  if (!cluster.takes_workers()) return {};
  const auto tls = persistence::MutualTls::load(cluster.certificate, cluster.key, cluster.ca);
  if (!tls) return "--cluster." + tls.error();
  auto port = actors::SecurePort::listen(
      secure_port_of(config_, *host_port_of(cluster.workers_address)), *tls,
      [this](int descriptor) { actors::admit(system_, descriptor, service_->workers()); },
      [this](const char* why) { meters_->worker_refused(why).Increment(); });
  if (!port) return "--cluster.workers-address=" + port.error();
  workers_ = std::move(*port);
  return {};
}

/// Without them the service still serves.
void Program::listen_to_commands() {
  auto listening = AdminSocket::listen(config_.data_dir,
                                       [this](const AdminRequest& request) { return administered(request); });
  if (listening)
    commands_ = std::move(*listening);
  else
    ground_.log->write(
        actors::LogLevel::error,
        actors::LogLine("commands beside the server are not heard").field("reason", listening.error()));
}

AdminResult Program::administered(const AdminRequest& request) {
  if (ground_.member)
    if (auto result = ground_.member->administer(request)) return *result;
  const auto command = request.find("command");
  if (command == request.end() || command->second != kReloadCommand)
    return administer(system_, *service_, ground_.store, request);
  AdminResult result = reload_.now();
  tell_of_reload(*ground_.log, result);
  return result;
}

void Program::tell_where() const {
  std::cout << "roofd tells operators on http://" << config_.admin.address << ":" << operators_->port()
            << "/metrics\n";
  if (workers_) std::cout << "roofd takes workers on " << config_.cluster.workers_address << "\n";
  if (web_) std::cout << "roofd shows its pages on " << links_.web_url << "/\n";
  std::cout << "roofd listens on " << links_.base_url << std::endl;
  ::sd_notify(0, "READY=1");
}

void Program::serve(const sigset_t& signals) {
  // A standby may lead weeks after its start. Reading the catalogue first would keep clients waiting.
  if (ground_.member) reload_.begin();
  for (int signal = SIGHUP; signal == SIGHUP;) {
    sigwait(&signals, &signal);
    if (signal != SIGHUP) continue;
    renew_certificate(*server_, *ground_.log);
    reload_.begin();
  }
}

int Program::end() {
  draining_ = true;
  ::sd_notify(0, "STOPPING=1");
  wait_for_impatience(std::chrono::seconds(config_.drain_wait_s));
  server_->close_listener();
  const bool drained = service_->drain(system_, kGrace, kGrace);
  workers_.reset();
  commands_.reset();
  server_->finish(kGrace);
  server_->stop();
  operators_->stop();
  watchdog_.reset();
  // All that was acknowledged is on disk, so the program may end at once. Otherwise a computation that hangs
  // in a foreign call would keep it alive.
  const bool idle = drained && reload_.idle();
  if (idle) end_actors();
  const int code = ground_.member ? ground_.member->resign() : 0;
  if (!idle) std::_Exit(code);
  return code;
}

/// The actors must be told to end, or the program would wait for them for ever. Until they have ended they
/// answer requests, so the meters and the log must still exist.
void Program::end_actors() {
  if (front_) front_->stop();
  if (web_) web_->stop();
  if (service_) service_->stop();
  system_.await_all_actors_done();
}

}  // namespace http
