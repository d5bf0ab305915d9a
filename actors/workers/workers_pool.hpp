// The home's side of analysis workers: it is Analysts to the project's shards, and gives each run to a worker
// or to the analysts of this process (worker_pool.hpp has the rules). It exists only where workers may
// connect.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <functional>
#include <map>
#include <string>

#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/workers/worker_pool.hpp"

namespace actors {

class WorkersPoolActor : public Measured<WorkersPool::base> {
 public:
  /// What a worker must be like. Asked at every beat; the catalogue may be read anew.
  using Facts = std::function<WorkerFacts()>;
  /// Whether this service leads. One of a pair that does not any more answers no worker, so that its workers
  /// stop before those of the other one begin.
  using Leads = std::function<bool()>;
  /// `analysts` compute here, as many runs at once as the facts' threads. No worker's outcome has more bytes
  /// than `outcome_max`.
  WorkersPoolActor(caf::actor_config& config, Analysts analysts, Facts home, Leads leads = {},
                   MetersPtr meters = private_meters(), std::size_t outcome_max = 8U << 20U);
  const char* name() const override { return "workers-pool"; }

 private:
  struct Member {
    Worker worker;
    WorkerFacts facts;
    bool dismissed = false;  // its facts are not the home's any more
    bool leaving = false;    // it has said so
  };
  behavior_type make_behavior() override;
  void on_exit() override;
  std::int64_t now_ms();
  WorkerWelcome let_in(const WorkerFacts& facts, const Worker& worker);
  bool still_known(WorkerSession session);
  void gone(const caf::actor_addr& worker);
  void beat();
  void dismiss_changed();
  void carry_out(const WorkerPool::Moves& moves);
  void give(const WorkerPool::Given& given);
  void give_away(WorkerSession session, std::uint64_t run);
  void tell_unreachable(WorkerSession session, const RunOutcome& outcome);
  void leave(WorkerSession session);
  void tell_lost(WorkerSession session, const char* why);
  void step(WorkerSession session, const StepDone& step);
  bool take(WorkerSession session, const OutcomePiece& piece);
  void outcome(WorkerSession session, const RunOutcome& outcome);
  void ended(WorkerSession session, const RunRef& ref, std::int64_t computing_ms);
  void end(const RunRef& ref, std::int64_t computing_ms);
  void cancel(std::uint64_t run);
  void show();

  Analysts analysts_;
  Facts home_;
  Leads leads_;
  WorkerPool pool_;
  std::map<WorkerSession, Member> members_;
  std::map<std::uint64_t, std::pair<RunRef, RunOwner>> owners_;  // by run
  std::map<std::uint64_t, OutcomePiece> come_;                   // by run: all pieces so far as one
  std::size_t outcome_max_;
};

}  // namespace actors
