// One member of a pair: runs the rules of leadership.hpp against etcd and the other member, and says who may
// answer what. The log itself goes by persistence/log_server.hpp and log_follower.hpp.
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "actors/pair/etcd.hpp"
#include "actors/pair/leadership.hpp"
#include "persistence/log_follower.hpp"
#include "persistence/log_server.hpp"

namespace actors {

/// How a program ends that has lost or handed over the lead (EX_TEMPFAIL). systemd starts it anew, as the
/// standby.
inline constexpr int kLeadIsGone = 75;

/// The clock of the rules: it goes on while the machine sleeps.
Instant boot_clock_ms();

struct PairStatus {
  bool leads = false;
  ClusterRecord record;
  Instant lease_left_ms = 0;  ///< the primary may answer so long
  bool hears_etcd = false;
  bool record_lost = false;  ///< etcd has come back empty, so nobody could take over
  std::string etcd_fault;
  std::string obstacle;        ///< why this member does not take the lead
  std::string force_obstacle;  ///< why it does not even by order
};

class Pair {
 public:
  using Tell = std::function<void(const std::string& line)>;
  /// `end` is called in a thread of the pair's own when this primary may answer nothing any more.
  Pair(LeadershipOptions rules, EtcdOptions etcd, Tell tell, std::function<void(const std::string& why)> end);
  ~Pair();

  persistence::LogFollowerHooks follower_hooks();
  /// `take_over`: the standby is to lead; `changed`: who must have a batch has changed.
  persistence::LogServerHooks server_hooks(std::function<void()> take_over);
  void on_change(std::function<void()> changed);

  /// The epoch in which this member leads; 0: it does not.
  std::uint64_t leads() const { return epoch_; }
  /// Whether a request may be answered now.
  bool answers() const { return boot_clock_ms() < serves_until_.load(std::memory_order_relaxed); }
  PairStatus status() const;
  /// This primary's store is open and its log can be followed.
  void opened() { tell(leadership::Opened{}); }
  /// The operator wants this member to lead, in sync or not.
  void force();
  /// This member answers nothing any more, and says so to etcd.
  void resign();

 private:
  void run();
  void watch();
  void tell(const leadership::Event& event);
  void perform(std::vector<leadership::Action> actions);
  std::vector<leadership::Action> told(const leadership::Event& event);

  const Tell tell_line_;
  const std::function<void(const std::string&)> end_;
  const LeadershipOptions options_;
  Etcd etcd_;
  mutable std::mutex mutex_;
  Leadership rules_;
  std::string etcd_fault_;
  std::function<void()> changed_;
  std::atomic<Instant> serves_until_;
  std::atomic<std::uint64_t> epoch_ = 0;
  std::atomic<bool> ending_ = false;
  bool resigned_ = false;
  std::condition_variable wake_;
  std::thread thread_, watch_;
};

}  // namespace actors
