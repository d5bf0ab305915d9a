// How accurate the surfaces are, as README and /doku show it: the figures of one run of `./roof bench
// accuracy --first-seed=N` (build/bench/accuracy.json). A test compares README with them.
#pragma once
#include <array>
#include <string_view>

namespace http::html {

inline constexpr int kAccuracyFirstSeed = 71;

struct AccuracyFigure {
  std::string_view what;                                         ///< German
  std::string_view with_footprints, without_footprints, target;  ///< decimal points, as in README
};

inline constexpr std::array<AccuracyFigure, 4> kAccuracyFigures{{
    {"Gefunden / richtig", "98.0 / 98.9 %", "95.9 / 98.2 %", "97 / 97 %"},
    {"Fehler der Neigung: Median, 90. Perzentil (einfache Ausgleichung)", "0.40, 1.92° (0.60, 3.74)",
     "0.39, 1.94° (0.59, 3.65)", "1.1- und 1.2-fach"},
    {"Fehler der Ausrichtung: Median, 90. Perzentil (einfache Ausgleichung)", "0.29, 1.15° (0.55, 4.67)",
     "0.27, 1.66° (0.53, 4.32)", "1.1- und 1.2-fach"},
    {"Fläche, Median / Deckung der Umrisse (IoU), Median", "-0.6 % / 0.937", "-0.9 % / 0.920", "±2 % / 0.88"},
}};

}  // namespace http::html
