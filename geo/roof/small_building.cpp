#include "geo/roof/small_building.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "geo/property/cell_figures.hpp"
#include "geo/roof/neighbour_roofs.hpp"
#include "geo/roof/regularisation.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

constexpr double kLargest_m2 = 50;  // the halves of larger buildings are found as planes
constexpr double kFlattestGable = 0.2, kSteepestGable = 1.4, kGableSlopeStep = 0.05;
constexpr double kOffCentre_m = 0.6, kOffCentreStep_m = 0.15;
constexpr double kWidestEaves_m = 0.6, kEavesStep_m = 0.15;
constexpr double kLeaning = 0.45;  // the steepest single slope that is compared
constexpr double kGain = 4;        // of a gable, in the unit of residual_cost()
constexpr double kMostlyRoofCells = 0.6;
constexpr double kInlier = 2.5;       // sigmas
constexpr double kHigher_m = 0.5;     // a neighbour so much higher may reach over this roof
constexpr double kRectangular = 0.8;  // of its rectangle a footprint covers at least this
constexpr double kNarrow_m = 3.6;     // of a narrower building hardly a cell is uncut
constexpr std::size_t kFewestCells = 4;
constexpr int kSamples = 4;  // of a cell, each way

/// The footprint's rectangle: its middle, its two directions, the longer first, and half its extent.
struct Frame {
  Point middle, along, across;
  double half_along, half_across;
  Frame turned() const { return {middle, across, along, half_across, half_along}; }
};

Frame frame_of(const Polygon& footprint) {
  const Ring& ring = footprint.outer;
  Point longest{};
  for (std::size_t i = 0; i < ring.size(); ++i)
    if (const Point wall = ring[(i + 1) % ring.size()] - ring[i]; length(wall) > length(longest))
      longest = wall;
  const Point along = longest * (1 / length(longest));
  const Line axis{{}, along};
  const Box box = box_along(axis, ring);
  const Point middle =
      axis.point((box.min_x + box.max_x) / 2) + axis.normal() * ((box.min_y + box.max_y) / 2);
  return {middle, along, axis.normal(), (box.max_x - box.min_x) / 2, (box.max_y - box.min_y) / 2};
}

/// Two halves, or one leaning plane, in a frame whose first direction the slope follows.
struct SmallRoof {
  bool gable = true;
  double slope = 0, off_m = 0, eaves_m = 0;
  double top_m = 0;  ///< at the ridge, or in the middle of a leaning plane
  double cost = 1e300;
};

/// A place that a cell covers.
struct Sample {
  Point at;
  /// How far away the neighbour is whose roof covers the sample, with eaves of that width at least, and how
  /// high it is. 0 within its footprint, 1e300 where no neighbour's roof can be: only a higher one reaches
  /// beyond its walls.
  double to_neighbour_m, neighbour_m;
};

/// A cell as the model sees it: what it covers, what is there besides the roof, and what was measured.
struct Seen {
  int cell;  ///< index into RoofCells
  double height_m, ground_m, unexplained;
  std::array<Sample, kSamples * kSamples> samples{};
};

/// The cells around which all is known.
std::vector<Seen> seen_cells(const RoofSite& site, const RoofSegmentation& roof, const RunControl& control) {
  std::vector<double> own;
  for (std::size_t i = 0; i < roof.cells.points.size(); ++i)
    if (roof.cells.inside[i]) own.push_back(roof.cells.points[i].z);
  const double higher_m = median(own) + kHigher_m;
  // Outlines that were read from the heights contain the overhang.
  const double overhang_m = site.rectangle ? 0 : kWidestEaves_m;
  const NeighbourRoofs neighbours(site, kWidestEaves_m, control);
  std::vector<Seen> found;
  for (int i = 0; i < static_cast<int>(roof.cells.points.size()); ++i) {
    control.checkpoint();
    const HeightPoint& p = roof.cells.points[i];
    Seen seen{i, p.z, site.ground.at(site.ground.col_of(p.x), site.ground.row_of(p.y)),
              roof.cells.unexplained(i)};
    bool known = true;
    for (int k = 0; k < kSamples * kSamples; ++k) {
      const int col = k % kSamples, row = k / kSamples;
      const Point off{(col + 0.5) / kSamples - 0.5, (row + 0.5) / kSamples - 0.5};
      const Point at = p + off * site.height.cell_m;
      const NeighbourRoofs::Near near = neighbours.near(at);
      const bool covers =
          near.distance_m <= 0 || (near.distance_m <= overhang_m && !(near.height_m <= higher_m));
      seen.samples[k] = {at, covers ? near.distance_m : 1e300, near.height_m};
      known &= !covers || !std::isnan(near.height_m);
    }
    if (known) found.push_back(seen);
  }
  return found;
}

/// What the segmentation as it is costs on these cells.
double cost_as_found(const RoofSegmentation& roof, const std::vector<Seen>& cells) {
  double sum = 0;
  for (const RoofSegment& s : roof.segments) sum += s.price();
  for (const Seen& c : cells) {
    const int s = roof.segment_of[c.cell];
    sum += s < 0 ? c.unexplained : std::min(c.unexplained, roof.cost(c.cell, roof.plane(s)));
  }
  return sum;
}

/// Compares the cells of a small building with roofs of its footprint's shape. A cell should be the mean of
/// its samples. The slope goes across the frame.
class Model {
 public:
  Model(std::vector<Seen> cells, const CellNoise& noise, const Frame& frame)
      : noise_(noise), half_u_(frame.half_across), half_v_(frame.half_along), cells_(std::move(cells)) {
    for (Seen& seen : cells_)
      for (Sample& s : seen.samples)
        s.at = {dot(s.at - frame.middle, frame.across), dot(s.at - frame.middle, frame.along)};
  }

  /// Fills in top_m and cost.
  void weigh(SmallRoof& roof) const {
    std::vector<double> tops;
    std::vector<Share> shares;
    for (const Seen& c : cells_) {
      shares.push_back(share(roof, c));
      const Share& s = shares.back();
      if (s.covered > kMostlyRoofCells)
        tops.push_back((c.height_m - (1 - s.covered) * s.beside_m) / s.covered + s.fall_m);
    }
    if (tops.size() < (roof.gable ? 2 : 1) * kFewestCells) return;
    roof.top_m = median(tops);
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Seen& c = cells_[i];
      const Share& s = shares[i];
      const double r = c.height_m - height(roof, s), sigma_m = sigma(roof, s);
      if (s.covered <= kMostlyRoofCells || std::abs(r) > kInlier * sigma_m) continue;
      sum += r / s.covered / (sigma_m * sigma_m);
      weights += 1 / (sigma_m * sigma_m);
    }
    if (weights > 0) roof.top_m += sum / weights;
    roof.cost = kPerPlane + (roof.gable ? kPerBorrowedPlane : 0);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Seen& c = cells_[i];
      const Share& s = shares[i];
      roof.cost += std::min(c.unexplained, residual_cost(c.height_m - height(roof, s), sigma(roof, s)));
    }
  }

 private:
  /// The share of a cell that the roof covers, and how far the covered part lies below the top on average.
  struct Share {
    double covered = 0, fall_m = 0;
    double beside_m = 0, beside_scatter_m = 0;  ///< mean height of the rest, and how much it varies
  };

  Share share(const SmallRoof& roof, const Seen& c) const {
    int covered = 0;
    double fall_m = 0, beside_m = 0, squares = 0;
    for (const auto& [p, to_neighbour_m, neighbour_m] : c.samples) {
      const bool neighbours = to_neighbour_m <= roof.eaves_m;
      if (neighbours || std::abs(p.x) > half_u_ + roof.eaves_m || std::abs(p.y) > half_v_ + roof.eaves_m) {
        const double z = neighbours ? neighbour_m : c.ground_m;
        beside_m += z, squares += squared(z);
        continue;
      }
      ++covered;
      fall_m += roof.slope * (roof.gable ? std::abs(p.x - roof.off_m) : p.x);
    }
    const int rest = kSamples * kSamples - covered;
    if (rest) beside_m /= rest;
    return {static_cast<double>(covered) / (kSamples * kSamples), covered ? fall_m / covered : 0, beside_m,
            rest ? std::sqrt(std::max(0.0, squares / rest - squared(beside_m))) : 0};
  }

  double height(const SmallRoof& roof, const Share& s) const {
    return s.covered * (roof.top_m - s.fall_m) + (1 - s.covered) * s.beside_m;
  }

  double sigma(const SmallRoof& roof, const Share& s) const {
    const double mixed = mixed_cell_scatter_m(s.covered, roof.top_m - s.fall_m - s.beside_m);
    return std::hypot(noise_.sigma_m({.gx = roof.slope}), mixed, 0.5 * (1 - s.covered) * s.beside_scatter_m);
  }

  CellNoise noise_;
  double half_u_, half_v_;
  std::vector<Seen> cells_;
};

template <class Visit>
void for_steps(double from, double to, double step, Visit visit) {
  const int steps = static_cast<int>(std::lround((to - from) / step));
  for (int k = 0; k <= steps; ++k) visit(from + k * step);
}

/// The best roof of one kind, and the mean of all of them weighted by how well they explain the cells.
struct Found {
  SmallRoof best, mean;
  double slope_error = 0;
  Point across;  ///< the ridge: the direction of the slope
};

Found mean_of(const std::vector<SmallRoof>& tried, Point across) {
  Found found{.across = across};
  for (const SmallRoof& roof : tried)
    if (roof.cost < found.best.cost) found.best = roof;
  double weights = 0, squares = 0;
  found.mean = found.best;
  found.mean.slope = found.mean.off_m = found.mean.top_m = 0;
  for (const SmallRoof& roof : tried) {
    const double weight = std::exp(found.best.cost - roof.cost);
    weights += weight;
    found.mean.slope += weight * roof.slope, squares += weight * roof.slope * roof.slope;
    found.mean.off_m += weight * roof.off_m, found.mean.top_m += weight * roof.top_m;
  }
  found.mean.slope /= weights, found.mean.off_m /= weights, found.mean.top_m /= weights;
  found.slope_error = std::sqrt(std::max(squares / weights - found.mean.slope * found.mean.slope,
                                         squared(kGableSlopeStep / std::sqrt(12.0))));
  return found;
}

Found search(const Model& model, bool gable, Point across, const RunControl& control) {
  const double most_off_m = gable ? kOffCentre_m : 0;
  const double from = gable ? kFlattestGable : -kLeaning, to = gable ? kSteepestGable : kLeaning;
  std::vector<SmallRoof> tried;
  for_steps(0, kWidestEaves_m, kEavesStep_m, [&](double eaves_m) {
    control.checkpoint();
    for_steps(-most_off_m, most_off_m, kOffCentreStep_m, [&](double off_m) {
      for_steps(from, to, kGableSlopeStep, [&](double slope) {
        tried.push_back({.gable = gable, .slope = slope, .off_m = off_m, .eaves_m = eaves_m});
        model.weigh(tried.back());
      });
    });
  });
  return mean_of(tried, across);
}

Found better(const Found& a, const Found& b) { return b.best.cost < a.best.cost ? b : a; }

/// Rises along `across` with sense 1, against it with -1.
Plane plane_of(const Found& found, const Frame& frame, double sense) {
  const Point at = frame.middle + found.across * found.mean.off_m,
              gradient = found.across * (sense * found.mean.slope);
  return {at.x, at.y, found.mean.top_m, gradient.x, gradient.y};
}

/// The roof with these planes as its only segments, each with its cells and the error of its slope.
RoofSegmentation with_planes(const RoofSegmentation& roof, const std::vector<Plane>& planes,
                             double slope_error) {
  RoofSegmentation out = roof;
  out.segments.clear();
  std::vector<std::vector<int>> cells(planes.size());
  for (int i = 0; i < static_cast<int>(roof.cells.points.size()); ++i) {
    std::size_t lowest = 0;
    for (std::size_t s = 1; s < planes.size(); ++s)
      if (planes[s].height_at(roof.cells.points[i]) < planes[lowest].height_at(roof.cells.points[i]))
        lowest = s;
    out.segment_of[i] = -1;
    if (roof.cost(i, planes[lowest]) < roof.cells.unexplained(i)) cells[lowest].push_back(i);
  }
  for (std::size_t s = 0; s < planes.size(); ++s) add_searched(out, planes[s], cells[s], slope_error);
  return out;
}

/// A narrow building whose cells are means. A fit to them leans towards the house beside it, because nearly
/// every cell is cut by a wall.
bool is_strip(const RoofSite& site, const Frame& frame) {
  return site.holds_means() && 2 * std::min(frame.half_along, frame.half_across) < kNarrow_m;
}

/// A plane at the end of the search may be steeper than the search goes.
bool is_within_limits(const Found& plane) {
  return std::abs(plane.mean.slope) < kLeaning - kGableSlopeStep / 2;
}

}  // namespace

bool fit_small_building(const RoofSite& site, RoofSegmentation& segmentation, const RunControl& control) {
  if (!site.from_footprints || segmentation.segments.size() > 3 || area(site.footprint) > kLargest_m2)
    return false;
  const Frame frame = frame_of(site.footprint);
  if (area(site.footprint) < kRectangular * 4 * frame.half_along * frame.half_across) return false;
  const std::vector<Seen> cells = seen_cells(site, segmentation, control);
  const double otherwise = cost_as_found(segmentation, cells);
  Found gable, plane;
  for (const Frame& way : {frame, frame.turned()}) {
    const Model model(cells, segmentation.noise, way);
    gable = better(gable, search(model, true, way.across, control));
    plane = better(plane, search(model, false, way.across, control));
  }
  RoofSegmentation changed;
  if (gable.best.cost + kGain < std::min(otherwise, plane.best.cost))
    changed =
        with_planes(segmentation, {plane_of(gable, frame, -1), plane_of(gable, frame, 1)}, gable.slope_error);
  else if (is_strip(site, frame) && segmentation.segments.size() < 2 && is_within_limits(plane) &&
           plane.best.cost <= std::min(otherwise, gable.best.cost))
    changed = with_planes(segmentation, {plane_of(plane, frame, -1)}, plane.slope_error);
  else
    return false;
  const bool all = std::all_of(changed.segments.begin(), changed.segments.end(),
                               [](const RoofSegment& s) { return s.cells.size() >= kFewestCells; });
  if (all) segmentation = std::move(changed);
  return all;
}

}  // namespace geo
