// What pictures and the 3D model show besides the analysis: the aerial image, the ground and the buildings of
// the property. Made when a run has its surfaces, from what the run has read and the aerial image. Stored
// with the result (scene_bytes.hpp), so that drawing needs no geodata. Scene metres: true metres east (x) and
// north (y) of `centre`; heights in metres as in the elevation model.
#pragma once
#include <string>
#include <vector>

#include "geo/data/catalogue.hpp"
#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/roof_analysis.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/box.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

enum class BackgroundKind { orthophoto, relief };

/// Seen from straight above, true north up.
struct PictureBackground {
  BackgroundKind kind = BackgroundKind::relief;  ///< relief: no usable aerial image
  int width_px = 0;
  int height_px = 0;
  std::string jpeg;  ///< of the scene's whole area
};

/// A part of a building on which no roof surface was found; shown, never counted.
struct OtherRoof {
  Polygon outline;
  double height_m = 0;
  friend bool operator==(const OtherRoof&, const OtherRoof&) = default;
};

/// The ground's heights are whole ones.
inline constexpr double kCentimetres = 100;  ///< a metre

struct PropertyScene {
  LonLat centre;
  Box area;  ///< scene metres
  PictureBackground background;
  Grid<float> ground;              ///< terrain heights at the cells' centres; the cells cover the area
  std::vector<Polygon> buildings;  ///< of the property
  std::vector<OtherRoof> other_roofs;
  std::vector<Source> sources;  ///< of what is in here
};

/// An aerial image that is unreadable or of no use (not 8 bits a colour) is replaced by the relief.
/// data_unreachable when another data set cannot be read, cancelled, internal.
Result<PropertyScene> read_scene(const Catalogue& catalogue, const RoofAnalysis& analysis,
                                 const RunGround& ground, const RunControl& control);

}  // namespace geo
