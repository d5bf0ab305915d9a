#include "geo/data/place_frame.hpp"

#include <ogr_spatialref.h>

#include <Eigen/LU>
#include <cmath>

#include "geo/data/coordinate_system.hpp"
#include "geo/shapes/angle.hpp"

namespace geo {
namespace {

Point mapped(OGRCoordinateTransformation& to_map, LonLat place) {
  double x = place.lon_deg;
  double y = place.lat_deg;
  if (!to_map.Transform(1, &x, &y)) return {NAN, NAN};
  return {x, y};
}

/// The Jacobian by central differences; not finite where the place has no position.
LocalMap local_map(OGRCoordinateTransformation& to_map, LonLat place) {
  const Eigen::Vector2d metres = metres_per_degree(place.lat_deg);
  constexpr double kStep_deg = 2e-4;  // about 20 m: far above rounding, far below curvature
  const Point east = mapped(to_map, {place.lon_deg + kStep_deg, place.lat_deg});
  const Point west = mapped(to_map, {place.lon_deg - kStep_deg, place.lat_deg});
  const Point north = mapped(to_map, {place.lon_deg, place.lat_deg + kStep_deg});
  const Point south = mapped(to_map, {place.lon_deg, place.lat_deg - kStep_deg});
  LocalMap local{.origin = mapped(to_map, place), .map_per_true = {}};
  local.map_per_true.col(0) =
      Eigen::Vector2d(east.x - west.x, east.y - west.y) / (2 * kStep_deg * metres.x());
  local.map_per_true.col(1) =
      Eigen::Vector2d(north.x - south.x, north.y - south.y) / (2 * kStep_deg * metres.y());
  return local;
}

}  // namespace

Point LocalMap::at(Point east_north) const {
  const Eigen::Vector2d map = map_per_true * Eigen::Vector2d(east_north.x, east_north.y);
  return {origin.x + map.x(), origin.y + map.y()};
}

std::optional<LocalMap> local_map(const std::string& crs, LonLat place) {
  const TransformationHandle to_map = transformation_from_wgs84(crs);
  if (!to_map) return {};
  const LocalMap local = local_map(*to_map, place);
  if (!local.map_per_true.allFinite() || local.map_per_true.determinant() <= 0) return {};
  return local;
}

struct PlaceFrame::Transformations {
  TransformationHandle to_map;
  TransformationHandle to_lonlat;
};

PlaceFrame::PlaceFrame(std::unique_ptr<Transformations> transformations, LonLat place)
    : transformations_(std::move(transformations)), place_(place) {}
PlaceFrame::PlaceFrame(PlaceFrame&&) noexcept = default;
PlaceFrame& PlaceFrame::operator=(PlaceFrame&&) noexcept = default;
PlaceFrame::~PlaceFrame() = default;

Result<PlaceFrame> PlaceFrame::create(const std::string& crs, LonLat place) {
  if (!is_projected(crs))
    return fail(FailureKind::invalid_input, "the coordinate reference system is not a projected one");
  auto transformations = std::make_unique<Transformations>();
  transformations->to_map = transformation_from_wgs84(crs);
  transformations->to_lonlat = transformation_to_wgs84(crs);
  if (!transformations->to_map || !transformations->to_lonlat)
    return fail(FailureKind::invalid_input, "no transformation between WGS84 and the data set's system");

  const LocalMap local = local_map(*transformations->to_map, place);
  if (!local.map_per_true.allFinite() || local.map_per_true.determinant() < 0.25)
    return fail(FailureKind::invalid_input, "the place lies outside the data set's coordinate system");
  PlaceFrame frame(std::move(transformations), place);
  frame.origin_ = local.origin;
  frame.true_per_map_ = local.map_per_true.inverse();
  return frame;
}

Point PlaceFrame::to_map(LonLat place) const { return mapped(*transformations_->to_map, place); }

LonLat PlaceFrame::to_lonlat(Point map) const {
  double x = map.x;
  double y = map.y;
  if (!transformations_->to_lonlat->Transform(1, &x, &y)) return {NAN, NAN};
  return {x, y};
}

Point PlaceFrame::from_true(const Eigen::Vector2d& east_north) const {
  const Eigen::Vector2d map = true_per_map_.inverse() * east_north;
  return {origin_.x + map.x(), origin_.y + map.y()};
}

double PlaceFrame::grid_north_bearing_deg() const {
  const Eigen::Vector2d grid_north = true_per_map_.col(1);
  return std::atan2(grid_north.x(), grid_north.y()) / kDegree;
}

}  // namespace geo
