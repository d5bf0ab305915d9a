#include "actors/meters.hpp"

#include <algorithm>
#include <utility>

namespace actors {
namespace {

using Bounds = prometheus::Histogram::BucketBoundaries;

/// Messages: from a microsecond to a time that delays all that follow.
const Bounds kMessage_s{1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1};
const Bounds kRun_s{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 90, 150};
const Bounds kWaiting_s{0.1, 1, 10, 60, 300, 1800, 3600, 14400};
const Bounds kSync_s{1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1, 5};
const Bounds kBatch{1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

prometheus::Gauge& gauge(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add({});
}

prometheus::Histogram& histogram(prometheus::Registry& registry, const char* name, const char* help,
                                 const Bounds& bounds) {
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry).Add({}, bounds);
}

}  // namespace

const Bounds& ActorMeter::bounds() { return kMessage_s; }

void MessageTally::add(double seconds) {
  const auto bucket = std::lower_bound(kMessage_s.begin(), kMessage_s.end(), seconds) - kMessage_s.begin();
  counts_[static_cast<std::size_t>(bucket)] += 1;
  seconds_ += seconds;
  ++size_;
}

void MessageTally::tell() {
  if (size_ == 0) return;
  meter_.mailbox->Decrement(static_cast<double>(size_));
  meter_.processing->ObserveMultiple(counts_, seconds_);
  std::fill(counts_.begin(), counts_.end(), 0.0);
  seconds_ = 0;
  size_ = 0;
}

Meters::Meters(LogPtr log)
    : log_(std::move(log)),
      registry_(std::make_shared<prometheus::Registry>()),
      mailboxes_(prometheus::BuildGauge()
                     .Name("roof_actor_mailbox_messages")
                     .Help("Messages that wait or are being worked on, all actors of a kind together")
                     .Register(*registry_)),
      processing_(prometheus::BuildHistogram()
                      .Name("roof_actor_processing_seconds")
                      .Help("Time that an actor of a kind works on one message")
                      .Register(*registry_)),
      caches_(prometheus::BuildCounter()
                  .Name("roof_cache_lookups_total")
                  .Help("Look-ups in the caches in memory, by what they found")
                  .Register(*registry_)),
      stages_(prometheus::BuildHistogram()
                  .Name("roof_run_stage_seconds")
                  .Help("Time that a run spends in one of its steps")
                  .Register(*registry_)),
      runs_(prometheus::BuildCounter()
                .Name("roof_runs_total")
                .Help("Runs that ended, by how: fertig, or the code of the failure")
                .Register(*registry_)),
      limits_(prometheus::BuildCounter()
                  .Name("roof_limits_hit_total")
                  .Help("Requests that were refused with 429, by the limit that refused them")
                  .Register(*registry_)),
      worker_runs_(prometheus::BuildCounter()
                       .Name("roof_worker_runs_total")
                       .Help("Runs that were given to a worker, by its name, or to the home itself")
                       .Register(*registry_)),
      workers_refused_(prometheus::BuildCounter()
                           .Name("roof_workers_refused_total")
                           .Help("Connections for workers that were refused, by why")
                           .Register(*registry_)),
      workers_joined_(prometheus::BuildCounter()
                          .Name("roof_worker_joins_total")
                          .Help("Times that a worker was let in, by its name; more than one: it came back")
                          .Register(*registry_)),
      mails_(prometheus::BuildCounter()
                 .Name("roof_mails_total")
                 .Help("Mails, by how an attempt to send them ended: sent, later or given up")
                 .Register(*registry_)),
      slots(gauge(*registry_, "roof_slots", "Runs that may compute at once")),
      computing(gauge(*registry_, "roof_slots_taken", "Runs that compute")),
      stuck(gauge(*registry_, "roof_runs_stuck",
                  "Runs here whose thread goes on two minutes after they were cancelled")),
      line(gauge(*registry_, "roof_line_runs", "Runs that wait for a slot")),
      waiting(histogram(*registry_, "roof_line_waiting_seconds", "Time from standing in line to a slot",
                        kWaiting_s)),
      computing_time(histogram(*registry_, "roof_run_seconds", "Computing time of a run", kRun_s)),
      journal_batch(histogram(*registry_, "roof_journal_batch_requests",
                              "Requests that one sync of the journal acknowledges", kBatch)),
      journal_commit(histogram(*registry_, "roof_journal_sync_seconds",
                               "Time of one batch of the journal, with its sync", kSync_s)),
      journal_refused(prometheus::BuildCounter()
                          .Name("roof_journal_refused_total")
                          .Help("Batches that the disk refused")
                          .Register(*registry_)
                          .Add({})),
      workers(gauge(*registry_, "roof_workers", "Analysis workers that are connected")),
      worker_threads(gauge(*registry_, "roof_worker_threads", "Runs that they compute at once")),
      workers_lost(prometheus::BuildCounter()
                       .Name("roof_workers_lost_total")
                       .Help("Times that a worker with or without runs was lost")
                       .Register(*registry_)
                       .Add({})),
      runs_moved(prometheus::BuildCounter()
                     .Name("roof_runs_moved_total")
                     .Help("Runs that another worker had to take")
                     .Register(*registry_)
                     .Add({})),
      mails_waiting(gauge(*registry_, "roof_mails_waiting", "Mails that no mail server has taken yet")) {
  run_ended("fertig");
  worker_run("home");
  worker_refused("tls");
  for (const char* outcome : {"sent", "later", "given up"}) mail_tried(outcome);
}

ActorMeter Meters::actor(const std::string& kind) {
  return {&mailboxes_.Add({{"kind", kind}}), &processing_.Add({{"kind", kind}}, kMessage_s)};
}

CacheMeter Meters::cache(const std::string& name) {
  return {&caches_.Add({{"cache", name}, {"found", "yes"}}),
          &caches_.Add({{"cache", name}, {"found", "no"}})};
}

Bounds Meters::run_bounds() { return kRun_s; }

}  // namespace actors
