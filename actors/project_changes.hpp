// How a project's records change in its life: created, its run waiting, computing, over, started anew. Each
// function tells the records as they are afterwards and what has to be written for it in one batch, so that a
// crash finds all of it on disk or nothing. Nothing here reads or writes.
#pragma once
#include <cstdint>
#include <string>

#include "actors/project_shelf.hpp"
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

/// What the order leaves out is as it was. The last result goes, with what pictures were drawn from.
ProjectChange restarted(const ProjectEntry& before, const RestartAnalysis& order, std::uint64_t run,
                        std::int64_t now_ms);

ProjectChange started(const ProjectEntry& waiting, std::int64_t now_ms);
ProjectChange advanced(const ProjectEntry& computing, const StepDone& step);
ProjectChange finished(const ProjectEntry& computing, const RunOutcome& outcome, std::int64_t now_ms);
ProjectChange failed(const ProjectEntry& computing, const RunOutcome& outcome, std::int64_t now_ms);

/// The run when the disk has refused its new state: nobody can be told of that, so the run has failed.
persistence::Run refused_by_disk(persistence::Run run);

}  // namespace actors
