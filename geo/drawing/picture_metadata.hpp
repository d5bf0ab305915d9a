// What a picture says about itself, in an SVG's metadata and a PNG's text chunks alike.
#pragma once
#include <string>

#include "geo/drawing/scene.hpp"
#include "geo/failure.hpp"
#include "geo/roof_analysis.hpp"

namespace geo {

inline constexpr const char* kPictureCreator = "Roof Analysis Service";

struct PictureMetadata {
  std::string title;        ///< German, one line with the main figures
  std::string description;  ///< German: what is to be seen
  std::string rights;       ///< the attributions
  std::string licence;      ///< the data sets' licences
};

/// internal for an id that the analysis does not have.
Result<PictureMetadata> surface_metadata(const RoofAnalysis& analysis, int surface_id,
                                         const PropertyScene& scene);
PictureMetadata overview_metadata(const RoofAnalysis& analysis, const PropertyScene& scene);

/// The data sets behind the figures and behind the picture.
std::vector<Source> all_sources(const RoofAnalysis& analysis, const PropertyScene& scene);

/// Null for an id that the analysis does not have.
const RoofSurface* surface_of(const RoofAnalysis& analysis, int surface_id);

std::string module_count(int modules);  ///< "1 Modul", "24 Module"

}  // namespace geo
