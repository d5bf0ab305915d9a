// The projects' requests: state and listing. Creation, restart and the runs' life have files of their own.
#include "actors/projects.hpp"

#include "actors/clock.hpp"
#include "actors/failure_lines.hpp"
#include "persistence/keys.hpp"
#include "persistence/result_codec.hpp"

namespace actors {

using persistence::RunState;
using persistence::Table;

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
      render_(std::move(render)),
      peers_(std::move(peers)),
      shard_(shard),
      at_geocoder_(std::chrono::seconds(options_.geocode_timeout_s), wake()),
      at_journal_(std::chrono::seconds(options_.journal_timeout_s), wake()),
      shelf_(store, options.projects_cached, this->meters().cache("projects")),
      rendered_(static_cast<std::size_t>(options.results_cached_mb) << 20U, this->meters().cache("results")),
      believed_(std::chrono::hours(options.retention_h)) {}

ProjectsActor::behavior_type ProjectsActor::make_behavior() {
  return {
      [this](const Ticket& ticket, Command& command) { return handle(ticket, command); },
      [this](const SaveProject& order) { return save(order); },
      [this](const QuarantineResult& order) { return quarantine(order); },
      [this](const DiscardAside& order) { return discard(order); },
      [this](start_atom, const RunRef& ref) { start(ref); },
      [this](const StepDone& step) { step_done(step); },
      [this](const RunOutcome& outcome) { finish(outcome); },
      [this](ended_atom, const RunRef& ref, std::int64_t computing_ms) { thread_ended(ref, computing_ms); },
      [this](overdue_atom, const RunRef& ref) {
        if (computing(ref)) send(peers_.analysts, cancel_atom::value, ref);
        fail(ref, Code::analyse_fehlgeschlagen,
             "cancelled after " + std::to_string(options_.deadline_s) + " s (analysis.deadline)");
      },
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
  if (const auto* list_order = caf::get_if<ListProjects>(&command))
    return Answer{ticket, list(ticket, *list_order)};
  if (const auto* media_order = caf::get_if<QueryMedia>(&command)) return media(ticket, *media_order);
  if (auto* single = caf::get_if<SingleCall>(&command))
    return create(ticket, std::move(single->project), true);
  if (auto* order = caf::get_if<CreateProject>(&command)) return create(ticket, std::move(*order), false);
  return Answer{ticket, refusal(Code::interner_fehler)};  // visits and refusals end before they get here
}

caf::result<Answer> ProjectsActor::query(const Ticket& ticket, std::uint64_t project) {
  const auto entry = shelf_.find(ticket.account, project);
  if (!entry) return Answer{ticket, refusal(Code::interner_fehler, project)};
  if (!*entry) return Answer{ticket, refusal(Code::projekt_unbekannt)};
  auto promise = make_response_promise<Answer>();
  tell_state(promise, ticket, **entry);
  return promise;
}

/// A waiting run's question goes on to the scheduler: it is an attempt to get a slot.
void ProjectsActor::tell_state(Promise promise, const Ticket& ticket, const Entry& entry) {
  const persistence::Run& run = entry.run;
  if (run.state == RunState::waiting)
    promise.delegate(peers_.scheduler, RunRef{run.id, run.account, run.project},
                     caf::actor_cast<Projects>(this),
                     Answer{ticket, Running{.project = run.project, .waiting = true}});
  else
    promise.deliver(Answer{ticket, settled_state(entry)});
}

Outcome ProjectsActor::settled_state(const Entry& entry) {
  const persistence::Run& run = entry.run;
  if (run.state == RunState::failed) return failure_of(run);
  if (run.state == RunState::finished) return result_of(entry);
  return Running{run.project,    false,           run.step,
                 run.steps_done, run.steps_total, pace_.retry_running_s(clock_() - run.started_ms)};
}

Outcome ProjectsActor::result_of(const Entry& entry) {
  const persistence::Run& run = entry.run;
  if (const SharedText* body = rendered_.find(run.project); body && !expired(run))
    return Finished{run.project, *body};
  const auto analysis = stored_analysis(entry);
  if (!analysis) return analysis.error();
  return rendered(entry, *analysis);
}

/// The newest run's result, or why there is none to be had: analyse_fehlt, analyse_unlesbar.
tl::expected<geo::RoofAnalysis, Refusal> ProjectsActor::stored_analysis(const Entry& entry) const {
  const persistence::Run& run = entry.run;
  const auto missing = [&run](Code code) {
    return tl::make_unexpected(Refusal{.code = code, .project = run.project});
  };
  if (run.state != RunState::finished) return missing(Code::analyse_fehlt);
  const auto bytes = store_.get(Table::results, persistence::project_key(run.account, run.project));
  if (bytes && !*bytes) return missing(Code::analyse_fehlt);
  auto analysis = bytes ? persistence::decode_result(**bytes) : std::nullopt;
  if (!analysis) return missing(Code::analyse_unlesbar);  // a damaged result does not expire
  if (expired(run)) return missing(Code::analyse_fehlt);
  return std::move(*analysis);
}

bool ProjectsActor::expired(const persistence::Run& run) const {
  return clock_() >= run.ended_ms + options_.retention_h * kHour_ms;
}

/// A result that cannot be rendered must not take the shard along.
Outcome ProjectsActor::rendered(const Entry& entry, const geo::RoofAnalysis& analysis) {
  const std::uint64_t project = entry.project.id;
  try {
    auto text = std::make_shared<const std::string>(render_({entry.project, entry.run, analysis}));
    const std::size_t weight = text->size();
    const std::uint64_t tag = std::hash<std::string>()(*text);
    return Finished{project, rendered_.put(project, SharedText{std::move(text), tag}, weight)};
  } catch (const std::exception& error) {
    tell_failed_request(meters().log(), "result not rendered",
                        {entry.run.request_id, entry.project.account, project}, Code::interner_fehler,
                        error.what());
    return refusal(Code::interner_fehler, project);
  }
}

Outcome ProjectsActor::list(const Ticket& ticket, const ListProjects& order) const {
  ProjectPage page;
  const std::string account = persistence::number_key(ticket.account);
  const std::string from =
      order.before ? persistence::project_key(ticket.account, order.before) : std::string();
  bool readable = true;
  const auto scanned = store_.scan(
      Table::projects, account, persistence::Store::Order::descending, from,
      [&](std::string_view, std::string_view value) {
        page.more = page.projects.size() == static_cast<std::size_t>(order.limit);
        if (page.more) return false;
        auto p = persistence::decode_project(std::string(value));
        readable &= p.has_value();
        if (p)
          page.projects.push_back({p->id, p->name,
                                   p->house_number.empty() ? p->street : p->street + " " + p->house_number,
                                   p->postcode, p->town, p->lat_deg, p->lon_deg});
        return true;
      });
  if (!scanned || !readable) return refusal(Code::interner_fehler);
  return page;
}

const Geocoder& ProjectsActor::next_geocoder() {
  return peers_.geocoders[geocoder_turn_++ % peers_.geocoders.size()];
}

OpenRequests::Wake ProjectsActor::wake() {
  return [this](auto delay) { delayed_send(caf::actor_cast<Projects>(this), delay, late_atom::value); };
}

}  // namespace actors
