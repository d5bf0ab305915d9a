// A line in the log where a computation begins and where it ends, whoever computes. Put together, the lines
// of all machines say how many computed at once.
#pragma once
#include "actors/log.hpp"
#include "actors/runs/analyst.hpp"
#include "actors/workers/lease.hpp"

namespace actors {

/// The same computation with the lines "run begins" and "run ends", their times by waking_ms(), and counted
/// in the lease meanwhile.
Compute with_lines(Compute compute, LogPtr log, LeasePtr lease = std::make_shared<Lease>());

}  // namespace actors
