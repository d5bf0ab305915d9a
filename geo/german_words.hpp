// German words that several sentences for the client share.
#pragma once
#include <string>
#include <vector>

namespace geo {

/// The nearest of eight compass points: "Süd", "Südwest", ... Azimuth as everywhere: south 0, east negative.
std::string compass_point(double azimuth_deg);

/// "3", "3 und 5", "3, 5 und 8"
std::string listed(const std::vector<std::string>& words);

}  // namespace geo
