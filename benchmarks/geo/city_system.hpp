// The names that offices give to systems of coordinates in their city models.
#pragma once
#include <string>

#include "geo/failure.hpp"

namespace bench {

/// The system of the positions, as WKT, without that of the heights. Understood are EPSG's numbers, however
/// they are dressed ("EPSG:25832", a URN, a URL, a pair of positions and heights as a compound URN), and the
/// names of the German offices ("urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH"). invalid_input for others, and for
/// a system whose units are not metres. No name is ever looked up in a network.
geo::Result<std::string> city_system(const std::string& name);

}  // namespace bench
