// The economics page's charts as SVG with classes of look/roof.css and no style of their own. Colours: 1 what
// the roof gives or sells, 2 what the house takes or buys, 3 what is used at once, 4 what the storage gives.
#pragma once
#include <array>
#include <string>

#include "http/web/economics/computation.hpp"

namespace http {

inline constexpr std::array<const char*, geo::kSeasonsOfSun> kSeasonNames{"Winter", "Frühling", "Sommer",
                                                                          "Herbst"};
inline constexpr std::array<const char*, 12> kMonthNames{"Januar",    "Februar", "März",     "April",
                                                         "Mai",       "Juni",    "Juli",     "August",
                                                         "September", "Oktober", "November", "Dezember"};

/// The mean day of a season, kW over the hours of legal time; all four have the same scale.
std::string day_chart(const geo::YearBalance& year, std::size_t season);
/// Each month's generation beside its consumption, by where they go and come from, kWh.
std::string month_chart(const geo::YearBalance& year);
/// The year's generation and consumption, each as one bar in parts.
std::string split_chart(const geo::EnergyBalance& energy);
/// Money added up over the years with its band, and where it is paid back.
std::string money_chart(const Economics& economics, const Currency& currency);

}  // namespace http
