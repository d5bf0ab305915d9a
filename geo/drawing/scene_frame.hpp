// From an analysis' map metres to scene metres (scene.hpp).
#pragma once
#include "geo/data/place_frame.hpp"
#include "geo/failure.hpp"
#include "geo/roof_analysis.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

class SceneFrame {
 public:
  static Result<SceneFrame> create(const RoofAnalysis& analysis, LonLat centre);

  Point to_scene(Point map) const {
    const Eigen::Vector2d p = frame_.to_true(map);
    return {p.x(), p.y()};
  }
  Point to_scene(LonLat place) const { return to_scene(frame_.to_map(place)); }
  Ring to_scene(const Ring& map) const;
  Polygon to_scene(const Polygon& map) const;
  Point to_map(Point scene) const { return frame_.from_true({scene.x, scene.y}); }
  const PlaceFrame& place_frame() const { return frame_; }

 private:
  explicit SceneFrame(PlaceFrame frame) : frame_(std::move(frame)) {}
  PlaceFrame frame_;
};

/// The middle of the surfaces. internal for an analysis without surfaces.
Result<LonLat> scene_centre(const RoofAnalysis& analysis);

}  // namespace geo
