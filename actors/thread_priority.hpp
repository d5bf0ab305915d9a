// A thread's place behind the others: the program answers first and draws in the time that is left.
#pragma once

namespace actors {

/// Ten steps of the nice value: the calling thread gets about a tenth of a core's time while the program's
/// others want all of it, and all that is left otherwise (Linux: a nice value is a thread's own).
void step_behind_others();

}  // namespace actors
