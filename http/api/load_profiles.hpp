// The eleven standard load profiles (BDEW/VDEW 1999) that the contract knows.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

namespace http {

struct LoadProfile {
  std::string_view code;
  std::string_view name;  ///< German, as clients show it
};

inline constexpr std::array<LoadProfile, 11> kLoadProfiles{{
    {"H0", "Haushalt"},
    {"L0", "Landwirtschaft allgemein"},
    {"L1", "Landwirtschaft mit Milchwirtschaft"},
    {"L2", "Übrige Landwirtschaft"},
    {"G0", "Gewerbe allgemein"},
    {"G1", "Gewerbe werktags 8–18 Uhr"},
    {"G2", "Gewerbe mit Abendverbrauch (Ladenbeleuchtung)"},
    {"G3", "Gewerbe durchlaufend"},
    {"G4", "Laden, Friseur"},
    {"G5", "Bäckerei mit Backstube"},
    {"G6", "Wochenendbetrieb"},
}};
inline constexpr std::string_view kDefaultLoadProfile = "H0";

inline bool known_load_profile(std::string_view code) {
  return std::any_of(kLoadProfiles.begin(), kLoadProfiles.end(),
                     [&](const LoadProfile& p) { return p.code == code; });
}

}  // namespace http
