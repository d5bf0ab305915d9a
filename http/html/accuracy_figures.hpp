// How accurate the surfaces are, as README and /doku show it: the figures of one run of `./roof bench
// accuracy --first-seed=31` (build/bench/accuracy.json). A test compares README with them.
#pragma once
#include <array>
#include <string_view>

namespace http::html {

struct AccuracyFigure {
  std::string_view what;  ///< German
  std::string_view with_footprints, without_footprints, target;
};

inline constexpr std::array<AccuracyFigure, 4> kAccuracyFigures{{
    {"Gefunden / richtig", "98.6 / 98.3 %", "94.5 / 96.1 %", "97 / 97 %"},
    {"Fehler der Neigung: Median, 90. Perzentil (einfache Ausgleichung)", "0.38, 1.74° (0.54, 3.14)",
     "0.38, 1.87° (0.52, 3.15)", "1,1- und 1,2-fach"},
    {"Fehler der Ausrichtung: Median, 90. Perzentil (einfache Ausgleichung)", "0.00, 0.11° (0.57, 3.15)",
     "0.28, 1.36° (0.53, 3.13)", "1,1- und 1,2-fach"},
    {"Fläche, Median / Deckung der Umrisse (IoU), Median", "-0.1 % / 0.948", "-1.3 % / 0.922", "±2 % / 0.88"},
}};

}  // namespace http::html
