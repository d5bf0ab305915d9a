// The background of all pictures of a property: the aerial image, and where there is none a shaded relief of
// the surface model (Horn 1981's slopes lit from several sides, GDAL's hillshade), turned to true north. An
// image that shows the property's middle but not all of it has the relief in its gaps.
#pragma once
#include <string>

#include "geo/drawing/scene.hpp"

namespace geo {

/// Of a scene whose centre and area are known; an aerial image is appended to its sources. `surface`: heights
/// in the system `crs` that reach beyond the area.
Result<PictureBackground> read_background(const Catalogue& catalogue, const std::string& crs,
                                          const Grid<float>& surface, PropertyScene& scene);

}  // namespace geo
