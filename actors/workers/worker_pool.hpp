// Which worker computes which run, and what becomes of a run whose worker is lost.
//
// A worker asks every half second whether it is still known (kBeat). From the moment it has asked, an answer
// lets it compute for three more seconds (kSilence); without another answer it stops by itself. So the home
// knows, from its own clock alone, when a worker that it does not hear any more has stopped: three seconds
// after the last answer that it gave, and one more for the threads to end (kStopping). Only then is the run
// given to another worker, or does its slot fall free. Whatever becomes of the network meanwhile, no run
// computes twice at once. (Leases: Gray and Cheriton, 1989.)
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "actors/values.hpp"
#include "actors/workers/values.hpp"

namespace actors {

/// The home's own analysts. They are never lost.
inline constexpr WorkerSession kHome = 0;

/// Not thread-safe. Times are milliseconds of a clock that does not jump.
class WorkerPool {
 public:
  /// The job is to be sent to the worker.
  struct Given {
    WorkerSession to = kHome;
    AnalysisJob job;
  };
  /// The run ends without having been computed to its end.
  struct Aborted {
    RunRef run;
    bool told = false;              ///< its outcome has come; only its thread's end has not
    std::int64_t computing_ms = 0;  ///< from its first begin
  };
  struct Moves {
    std::vector<Given> given;
    std::vector<Aborted> aborted;
    std::vector<WorkerSession> silent;  ///< lost just now, because nothing was heard of them
  };

  /// `home_threads`: runs that the home computes at once; with 0 it computes only while no worker is there.
  /// A predecessor of this process may have left workers that compute; nothing is given out until they must
  /// have stopped.
  WorkerPool(std::uint32_t home_threads, std::int64_t now_ms);

  /// A worker is let in.
  WorkerSession join(std::uint32_t threads, std::int64_t now_ms);
  /// The worker asks whether it is known; yes is an answer that lets it compute on.
  bool heard(WorkerSession session, std::int64_t now_ms);
  /// It is given nothing more; what it computes goes on.
  void leave(WorkerSession session);
  /// Its connection is gone.
  void lose(WorkerSession session);

  Moves begin(const AnalysisJob& job, std::int64_t now_ms);
  /// What time brings: silent workers, runs whose worker must have stopped.
  Moves tick(std::int64_t now_ms);

  /// Whether a message about the run comes from the worker that computes it now.
  bool computes(WorkerSession session, std::uint64_t run) const;
  /// The run's outcome has come; true: pass it on.
  bool outcome(WorkerSession session, std::uint64_t run);
  /// The run's thread has ended; true: pass it on.
  bool ended(WorkerSession session, std::uint64_t run);
  /// The worker cannot read the run's data; perhaps another one can. True, once for each run: the outcome
  /// does not count, and when the thread has ended the run is to be returned().
  bool unreachable(WorkerSession session, std::uint64_t run);
  bool goes_elsewhere(WorkerSession session, std::uint64_t run) const;
  /// The worker has stopped the run, because it must end or has other data now; another one takes it.
  Moves returned(WorkerSession session, std::uint64_t run, std::int64_t now_ms);

  /// The run is not wanted any more. Whom to tell: nobody while its worker is lost.
  std::optional<WorkerSession> cancel(std::uint64_t run);
  std::vector<std::uint64_t> runs() const;

  bool knows(WorkerSession session) const;
  /// Runs that a worker has, lost ones included.
  std::size_t runs_of(WorkerSession session) const;
  /// Sessions that are not lost, without the home's.
  std::size_t workers() const;
  std::size_t moved() const { return moved_; }  ///< runs that another worker had to take

 private:
  struct Worker {
    std::uint32_t threads = 1;
    std::int64_t answered_ms = 0;
    bool leaving = false, lost = false;
  };
  struct Run {
    AnalysisJob job;
    std::optional<WorkerSession> worker;  // nothing: it waits for the predecessor's workers to stop
    std::int64_t begun_ms = 0;
    bool told = false, cancelled = false, lost_before = false;
    bool goes_elsewhere = false;
    std::optional<WorkerSession> unreachable_for;  // nothing: for nobody so far
  };
  WorkerSession emptiest(std::optional<WorkerSession> except) const;
  void give(Run& run, Moves& moves);
  void abort(std::uint64_t id, std::int64_t now_ms, Moves& moves);
  void forget_lost();

  std::map<WorkerSession, Worker> workers_;  // with the home's
  std::map<std::uint64_t, Run> runs_;
  WorkerSession last_ = kHome;
  std::int64_t opens_ms_;
  std::size_t moved_ = 0;
};

}  // namespace actors
