#include "geo/roof/gables.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geo/property/cell_figures.hpp"
#include "geo/roof/regularisation.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

constexpr double kLargest_m2 = 50;  // the halves of larger buildings are found as planes
constexpr double kFlattestGable = 0.2, kSteepestGable = 1.4, kGableSlopeStep = 0.05;
constexpr double kOffCentre_m = 0.6, kOffCentreStep_m = 0.15;
constexpr double kWidestEaves_m = 0.6, kEavesStep_m = 0.15;
constexpr double kLeaning = 0.45;             // the steepest single slope that is compared
constexpr double kGain = 4;                   // in the unit of residual_cost()
constexpr double kNeighbourOverhang_m = 0.9;  // what lies nearer to a neighbour may be its roof
constexpr double kMostlyRoofCells = 0.6;
constexpr double kInlier = 2.5;  // sigmas
constexpr std::size_t kFewestGableCells = 4;
constexpr int kSamples = 4;  // of a cell, each way

/// The footprint's rectangle: its middle, its two directions, the longer first, and half its extent.
struct Frame {
  Point middle, along, across;
  double half_along, half_across;
};

Frame frame_of(const Polygon& footprint) {
  const Ring& ring = footprint.outer;
  Point longest{};
  for (std::size_t i = 0; i < ring.size(); ++i)
    if (const Point wall = ring[(i + 1) % ring.size()] - ring[i]; length(wall) > length(longest))
      longest = wall;
  const Point along = longest * (1 / length(longest));
  const Line axis{{}, along};
  Box box;
  for (Point p : ring) box.add({axis.along(p), axis.left_of(p)});
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

/// A cell as the model sees it: where its samples lie in the frame, and what was measured.
struct Seen {
  std::array<Point, kSamples * kSamples> samples;
  double height_m, ground_m, unexplained;
};

/// Compares the cells of a small building with roofs of its footprint's shape. A cell should be the mean of
/// its samples: roof, or ground beyond the eaves. `swapped`: the slope follows the longer side.
class Model {
 public:
  Model(const RoofSite& site, const RoofSegmentation& roof, const Frame& frame, bool swapped)
      : noise_(roof.noise),
        half_u_(swapped ? frame.half_along : frame.half_across),
        half_v_(swapped ? frame.half_across : frame.half_along) {
    const Point u = swapped ? frame.along : frame.across, v = swapped ? frame.across : frame.along;
    const double cell_m = site.height.cell_m;
    // Outlines that were read from the heights contain the overhang.
    const double overhang_m = site.rectangle ? 0 : kNeighbourOverhang_m;
    for (std::size_t i = 0; i < roof.cells.points.size(); ++i) {
      const HeightPoint& p = roof.cells.points[i];
      if (is_near_neighbour(site, p, overhang_m)) continue;
      Seen seen{{},
                p.z,
                site.ground.at(site.ground.col_of(p.x), site.ground.row_of(p.y)),
                roof.cells.unexplained(i)};
      for (int k = 0; k < kSamples * kSamples; ++k) {
        const int col = k % kSamples, row = k / kSamples;
        const Point at{p.x + cell_m * ((col + 0.5) / kSamples - 0.5),
                       p.y + cell_m * ((row + 0.5) / kSamples - 0.5)};
        seen.samples[k] = {dot(at - frame.middle, u), dot(at - frame.middle, v)};
      }
      cells_.push_back(seen);
      index_.push_back(i);
    }
  }

  /// Fills in top_m and cost.
  void weigh(SmallRoof& roof) const {
    std::vector<double> tops;
    std::vector<Share> shares;
    for (const Seen& c : cells_) {
      shares.push_back(share(roof, c));
      const Share& s = shares.back();
      if (s.covered > kMostlyRoofCells)
        tops.push_back((c.height_m - (1 - s.covered) * c.ground_m) / s.covered + s.fall_m);
    }
    if (tops.size() < 2 * kFewestGableCells) return;
    roof.top_m = median(tops);
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Seen& c = cells_[i];
      const Share& s = shares[i];
      const double r = c.height_m - height(roof, c, s), sigma_m = sigma(roof, c, s);
      if (s.covered <= kMostlyRoofCells || std::abs(r) > kInlier * sigma_m) continue;
      sum += r / s.covered / (sigma_m * sigma_m);
      weights += 1 / (sigma_m * sigma_m);
    }
    if (weights > 0) roof.top_m += sum / weights;
    roof.cost = kPerPlane + (roof.gable ? kPerBorrowedPlane : 0);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Seen& c = cells_[i];
      const Share& s = shares[i];
      roof.cost += std::min(c.unexplained, residual_cost(c.height_m - height(roof, c, s), sigma(roof, c, s)));
    }
  }

  /// What the segmentation as it is costs on the same cells.
  double cost_of(const RoofSegmentation& roof) const {
    double sum = 0;
    for (const RoofSegment& s : roof.segments) sum += s.borrowed ? kPerBorrowedPlane : kPerPlane;
    for (std::size_t k = 0; k < cells_.size(); ++k) {
      const int s = roof.segment_of[index_[k]];
      if (s < 0) {
        sum += cells_[k].unexplained;
        continue;
      }
      sum += std::min(cells_[k].unexplained, roof.cost(static_cast<int>(index_[k]), roof.plane(s)));
    }
    return sum;
  }

 private:
  /// The share of a cell that the roof covers, and how far the covered part lies below the top on average.
  struct Share {
    double covered = 0, fall_m = 0;
  };

  Share share(const SmallRoof& roof, const Seen& c) const {
    int covered = 0;
    double fall_m = 0;
    for (const Point& p : c.samples) {
      if (std::abs(p.x) > half_u_ + roof.eaves_m || std::abs(p.y) > half_v_ + roof.eaves_m) continue;
      ++covered;
      fall_m += roof.slope * (roof.gable ? std::abs(p.x - roof.off_m) : p.x);
    }
    return {static_cast<double>(covered) / (kSamples * kSamples), covered ? fall_m / covered : 0};
  }

  double height(const SmallRoof& roof, const Seen& c, const Share& s) const {
    return s.covered * (roof.top_m - s.fall_m) + (1 - s.covered) * c.ground_m;
  }

  double sigma(const SmallRoof& roof, const Seen& c, const Share& s) const {
    const double mixed = mixed_cell_scatter_m(s.covered, roof.top_m - s.fall_m - c.ground_m);
    return std::hypot(noise_.sigma_m({.gx = roof.slope}), mixed);
  }

  CellNoise noise_;
  double half_u_, half_v_;
  std::vector<Seen> cells_;
  std::vector<std::size_t> index_;  // of RoofCells
};

template <class Visit>
void for_steps(double from, double to, double step, Visit visit) {
  const int steps = static_cast<int>(std::lround((to - from) / step));
  for (int k = 0; k <= steps; ++k) visit(from + k * step);
}

/// The best roof, and the mean of all gables weighted by how well they explain the cells.
struct Search {
  SmallRoof leaning, best, mean;
  double slope_error = 0;
};

Search search(const Model& model, const RunControl& control) {
  std::vector<SmallRoof> gables;
  Search found;
  for_steps(0, kWidestEaves_m, kEavesStep_m, [&](double eaves_m) {
    control.checkpoint();
    for_steps(-kLeaning, kLeaning, kGableSlopeStep, [&](double slope) {
      SmallRoof leaning{.gable = false, .slope = slope, .eaves_m = eaves_m};
      model.weigh(leaning);
      if (leaning.cost < found.leaning.cost) found.leaning = leaning;
    });
    for_steps(-kOffCentre_m, kOffCentre_m, kOffCentreStep_m, [&](double off_m) {
      for_steps(kFlattestGable, kSteepestGable, kGableSlopeStep, [&](double slope) {
        SmallRoof gable{.slope = slope, .off_m = off_m, .eaves_m = eaves_m};
        model.weigh(gable);
        gables.push_back(gable);
        if (gable.cost < found.best.cost) found.best = gable;
      });
    });
  });
  double weights = 0, squares = 0;
  found.mean = found.best;
  found.mean.slope = found.mean.off_m = found.mean.top_m = 0;
  for (const SmallRoof& g : gables) {
    const double weight = std::exp(found.best.cost - g.cost);
    weights += weight;
    found.mean.slope += weight * g.slope, squares += weight * g.slope * g.slope;
    found.mean.off_m += weight * g.off_m, found.mean.top_m += weight * g.top_m;
  }
  found.mean.slope /= weights, found.mean.off_m /= weights, found.mean.top_m /= weights;
  found.slope_error = std::sqrt(std::max(squares / weights - found.mean.slope * found.mean.slope,
                                         squared(kGableSlopeStep / std::sqrt(12.0))));
  return found;
}

/// The roof with the two halves as its only segments, each with its cells and the error of its slope.
RoofSegmentation with_gable(const RoofSegmentation& roof, const std::array<Plane, 2>& halves,
                            double slope_error) {
  RoofSegmentation out = roof;
  out.segments.clear();
  std::array<std::vector<int>, 2> cells;
  for (int i = 0; i < static_cast<int>(roof.cells.points.size()); ++i) {
    const HeightPoint& p = roof.cells.points[i];
    const bool second = residual(p, halves[1]) > residual(p, halves[0]);
    out.segment_of[i] = -1;
    if (roof.cost(i, halves[second]) < roof.cells.unexplained(i)) cells[second].push_back(i);
  }
  for (std::size_t s = 0; s < 2; ++s) add_searched(out, halves[s], cells[s], slope_error);
  return out;
}

}  // namespace

bool fit_small_gable(const RoofSite& site, RoofSegmentation& segmentation, const RunControl& control) {
  if (!site.from_footprints || segmentation.segments.size() > 3 || area(site.footprint) > kLargest_m2)
    return false;
  const Frame frame = frame_of(site.footprint);
  Search best;
  bool best_swapped = false;
  double otherwise = 1e300;
  for (const bool swapped : {false, true}) {
    const Model model(site, segmentation, frame, swapped);
    const Search found = search(model, control);
    otherwise = std::min({otherwise, found.leaning.cost, model.cost_of(segmentation)});
    if (found.best.cost < best.best.cost) best = found, best_swapped = swapped;
  }
  if (best.best.cost + kGain >= otherwise) return false;
  const Point across = best_swapped ? frame.along : frame.across;
  const Point ridge = frame.middle + across * best.mean.off_m;
  const double gx = best.mean.slope * across.x, gy = best.mean.slope * across.y;
  RoofSegmentation changed = with_gable(
      segmentation,
      {Plane{ridge.x, ridge.y, best.mean.top_m, -gx, -gy}, Plane{ridge.x, ridge.y, best.mean.top_m, gx, gy}},
      best.slope_error);
  const bool both = std::all_of(changed.segments.begin(), changed.segments.end(),
                                [](const RoofSegment& s) { return s.cells.size() >= kFewestGableCells; });
  if (both) segmentation = std::move(changed);
  return both;
}

}  // namespace geo
