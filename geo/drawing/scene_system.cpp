#include "geo/drawing/scene_system.hpp"

#include "geo/data/catalogue.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/drawing/german_text.hpp"
#include "geo/drawing/picture_area.hpp"

namespace geo {

std::string scene_system(LonLat centre) {
  return "+proj=aeqd +lat_0=" + plain_number(centre.lat_deg, 10) +
         " +lon_0=" + plain_number(centre.lon_deg, 10) + " +datum=WGS84 +units=m +no_defs";
}

Result<Bounds> map_window(const std::string& crs, LonLat centre, const Bounds& area, double skirt_m) {
  const auto frame = PlaceFrame::create(crs, centre);
  if (!frame) return tl::make_unexpected(frame.error());
  Ring corners;
  for (const double x : {area.west - skirt_m, area.east + skirt_m})
    for (const double y : {area.south - skirt_m, area.north + skirt_m})
      corners.push_back(frame->from_true({x, y}));
  return bounds_of(corners);
}

Source source_of(const DataSet& set) {
  Source source{name_of(set.kind), set.name, set.provider, set.licence,
                set.attribution,   set.url,  set.year,     {}};
  if (set.cell_m > 0) source.cell_m = set.cell_m;
  return source;
}

}  // namespace geo
