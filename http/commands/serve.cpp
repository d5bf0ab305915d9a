// roofd serve: becomes the one that leads, opens the store, and runs the program until it is told to end.
#include <unistd.h>

#include <csignal>

#include "http/commands/cluster_member.hpp"
#include "http/commands/commands.hpp"
#include "http/commands/configuration.hpp"
#include "http/commands/program.hpp"
#include "http/commands/startup.hpp"
#include "http/operators/operator_log.hpp"
#include "persistence/store.hpp"

namespace http {
namespace {

/// Blocks the signals that end the program, and the one that makes it read catalogue and certificate again,
/// in every thread, so that one thread can wait for them.
sigset_t hold_back_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the file size limit then fails as on a full disk
  return signals;
}

/// A machine that was one of a pair and is alone now.
tl::expected<void, std::string> leave_pair(const std::string& data_dir, persistence::Store& store) {
  if (store.leave_pair()) return {};
  return tl::make_unexpected(data_dir + ": the data directory cannot be written");
}

void tell_of_start(const Startup& startup, const persistence::Store& store, actors::Log& log) {
  for (const std::string& note : startup.notes)
    log.write(actors::LogLevel::info, actors::LogLine("start").field("note", note));
  for (const std::string& warning : startup.warnings)
    log.write(actors::LogLevel::warning, actors::LogLine("start").field("reason", warning));
  if (const auto loss = store.lost_files())
    log.write(actors::LogLevel::error, actors::LogLine("start").field("reason", *loss));
}

/// Serves with the store that this machine leads, until it is told to end. The exit code.
int serve_until_told(const ProgramGround& ground, Startup& startup, const sigset_t& signals) {
  ServeConfig& config = ground.config;
  if (const auto fault = config.offices.begin(config.geodata, config.data_dir)) return refuse(*fault);
  const auto sign_in = config.web.resolved_sign_in(config.resolved_links(), config.data_dir);
  if (!sign_in) return refuse(sign_in.error());
  tell_of_start(startup, ground.store, *ground.log);
  Program program(ground, std::move(*startup.geodata), *sign_in);
  if (const auto fault = program.start()) return refuse(*fault);
  program.serve(signals);
  return program.end();
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
  return serve_until_told({config, startup.server, log, **store, member.get()}, startup, signals);
}

}  // namespace http
