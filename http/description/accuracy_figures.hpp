// How accurate the surfaces are, for benchmarks/geo/README.md and /doku: the figures of one run of `./roof
// bench accuracy --first-seed=N` (build/bench/accuracy.json). A test compares that README with them.
#pragma once
#include <array>
#include <string_view>

namespace http {

inline constexpr int kAccuracyFirstSeed = 121;

struct AccuracyFigure {
  std::string_view what;                                         ///< German
  std::string_view with_footprints, without_footprints, target;  ///< decimal points, as in the README
};

inline constexpr std::array<AccuracyFigure, 4> kAccuracyFigures{{
    {"Gefunden / richtig", "98.4 / 98.6 %", "98.0 / 98.7 %", "97 / 97 %"},
    {"Fehler der Neigung: Median, 90. Perzentil (einfache Ausgleichung)", "0.34, 1.70° (0.46, 2.93)",
     "0.33, 1.74° (0.45, 2.88)", "1.1- und 1.2-fach"},
    {"Fehler der Ausrichtung: Median, 90. Perzentil (einfache Ausgleichung)", "0.25, 1.02° (0.45, 3.45)",
     "0.24, 1.31° (0.44, 3.39)", "1.1- und 1.2-fach"},
    {"Fläche, Median / Deckung der Umrisse (IoU), Median", "-0.3 % / 0.940", "-0.6 % / 0.931", "±2 % / 0.88"},
}};

}  // namespace http
