// How fast the service computes, for README.md and /doku. A test compares that README with them.
#pragma once
#include <string_view>

namespace http {

/// Of one `./roof bench runs`: 240 houses with footprints, medians of five rounds.
struct SpeedFigures {
  std::string_view machine;  ///< German
  std::string_view runs_per_s, processor_ms_a_run;
  std::string_view stages_ms_a_run;  ///< time of all steps of a run, beside another
};
inline constexpr SpeedFigures kSpeedFigures{
    .machine = "zwei Kerne eines AMD EPYC, zwei Analysen zugleich",
    .runs_per_s = "42",
    .processor_ms_a_run = "45",
    .stages_ms_a_run = "45",
};

}  // namespace http
