// The settlement's buildings as a cadastre shows them: the walls stay, their corners carry errors of
// measurement. Corners of German buildings come in classes of accuracy; in the second best class two of three
// lie within 10 cm of the true place (Genauigkeitsstufe 2300, LVermGeo Rheinland-Pfalz), which is 7 cm each
// way. Swiss buildings and boundaries are surveyed separately and their lines never merged (TVAV article 12),
// so parcels keep their borders here. Nor are roofs built exactly along their walls: Delft's reference planes
// of 10 cells and more lie off the wall below their eave by 0.6 degrees in the median and by 0.9 in two of
// three (shared/data/delft, walls over 2 m), the walls of one house off each other by 1 degree. Region
// metres.
#pragma once
#include <cstdint>
#include <vector>

#include "geo/sample_region/settlement.hpp"

namespace geo::sample {

/// Standard deviations of a footprint.
struct SurveyErrors {
  double corner_m = 0;  ///< of a corner, east and north
  double turn_deg = 0;  ///< of the walls of a house, together, to the roof above them
};

/// Each building's walls with every corner displaced. A corner that two houses share was measured once and
/// stays shared, displaced by the turns of both. Without errors, the walls themselves.
std::vector<Polygon> surveyed_walls(const Settlement& settlement, std::uint32_t seed,
                                    const SurveyErrors& errors);

}  // namespace geo::sample
