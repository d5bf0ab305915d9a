// The primary's side of a pair: sends its store's log to the standby that follows, and knows how far that is.
//
// The standby connects and says what it has (greeting). If that is a part of this log, what is missing
// follows from the log on disk and then each batch as it is written; otherwise it is copied anew from a
// checkpoint, file by file. Frames, by kind:
//   to the primary:  G greeting   A answer: all up to a sequence number is on disk   T wants to take over
//   to the standby:  W welcome    C a copy begins   F a file   D its bytes   E the copy is whole
//                    B a batch    P nothing new     L the primary ends
// What is sent carries the time of sending, and the answer gives it back.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tl/expected.hpp>

#include "persistence/channel.hpp"
#include "persistence/greeting.hpp"
#include "persistence/store.hpp"

namespace persistence {

struct LogServerOptions {
  std::string name;   ///< this member's; a standby must have another
  std::string group;  ///< the pair's; a standby must have the same
  std::string host;
  std::uint16_t port = 0;
  std::string peer_host;  ///< which the standby's certificate must name
  std::shared_ptr<const MutualTls> tls;
  std::uint64_t epoch = 0;
  std::chrono::milliseconds ping{250};
  std::chrono::milliseconds patience{10'000};  ///< with a standby that says nothing
};

/// Called from the server's threads.
struct LogServerHooks {
  std::function<std::int64_t()> now_ms;
  /// The standby has answered what was sent at that time.
  std::function<void(const std::string& name, std::int64_t sent_at)> answered;
  /// It has every batch; called between two batches.
  std::function<void(const std::string& name)> caught_up;
  /// It must be copied anew, and must not count before that.
  std::function<void()> diverged;
  /// Whether a batch may be acknowledged that this standby has (empty: none has).
  std::function<bool(const std::string& has_it)> acknowledges;
  /// Whether a batch must be there before it is acknowledged.
  std::function<bool(const std::string& name)> needed;
  std::function<bool(const std::string& name)> in_sync;
  std::function<void()> take_over;
  std::function<void(const std::string& line)> tell;  ///< for the operator's log
};

struct StandbyFigures {
  bool connected = false, copying = false;
  std::string name;
  std::uint64_t newest = 0;    ///< of the primary's log
  std::uint64_t answered = 0;  ///< on the standby's disk
  std::uint64_t lag_ms = 0;    ///< since when it has not all
  std::uint64_t copies = 0, connections = 0, sent_bytes = 0;
};

class LogServer : public BatchFollower {
 public:
  static tl::expected<std::unique_ptr<LogServer>, std::string> start(Store& store, LogServerOptions options,
                                                                     LogServerHooks hooks,
                                                                     const std::string& directory);
  ~LogServer() override;

  void offer(std::uint64_t first, std::uint64_t last, std::shared_ptr<const std::string> batch) override;
  void withdraw() override;
  void await(std::uint64_t last) override;
  /// Who is needed has changed: whoever waits looks again.
  void look_again();
  /// Tells the standby that this primary ends.
  void leave();
  StandbyFigures figures() const;

 private:
  struct Batch {
    std::uint64_t first, last;
    std::shared_ptr<const std::string> bytes;
  };
  LogServer(Store& store, LogServerOptions options, LogServerHooks hooks, std::string directory);
  void accept();
  void serve(Channel& channel);
  std::string fault_of(const Greeting& greeting) const;
  std::optional<std::uint64_t> welcome(Channel& channel, Greeting& greeting);
  bool copy(Channel& channel);
  bool send_file(Channel& channel, const std::filesystem::path& path);
  void hold_log_while_there_is_room();
  bool follow(Channel& channel, const std::string& name, std::uint64_t next);
  bool send_missing(Channel& channel, std::uint64_t& next);
  bool send_batch(Channel& channel, const Batch& batch);
  std::optional<Batch> held(std::uint64_t first);
  bool take_answer(const Frame& frame, const std::string& name);
  void join(const std::string& name);

  Store& store_;
  const LogServerOptions options_;
  const LogServerHooks hooks_;
  const std::string directory_;
  int listening_ = -1;
  int wake_ = -1;  // an eventfd: there is something to send
  std::atomic<bool> ending_ = false, leaving_ = false;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> held_;  // the newest batches, up to a bound
  std::size_t held_bytes_ = 0;
  std::uint64_t withdrawals_ = 0, withdrawals_seen_ = 0;  // the latter when the standby greeted
  std::int64_t behind_since_ = 0;
  std::string told_fault_;          // why the last standby was refused
  std::shared_ptr<void> held_log_;  // from a copy's begin until the standby has all; the connection's thread
  StandbyFigures figures_;
  std::thread thread_;
};

}  // namespace persistence
