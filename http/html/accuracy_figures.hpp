// How accurate the surfaces are, as README and /doku show it: the figures of one run of `./roof bench
// accuracy --first-seed=21` (build/bench/accuracy.json). A test compares README with them.
#pragma once
#include <array>
#include <string_view>

namespace http::html {

struct AccuracyFigure {
  std::string_view what;  ///< German
  std::string_view with_footprints, without_footprints, target;
};

inline constexpr std::array<AccuracyFigure, 4> kAccuracyFigures{{
    {"Gefunden / richtig", "98.0 / 98.3 %", "88.4 / 94.9 %", "97 / 97 %"},
    {"Fehler der Neigung: Median, 90. Perzentil (einfache Ausgleichung)", "0.38, 1.57° (0.55, 3.36)",
     "0.40, 1.94° (0.51, 2.74)", "1,1- und 1,2-fach"},
    {"Fehler der Ausrichtung: Median, 90. Perzentil (einfache Ausgleichung)", "0.00, 0.09° (0.53, 3.92)",
     "0.25, 1.36° (0.46, 2.97)", "1,1- und 1,2-fach"},
    {"Fläche, Median / Deckung der Umrisse (IoU), Median", "-0.2 % / 0.945", "-1.5 % / 0.919", "±2 % / 0.88"},
}};

}  // namespace http::html
