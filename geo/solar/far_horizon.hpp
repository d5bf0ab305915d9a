// The far horizon, from a coarse relief. Up to ten kilometres each point looks for itself: a few metres to
// the side change what stands against the sky. Beyond, the rays of the place serve all points near it and are
// prepared once. Only the upper hull of the relief along a ray can ever be the horizon of a point at its
// beginning (whatever its height), so a few corners replace thousands of cells. Earth curvature and
// refraction: the ground sinks by (1 - k) d^2 / (2 R). True metres, heights in metres.
#pragma once
#include <array>
#include <vector>

#include "geo/grid/block_maxima.hpp"
#include "geo/grid/ray_patches.hpp"
#include "geo/run_control.hpp"
#include "geo/solar/horizon_line.hpp"

namespace geo {

inline constexpr double kEarthRadius_m = 6371000;

/// How much lower something at a distance appears.
inline double sinks_m(double distance_m, double refraction_k) {
  return (1 - refraction_k) * distance_m * distance_m / (2 * kEarthRadius_m);
}

/// East and north, of length 1, at the azimuth of a horizon line's sector.
const Eigen::Vector2d& ray_direction(int sector);

/// Where the points may lie that look: not lower, and not farther off the place.
struct EyeRange {
  double lowest_m = 0;
  double off_place_m = 0;
};

class FarHorizon {
 public:
  /// A free horizon.
  FarHorizon() = default;
  /// The relief's grid must outlive it. Along ray i the relief counts from `begins_m[i]` (where the surface
  /// model ends) to `to_m`.
  FarHorizon(const HeightField& relief, const std::array<double, kHorizonSectors>& begins_m, double to_m,
             double refraction_k, const EyeRange& eyes, const RunControl& run);

  /// Tangents of the elevation angle along a ray from a point `offset` (true metres east, north) off the
  /// place, one of `eyes`: of the relief beyond the ten kilometres, ...
  double beyond(int sector, const Eigen::Vector2d& offset, double height_m) const;
  /// ... and of the relief up to there. `other` is the tangent of what else stands on the ray, 0 where
  /// nothing does; it is returned where the relief does not rise above it. The higher it is, the less of the
  /// relief is looked at.
  double detailed(int sector, const Eigen::Vector2d& offset, double height_m, double other) const;

 private:
  struct Corner {
    double distance_m = 0;
    double height_m = 0;  ///< less sinks_m()
  };
  static bool hides(const Corner& nearer, const Corner& farther, const EyeRange& eyes);
  static void append_to_hull(std::vector<Corner>& hull, Corner corner);

  HeightField relief_;
  BlockMaxima maxima_;
  std::array<double, kHorizonSectors> begins_m_{};
  double refraction_k_ = 0;
  std::array<std::vector<Corner>, kHorizonSectors> hulls_;
};

}  // namespace geo
