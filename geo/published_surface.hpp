// A surface as clients read it: its German name, and its outline in WGS84.
#pragma once
#include <string>
#include <vector>

#include "geo/data/place_frame.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

/// "Fläche 3 Südwest", "Fläche 4 Flachdach". Degrees; south 0, east negative.
std::string surface_name(int id, double tilt_deg, double azimuth_deg);

/// Closed rings, the outer one first (RFC 7946), rounded to a centimetre. Neighbouring corners that round to
/// the same place become one, and a hole that then has no extent is left out.
std::vector<std::vector<LonLat>> published_outline(const Polygon& outline, const PlaceFrame& frame);

}  // namespace geo
