#include "http/commands/cluster_member.hpp"

#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <utility>

#include "http/api/errors.hpp"
#include "http/api/reply_rules.hpp"
#include "http/commands/certificates.hpp"
#include "http/commands/commands.hpp"
#include "http/operators/operator_pages.hpp"
#include "http/wire/server.hpp"

namespace http {
namespace {

constexpr int kStandbyRetry_s = 2;
constexpr long kLook_ns = 20'000'000;
constexpr const char* kRecordLost =
    "etcd has lost the pair's record, so nobody could take over: roofd cluster promote --force on this "
    "member";

actors::EtcdOptions etcd_options(const ClusterConfig& cluster) {
  return {.urls = cluster.etcd_urls(),
          .group = cluster.group,
          .certificate = cluster.certificate,
          .key = cluster.key,
          .ca = cluster.ca,
          .timeout_ms = std::min<long>(1'000, long{cluster.lease_s} * 1'000 / 4),
          .lease_ms = actors::Instant{cluster.lease_s} * 1'000};
}

actors::LeadershipOptions rules_of_pair(const ClusterConfig& cluster) {
  const actors::Instant lease_ms = actors::Instant{cluster.lease_s} * 1'000;
  return {.me = cluster.name,
          .lease_ms = lease_ms,
          .margin_ms = std::min<actors::Instant>(1'000, lease_ms / 4),
          .standby_timeout_ms = actors::Instant{cluster.standby_timeout_s} * 1'000,
          .available = cluster.mode == "available"};
}

[[noreturn]] void end_without_lead(const std::string& why) {
  std::cerr << "roofd: the lead is lost (" + why +
                   "); the program ends, so that it is started anew as the standby\n"
            << std::flush;
  std::_Exit(actors::kLeadIsGone);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

ClusterMember::ClusterMember(const ServeConfig& config, const ServerOptions& server, actors::LogPtr log,
                             std::shared_ptr<const persistence::MutualTls> tls)
    : config_(config),
      server_(server),
      log_(std::move(log)),
      tls_(std::move(tls)),
      links_(config.resolved_links()),
      pair_(
          rules_of_pair(config.cluster), etcd_options(config.cluster),
          [this](const std::string& line) { tell(line); }, end_without_lead) {}

tl::expected<std::unique_ptr<ClusterMember>, std::string> ClusterMember::start(const ServeConfig& config,
                                                                               const ServerOptions& server,
                                                                               actors::LogPtr log) {
  const ClusterConfig& cluster = config.cluster;
  auto tls = persistence::MutualTls::load(cluster.certificate, cluster.key, cluster.ca);
  if (!tls) return tl::make_unexpected("--cluster." + tls.error());
  return std::unique_ptr<ClusterMember>(new ClusterMember(config, server, std::move(log), std::move(*tls)));
}

void ClusterMember::tell(const std::string& line) const {
  log_->write(actors::LogLevel::info, actors::LogLine("pair").field("note", line));
}

Response ClusterMember::refusal(const Request& request) const {
  const actors::Refusal refusal{.code = actors::Code::dienst_ueberlastet,
                                .text = "Dieser Knoten führt zurzeit nicht.",
                                .retry_after_s = kStandbyRetry_s};
  return finished(problem(refusal, links_, request.id),
                  rules_of(request, true, CorsPolicy(config_.front.cors_origin)));
}

std::optional<int> ClusterMember::stand_by(const sigset_t& signals) {
  const HostPort peer = *host_port_of(config_.cluster.peer);
  auto follower = persistence::LogFollower::start(config_.data_dir,
                                                  {.name = config_.cluster.name,
                                                   .group = config_.cluster.group,
                                                   .host = peer.host,
                                                   .port = peer.port,
                                                   .tls = tls_},
                                                  pair_.follower_hooks());
  if (!follower) return refuse(follower.error());
  {
    const std::lock_guard guard(mutex_);
    follower_ = std::move(*follower);
  }
  const auto refuse_all = [this](const std::string& id) {
    return problem({.code = actors::Code::dienst_ueberlastet, .retry_after_s = kStandbyRetry_s}, links_, id);
  };
  auto server = Server::start(
      server_,
      {.on_request = [this](Request&& request, Responder responder) { responder.send(refusal(request)); },
       .on_fault = [refuse_all](WireFault, const std::string& id) { return refuse_all(id); },
       .on_silence = refuse_all});
  if (!server) return refuse(server.error());
  auto operators = Server::start(
      config_.admin, operator_handlers({.metrics = [this] { return metrics_text(figures()); },
                                        .fault = [this]() -> std::optional<std::string> {
                                          const auto status = pair_.status();
                                          return "standby" +
                                                 (status.obstacle.empty() ? "" : ": " + status.obstacle);
                                        }}));
  if (!operators) return refuse(operators.error());
  const auto admin = AdminSocket::listen(config_.data_dir, [this](const AdminRequest& request) {
    if (auto result = administer(request)) return *result;
    return AdminResult{false, "this member is the standby; run the command on the one that leads: " +
                                  pair_.status().record.primary};
  });
  std::cout << "roofd tells operators on http://" << config_.admin.address << ":" << (*operators)->port()
            << "/metrics\nroofd stands by" << std::endl;
  ::sd_notify(0, "READY=1\nSTATUS=standby");
  const timespec look{0, kLook_ns};
  int signal = 0;
  while (pair_.leads() == 0 && signal <= 0) {
    signal = ::sigtimedwait(&signals, nullptr, &look);
    ::sd_notify(0, "WATCHDOG=1");  // there are no actors yet (watchdog.hpp)
    if (signal == SIGHUP) {        // the catalogue is read when it serves
      signal = 0;
      renew_certificate(**server, *log_);
    }
  }
  {
    const std::lock_guard guard(mutex_);
    follower_.reset();  // closes the store
  }
  (*server)->stop();
  (*operators)->stop();
  if (pair_.leads() == 0) return 0;
  return {};
}

tl::expected<void, std::string> ClusterMember::lead(persistence::Store& store) {
  const HostPort here = *host_port_of(config_.cluster.address), peer = *host_port_of(config_.cluster.peer);
  auto server = persistence::LogServer::start(store,
                                              {.name = config_.cluster.name,
                                               .group = config_.cluster.group,
                                               .host = here.host,
                                               .port = here.port,
                                               .peer_host = peer.host,
                                               .tls = tls_,
                                               .epoch = pair_.leads()},
                                              pair_.server_hooks([this] {
                                                if (!handed_over_.exchange(true)) ::kill(::getpid(), SIGTERM);
                                              }),
                                              config_.data_dir);
  if (!server) return tl::make_unexpected("--cluster.address: " + server.error());
  {
    const std::lock_guard guard(mutex_);
    log_server_ = std::move(*server);
  }
  pair_.on_change([log_server = log_server_.get()] { log_server->look_again(); });
  pair_.opened();
  if (!store.begin_epoch(pair_.leads(), *log_server_))
    return tl::make_unexpected(config_.data_dir + ": the data directory cannot be written");
  ::sd_notify(0, "STATUS=primary");
  return {};
}

int ClusterMember::resign() {
  pair_.on_change({});
  pair_.resign();
  const auto log_server = [this] {
    const std::lock_guard guard(mutex_);
    return std::exchange(log_server_, nullptr);
  }();
  if (log_server) log_server->leave();
  return handed_over_ ? actors::kLeadIsGone : 0;
}

// ---- for operators ----------------------------------------------------------------------------------------

std::vector<ClusterFigure> ClusterMember::figures() const {
  const actors::PairStatus status = pair_.status();
  const std::lock_guard guard(mutex_);
  const auto sent = log_server_ ? log_server_->figures() : persistence::StandbyFigures();
  const auto taken = follower_ ? follower_->figures() : persistence::FollowerFigures();
  const bool connected = status.leads ? sent.connected : taken.connected;
  const std::size_t members = status.record.in_sync.size();
  return {
      {"roof_cluster_primary", "1: this member leads", status.leads ? 1.0 : 0.0},
      {"roof_cluster_epoch", "The epoch, which grows with every change of the lead",
       static_cast<double>(status.record.epoch)},
      {"roof_cluster_in_sync", "Members that have all that was acknowledged", static_cast<double>(members)},
      {"roof_cluster_connected", "1: this member and the other are connected", connected ? 1.0 : 0.0},
      {"roof_cluster_copying", "1: the standby is being copied anew",
       sent.copying || taken.copying ? 1.0 : 0.0},
      {"roof_cluster_etcd_answers", "1: etcd has answered within a lease's time",
       status.hears_etcd ? 1.0 : 0.0},
      {"roof_cluster_lease_seconds", "How long this primary may answer without a further word",
       static_cast<double>(status.lease_left_ms) / 1000},
      {"roof_cluster_lag_operations",
       "Operations of the primary's log that the standby does not have on disk",
       sent.connected && sent.newest > sent.answered ? static_cast<double>(sent.newest - sent.answered)
                                                     : 0.0},
      {"roof_cluster_lag_seconds", "Since when the standby has not all",
       sent.connected ? static_cast<double>(sent.lag_ms) / 1000 : 0.0},
      {"roof_cluster_log_bytes_total", "Bytes sent to the standby, or taken from the primary",
       static_cast<double>(status.leads ? sent.sent_bytes : taken.taken_bytes), true},
      {"roof_cluster_copies_total", "Copies sent to a standby that could not follow the log",
       static_cast<double>(sent.copies), true},
      {"roof_cluster_connections_total", "Connections of standbys", static_cast<double>(sent.connections),
       true},
  };
}

std::string ClusterMember::note() const {
  const auto status = pair_.status();
  std::string note;
  if (status.record.in_sync.size() < 2) note = "no standby is in sync";
  const auto add = [&note](const char* sentence) {
    note += (note.empty() ? "" : "; ") + std::string(sentence);
  };
  if (!status.hears_etcd) add("etcd does not answer");
  if (status.record_lost) add(kRecordLost);
  return note;
}

std::string ClusterMember::status_text() const {
  const actors::PairStatus status = pair_.status();
  const std::lock_guard guard(mutex_);
  std::string text = "member    " + config_.cluster.name + (status.leads ? ", leads" : ", stands by");
  text += "\nepoch     " + std::to_string(status.record.epoch) + ", primary " +
          (status.record.primary.empty() ? "none" : status.record.primary) + ", in sync " +
          joined(status.record.in_sync);
  text += "\netcd      " + (!status.hears_etcd   ? "does not answer: " + status.etcd_fault
                            : status.record_lost ? kRecordLost
                                                 : std::string("answers"));
  if (log_server_) {
    const auto standby = log_server_->figures();
    text +=
        "\nstandby   " +
        (!standby.connected ? "not connected"
         : standby.copying  ? standby.name + ", is copied anew"
                            : standby.name + ", lag " +
                                 std::to_string(standby.newest - std::min(standby.newest, standby.answered)) +
                                 " operations, " + std::to_string(standby.lag_ms) + " ms");
    text += "\nlease     " + std::to_string(status.lease_left_ms) + " ms left";
  }
  if (follower_) {
    const auto follows = follower_->figures();
    text += "\nfollows   " + (follows.copying     ? "copies the primary's data"
                              : follows.connected ? "epoch " + std::to_string(follows.epoch) + " up to " +
                                                        std::to_string(follows.newest)
                                                  : "not: " + follows.fault);
    if (!status.obstacle.empty()) text += "\ndoes not lead: " + status.obstacle;
  }
  return text;
}

AdminResult ClusterMember::promote(bool force) {
  const actors::PairStatus status = pair_.status();
  if (status.leads && !status.record.primary.empty() && !force)
    return {true, config_.cluster.name + " leads"};
  if (force) {
    if (!status.force_obstacle.empty()) return {false, status.force_obstacle};
    pair_.force();
    return {true,
            config_.cluster.name +
                " takes the lead; what only the other member had acknowledged is lost, and it is copied "
                "anew when it comes back"};
  }
  const bool in_sync = std::find(status.record.in_sync.begin(), status.record.in_sync.end(),
                                 config_.cluster.name) != status.record.in_sync.end();
  if (!in_sync)
    return {false, config_.cluster.name +
                       " is not in sync, so something that was acknowledged would be lost; --force does it "
                       "nevertheless" +
                       (status.record.primary.empty() ? ", and makes this member the first" : "")};
  if (!status.hears_etcd)
    return {false, "etcd does not answer, so nobody could take the lead after " + status.record.primary};
  const std::lock_guard guard(mutex_);
  if (!follower_ || !follower_->figures().connected)
    return {false, config_.cluster.name + " does not hear " + status.record.primary +
                       ": it leads by itself when that is gone for a lease's time"};
  follower_->take_over();
  return {true, config_.cluster.name + " takes the lead as soon as " + status.record.primary + " has ended"};
}

std::optional<AdminResult> ClusterMember::administer(const AdminRequest& request) {
  const auto command = request.find("command");
  if (command == request.end()) return {};
  if (command->second == "cluster status") return AdminResult{true, status_text()};
  if (command->second == "cluster promote") return promote(request.contains("force"));
  // What this member has lost the other may have whole, and would lose, too.
  if (command->second == "result give-up")
    if (const auto in_sync = pair_.status().record.in_sync; in_sync.size() > 1)
      return AdminResult{false, "the other member is in sync (" + joined(in_sync) +
                                    "): let it lead (roofd cluster promote there), empty this one's data "
                                    "directory and start it, and it is copied anew"};
  return {};
}

}  // namespace http
