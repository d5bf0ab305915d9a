// Where a place's projected grid lies on the ground: positions to and from WGS84, angles to true north and
// lengths to true metres. EPSG:3035's meridian convergence reaches 5 degrees at Vienna, and its scale is not
// the same in every direction; both are taken from the projection itself (its Jacobian, by central
// differences against the ellipsoid's radii of curvature, GRS80/WGS84).
#pragma once
#include <Eigen/LU>
#include <memory>
#include <optional>
#include <string>

#include "geo/failure.hpp"
#include "geo/shapes/ellipsoid.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

/// Where the surroundings of a place lie in a system, of metres or of degrees. Near the place a projection is
/// straight: to 3 mm within 100 m, to 10 cm within 500 m.
struct LocalMap {
  Point origin;                  ///< the place
  Eigen::Matrix2d map_per_true;  ///< map units per true metre, to the east (column 0) and to the north
  Point at(Point east_north) const;
};
/// `crs` is anything OGR understands. None for an unknown one, and where the place has no position in it.
std::optional<LocalMap> local_map(const std::string& crs, LonLat place);

/// Move-only, used by one thread at a time (it owns a PROJ transformation).
class PlaceFrame {
 public:
  /// `crs` is anything OGR understands (WKT, "EPSG:25832"). Fails with invalid_input for an unknown or
  /// non-projected one, and when the place lies outside the projection's domain.
  static Result<PlaceFrame> create(const std::string& crs, LonLat place);
  PlaceFrame(PlaceFrame&&) noexcept;
  PlaceFrame& operator=(PlaceFrame&&) noexcept;
  ~PlaceFrame();

  LonLat place() const { return place_; }
  Point origin() const { return origin_; }  ///< the place in map metres

  Point to_map(LonLat place) const;
  LonLat to_lonlat(Point map) const;

  /// True displacement (east, north, metres) = true_per_map() * map displacement. Good within some km.
  const Eigen::Matrix2d& true_per_map() const { return true_per_map_; }
  Eigen::Vector2d to_true(Point map) const {
    return true_per_map_ * Eigen::Vector2d(map.x - origin_.x, map.y - origin_.y);
  }
  Point from_true(const Eigen::Vector2d& east_north) const;
  /// True square metres per map square metre.
  double area_scale() const { return true_per_map_.determinant(); }
  /// Bearing of grid north from true north, degrees clockwise.
  double grid_north_bearing_deg() const;

 private:
  struct Transformations;
  PlaceFrame(std::unique_ptr<Transformations> transformations, LonLat place);
  std::unique_ptr<Transformations> transformations_;
  LonLat place_;
  Point origin_;
  Eigen::Matrix2d true_per_map_ = Eigen::Matrix2d::Identity();
};

}  // namespace geo
