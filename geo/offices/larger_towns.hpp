// Larger towns by name and official number, for saying --area=Essen: AGS in Germany, Gemeindekennziffer in
// Austria, BFS number in Switzerland. The circles are generous and drawn by hand (larger_towns.json).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "geo/shapes/shapes.hpp"

namespace geo::offices {

struct Town {
  std::string name, key, country;  ///< "at", "de", "ch"
  LonLat centre;
  double radius_km = 0;
};

const std::vector<Town>& towns();
/// By name, whatever its case, umlauts also written out; or by number. Null for one that is not among them.
const Town* find_town(std::string_view name_or_key);

}  // namespace geo::offices
