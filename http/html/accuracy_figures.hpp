// How accurate the surfaces are, as README and /doku show it: the figures of one run of `./roof bench
// accuracy` (build/bench/accuracy.json). A test compares README with them.
#pragma once
#include <array>
#include <string_view>

namespace http::html {

struct AccuracyFigure {
  std::string_view what;  ///< German
  std::string_view with_footprints, without_footprints, target;
};

inline constexpr std::array<AccuracyFigure, 4> kAccuracyFigures{{
    {"Gefunden / richtig", "97.2 / 99.1 %", "94.6 / 96.5 %", "97 / 97 %"},
    {"Fehler der Neigung: Median, 90. Perzentil (einfache Ausgleichung)", "0.36, 1.69° (0.55, 2.97)",
     "0.36, 2.11° (0.54, 2.78)", "1,1- und 1,2-fach"},
    {"Fehler der Ausrichtung: Median, 90. Perzentil (einfache Ausgleichung)", "0.00, 0.10° (0.53, 3.58)",
     "0.26, 1.32° (0.51, 3.28)", "1,1- und 1,2-fach"},
    {"Fläche, Median / Deckung der Umrisse (IoU), Median", "-0.8 % / 0.933", "-1.9 % / 0.912", "±2 % / 0.88"},
}};

}  // namespace http::html
