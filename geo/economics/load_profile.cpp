#include "geo/economics/load_profile.hpp"

namespace geo {
namespace {

constexpr std::array<std::string_view, kLoadProfiles> kCodes{"H0", "G0", "G1", "G2", "G3", "G4",
                                                             "G5", "G6", "L0", "L1", "L2"};

/// A household uses more in winter than the three seasons tell. Fitted by the VDEW to the day of the year.
double household_dynamics(int day_of_year) {
  const double t = day_of_year;
  return (((-3.92e-10 * t + 3.20e-7) * t - 7.02e-5) * t + 2.10e-3) * t + 1.24;
}

}  // namespace

std::optional<LoadProfile> load_profile(std::string_view code) {
  for (std::size_t i = 0; i < kCodes.size(); ++i)
    if (kCodes[i] == code) return static_cast<LoadProfile>(i);
  return {};
}

std::vector<DayLoad> load_of_year(LoadProfile profile, double consumption_kwh, const std::vector<Day>& year) {
  const auto& table = kLoadProfileTable[static_cast<std::size_t>(profile)];
  std::vector<DayLoad> loads;
  loads.reserve(year.size());
  double total = 0;
  for (const Day& day : year) {
    const auto& powers = table[static_cast<std::size_t>(day.season)][static_cast<std::size_t>(day.type)];
    const double dynamics = profile == LoadProfile::H0 ? household_dynamics(day.of_year) : 1;
    DayLoad& load = loads.emplace_back();
    for (std::size_t quarter = 0; quarter < load.size(); ++quarter)
      total += load[quarter] = powers[quarter] * dynamics;
  }
  // The profiles come to 1000 kWh only about.
  for (DayLoad& load : loads)
    for (double& kwh : load) kwh *= consumption_kwh / total;
  return loads;
}

}  // namespace geo
