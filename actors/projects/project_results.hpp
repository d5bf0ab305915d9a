// The projects' results: read from the store, refused when there is none, rendered once and kept in bounded
// memory, and erased when they expire.
#pragma once
#include <cstdint>
#include <string>
#include <tl/expected.hpp>

#include "actors/clock.hpp"
#include "actors/meters.hpp"
#include "actors/options.hpp"
#include "actors/projects/project_shelf.hpp"
#include "actors/projects/result_view.hpp"
#include "actors/recent_cache.hpp"
#include "actors/values.hpp"
#include "persistence/store.hpp"

namespace actors {

class ProjectResults {
 public:
  ProjectResults(const persistence::Store& store, const ActorOptions& options, Clock clock,
                 RenderResult render, Meters& meters);

  /// The answer for the owner of a finished run: Finished, or the refusal of analysis(). A result that cannot
  /// be rendered is interner_fehler, with a line in the log.
  Outcome told(const ProjectEntry& entry);
  /// The newest run's result. Fails with analyse_fehlt (none yet, or expired) or analyse_unlesbar (damaged; a
  /// damaged result does not expire).
  tl::expected<geo::RoofAnalysis, Refusal> analysis(const ProjectEntry& entry) const;
  /// Whether a stored result cannot be read; false when there is none.
  bool damaged(std::uint64_t account, std::uint64_t project) const;
  bool expired(const persistence::Run& run) const;
  /// The stored result has been replaced or erased.
  void forget(std::uint64_t project) { rendered_.erase(project); }

 private:
  Outcome rendered(const ProjectEntry& entry, const geo::RoofAnalysis& analysis);

  const persistence::Store& store_;
  std::int64_t retention_ms_;
  Clock clock_;
  RenderResult render_;
  Meters& meters_;
  RecentCache<std::uint64_t, SharedText> rendered_;  // by project, weighed in bytes
};

/// Finds the results that have expired, the oldest first and a few at a time, so that requests are served in
/// between.
class ExpirySweep {
 public:
  /// For the projects of one shard.
  ExpirySweep(const persistence::Store& store, ProjectShelf& shelf, ProjectResults& results,
              std::uint32_t shards, std::size_t shard)
      : store_(store), shelf_(shelf), results_(results), shards_(shards), shard_(shard) {}

  struct Part {
    persistence::Writes writes;  ///< what has to be erased; may be empty
    bool more = false;           ///< whether to call again once these are written
  };
  /// Results that ended at `oldest_ms` or before. A damaged one stays.
  Part next(std::int64_t oldest_ms);
  /// The next call begins at the oldest.
  void from_the_start() { from_.clear(); }

 private:
  void erase(std::string_view expiry, persistence::Writes& writes);

  const persistence::Store& store_;
  ProjectShelf& shelf_;
  ProjectResults& results_;
  std::uint32_t shards_;
  std::size_t shard_;
  std::string from_;  // the expiry at which the next call goes on; empty: the oldest
};

}  // namespace actors
