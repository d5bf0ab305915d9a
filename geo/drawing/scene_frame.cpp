#include "geo/drawing/scene_frame.hpp"

#include <algorithm>

namespace geo {

Result<SceneFrame> SceneFrame::create(const RoofAnalysis& analysis, LonLat centre) {
  auto frame = PlaceFrame::create(analysis.crs_wkt, centre);
  if (!frame) return fail(FailureKind::internal, frame.error().text);
  return SceneFrame(std::move(*frame));
}

Ring SceneFrame::to_scene(const Ring& map) const {
  Ring out;
  for (const Point& p : map) out.push_back(to_scene(p));
  return out;
}

Polygon SceneFrame::to_scene(const Polygon& map) const {
  Polygon out{.outer = to_scene(map.outer)};
  for (const Ring& hole : map.holes) out.holes.push_back(to_scene(hole));
  return out;
}

Result<LonLat> scene_centre(const RoofAnalysis& analysis) {
  LonLat low{180, 90}, high{-180, -90};
  for (const RoofSurface& surface : analysis.surfaces)
    for (const auto& ring : surface.outline_wgs84)
      for (const LonLat& p : ring) {
        low = {std::min(low.lon_deg, p.lon_deg), std::min(low.lat_deg, p.lat_deg)};
        high = {std::max(high.lon_deg, p.lon_deg), std::max(high.lat_deg, p.lat_deg)};
      }
  if (low.lon_deg > high.lon_deg)
    return fail(FailureKind::internal, "an analysis without surfaces has no picture");
  return LonLat{(low.lon_deg + high.lon_deg) / 2, (low.lat_deg + high.lat_deg) / 2};
}

}  // namespace geo
