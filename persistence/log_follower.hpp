// The standby's side of a pair: keeps a store equal to the primary's (frames: log_server.hpp). It only
// follows; who leads is decided elsewhere (actors/pair/leadership.hpp).
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "persistence/channel.hpp"
#include "persistence/database.hpp"

namespace persistence {

struct LogFollowerOptions {
  std::string name;
  std::string group;  ///< the pair's
  std::string host;   ///< the primary's
  std::uint16_t port = 0;
  std::shared_ptr<const MutualTls> tls;
  std::chrono::milliseconds patience{10'000};  ///< with a primary that says nothing
};

/// Called from the follower's thread.
struct LogFollowerHooks {
  /// Before each answer: whether a primary of this epoch may be answered. Whoever says yes has promised.
  std::function<bool(std::uint64_t epoch)> may_answer;
  std::function<void()> primary_leaves;
  /// Whether the store may lead, the last epoch of its history (0: there is none), whether there are any
  /// data.
  std::function<void(bool whole, std::uint64_t epoch, bool any)> whole;
  std::function<void(const std::string& line)> tell;
};

struct FollowerFigures {
  bool connected = false, copying = false;
  std::uint64_t newest = 0;  ///< sequence number on disk
  std::uint64_t epoch = 0;   ///< of the primary that it follows
  std::uint64_t taken_bytes = 0;
  std::string fault;  ///< why it does not follow
};

class LogFollower {
 public:
  /// The error is a sentence: the store cannot be opened, or holds data that were never part of a pair.
  static tl::expected<std::unique_ptr<LogFollower>, std::string> start(const std::string& directory,
                                                                       LogFollowerOptions options,
                                                                       LogFollowerHooks hooks);
  /// Closes the store.
  ~LogFollower();
  /// Asks the primary to hand over; forgotten when the connection ends before it could be asked.
  void take_over() { take_over_ = true; }
  FollowerFigures figures() const;

 private:
  LogFollower(std::string directory, LogFollowerOptions options, LogFollowerHooks hooks);
  void run();
  void follow(Channel& channel);
  bool open();
  std::uint64_t last_epoch() const;
  std::string greeting() const;
  bool take_batch(const Frame& frame);
  bool write_taken(Channel& channel);
  bool take_copy(Channel& channel);
  bool answer(Channel& channel, std::uint64_t sent_at);
  void lose_database();
  void prepare_to_lead();
  void say(std::string fault);
  void refuse(std::string why);

  const std::string directory_;
  const LogFollowerOptions options_;
  const LogFollowerHooks hooks_;
  DatabasePtr database_;  // none before the first copy, and after a write that has failed
  std::uint64_t epoch_ = 0;
  /// Batches that have come one after the other and are written as one.
  struct Taken {
    std::string bytes;  ///< as RocksDB's; empty: none
    std::uint64_t last = 0, sent_at = 0;
  } taken_;
  bool unsynced_ = false;
  bool answers_ = false;        // it has answered on this connection: it is not being copied
  bool greets_as_old_ = false;  // the primary understands the greeting of version 1 only
  bool refused_ = false;        // this member has ended the last connection, and would end the next
  bool namesake_ = false;       // the primary has this member's name: what etcd says of it may be the other
  std::chrono::steady_clock::time_point answered_;
  std::atomic<bool> ending_ = false, take_over_ = false;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  FollowerFigures figures_;
  std::thread thread_;
};

}  // namespace persistence
