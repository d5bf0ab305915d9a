// How accurate the surfaces are, for benchmarks/geo/README.md and /doku. A test compares that README with
// them.
#pragma once
#include <array>
#include <string_view>

namespace http {

inline constexpr int kAccuracyFirstSeed = 121;

/// Of one run of `./roof bench accuracy --first-seed=N` (build/bench/accuracy.json).
struct AccuracyFigure {
  std::string_view what;                                         ///< German
  std::string_view with_footprints, without_footprints, target;  ///< decimal points, as in the README
};

inline constexpr std::array<AccuracyFigure, 4> kAccuracyFigures{{
    {"Gefunden / richtig", "98.1 / 98.8 %", "98.2 / 98.9 %", "97 / 97 %"},
    {"Fehler der Neigung: Median, 90. Perzentil (einfache Ausgleichung)", "0.34, 1.64° (0.46, 2.89)",
     "0.34, 1.70° (0.45, 2.92)", "1.1- und 1.2-fach"},
    {"Fehler der Ausrichtung: Median, 90. Perzentil (einfache Ausgleichung)", "0.25, 1.01° (0.45, 3.45)",
     "0.23, 1.22° (0.44, 3.49)", "1.1- und 1.2-fach"},
    {"Fläche, Median / Deckung der Umrisse (IoU), Median", "-0.3 % / 0.940", "-0.6 % / 0.932", "±2 % / 0.88"},
}};

/// Found / right of real buildings: models that others made, by what a cell's height is made of (`./roof
/// bench accuracy --only=models`). Per cent.
struct RealAccuracyFigure {
  std::string_view cells;  ///< German
  std::string_view villages_with_footprints, villages_without, old_town_with_footprints, old_town_without;
};

/// Of real buildings, how many true errors lie within the stated ones: from the worst to the best set,
/// without those whose cells hold the highest return.
struct HonestyFigure {
  std::string_view of;  ///< German
  std::string_view tilt, azimuth, area;
};

inline constexpr std::array<HonestyFigure, 2> kHonestyFigures{{
    {"mit Umrissen", "59 to 71 %", "72 to 79 %", "59 to 71 %"},
    {"ohne", "56 to 73 %", "50 to 67 %", "56 to 72 %"},
}};

inline constexpr std::array<RealAccuracyFigure, 6> kRealAccuracyFigures{{
    {"Zwischen den Laserpunkten linear", "95.2 / 98.4", "88.1 / 97.0", "94.1 / 95.9", "86.2 / 96.7"},
    {"Mittel der Laserpunkte", "91.0 / 95.8", "82.4 / 92.8", "88.9 / 92.9", "77.4 / 91.6"},
    {"Nächster Laserpunkt", "94.4 / 97.2", "89.0 / 96.7", "95.1 / 96.3", "85.5 / 93.4"},
    {"Höchster Laserpunkt", "93.2 / 96.0", "89.4 / 91.8", "95.1 / 94.5", "89.5 / 88.6"},
    {"Höchster Laserpunkt, dem Dienst bekannt", "94.6 / 97.3", "90.6 / 93.7", "95.8 / 98.0", "88.5 / 90.7"},
    {"In ein anderes Gitter umgerechnet", "86.6 / 94.1", "74.7 / 91.8", "83.3 / 89.8", "65.8 / 90.1"},
}};

}  // namespace http
