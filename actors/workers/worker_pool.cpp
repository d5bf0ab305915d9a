#include "actors/workers/worker_pool.hpp"

#include <algorithm>
#include <limits>

namespace actors {

WorkerPool::WorkerPool(std::uint32_t home_threads, std::int64_t now_ms)
    : workers_{{kHome, {.threads = home_threads}}}, opens_ms_(now_ms + (kSilence + kStopping).count()) {}

WorkerSession WorkerPool::join(std::uint32_t threads, std::int64_t now_ms) {
  workers_[++last_] = {.threads = std::max(1U, threads), .answered_ms = now_ms};
  return last_;
}

bool WorkerPool::knows(WorkerSession session) const {
  const auto worker = workers_.find(session);
  return worker != workers_.end() && !worker->second.lost;
}

bool WorkerPool::heard(WorkerSession session, std::int64_t now_ms) {
  if (!knows(session)) return false;
  workers_[session].answered_ms = now_ms;
  return true;
}

void WorkerPool::leave(WorkerSession session) {
  if (knows(session)) workers_[session].leaving = true;
}

void WorkerPool::lose(WorkerSession session) {
  if (session == kHome || !knows(session)) return;
  workers_[session].lost = true;
  forget_lost();
}

WorkerPool::Moves WorkerPool::begin(const AnalysisJob& job, std::int64_t now_ms) {
  Moves moves;
  Run& run = runs_[job.run.run] = {.job = job, .begun_ms = now_ms};
  if (now_ms >= opens_ms_) give(run, moves);
  return moves;
}

WorkerPool::Moves WorkerPool::tick(std::int64_t now_ms) {
  Moves moves;
  for (auto& [session, worker] : workers_)
    if (session != kHome && !worker.lost && now_ms - worker.answered_ms > kSilence.count()) {
      worker.lost = true;
      moves.silent.push_back(session);
    }
  const auto stopped = [&](const Run& run) {
    if (!run.worker) return now_ms >= opens_ms_;
    const Worker& worker = workers_.at(*run.worker);
    return worker.lost && now_ms >= worker.answered_ms + (kSilence + kStopping).count();
  };
  for (const std::uint64_t id : runs()) {
    Run& run = runs_.at(id);
    if (!stopped(run)) continue;
    if (run.told || run.cancelled || run.lost_before) {
      abort(id, now_ms, moves);
      continue;
    }
    run.lost_before = run.worker.has_value();
    if (run.lost_before) ++moved_;
    give(run, moves);
  }
  forget_lost();
  return moves;
}

bool WorkerPool::computes(WorkerSession session, std::uint64_t run) const {
  const auto found = runs_.find(run);
  return found != runs_.end() && found->second.worker == session && knows(session);
}

bool WorkerPool::outcome(WorkerSession session, std::uint64_t run) {
  if (!computes(session, run) || runs_.at(run).told) return false;
  runs_.at(run).told = true;
  return true;
}

bool WorkerPool::ended(WorkerSession session, std::uint64_t run) {
  if (!computes(session, run)) return false;
  runs_.erase(run);
  return true;
}

bool WorkerPool::unreachable(WorkerSession session, std::uint64_t run) {
  if (session == kHome || !computes(session, run)) return false;
  Run& tried = runs_.at(run);
  if (tried.told || tried.cancelled || tried.unreachable_for) return false;
  tried.unreachable_for = session;
  tried.goes_elsewhere = true;
  return true;
}

bool WorkerPool::goes_elsewhere(WorkerSession session, std::uint64_t run) const {
  return computes(session, run) && runs_.at(run).goes_elsewhere;
}

WorkerPool::Moves WorkerPool::returned(WorkerSession session, std::uint64_t run, std::int64_t now_ms) {
  Moves moves;
  if (!computes(session, run)) return moves;
  Run& back = runs_.at(run);
  if (back.told || back.cancelled) {
    abort(run, now_ms, moves);
    return moves;
  }
  ++moved_;
  give(back, moves);
  return moves;
}

std::optional<WorkerSession> WorkerPool::cancel(std::uint64_t run) {
  const auto found = runs_.find(run);
  if (found == runs_.end()) return {};
  found->second.cancelled = true;
  const auto worker = found->second.worker;
  return worker && knows(*worker) ? worker : std::nullopt;
}

std::vector<std::uint64_t> WorkerPool::runs() const {
  std::vector<std::uint64_t> ids;
  for (const auto& [id, run] : runs_) ids.push_back(id);
  return ids;
}

std::size_t WorkerPool::runs_of(WorkerSession session) const {
  return static_cast<std::size_t>(std::count_if(
      runs_.begin(), runs_.end(), [&](const auto& entry) { return entry.second.worker == session; }));
}

std::size_t WorkerPool::workers() const {
  return static_cast<std::size_t>(std::count_if(workers_.begin(), workers_.end(), [](const auto& entry) {
    return entry.first != kHome && !entry.second.lost;
  }));
}

/// The one with the smallest part of its threads at work; of equals a worker before the home, which has
/// requests to answer as well. There is always one: when all threads are at work, some compute side by side,
/// and when nobody else may have the run, the home takes it.
WorkerSession WorkerPool::emptiest(std::optional<WorkerSession> except) const {
  WorkerSession best = kHome;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [session, worker] : workers_) {
    if (worker.lost || worker.leaving || worker.threads == 0 || session == except) continue;
    const double part = static_cast<double>(runs_of(session) + 1) / worker.threads;
    if (part < least || (part == least && best == kHome)) {
      best = session;
      least = part;
    }
  }
  return best;
}

void WorkerPool::give(Run& run, Moves& moves) {
  run.worker.reset();  // it does not count where it was
  run.worker = emptiest(run.unreachable_for);
  run.goes_elsewhere = false;
  moves.given.push_back({*run.worker, run.job});
}

void WorkerPool::abort(std::uint64_t id, std::int64_t now_ms, Moves& moves) {
  const Run& run = runs_.at(id);
  moves.aborted.push_back({run.job.run, run.told, now_ms - run.begun_ms});
  runs_.erase(id);
}

/// Of a lost worker nothing is kept but what its runs wait for.
void WorkerPool::forget_lost() {
  std::erase_if(workers_,
                [this](const auto& entry) { return entry.second.lost && runs_of(entry.first) == 0; });
}

}  // namespace actors
