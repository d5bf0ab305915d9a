// What the program finds when it starts again.
#pragma once
#include <vector>

#include "actors/clock.hpp"
#include "actors/log.hpp"
#include "actors/messages.hpp"
#include "persistence/store.hpp"

namespace actors {

/// Marks every run that was computing as analyse_abgebrochen and returns those that waited, in their old
/// order. A run whose record cannot be read stays in line and is not returned; the log says how many there
/// are. The cost grows with the number of unfinished runs, not with the number of projects.
persistence::Stored<std::vector<RunRef>> recover(persistence::Store& store, const Clock& clock, Log& log);

}  // namespace actors
