// Thread priorities: answering requests comes first, then computing runs, then drawing.
#pragma once

namespace actors {

/// Steps of Linux's nice value, which each thread has for itself. An idle processor is fully available to
/// these threads. Next to a thread that needs all of it, a drawing thread gets a tenth of that thread's time
/// and a computing one a fifth. More steps would leave more time for creations, but runs would take many
/// times as long on a busy machine.
inline constexpr int kDrawing = 10, kComputing = 7;

void step_behind_others(int steps);

}  // namespace actors
