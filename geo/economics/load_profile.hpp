// When a year's electricity is used: the standard load profiles (Standardlastprofile) of VDEW/BDEW, 1999. A
// profile gives the mean power of a quarter of an hour by season and type of day, the mean of many customers
// of a kind. A single household is less even: see household.hpp.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "geo/economics/calendar.hpp"

namespace geo {

inline constexpr int kQuarters = 96;  ///< quarters of an hour in a day

enum class LoadProfile { H0, G0, G1, G2, G3, G4, G5, G6, L0, L1, L2 };
inline constexpr std::size_t kLoadProfiles = 11;

/// From the contract's code; none for any other text.
std::optional<LoadProfile> load_profile(std::string_view code);

using DayLoad = std::array<double, kQuarters>;  ///< kWh in each quarter of an hour, legal time

/// The days of the year in their order; together they use `consumption_kwh`. H0 follows the polynomial of the
/// VDEW for the day of the year (Dynamisierung), the others do not.
std::vector<DayLoad> load_of_year(LoadProfile profile, double consumption_kwh, const std::vector<Day>& year);

/// Tenths of a watt at 1000 kWh a year: by profile, season and type of day.
using LoadProfileTable =
    std::array<std::array<std::array<std::array<std::uint16_t, kQuarters>, kDayTypes>, kSeasons>,
               kLoadProfiles>;
extern const LoadProfileTable kLoadProfileTable;

}  // namespace geo
