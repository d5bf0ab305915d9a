// The settlement's buildings as a cadastre shows them: walls stand where they stand, their corners were
// measured. Corners of German buildings come in classes of accuracy; in the one after the best measured ones
// two of three lie within 10 cm of where they are (Genauigkeitsstufe 2300, LVermGeo Rheinland-Pfalz), which
// is 7 cm each way. Swiss buildings and boundaries are surveyed apart and their lines never merged (TVAV
// article 12), so parcels keep their borders here. Region metres.
#pragma once
#include <cstdint>
#include <vector>

#include "geo/sample_region/settlement.hpp"

namespace geo::sample {

/// Each building's walls with every corner displaced, `error_m` being the standard deviation east and north.
/// A corner that two houses share was measured once and stays shared. No error gives the walls themselves.
std::vector<Polygon> surveyed_walls(const Settlement& settlement, std::uint32_t seed, double error_m);

}  // namespace geo::sample
