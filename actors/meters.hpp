// What the actors report: the log's lines (log.hpp) and figures. These are counters, gauges and histograms of
// prometheus-cpp, updated where the event happens and read by whoever serves the registry. Every figure is
// listed here once, with its name, its unit and its meaning. Times are in seconds, and a name that ends in
// _total only grows.
#pragma once
#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <memory>
#include <string>
#include <vector>

#include "actors/log.hpp"

namespace actors {

/// One kind of actor: all its shards together.
struct ActorMeter {
  prometheus::Gauge* mailbox;         ///< messages that wait or are being worked on
  prometheus::Histogram* processing;  ///< of one message, s
  static const prometheus::Histogram::BucketBoundaries& bounds();  ///< of `processing`
};

/// What one actor has processed and not reported to its meter yet. All actors of a kind share the meter, and
/// reporting each message by itself costs as much as a light message. Not thread-safe.
class MessageTally {
 public:
  explicit MessageTally(ActorMeter meter) : meter_(meter), counts_(ActorMeter::bounds().size() + 1) {}
  ~MessageTally() { tell(); }
  MessageTally(const MessageTally&) = delete;
  MessageTally& operator=(const MessageTally&) = delete;

  void add(double seconds);
  std::size_t size() const { return size_; }
  void tell();

 private:
  ActorMeter meter_;
  std::vector<double> counts_;  // by bucket
  double seconds_ = 0;
  std::size_t size_ = 0;
};

struct CacheMeter {
  prometheus::Counter* hit = nullptr;  ///< null: nobody counts
  prometheus::Counter* miss = nullptr;
};

/// Thread-safe.
class Meters {
 public:
  explicit Meters(LogPtr log = silent_log());

  Log& log() { return *log_; }

  /// The same kind always gets the same meter.
  ActorMeter actor(const std::string& kind);
  CacheMeter cache(const std::string& name);
  /// How long a run stays in one of its steps, s.
  prometheus::Histogram& stage(const std::string& name) {
    return stages_.Add({{"stage", name}}, run_bounds());
  }
  /// `outcome`: "fertig" or the code of the failure.
  prometheus::Counter& run_ended(const std::string& outcome) { return runs_.Add({{"outcome", outcome}}); }
  /// `outcome`: "sent", "later" (an attempt that failed) or "given up".
  prometheus::Counter& mail_tried(const std::string& outcome) { return mails_.Add({{"outcome", outcome}}); }
  /// `limit`: one of the account's classes, or "adresse".
  prometheus::Counter& limit_hit(const std::string& limit) { return limits_.Add({{"limit", limit}}); }

  /// `worker`: its name, or "home".
  prometheus::Counter& worker_run(const std::string& worker) {
    return worker_runs_.Add({{"worker", worker}});
  }
  /// `why`: "tls", "places", or what is not as at the home.
  prometheus::Counter& worker_refused(const std::string& why) { return workers_refused_.Add({{"why", why}}); }
  /// `worker`: its name. The first time it is new, every further time it has come back.
  prometheus::Counter& worker_joined(const std::string& worker) {
    return workers_joined_.Add({{"worker", worker}});
  }

  prometheus::Registry& registry() { return *registry_; }

 private:
  LogPtr log_;
  std::shared_ptr<prometheus::Registry> registry_;
  prometheus::Family<prometheus::Gauge>& mailboxes_;
  prometheus::Family<prometheus::Histogram>& processing_;
  prometheus::Family<prometheus::Counter>& caches_;
  prometheus::Family<prometheus::Histogram>& stages_;
  prometheus::Family<prometheus::Counter>& runs_;
  prometheus::Family<prometheus::Counter>& limits_;
  prometheus::Family<prometheus::Counter>& worker_runs_;
  prometheus::Family<prometheus::Counter>& workers_refused_;
  prometheus::Family<prometheus::Counter>& workers_joined_;
  prometheus::Family<prometheus::Counter>& mails_;
  static prometheus::Histogram::BucketBoundaries run_bounds();

 public:
  prometheus::Gauge& slots;
  prometheus::Gauge& computing;
  prometheus::Gauge& stuck;               ///< runs that do not stop, of this machine
  prometheus::Gauge& line;                ///< runs that wait
  prometheus::Histogram& waiting;         ///< of a run, from standing in line to its slot, s
  prometheus::Histogram& computing_time;  ///< of a run, s
  prometheus::Histogram& journal_batch;   ///< requests that one sync acknowledges
  prometheus::Histogram& journal_commit;  ///< of a batch, with its sync, s
  prometheus::Counter& journal_refused;   ///< batches that the disk refused
  prometheus::Gauge& workers;             ///< that are connected
  prometheus::Gauge& worker_threads;      ///< of them together
  prometheus::Counter& workers_lost;
  prometheus::Counter& runs_moved;  ///< that another worker had to take
  prometheus::Gauge& mails_waiting;
};
using MetersPtr = std::shared_ptr<Meters>;

/// Meters that nobody reads, for actors in tests and commands.
inline MetersPtr private_meters() { return std::make_shared<Meters>(); }

}  // namespace actors
