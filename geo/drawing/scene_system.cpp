#include "geo/drawing/scene_system.hpp"

#include "geo/drawing/german_text.hpp"

namespace geo {

std::string scene_system(LonLat centre) {
  return "+proj=aeqd +lat_0=" + plain_number(centre.lat_deg, 10) +
         " +lon_0=" + plain_number(centre.lon_deg, 10) + " +datum=WGS84 +units=m +no_defs";
}

}  // namespace geo
