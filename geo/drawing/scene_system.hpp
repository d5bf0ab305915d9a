// The scene's own coordinate system for GDAL.
#pragma once
#include <string>

#include "geo/shapes/shapes.hpp"

namespace geo {

/// Azimuthal equidistant about the centre: true metres and true north over a property. A PROJ string.
std::string scene_system(LonLat centre);

}  // namespace geo
