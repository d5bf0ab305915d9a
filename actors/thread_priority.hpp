// A thread's place behind the others: the program answers first, draws in the time that is left, and computes
// in what is left then.
#pragma once

namespace actors {

/// Ten steps of the nice value: the calling thread gets about a tenth of a core's time while the program's
/// others want all of it, and all that is left otherwise (Linux: a nice value is a thread's own). With the
/// last step, 19, a few more creations would fit beside an analysis; but on a full machine it would take
/// seventy times as long.
void step_behind_others();

}  // namespace actors
