// A thread's place behind the others: the program answers first, draws in the time that is left, and computes
// in what is left then.
#pragma once

namespace actors {

/// Steps of Linux's nice value, which each thread has for itself. An idle processor is theirs as a whole.
/// While other threads want all of it, drawing gets a tenth of what such a thread gets, computing a third.
/// More steps would leave more time to creations; but on a busy machine runs would then take ten times as
/// long.
inline constexpr int kDrawing = 10, kComputing = 5;

void step_behind_others(int steps);

}  // namespace actors
