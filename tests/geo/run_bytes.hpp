// What a run gives as one string, for tests that two runs are the same to the last digit.
#pragma once
#include <sstream>
#include <string>

#include "geo/data/geodata.hpp"
#include "geo/property_analysis.hpp"

namespace test {

/// All that a run gives: the scene's bytes and every digit of the surfaces.
inline std::string run_bytes(const geo::Geodata& geodata, geo::LonLat place) {
  const auto whole = geo::analyse_property(
      geodata, {place, 4500}, [](const geo::AnalysisStep&) {}, geo::RunControl{});
  if (!whole) return whole.error().text;
  std::ostringstream out;
  out << std::hexfloat << whole->scene;
  for (const geo::RoofSurface& s : whole->analysis.surfaces) {
    out << s.roof_area_m2 << s.tilt_deg << s.azimuth_deg << s.yield_kwh_per_kwp.value_or(-1)
        << s.modules.size();
    for (const auto& ring : s.outline_wgs84)
      for (const geo::LonLat& p : ring) out << p.lon_deg << p.lat_deg;
    if (s.shading)
      for (const auto& point : s.shading->points) out << point.place.lon_deg << point.loss_pct;
  }
  for (const std::string& warning : whole->analysis.warnings) out << warning;
  return out.str();
}

}  // namespace test
