// A thread's place behind the others: the program answers first, draws in the time that is left, and computes
// in what is left then.
#pragma once

namespace actors {

/// How far, in steps of Linux's nice value, which is a thread's own: what is left is all theirs, but while
/// others want all of the time, a picture gets a tenth of a thread's and an analysis a third. Further back
/// more creations would fit beside an analysis; but on a machine that is full, of other programs' work for
/// instance, runs would take ten times as long.
inline constexpr int kDrawing = 10, kComputing = 5;

void step_behind_others(int steps);

}  // namespace actors
