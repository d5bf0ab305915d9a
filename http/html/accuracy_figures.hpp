// How accurate the surfaces are, as README and /doku show it: the figures of one run of `./roof bench
// accuracy --first-seed=N` (build/bench/accuracy.json). A test compares README with them.
#pragma once
#include <array>
#include <string_view>

namespace http::html {

inline constexpr int kAccuracyFirstSeed = 81;

struct AccuracyFigure {
  std::string_view what;                                         ///< German
  std::string_view with_footprints, without_footprints, target;  ///< decimal points, as in README
};

inline constexpr std::array<AccuracyFigure, 4> kAccuracyFigures{{
    {"Gefunden / richtig", "98.3 / 98.6 %", "96.2 / 96.8 %", "97 / 97 %"},
    {"Fehler der Neigung: Median, 90. Perzentil (einfache Ausgleichung)", "0.37, 1.65° (0.50, 2.48)",
     "0.36, 1.61° (0.49, 2.45)", "1.1- und 1.2-fach"},
    {"Fehler der Ausrichtung: Median, 90. Perzentil (einfache Ausgleichung)", "0.30, 1.04° (0.52, 2.83)",
     "0.27, 1.09° (0.50, 2.62)", "1.1- und 1.2-fach"},
    {"Fläche, Median / Deckung der Umrisse (IoU), Median", "-0.2 % / 0.938", "-0.4 % / 0.930", "±2 % / 0.88"},
}};

}  // namespace http::html
