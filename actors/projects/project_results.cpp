#include "actors/projects/project_results.hpp"

#include <exception>

#include "actors/projects/failure_lines.hpp"
#include "persistence/keys.hpp"
#include "persistence/result_codec.hpp"

namespace actors {

using persistence::RunState;
using persistence::Table;

namespace {

constexpr std::size_t kSweptAtOnce = 16;

/// A run that has no result, because it is not over or has failed.
Refusal without_result(const persistence::Run& run) {
  if (run.state == RunState::failed)
    return {.code = Code::analyse_fehlt,
            .text = "Die letzte Analyse hat kein Ergebnis.",
            .advice = "Ein GET auf fehler.analyse_url sagt, warum.",
            .project = run.project};
  return {.code = Code::analyse_fehlt,
          .text = "Die Analyse ist noch nicht fertig.",
          .advice = "Fragen Sie fehler.analyse_url mit GET ab, bis sie es ist.",
          .project = run.project};
}

}  // namespace

ProjectResults::ProjectResults(const persistence::Store& store, const ActorOptions& options, Clock clock,
                               RenderResult render, Meters& meters)
    : store_(store),
      retention_ms_(options.retention_h * kHour_ms),
      clock_(std::move(clock)),
      render_(std::move(render)),
      meters_(meters),
      rendered_(static_cast<std::size_t>(options.results_cached_mb) << 20U, meters.cache("results")) {}

Outcome ProjectResults::told(const ProjectEntry& entry) {
  const std::uint64_t project = entry.run.project;
  if (const SharedText* body = rendered_.find(project); body && !expired(entry.run))
    return Finished{project, *body};
  const auto result = analysis(entry);
  if (!result) return result.error();
  return rendered(entry, *result);
}

tl::expected<geo::RoofAnalysis, Refusal> ProjectResults::analysis(const ProjectEntry& entry) const {
  const persistence::Run& run = entry.run;
  const auto missing = [&run](Code code) {
    return tl::make_unexpected(Refusal{.code = code, .project = run.project});
  };
  if (run.state != RunState::finished) return tl::make_unexpected(without_result(run));
  const auto bytes = store_.get(Table::results, persistence::project_key(run.account, run.project));
  if (bytes && !*bytes) return missing(Code::analyse_fehlt);
  auto decoded = bytes ? persistence::decode_result(**bytes) : std::nullopt;
  if (!decoded) return missing(Code::analyse_unlesbar);
  if (expired(run)) return missing(Code::analyse_fehlt);
  return std::move(*decoded);
}

bool ProjectResults::damaged(std::uint64_t account, std::uint64_t project) const {
  const auto bytes = store_.get(Table::results, persistence::project_key(account, project));
  return !bytes || (*bytes && !persistence::decode_result(**bytes));
}

bool ProjectResults::expired(const persistence::Run& run) const {
  return clock_() >= run.ended_ms + retention_ms_;
}

Outcome ProjectResults::rendered(const ProjectEntry& entry, const geo::RoofAnalysis& analysis) {
  const std::uint64_t project = entry.project.id;
  try {
    auto text = std::make_shared<const std::string>(render_({entry.project, entry.run, analysis}));
    const std::size_t weight = text->size();
    const std::uint64_t tag = std::hash<std::string>()(*text);
    return Finished{project, rendered_.put(project, SharedText{std::move(text), tag}, weight)};
  } catch (const std::exception& error) {  // it must not end the shard
    tell_failed_request(meters_.log(), "result not rendered",
                        {entry.run.request_id, entry.project.account, project}, Code::interner_fehler,
                        error.what());
    return Refusal{.code = Code::interner_fehler, .project = project};
  }
}

ExpirySweep::Part ExpirySweep::next(std::int64_t oldest_ms) {
  Part part;
  std::size_t looked_at = 0;
  const std::string from = std::exchange(from_, {});
  const auto scanned =
      store_.scan(Table::expiry, {}, persistence::Store::Order::ascending, from,
                  [&](std::string_view expiry, std::string_view) {
                    if (static_cast<std::int64_t>(persistence::number_at(expiry, 0)) > oldest_ms)
                      return false;
                    if (looked_at++ == kSweptAtOnce) from_ = expiry;
                    if (from_.empty()) erase(expiry, part.writes);
                    return from_.empty();
                  });
  if (!scanned) from_.clear();
  part.more = !from_.empty();
  return part;
}

void ExpirySweep::erase(std::string_view expiry, persistence::Writes& writes) {
  const std::uint64_t account = persistence::number_at(expiry, 8);
  const std::uint64_t project = persistence::number_at(expiry, 16);
  if (account % shards_ != shard_) return;
  const auto entry = shelf_.find(account, project);
  if (!entry) return;  // unreadable now: a later sweep will try again
  writes.push_back(persistence::erased(Table::expiry, std::string(expiry)));
  const bool newest = *entry && (*entry)->run.state == RunState::finished &&
                      (*entry)->run.ended_ms == static_cast<std::int64_t>(persistence::number_at(expiry, 0));
  if (!newest) return;
  const std::string key = persistence::project_key(account, project);
  const auto bytes = store_.get(Table::results, key);
  if (!bytes || !*bytes || !persistence::decode_result(**bytes)) return;
  results_.forget(project);
  writes.push_back(persistence::erased(Table::results, key));
  writes.push_back(persistence::erased(Table::scenes, key));
}

}  // namespace actors
