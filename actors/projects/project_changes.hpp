// How a project's records change in its life: created, its run waiting, computing, over, restarted. Each
// function returns the records after the change and the writes for it as one batch, so that a crash leaves
// all of it on disk or nothing. Nothing here reads or writes the store.
#pragma once
#include <cstdint>
#include <string>

#include "actors/projects/project_shelf.hpp"
#include "actors/values.hpp"
#include "persistence/store.hpp"

namespace actors {

struct ProjectChange {
  ProjectEntry entry;
  persistence::Writes writes;
};

/// What a new project is made of; the strings are moved out.
struct NewProject {
  std::uint64_t account = 0, project = 0, run = 0;
  CreateProject order;
  Located place;
  std::string spelling_key, house_key;  ///< persistence::address_key of the text as sent, and of its house
};
ProjectChange created(NewProject made, std::int64_t now_ms);

/// What the order leaves out stays as it was. The last result is erased, with its scene.
ProjectChange restarted(const ProjectEntry& before, const RestartAnalysis& order, std::uint64_t run,
                        std::int64_t now_ms);

ProjectChange started(const ProjectEntry& waiting, std::int64_t now_ms);
ProjectChange advanced(const ProjectEntry& computing, const StepDone& step);
ProjectChange finished(const ProjectEntry& computing, const RunOutcome& outcome, std::int64_t now_ms);
ProjectChange failed(const ProjectEntry& computing, const RunOutcome& outcome, std::int64_t now_ms);

/// The run when the disk has refused its new state: clients must not be told that state, so the run has
/// failed.
persistence::Run refused_by_disk(persistence::Run run);

}  // namespace actors
