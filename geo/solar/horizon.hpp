// The horizon of points on roofs: near from the surface model (neighbours and trees included), far from the
// relief, which takes over along each ray where the surface model's data end, so nothing counts twice. Linear
// in the cells per direction, as Dozier & Frew (1990), "Rapid calculation of terrain parameters for radiation
// modeling from digital elevation data"; every patch under a ray is solved exactly. True azimuths, degrees,
// metres.
#pragma once
#include <optional>

#include "geo/data/place_frame.hpp"
#include "geo/grid/block_maxima.hpp"
#include "geo/grid/ray_patches.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/plane.hpp"
#include "geo/solar/far_horizon.hpp"
#include "geo/solar/horizon_line.hpp"

namespace geo {

struct HorizonOptions {
  double far_m = 30000;
  double refraction_k = 0.13;
  /// The surface model counts from this distance on: its noise must not shade the point that lies on it ...
  double near_from_m = 1;
  /// ... and up to `own_roof_m` away only what rises this far out of the point's own roof plane counts. What
  /// lies below the plane is out of its sight anyway.
  double out_of_plane_m = 0.3;
  double own_roof_m = 30;
};

/// Where to look from. `height_m` in the surface model's heights.
struct Eye {
  Point map;
  double height_m = 0;
  std::optional<Plane> own_plane;
};

HeightField height_field(const Grid<float>& heights, const PlaceFrame& frame);

/// Everything around one place. Refers to the grids of the surface and the relief, which must outlive it.
class HorizonScene {
 public:
  /// `surface`: the surface model's window, at least 500 m in every direction. `relief`: null for no far
  /// horizon; its window should reach `far_m`.
  HorizonScene(const HeightField& surface, const HeightField* relief, const RunControl& run,
               const HorizonOptions& options = {});

  HorizonLine line_from(const Eye& eye, const RunControl& run) const;

 private:
  double near_tangent(const Eye& eye, const Eigen::Vector2d& direction, double other) const;

  HeightField surface_;
  HorizonOptions options_;
  BlockMaxima maxima_;
  FarHorizon far_;
};

}  // namespace geo
