// The running service: its parts, each made of those before it, and ended in the reverse order.
#pragma once
#include <atomic>
#include <caf/actor_system.hpp>
#include <csignal>
#include <memory>
#include <optional>
#include <string>

#include "actors/service.hpp"
#include "actors/workers/secure_port.hpp"
#include "geo/data/live_geodata.hpp"
#include "http/api/front.hpp"
#include "http/commands/cluster_member.hpp"
#include "http/commands/configuration.hpp"
#include "http/commands/data_reload.hpp"
#include "http/operators/admin_socket.hpp"
#include "http/operators/operator_log.hpp"
#include "http/operators/operator_view.hpp"
#include "http/operators/request_log.hpp"
#include "http/operators/request_meters.hpp"
#include "http/operators/watchdog.hpp"
#include "http/web/web_front.hpp"
#include "http/wire/server.hpp"

namespace http {

/// What is there before the actors; all of it outlives the program.
struct ProgramGround {
  ServeConfig& config;
  const ServerOptions& server;
  const std::shared_ptr<OperatorLog>& log;
  persistence::Store& store;
  ClusterMember* member;  ///< of a pair; null: this machine is alone
};

class Program {
 public:
  Program(const ProgramGround& ground, geo::Geodata geodata, const actors::SignInOptions& sign_in);
  /// Ends what has begun.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// It serves when it returns nothing. Else a sentence says why not.
  std::optional<std::string> start();
  /// Until one of the signals comes that end the program; SIGHUP reads catalogue and certificate anew.
  void serve(const sigset_t& signals);
  /// Drains and ends. The exit code; does not return when something hangs that nobody can end.
  int end();

 private:
  using Fault = std::optional<std::string>;
  Fault start_service();
  void make_front();
  Fault make_web();
  Fault listen();
  void watch();
  Fault listen_to_operators();
  Fault listen_to_workers();
  void listen_to_commands();
  void tell_where() const;
  ServerHandlers handlers();
  AdminResult administered(const AdminRequest& request);
  void end_actors();

  const ProgramGround ground_;
  const ServeConfig& config_;
  const actors::SignInOptions sign_in_;
  const Links links_;
  caf::actor_system system_;
  const std::shared_ptr<geo::LiveGeodata> data_;
  DataReload reload_;
  const actors::MetersPtr meters_;
  std::optional<actors::Service> service_;
  RequestLog request_log_;
  RequestMeters request_meters_;
  std::optional<Front> front_;
  std::optional<WebFront> web_;
  std::unique_ptr<Server> server_;
  std::atomic<bool> draining_ = false;
  std::optional<Watchdog> watchdog_;
  std::unique_ptr<Server> operators_;
  std::unique_ptr<actors::SecurePort> workers_;
  std::unique_ptr<AdminSocket> commands_;
};

}  // namespace http
