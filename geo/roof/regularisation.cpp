#include "geo/roof/regularisation.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "geo/shapes/angle.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

constexpr double kRightAngle = std::numbers::pi / 2;
constexpr double kHasDirection = 0.06;  // gradients below have no direction worth knowing
constexpr double kCompatible = 2.2;     // standard deviations
constexpr double kFarthest_rad = 9 * kDegree;
constexpr double kSquareness_rad = 0.005 * kDegree;  // how square roofs are built to their walls, at best
constexpr double kUnknownSquareness_rad = 1 * kDegree;
constexpr double kLeastWallError_m = 0.001;      // of a footprint's corner
constexpr double kWallSpread_rad = 5 * kDegree;  // walls farther from right angles are built so on purpose
constexpr double kEvenness = 0.02;               // how equal the slopes of one roof are built
constexpr double kCornerEvenness = 0.08;         // and those around a corner, in a hip or a wing
constexpr double kFarthestSlope = 0.12;
// For the stated error alone; chosen so that the stated errors are near true both in the sample regions and
// in Delft. kBuiltSquareness_rad: how far a roof is off square to the wall that gives its direction (two of
// three of Delft's reference planes lie within 1.1 degrees of their house's longest wall). kDoubtEvenness:
// slopes are less even than the comparison suggests. kDoubtSquareness: slopes are squarer to each other than
// it suggests. Those ending in Free are for roofs without footprints, and were chosen on building models too.
// There cells along unknown edges mislead all slopes alike: slopes say less about each other
// (kDoubtSquarenessFree), and edge cells mix in more than a fit without them shows (kDoubtEdgesFree).
// kBuiltSquarenessFree_rad: how far slopes are off square to each other.
constexpr double kBuiltSquareness_rad = 1.45 * kDegree, kBuiltSquarenessFree_rad = 0.3 * kDegree;
constexpr double kDoubtEvenness = 1.2;
constexpr double kDoubtSquareness = 0.87, kDoubtSquarenessFree = 1.2;
constexpr double kDoubtEdgesFree = 1.7;
// Factors on variances, of a level plane and per squared gradient. On a steeper plane more of the cells'
// errors are common to all, because they depend on where in a cell its highest return lies.
constexpr double kStatedLevel = 0.75, kStatedPerSlope = 0.25;

struct Direction {
  double angle_rad;  // of a wall or of a slope's fall line: either way roofs fall along it or square to it
  double error_rad;  // as weighted in the update
  double stated_error_rad;  // as used for the surface's stated error
};

Vector2d gradient(const RoofSegment& s) { return {s.fit.plane.gx, s.fit.plane.gy}; }

Matrix2d covariance_with(const Eigen::Matrix3d& cofactor, const RoofSegment& segment,
                         const CellNoise& noise) {
  // The few cells of a small plane may agree by chance: half the building's noise is the least.
  const double sigma_m = std::max(segment.fit.rms_m, 0.5 * noise.sigma_m(segment.fit.plane));
  // Three parameters are fitted: residuals of n cells show the noise of n - 3.
  const double cells = 1 / std::max(1e-9, cofactor(0, 0));
  const double freedom = cells / std::max(cells - 3, 1.0);
  return sigma_m * sigma_m * freedom * cofactor.block<2, 2>(1, 1);
}

/// Error of a gradient's direction, and of its length.
double direction_error(const Vector2d& g, const Matrix2d& covariance) {
  const Vector2d across(-g.y() / g.norm(), g.x() / g.norm());
  return std::sqrt(across.dot(covariance * across)) / g.norm();
}
double slope_error(const Vector2d& g, const Matrix2d& covariance) {
  const Vector2d along = g / g.norm();
  return std::sqrt(along.dot(covariance * along));
}

/// Difference of two directions that repeat every right angle.
double turn(double a, double b) { return std::remainder(a - b, kRightAngle); }

/// Adds one measurement: `direction` . gradient = `value`, with `error`. The stated error uses `stated_error`
/// in its place.
void update(RoofSegment& segment, const CellNoise& noise, const Vector2d& direction, double value,
            double error, double stated_error) {
  const Matrix2d covariance = gradient_covariance(segment, noise);
  const Vector2d gain = covariance * direction / (direction.dot(covariance * direction) + error * error);
  const Vector2d g = gradient(segment) + gain * (value - direction.dot(gradient(segment)));
  const Matrix2d reduced = (Matrix2d::Identity() - gain * direction.transpose()) * covariance;
  const double scale =
      covariance.trace() > 0 ? segment.fit.cofactor.block<2, 2>(1, 1).trace() / covariance.trace() : 0;
  segment.known += direction * direction.transpose() / squared(stated_error);
  segment.fit.plane.gx = g.x();
  segment.fit.plane.gy = g.y();
  segment.fit.cofactor.block<2, 2>(1, 1) = reduced * scale;
}

/// How accurately the footprint is drawn and the house is built: how far its walls are off right angles, as
/// displacements of their ends and as angles.
struct WallErrors {
  double ends_m = 0.1;
  double square_rad = kUnknownSquareness_rad;
};

WallErrors wall_errors(const std::vector<Point>& walls) {
  double weights = 0, sine = 0, cosine = 0;
  for (Point w : walls) {
    const double angle = 4 * std::atan2(w.y, w.x);  // repeats every right angle
    weights += dot(w, w);
    sine += dot(w, w) * std::sin(angle);
    cosine += dot(w, w) * std::cos(angle);
  }
  const double main_rad = std::atan2(sine, cosine) / 4;
  double squares = 0, angles = 0, lengths = 0;
  int square_walls = 0;
  for (Point w : walls) {
    const double off = turn(std::atan2(w.y, w.x), main_rad);
    if (std::abs(off) > kWallSpread_rad) continue;
    squares += squared(off * length(w));
    angles += length(w) * squared(off);
    lengths += length(w);
    ++square_walls;
  }
  if (square_walls < 2) return {};
  // One direction is taken from the walls themselves.
  const double freedom = square_walls / (square_walls - 1.0);
  return {std::max(kLeastWallError_m, std::sqrt(squares / (square_walls - 1))),
          std::max(kSquareness_rad, std::sqrt(freedom * angles / lengths))};
}

std::vector<Direction> wall_directions(const RoofSite& site) {
  std::vector<Point> walls;
  if (!site.from_footprints) return {};
  const Ring ring = simplified_ring(site.footprint.outer, 0.15);
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point d = ring[(i + 1) % ring.size()] - ring[i];
    if (length(d) > 2) walls.push_back(d);
  }
  // A house whose walls are out of square has a roof that is out of square to them by as much.
  const WallErrors errors = wall_errors(walls);
  std::vector<Direction> directions;
  for (Point w : walls) {
    // Each of the two errors explains the whole deviation by itself, so each counts with half of its
    // variance.
    const double error =
        std::sqrt(0.5) * std::hypot(errors.ends_m * std::sqrt(2.0) / length(w), errors.square_rad);
    directions.push_back({std::atan2(w.y, w.x), error, std::hypot(error, kBuiltSquareness_rad)});
  }
  return directions;
}

/// The most certain direction that the segment's own does not contradict.
std::optional<Direction> fitting_direction(double own, double own_error,
                                           const std::vector<Direction>& known) {
  std::optional<Direction> best;
  for (const Direction& d : known) {
    const double off = std::abs(turn(own, d.angle_rad));
    if (off > kFarthest_rad || off > kCompatible * std::hypot(own_error, d.error_rad)) continue;
    if (!best || d.error_rad < best->error_rad) best = d;
  }
  return best;
}

void square_to_walls(const RoofSite& site, RoofSegmentation& segmentation) {
  const std::vector<Direction> walls = wall_directions(site);
  const double doubt = site.from_footprints ? kDoubtSquareness : kDoubtSquarenessFree;
  const double built_rad = site.from_footprints ? 0 : kBuiltSquarenessFree_rad;
  const std::vector<RoofSegment> before = segmentation.segments;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Vector2d g = gradient(before[i]);
    if (g.norm() < kHasDirection) continue;
    std::vector<Direction> known = walls;
    for (std::size_t j = 0; j < before.size(); ++j) {
      const Vector2d other = gradient(before[j]);
      if (j == i || other.norm() < 2 * kHasDirection || !before[j].fit.ok) continue;
      const double error = direction_error(other, gradient_covariance(before[j], segmentation.noise));
      const double square_error = std::hypot(error, kSquareness_rad);
      known.push_back(
          {std::atan2(other.y(), other.x()), square_error, std::hypot(doubt * square_error, built_rad)});
    }
    const double own = std::atan2(g.y(), g.x());
    const double own_error = direction_error(g, gradient_covariance(before[i], segmentation.noise));
    const std::optional<Direction> d = fitting_direction(own, own_error, known);
    if (!d) continue;
    const double target = own - turn(own, d->angle_rad);
    update(segmentation.segments[i], segmentation.noise, {-std::sin(target), std::cos(target)}, 0,
           g.norm() * d->error_rad, g.norm() * d->stated_error_rad);
  }
}

void even_slopes(RoofSegmentation& segmentation) {
  const std::vector<RoofSegment> before = segmentation.segments;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Vector2d g = gradient(before[i]);
    if (g.norm() < 2 * kHasDirection) continue;
    const double own_error = slope_error(g, gradient_covariance(before[i], segmentation.noise));
    double weights = 0, sum = 0;
    for (std::size_t j = 0; j < before.size(); ++j) {
      const Vector2d other = gradient(before[j]);
      if (j == i || other.norm() < 2 * kHasDirection || !before[j].fit.ok) continue;
      // Slopes of one roof face each other, or stand square to each other in a hip or a wing.
      if (std::abs(turn(std::atan2(g.y(), g.x()), std::atan2(other.y(), other.x()))) > 3 * kDegree) continue;
      const bool corner = std::abs(g.dot(other)) < 0.5 * g.norm() * other.norm();
      const double error = std::hypot(slope_error(other, gradient_covariance(before[j], segmentation.noise)),
                                      corner ? kCornerEvenness : kEvenness);
      const double off = std::abs(other.norm() - g.norm());
      if (off > kFarthestSlope || off > kCompatible * std::hypot(own_error, error)) continue;
      weights += 1 / (error * error);
      sum += other.norm() / (error * error);
    }
    if (weights > 0)
      update(segmentation.segments[i], segmentation.noise, g / g.norm(), sum / weights,
             1 / std::sqrt(weights), kDoubtEvenness / std::sqrt(weights));
  }
}

}  // namespace

Matrix2d gradient_covariance(const RoofSegment& segment, const CellNoise& noise) {
  return covariance_with(segment.fit.cofactor, segment, noise);
}

void add_searched(RoofSegmentation& roof, const Plane& plane, const std::vector<int>& cells,
                  double slope_error) {
  for (int i : cells) roof.segment_of[i] = static_cast<int>(roof.segments.size());
  RoofSegment segment;
  segment.borrowed = true;
  segment.cells = cells;
  segment.fit = fit_plane(points_of(roof.cells, cells));
  segment.fit.plane = plane;
  if (!segment.fit.ok) {  // cells in one line
    segment.fit.cofactor = Eigen::Matrix3d::Identity();
    segment.fit.cofactor(0, 0) = 1.0 / static_cast<double>(std::max<std::size_t>(1, cells.size()));
  }
  const Vector2d own = gradient(segment);
  const Vector2d along = own.norm() > 0 ? Vector2d(own / own.norm()) : Vector2d(1, 0);
  const double now = along.dot(gradient_covariance(segment, roof.noise) * along);
  if (now > 0) segment.fit.cofactor.block<2, 2>(1, 1) *= squared(slope_error) / now;
  roof.segments.push_back(std::move(segment));
}

Matrix2d stated_gradient_covariance(const RoofSegment& segment, const CellNoise& noise) {
  const double robust = segment.fit.rms_m > 0 ? squared(segment.fit.sigma_m / segment.fit.rms_m) : 1;
  const Matrix2d own =
      covariance_with(segment.own_cofactor, segment, noise) * robust * noise.variance_factor +
      segment.edge_shift * segment.edge_shift.transpose();
  // What was known beforehand does not share the cells' errors.
  const Matrix2d with_known =
      own.determinant() > 0 ? Matrix2d((own.inverse() + segment.known).inverse()) : own;
  return with_known * (kStatedLevel + kStatedPerSlope * gradient(segment).squaredNorm());
}

void regularise(const RoofSite& site, RoofSegmentation& segmentation) {
  for (RoofSegment& s : segmentation.segments) {
    s.own_cofactor = s.fit.cofactor;
    if (!site.from_footprints) s.edge_shift *= kDoubtEdgesFree;
  }
  square_to_walls(site, segmentation);
  even_slopes(segmentation);
}

}  // namespace geo
