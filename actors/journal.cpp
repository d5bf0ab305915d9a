#include "actors/journal.hpp"

#include <chrono>
#include <utility>

namespace actors {

JournalActor::JournalActor(caf::actor_config& config, persistence::Store& store, MetersPtr meters)
    : Measured(config, "journal", std::move(meters)), store_(store) {}

JournalActor::behavior_type JournalActor::make_behavior() {
  return {[this](persistence::Writes& writes) { return gather(std::move(writes)); },
          [this](flush_atom) { commit(); }};
}

caf::result<bool> JournalActor::gather(persistence::Writes writes) {
  // The flush comes after all that is already in the mailbox.
  if (pending_.empty()) send(caf::actor_cast<Journal>(this), flush_atom::value);
  auto promise = make_response_promise<bool>();
  pending_.push_back({std::move(writes), promise});
  return promise;
}

void JournalActor::on_exit() {
  const std::vector<Pending> batch = std::exchange(pending_, {});
  if (!batch.empty()) static_cast<void>(stored(batch));
}

bool JournalActor::stored(const std::vector<Pending>& batch) {
  std::vector<const persistence::Writes*> all;
  all.reserve(batch.size());
  for (const Pending& p : batch) all.push_back(&p.writes);
  return store_.commit_all(all).has_value();
}

void JournalActor::tell_refusal(std::size_t requests) {
  meters().journal_refused.Increment();
  meters().log().write(LogLevel::error, LogLine("batch refused")
                                            .field("requests", std::uint64_t{requests})
                                            .field("reason", store_.last_fault()));
}

void JournalActor::commit() {
  std::vector<Pending> batch;
  batch.swap(pending_);
  const auto began = std::chrono::steady_clock::now();
  const bool all_stored = stored(batch);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  meters().journal_batch.Observe(static_cast<double>(batch.size()));
  meters().journal_commit.Observe(took.count());
  if (!all_stored) tell_refusal(batch.size());
  for (Pending& p : batch) {
    // A write that the store refuses must not fail the others: try each by itself.
    if (!all_stored && batch.size() > 1) {
      p.promise.deliver(store_.commit(p.writes).has_value());
    } else {
      p.promise.deliver(all_stored);
    }
  }
}

}  // namespace actors
