#include "geo/published_surface.hpp"

#include <algorithm>
#include <cmath>

#include "geo/german_words.hpp"

namespace geo {
namespace {

constexpr double kFlatName_deg = 5;

LonLat published(LonLat p) {
  constexpr double kDecimals = 1e7;
  return {std::round(p.lon_deg * kDecimals) / kDecimals, std::round(p.lat_deg * kDecimals) / kDecimals};
}

std::vector<LonLat> closed_ring(const Ring& ring, const PlaceFrame& frame) {
  const auto same = [](LonLat a, LonLat b) { return a.lon_deg == b.lon_deg && a.lat_deg == b.lat_deg; };
  std::vector<LonLat> out;
  for (const Point& p : ring) out.push_back(published(frame.to_lonlat(p)));
  if (!out.empty()) out.push_back(out.front());
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

}  // namespace

std::string surface_name(int id, double tilt_deg, double azimuth_deg) {
  return "Fläche " + std::to_string(id) + " " +
         (tilt_deg < kFlatName_deg ? "Flachdach" : compass_point(azimuth_deg));
}

std::vector<std::vector<LonLat>> published_outline(const Polygon& outline, const PlaceFrame& frame) {
  constexpr std::size_t kTriangle = 4;  // corners of a closed ring
  std::vector<std::vector<LonLat>> rings{closed_ring(outline.outer, frame)};
  for (const Ring& hole : outline.holes)
    if (auto ring = closed_ring(hole, frame); ring.size() >= kTriangle) rings.push_back(std::move(ring));
  return rings;
}

}  // namespace geo
