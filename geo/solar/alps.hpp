// How much of a place's climate is the Alps': there the satellite's irradiation is corrected otherwise, as it
// mistakes snow for cloud.
#pragma once
#include "geo/shapes/shapes.hpp"

namespace geo {

/// 1 within the Alps, in their valleys too, and on other heights south of 47.9 N but for the Black Forest; 0
/// elsewhere. In between it changes evenly: over 10 km at the edge of the Alps, from 500 to 700 m outside
/// them, so that no place's figures jump at its neighbour's.
double alpine_share(LonLat place, double altitude_m);

}  // namespace geo
