// The projects' requests: state, listing, media. Creation, restart and the runs' life have files of their
// own.
#include "actors/projects/projects.hpp"

#include "actors/clock.hpp"

namespace actors {

using persistence::RunState;

namespace {

constexpr int kFailedServiceRetry_s = 60;

Outcome refusal(Code code, std::uint64_t project = 0) { return Refusal{.code = code, .project = project}; }

/// A failed run as its project's owner reads it.
Outcome failure_of(const persistence::Run& run) {
  Refusal failed{.code = code_of(run.failure_code), .text = run.failure_text, .project = run.project};
  if (failed.code == Code::dienst_nicht_erreichbar || failed.code == Code::dienst_ueberlastet)
    failed.retry_after_s = kFailedServiceRetry_s;
  return failed;
}

}  // namespace

ProjectsActor::ProjectsActor(caf::actor_config& config, persistence::Store& store,
                             const ActorOptions& options, Clock clock, RenderResult render,
                             ProjectsPeers peers, std::size_t shard, MetersPtr meters)
    : Measured(config, "projects", std::move(meters)),
      store_(store),
      options_(options),
      clock_(std::move(clock)),
      peers_(std::move(peers)),
      at_geocoder_(std::chrono::seconds(options_.geocode_timeout_s), wake()),
      at_journal_(std::chrono::seconds(options_.journal_timeout_s), wake()),
      shelf_(store, options.projects_cached, this->meters().cache("projects")),
      results_(store, options, clock_, std::move(render), this->meters()),
      media_(store, results_),
      expired_(store, shelf_, results_, options.project_shards, shard),
      believed_(std::chrono::hours(options.retention_h)) {}

ProjectsActor::behavior_type ProjectsActor::make_behavior() {
  return {
      [this](const Ticket& ticket, Command& command) { return handle(ticket, command); },
      [this](const SaveProject& order) { return save(order); },
      [this](const QuarantineResult& order) { return quarantine(order); },
      [this](const GiveUpLost& order) { return give_up(order); },
      [this](const DiscardAside& order) { return discard(order); },
      [this](const EraseProjects& order) { return erase(order); },
      [this](start_atom, const RunRef& ref) { unless_leaving(ref.project, [this, ref] { start(ref); }); },
      [this](const StepDone& step) { step_done(step); },
      [this](const RunOutcome& outcome) {
        unless_leaving(outcome.run.project, [this, outcome] { finish(outcome); });
      },
      [this](ended_atom, const RunRef& ref, std::int64_t computing_ms) {
        unless_leaving(ref.project, [this, ref, computing_ms] { thread_ended(ref, computing_ms); });
      },
      [this](overdue_atom, const RunRef& ref) { unless_leaving(ref.project, [this, ref] { overdue(ref); }); },
      [this](sweep_atom) { sweep(); },
      [this](late_atom) {
        at_geocoder_.sweep(clock().now());
        at_journal_.sweep(clock().now());
      },
  };
}

caf::result<Answer> ProjectsActor::handle(const Ticket& ticket, Command& command) {
  if (const auto* query_order = caf::get_if<QueryAnalysis>(&command))
    return query(ticket, query_order->project);
  if (const auto* restart_order = caf::get_if<RestartAnalysis>(&command))
    return restart(ticket, *restart_order);
  if (const auto* list_order = caf::get_if<ListProjects>(&command)) return list(ticket, *list_order);
  if (const auto* media_order = caf::get_if<QueryMedia>(&command)) return media(ticket, *media_order);
  if (const auto* read_order = caf::get_if<ReadProject>(&command)) return read(ticket, *read_order);
  if (const auto* result_order = caf::get_if<ReadAnalysis>(&command)) return read(ticket, *result_order);
  if (const auto* name_order = caf::get_if<RenameProject>(&command)) return rename(ticket, *name_order);
  if (const auto* save_order = caf::get_if<StoreMedia>(&command)) return save(ticket, *save_order);
  if (const auto* removal = caf::get_if<DeleteProject>(&command)) return remove(ticket, *removal);
  if (auto* single = caf::get_if<SingleCall>(&command))
    return create(ticket, std::move(single->project), true);
  if (auto* order = caf::get_if<CreateProject>(&command)) return create(ticket, std::move(*order), false);
  return Answer{ticket, refusal(Code::interner_fehler)};  // visits and refusals never get here
}

caf::result<Answer> ProjectsActor::query(const Ticket& ticket, std::uint64_t project) {
  const auto entry = shelf_.find(ticket.account, project);
  if (!entry) return Answer{ticket, refusal(Code::interner_fehler, project)};
  if (!*entry) return Answer{ticket, refusal(Code::projekt_unbekannt)};
  auto promise = make_response_promise<Answer>();
  tell_state(promise, ticket, **entry);
  return promise;
}

/// The status query of a waiting run goes on to the scheduler: each query is an attempt to get a slot.
void ProjectsActor::tell_state(Promise promise, const Ticket& ticket, const Entry& entry, bool keeps_inputs) {
  const persistence::Run& run = entry.run;
  if (run.state == RunState::waiting) {
    promise.delegate(
        peers_.scheduler, RunRef{run.id, run.account, run.project}, caf::actor_cast<Projects>(this),
        Answer{ticket, Running{.project = run.project, .waiting = true, .keeps_inputs = keeps_inputs}});
    return;
  }
  Outcome state = settled_state(entry);
  if (auto* running = caf::get_if<Running>(&state)) running->keeps_inputs = keeps_inputs;
  promise.deliver(Answer{ticket, std::move(state)});
}

Outcome ProjectsActor::settled_state(const Entry& entry) {
  const persistence::Run& run = entry.run;
  if (run.state == RunState::failed) return failure_of(run);
  if (run.state == RunState::finished) return results_.told(entry);
  return Running{run.project,    false,           run.step,
                 run.steps_done, run.steps_total, pace_.retry_running_s(clock_() - run.started_ms)};
}

caf::result<Answer> ProjectsActor::list(const Ticket& ticket, const ListProjects& order) {
  auto page = shelf_.page(ticket.account, order);
  if (!page) return Answer{ticket, refusal(Code::interner_fehler)};
  if (order.details)
    for (ProjectLine& line : page->projects) add_details(ticket.account, line);
  return Answer{ticket, std::move(*page)};
}

caf::result<Answer> ProjectsActor::media(const Ticket& ticket, const QueryMedia& query) {
  const auto entry = shelf_.find(ticket.account, query.project);
  if (!entry) return Answer{ticket, refusal(Code::interner_fehler, query.project)};
  if (!*entry) return Answer{ticket, refusal(Code::projekt_unbekannt)};
  if (query.kind == MediaKind::listing) return Answer{ticket, media_.list(**entry)};
  const auto order = media_.order(**entry, query);
  if (!order) return Answer{ticket, order.error()};
  return delegate(peers_.renderers, ticket, *order);
}

const Geocoder& ProjectsActor::next_geocoder() {
  return peers_.geocoders[geocoder_turn_++ % peers_.geocoders.size()];
}

OpenRequests::Wake ProjectsActor::wake() {
  return [this](auto delay) { delayed_send(caf::actor_cast<Projects>(this), delay, late_atom::value); };
}

}  // namespace actors
