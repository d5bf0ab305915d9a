// One of a pair in the running program: stands by until it leads, then lets its log be followed. How the pair
// decides: actors/pair/leadership.hpp.
#pragma once
#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "actors/log.hpp"
#include "actors/pair/pair.hpp"
#include "http/commands/configuration.hpp"
#include "http/operators/admin_socket.hpp"
#include "http/operators/cluster_figures.hpp"
#include "http/wire/request.hpp"
#include "http/wire/response.hpp"

namespace http {

class ClusterMember {
 public:
  /// The error is a sentence. `config` and `server` must outlive it.
  static tl::expected<std::unique_ptr<ClusterMember>, std::string> start(const ServeConfig& config,
                                                                         const ServerOptions& server,
                                                                         actors::LogPtr log);
  /// Gives the lead back: a member that cannot begin must not keep the other waiting for its lease's end.
  ~ClusterMember() { resign(); }
  /// Follows the primary and answers every request with 503, until this member leads. Nothing: it leads.
  /// Otherwise the exit code: it was told to end, or cannot stand by.
  std::optional<int> stand_by(const sigset_t& signals);
  /// From now on the store's batches go to the standby as well. The error is a sentence.
  tl::expected<void, std::string> lead(persistence::Store& store);

  /// Whether a request may be answered now. After a pause it may not, without anybody having noticed.
  bool answers() const { return pair_.answers(); }
  Response refusal(const Request& request) const;
  /// "cluster status", "cluster promote"; nothing for any other command.
  std::optional<AdminResult> administer(const AdminRequest& request);
  std::vector<ClusterFigure> figures() const;
  /// What an operator should know although this primary serves: it has no standby.
  std::string note() const;
  /// Gives the lead back: no request is answered after that. The exit code.
  int resign();

 private:
  ClusterMember(const ServeConfig& config, const ServerOptions& server, actors::LogPtr log,
                std::shared_ptr<const persistence::MutualTls> tls);
  std::string status_text() const;
  AdminResult promote(bool force);
  void tell(const std::string& line) const;

  const ServeConfig& config_;
  const ServerOptions& server_;
  const actors::LogPtr log_;
  const std::shared_ptr<const persistence::MutualTls> tls_;
  const Links links_;
  actors::Pair pair_;
  std::unique_ptr<persistence::LogFollower> follower_;
  std::shared_ptr<persistence::LogServer> log_server_;
  mutable std::mutex mutex_;  // guards the two pointers
  std::atomic<bool> handed_over_ = false;
};

}  // namespace http
