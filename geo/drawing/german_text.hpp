// Figures and sources as a German reader sees them, and numbers as a program reads them. Neither depends on
// the process's locale.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "geo/roof_analysis.hpp"

namespace geo {

/// "1.234,5"; a true minus sign; never "−0".
std::string german_number(double value, int decimals);

/// "1234.5": at most `decimals`, no zeros at the end, never "-0".
std::string plain_number(double value, int decimals);

/// "1.2.2026"
std::string german_day(std::chrono::year_month_day day);

/// What is flatter has no direction.
inline constexpr double kFlat_deg = 5;

/// "Süd", "Südwest", ...; "flach" below kFlat_deg of tilt.
std::string direction_name(double tilt_deg, double azimuth_deg);

/// "© A; B. Daten bearbeitet." Each attribution once, in the order given, with its licence.
std::string attribution_line(const std::vector<Source>& sources);
/// The licences, each once.
std::string licence_line(const std::vector<Source>& sources);

}  // namespace geo
