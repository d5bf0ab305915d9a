// A thread's place behind the others: the program answers first, draws in the time that is left, and computes
// in what is left then.
#pragma once

namespace actors {

/// How far, in steps of Linux's nice value, which is a thread's own; each takes about a fifth of the weight.
/// Somebody waits for a picture: a tenth of a thread's time when the program's others want all of it.
inline constexpr int kBehindAnswers = 10;
/// Nobody holds his breath for an analysis: a seventieth then, and all that is left otherwise. A run's
/// deadline of 150 s leaves it two seconds of computing even then; a house takes 0.06.
inline constexpr int kBehindAll = 19;

void step_behind(int steps);

}  // namespace actors
