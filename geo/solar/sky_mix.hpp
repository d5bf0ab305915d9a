// The mix of sky states that a month's sums stand for. Monthly means alone do not tell cloudless from
// overcast hours, but that variety decides what a tilted plane gets.
//
// States: ten clear-sky indices k (global irradiance / that of the cloudless sky). The beam of a state
// follows Mueller et al. (2009), "The CM-SAF operational scheme for the satellite based retrieval of solar
// surface irradiance": clear beam * (k - 0.38 (1 - k))^2.5. Towards the horizon the gaps between clouds
// close, because the clouds' sides are seen: sky that is free with probability p overhead is free with
// probability p^(1 + b tan z) at the zenith angle z, b = 0.55 - n/2, n = 1 - p the cloud amount; measured
// down to 10 degrees by Lund & Shanklin (1973), "Universal methods for estimating probabilities of cloud-free
// lines-of-sight through the atmosphere", in the closed form of Malick, Allen & Zakanycz (1979).
//
// Mix: of all that have the month's global and beam irradiation, the one of maximum entropy (Jaynes 1957),
// which assumes nothing else.
#pragma once
#include <array>
#include <cstddef>

namespace geo {

inline constexpr std::size_t kSkyStates = 10;
using SkyStateValues = std::array<double, kSkyStates>;

/// Global irradiance of each state as a share of the cloudless sky's.
inline constexpr SkyStateValues kClearSkyIndex{0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, 1.05};

/// Beam of each state as a share of the cloudless sky's beam, with the sun at `elevation_deg`.
SkyStateValues beam_shares(double elevation_deg);

/// How often each state occurs (sum 1), such that sum(p * kClearSkyIndex) = `mean_index` and
/// sum(p * beam) = `mean_beam`. Sums that no mix can have are moved to the nearest ones that it can.
SkyStateValues sky_mix(double mean_index, double mean_beam, const SkyStateValues& beam);

}  // namespace geo
