// Who of a pair leads: rules as a pure function (state, event, now) -> actions. It does no I/O and reads no
// clock, so a test can run it for millions of steps.
//
// etcd holds two keys. The record says which epoch it is, who is its primary, and who is in sync: who has
// everything that was acknowledged. The lease key lives as long as somebody renews it. The rules:
//  1. Only a member that is in sync takes the lead, when the lease key is gone; in the same transaction the
//     epoch grows. The others stay in sync until the new primary has opened its store and takes
//     out who is silent: should it be unable to, they have all that was acknowledged. By the operator's order
//     it is the only one.
//  2. A batch is acknowledged when all that are in sync have it. To go on without a silent standby, the
//     primary first takes it out of the record. So whoever may lead has everything (Kafka's in-sync
//     replicas).
//  3. A standby that has answered its primary takes no lead for a lease's time. So the primary's right to
//     answer lasts a lease's time, less a margin, from the sending of what etcd or the standby has answered.
//     A pair that hears each other needs no etcd (Patroni's failsafe mode).
//  4. A primary whose right has run out ends. It never becomes a standby in the same process.
//  5. An etcd that came back empty knows no record. A primary whose right still holds writes it anew, with
//     itself alone in sync. One that goes on alone without etcd (`available`) does not: somebody may have
//     been forced to lead meanwhile. Without a primary nobody leads before the operator's order.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace actors {

/// Milliseconds of a clock that never jumps and goes on while the program is stopped.
using Instant = std::int64_t;

struct ClusterRecord {
  std::uint64_t epoch = 0;
  std::string primary;
  std::vector<std::string> in_sync;  ///< who has everything that was acknowledged, the primary first
  bool operator==(const ClusterRecord&) const = default;
};

/// What a linearizable read of etcd has found.
struct ClusterView {
  std::optional<ClusterRecord> record;
  std::int64_t revision = 0;  ///< of the record's last change; 0: there is none
  std::int64_t lease = 0;     ///< the lease of the lease key; 0: there is no such key
};

struct LeadershipOptions {
  std::string me;
  Instant lease_ms = 6'000;
  Instant margin_ms = 1'000;  ///< the primary stops so much earlier: clocks run at different speeds
  Instant standby_timeout_ms = 2'000;
  bool available = false;  ///< without etcd go on alone while nobody else is in sync
};

// ---- events -----------------------------------------------------------------------------------------------
namespace leadership {

enum class Outcome {
  done,
  refused,  ///< etcd has answered that it is not so any more
  unknown,  ///< no answer: it may still happen
};

struct Tick {};
struct Seen {
  ClusterView view;
};
/// etcd was asked for what the action said, and has not answered a read.
struct NotSeen {};
/// `lease` and `revision` are those of the new keys when it is done.
struct Taken {
  Outcome outcome;
  Instant asked_at;
  std::int64_t lease, revision;
};
/// The same of the lease key alone.
struct Regained {
  Outcome outcome;
  Instant asked_at;
  std::int64_t lease, revision;
};
/// The lease was renewed, and what a read found after it.
struct Renewed {
  Outcome outcome;
  Instant asked_at;
  ClusterView view;
};
struct InSyncSet {
  Outcome outcome;
  std::int64_t revision;
};
/// Of a standby: it is about to answer its primary.
struct Heard {
  std::uint64_t epoch;
};
/// Of a standby: its primary has said that it ends and will answer nothing any more.
struct PrimaryLeaves {};
/// Of a standby: whether its store may lead, which a half copy may not, and the last epoch of the store's
/// history; whether it has any data at all.
struct StoreWhole {
  bool whole;
  std::uint64_t epoch;
  bool any = true;
};
/// Of a primary: the standby has answered what was sent at `asked_at`.
struct StandbyAnswered {
  std::string name;
  Instant asked_at;
};
/// Of a primary: the standby has all batches, and from now on those that follow.
struct StandbyCaughtUp {
  std::string name;
};
/// Of a primary: the standby must be out of the record, because it is about to be copied anew.
struct StandbyDiverged {};
/// Of a primary: its store is open for writing and its log can be followed.
struct Opened {};
/// The operator wants this member to lead now, in sync or not. An order holds for a lease's time, however
/// often etcd fails meanwhile: nobody expects it to be followed hours later.
struct Forced {};

using Event = std::variant<Tick, Seen, NotSeen, Taken, Regained, Renewed, InSyncSet, Heard, PrimaryLeaves,
                           StoreWhole, StandbyAnswered, StandbyCaughtUp, StandbyDiverged, Opened, Forced>;

// ---- actions: at most one question to etcd is under way ---------------------------------------------------
struct Read {};
/// Grant a lease. If the record's revision is still `revision` (0: there is none) and, unless forced, there
/// is no lease key: put both.
struct Take {
  ClusterRecord record;
  std::int64_t revision;
  bool forced;
};
/// Renew the lease, then read.
struct Renew {
  std::int64_t lease;
};
/// The lease key is gone, and nobody has taken the lead: grant a lease, and put both keys as they were, on
/// the same conditions as Take.
struct Regain {
  ClusterRecord record;
  std::int64_t revision;
};
/// Replace the record if its revision is still `revision`.
struct SetInSync {
  ClusterRecord record;
  std::int64_t revision;
};
/// Open the store for writing and serve.
struct Lead {
  std::uint64_t epoch;
};
/// Answer nothing any more and end the process.
struct End {
  std::string why;
};

using Action = std::variant<Read, Take, Renew, Regain, SetInSync, Lead, End>;

}  // namespace leadership

class Leadership {
 public:
  enum class Role { standby, primary, over };

  Leadership(LeadershipOptions options, Instant now);

  std::vector<leadership::Action> on(const leadership::Event& event, Instant now);

  Role role() const { return role_; }
  /// The primary may answer before that instant; a standby never.
  Instant serves_until() const;
  /// Who must have a batch before it is acknowledged, besides the primary.
  std::vector<std::string> needed() const;
  /// Whether a standby may answer a frame of its primary. Whoever answers must say so first (Heard).
  bool may_answer(std::uint64_t epoch) const;
  /// A primary's record as etcd has confirmed it; what a standby has read last.
  const ClusterView& view() const { return view_; }
  bool in_sync(const std::string& name) const;
  std::int64_t lease() const { return lease_; }
  /// Of a primary: etcd answers and has no record.
  bool record_lost() const { return role_ == Role::primary && record_lost_; }
  /// When etcd has answered last.
  Instant etcd_answered() const { return etcd_answered_; }
  /// Why this member may not take the lead now; empty: it may.
  std::string obstacle(Instant now) const;
  /// Why it may not even by the operator's order; empty: it may.
  std::string force_obstacle(Instant now) const;

 private:
  using Actions = std::vector<leadership::Action>;
  Actions handle(const leadership::Tick&, Instant now);
  Actions handle(const leadership::Seen&, Instant now);
  Actions handle(const leadership::NotSeen&, Instant now);
  Actions handle(const leadership::Taken&, Instant now);
  Actions handle(const leadership::Regained&, Instant now);
  Actions handle(const leadership::Renewed&, Instant now);
  Actions handle(const leadership::InSyncSet&, Instant now);
  Actions handle(const leadership::Heard&, Instant now);
  Actions handle(const leadership::PrimaryLeaves&, Instant now);
  Actions handle(const leadership::StoreWhole&, Instant now);
  Actions handle(const leadership::StandbyAnswered&, Instant now);
  Actions handle(const leadership::StandbyCaughtUp&, Instant now);
  Actions handle(const leadership::StandbyDiverged&, Instant now);
  Actions handle(const leadership::Opened&, Instant now);
  Actions handle(const leadership::Forced&, Instant now);

  Actions tick_standby(Instant now);
  Actions tick_primary(Instant now);
  Actions ask(leadership::Action action, Instant now);
  Actions take(Instant now);
  Actions lead(std::int64_t lease, Instant asked_at);
  std::vector<std::string> right_in_sync() const;
  Actions end(std::string why);
  void saw(const ClusterView& view, Instant now);
  bool standby_silent(Instant now) const;
  bool forced(Instant now) const;
  bool writes_anew(Instant now) const;
  bool is_mine(const ClusterView& view) const;
  /// The newest that this member has heard of in any way.
  std::uint64_t known_epoch() const;

  LeadershipOptions options_;
  Role role_ = Role::standby;
  ClusterView view_;
  bool asking_ = false;  ///< a question to etcd is under way
  Instant asked_;        ///< when the last one began
  Instant etcd_answered_;
  Instant set_;                     ///< when the last change of the record was asked for
  std::optional<Instant> ordered_;  ///< when the operator has forced it
  // A standby's:
  bool whole_ = false, any_ = false;
  Instant promised_until_;
  std::uint64_t newest_epoch_ = 0;     ///< that etcd has ever told of; it may lose its data
  std::uint64_t store_epoch_ = 0;      ///< the last of the store's history
  std::uint64_t promised_epoch_ = 0;   ///< of the primary that it has answered last
  std::optional<Instant> free_since_;  ///< since when the lease key has been seen to be gone
  /// The last try to take the lead, while it may still happen: as long as the record is as it was then.
  std::optional<leadership::Take> attempt_;
  Instant attempted_ = 0;
  // A primary's:
  std::int64_t lease_ = 0;
  Instant lease_until_ = 0;
  bool opened_ = false;
  bool lease_lost_ = false;
  bool record_lost_ = false;  ///< etcd answers and has no record
  Instant renewed_ = 0;       ///< when the last renewing began
  std::string standby_;       ///< who answers
  Instant standby_answered_ = 0;
  bool caught_up_ = false;
  std::vector<std::string> asked_for_;  ///< in_sync of the change under way; empty: none is
  std::vector<std::string> doubtful_;   ///< who may be in sync by changes that etcd has not answered
};

}  // namespace actors
