// How accurate the surfaces are, as README and /doku show it: the figures of one run of `./roof bench
// accuracy --first-seed=61` (build/bench/accuracy.json). A test compares README with them.
#pragma once
#include <array>
#include <string_view>

namespace http::html {

struct AccuracyFigure {
  std::string_view what;  ///< German
  std::string_view with_footprints, without_footprints, target;
};

inline constexpr std::array<AccuracyFigure, 4> kAccuracyFigures{{
    {"Gefunden / richtig", "97.7 / 98.4 %", "95.8 / 97.3 %", "97 / 97 %"},
    {"Fehler der Neigung: Median, 90. Perzentil (einfache Ausgleichung)", "0.36, 1.79° (0.47, 2.91)",
     "0.36, 1.85° (0.45, 2.94)", "1,1- und 1,2-fach"},
    {"Fehler der Ausrichtung: Median, 90. Perzentil (einfache Ausgleichung)", "0.22, 0.86° (0.46, 3.44)",
     "0.27, 1.44° (0.44, 3.49)", "1,1- und 1,2-fach"},
    {"Fläche, Median / Deckung der Umrisse (IoU), Median", "-0.5 % / 0.940", "-1.6 % / 0.911", "±2 % / 0.88"},
}};

}  // namespace http::html
