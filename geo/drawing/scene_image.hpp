// The background of all pictures of a property: the aerial image, or where there is none a shaded relief of
// the surface model (Horn 1981's slopes lit from several sides, GDAL's hillshade), turned to true north.
#pragma once
#include "geo/drawing/scene.hpp"

namespace geo {

/// `area` in scene metres around `centre`; `crs`: the analysis'. Appends to `sources` what was used.
Result<PictureBackground> read_background(const Catalogue& catalogue, const std::string& crs, LonLat centre,
                                          const Bounds& area, const RunControl& control,
                                          std::vector<Source>& sources);

}  // namespace geo
