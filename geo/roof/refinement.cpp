#include "geo/roof/refinement.hpp"

#include <algorithm>
#include <cmath>

namespace geo {
namespace {

// Trust in a cell cut by a ridge, in one at an edge, in any other: what edge cells add in extent outweighs
// what they mix in.
constexpr double kCut = 0.03, kEdge = 0.7, kInner = 1;
constexpr double kEdgeMistrusted = 0.1;  // factor on the trust in edge cells, for the fit without them
constexpr std::size_t kFewestInner = 3;  // cells within the edges; a plane has as many parameters
constexpr double kLargestRefinement = 0.3;

double trust(const RoofSegmentation& roof, int cell, int own, const std::vector<Plane>& now) {
  const HeightPoint& p = roof.cells.points[cell];
  double least = kInner;
  auto look = [&](int other, double at_edge) {
    const int s = roof.segment_of[other];
    if (s == own) return;
    if (s < 0) {
      least = std::min(least, at_edge);
      return;
    }
    const Plane& a = now[own];
    const Plane& b = now[s];
    // The line in which they meet cuts the cell when it passes within half the cell's width across it.
    const double gx = a.gx - b.gx, gy = a.gy - b.gy;
    const double step = a.height_at(p) - b.height_at(p);
    const double half_width = 0.5 * roof.cells.index.cell_m * (std::abs(gx) + std::abs(gy));
    const bool meets_near = std::abs(step) < 3 * half_width;
    if (!meets_near)
      least = std::min(least, at_edge);
    else if (std::abs(step) < half_width)
      least = std::min(least, kCut);
  };
  for (int other : roof.cells.near[cell]) look(other, kEdge);
  for (int other : roof.cells.diagonal[cell]) look(other, kInner);
  if (roof.cells.near[cell].size() < 4) least = std::min(least, kEdge);
  return least;
}

/// How the gradient changes when edge cells hardly count: the error they mix in, and the noise of the other
/// cells.
Eigen::Vector2d shift_without_edges(const std::vector<HeightPoint>& points, std::vector<double> trusts,
                                    const PlaneFit& with, double sigma_m) {
  std::size_t inner = 0;
  for (double& t : trusts) {
    inner += t == kInner;
    if (t < kInner) t *= kEdgeMistrusted;
  }
  const PlaneFit without = inner >= kFewestInner ? fit_plane_robust(points, trusts, sigma_m) : PlaneFit{};
  if (!without.ok) return {0, 0};
  return {without.plane.gx - with.plane.gx, without.plane.gy - with.plane.gy};
}

}  // namespace

void refine_planes(RoofSegmentation& roof) {
  std::vector<Plane> now;
  for (const RoofSegment& s : roof.segments) now.push_back(s.fit.plane);
  for (std::size_t s = 0; s < roof.segments.size(); ++s) {
    RoofSegment& segment = roof.segments[s];
    if (segment.borrowed && segment.cells.size() < kFewestForSlope) continue;
    std::vector<HeightPoint> points;
    std::vector<double> trusts;
    for (int i : segment.cells) {
      points.push_back(roof.cells.points[i]);
      trusts.push_back(trust(roof, i, static_cast<int>(s), now));
    }
    const PlaneFit fit = fit_plane_robust(points, trusts, 0.7 * roof.noise.sigma_m(segment.fit.plane));
    if (!fit.ok || std::hypot(fit.plane.gx - now[s].gx, fit.plane.gy - now[s].gy) >= kLargestRefinement)
      continue;
    segment.fit = fit;
    segment.edge_shift = shift_without_edges(points, trusts, fit, 0.7 * roof.noise.sigma_m(fit.plane));
  }
}

}  // namespace geo
