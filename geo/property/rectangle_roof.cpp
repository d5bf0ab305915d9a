#include "geo/property/rectangle_roof.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "geo/property/crown_odds.hpp"

namespace geo {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr int kSamples = 4;                // of a cell, each way
constexpr double kNoise_m = 0.05;          // of a cell on a level roof
constexpr double kNoisePerSlope_m = 0.12;  // where in a cell the laser hit
constexpr double kGroundNoise_m = 0.15;    // grass, a bush
constexpr double kMixed = 0.25;     // of the drop from roof to ground: how a cell cut by an edge scatters
constexpr double kReachedInto = 2;  // sigmas; a house's eave, where there is one
constexpr double kWhole = 0.95, kMostly = 0.6;  // shares of a cell
constexpr double kSteepest = 1.2, kMostLeaning = 0.45;
constexpr double kNarrowest_m = 1.0;      // half a side, so that the search does not collapse
constexpr double kPerSquareMetre = 0.02;  // where nothing tells, the smaller rectangle
constexpr double kStart_m = 0.4, kFinest_m = 0.05;
constexpr double kTurnPerMetre = 12 * kDegree;  // of the step when searching

struct Coverage {
  double share = 0;
  double u = 0, v = 0, off_ridge = 0;  // means over what is covered
};

class Fitter {
 public:
  Fitter(const std::vector<RoofEdgeCell>& cells, double cell_m) : cells_(cells), cell_m_(cell_m) {}

  /// Heights and cost of the best roof over this rectangle.
  void weigh(RectangleRoof& roof) {
    cover(roof);
    Eigen::Vector3d found(0, 0, 0);
    double sigma_m = kNoise_m + kNoisePerSlope_m * 0.4;
    for (int round = 0; round < 3; ++round) {
      if (!solve(roof, sigma_m, round > 0 ? &found : nullptr, found)) return void(roof.cost = 1e300);
      sigma_m = std::hypot(kNoise_m, kNoisePerSlope_m * found.tail<2>().norm());
    }
    roof.top_m = found[0], roof.slope_u = found[1], roof.slope_v = found[2];
    roof.sigma_m = sigma_m;
    add_up(roof);
  }

 private:
  void cover(const RectangleRoof& roof) {
    const double c = std::cos(roof.direction_rad), s = std::sin(roof.direction_rad);
    coverage_.resize(cells_.size());
    const double far = 0.75 * cell_m_;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      Coverage& out = coverage_[i] = {};
      const Point d{cells_[i].at.x - roof.middle.x, cells_[i].at.y - roof.middle.y};
      const double u = c * d.x + s * d.y, v = c * d.y - s * d.x;
      if (std::abs(u) > roof.half_u + far || std::abs(v) > roof.half_v + far) continue;
      int inside = 0;
      for (int k = 0; k < kSamples * kSamples; ++k) {
        const int col = k % kSamples, row = k / kSamples;
        const double dx = cell_m_ * ((col + 0.5) / kSamples - 0.5);
        const double dy = cell_m_ * ((row + 0.5) / kSamples - 0.5);
        const double at_u = u + c * dx + s * dy, at_v = v + c * dy - s * dx;
        if (std::abs(at_u) > roof.half_u || std::abs(at_v) > roof.half_v) continue;
        ++inside;
        out.u += at_u, out.v += at_v, out.off_ridge += std::abs(at_v);
      }
      if (inside == 0) continue;
      out.share = static_cast<double>(inside) / (kSamples * kSamples);
      out.u /= inside, out.v /= inside, out.off_ridge /= inside;
    }
  }

  Eigen::Vector3d row(const RectangleRoof& roof, const Coverage& c) const {
    return roof.gable ? Eigen::Vector3d(1, 0, -c.off_ridge) : Eigen::Vector3d(1, c.u, c.v);
  }

  /// Least squares over the cells that are mostly roof; `about`: an earlier solution, without what is far
  /// off.
  bool solve(const RectangleRoof& roof, double sigma_m, const Eigen::Vector3d* about,
             Eigen::Vector3d& found) {
    Eigen::Matrix3d normal = Eigen::Matrix3d::Identity() * 1e-6;
    Eigen::Vector3d right(0, 0, 0);
    int used = 0;
    const Eigen::Vector3d before = about ? *about : Eigen::Vector3d(0, 0, 0);
    const double z0 = cells_.front().z;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Coverage& c = coverage_[i];
      if (c.share < kMostly) continue;
      const double z = (cells_[i].z - (1 - c.share) * cells_[i].ground) / c.share;
      const Eigen::Vector3d r = row(roof, c);
      const double drop_m = z - cells_[i].ground;
      const double own_m = std::hypot(sigma_m, 4 * c.share * (1 - c.share) * kMixed * drop_m) / c.share;
      double weight = 1 / (own_m * own_m);
      if (about) {
        const double off = std::abs(z - r.dot(before)) / own_m;
        if (off > 2) weight *= 4 / (off * off) * (off > 4 ? 0.05 : 1);  // Huber, and hardly what is far off
      }
      normal += weight * r * r.transpose();
      right += weight * (z - z0) * r;
      ++used;
    }
    if (used < 4) return false;
    found = normal.ldlt().solve(right);
    found[0] += z0;
    return found.allFinite() && within_bounds(roof, found);
  }

  static bool within_bounds(const RectangleRoof& roof, const Eigen::Vector3d& found) {
    if (roof.gable) return found[2] > 0.1 && found[2] < kSteepest;
    return found.tail<2>().norm() < kMostLeaning;
  }

  void add_up(RectangleRoof& roof) const {
    const Eigen::Vector3d found(roof.top_m, roof.slope_u, roof.slope_v);
    roof.cost = kPerSquareMetre * roof.area() + (roof.gable ? 0 : 1);
    roof.covered = 0, roof.misfit = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Coverage& c = coverage_[i];
      double model = cells_[i].ground, own_m = kGroundNoise_m;
      if (c.share > 0) {
        const double z = row(roof, c).dot(found);
        model = c.share * z + (1 - c.share) * model;
        own_m = std::hypot(c.share * roof.sigma_m, (1 - c.share) * kGroundNoise_m,
                           4 * c.share * (1 - c.share) * kMixed * (z - cells_[i].ground));
      }
      const double off = (cells_[i].z - model) / own_m;
      roof.cost += std::min(0.5 * off * off, kUnexplainedCell);
      if (c.share < kWhole || (cells_[i].doubtful && std::abs(off) > kReachedInto)) continue;
      ++roof.covered;
      roof.misfit += std::min(off * off, 2 * kUnexplainedCell);
    }
  }

  const std::vector<RoofEdgeCell>& cells_;
  double cell_m_;
  std::vector<Coverage> coverage_;
};

/// The rectangle in this direction around all points, a little wider.
RectangleRoof around(const std::vector<Point>& points, double direction_rad, bool gable) {
  const double c = std::cos(direction_rad), s = std::sin(direction_rad);
  double u0 = 1e300, u1 = -1e300, v0 = 1e300, v1 = -1e300;
  for (const Point& p : points) {
    u0 = std::min(u0, c * p.x + s * p.y), u1 = std::max(u1, c * p.x + s * p.y);
    v0 = std::min(v0, c * p.y - s * p.x), v1 = std::max(v1, c * p.y - s * p.x);
  }
  const double u = (u0 + u1) / 2, v = (v0 + v1) / 2;
  RectangleRoof roof;
  roof.middle = {c * u - s * v, s * u + c * v};
  roof.direction_rad = direction_rad;
  roof.half_u = std::max((u1 - u0) / 2 + 0.3, kNarrowest_m);
  roof.half_v = std::max((v1 - v0) / 2 + 0.3, kNarrowest_m);
  roof.gable = gable;
  return roof;
}

/// Each side moved in or out, the whole turned either way.
std::array<RectangleRoof, 10> neighbours_of(const RectangleRoof& roof, double step_m) {
  std::array<RectangleRoof, 10> out;
  out.fill(roof);
  const double c = std::cos(roof.direction_rad), s = std::sin(roof.direction_rad);
  std::size_t k = 0;
  for (const double by : {step_m, -step_m})
    for (const double side : {1.0, -1.0}) {
      RectangleRoof& along = out[k++];
      along.half_u += by / 2;
      along.middle.x += side * by / 2 * c, along.middle.y += side * by / 2 * s;
      RectangleRoof& across = out[k++];
      across.half_v += by / 2;
      across.middle.x -= side * by / 2 * s, across.middle.y += side * by / 2 * c;
    }
  out[k++].direction_rad += step_m * kTurnPerMetre;
  out[k].direction_rad -= step_m * kTurnPerMetre;
  return out;
}

void refine(Fitter& fitter, RectangleRoof& best) {
  for (double step_m = kStart_m; step_m >= kFinest_m; step_m /= 2)
    for (int round = 0; round < 12; ++round) {
      const RectangleRoof before = best;
      for (RectangleRoof next : neighbours_of(before, step_m)) {
        if (std::min(next.half_u, next.half_v) < kNarrowest_m) continue;
        fitter.weigh(next);
        if (next.cost < best.cost - 1e-6) best = next;
      }
      if (best.cost >= before.cost) break;
    }
}

/// Where a crown is so much likelier than this roof that none from another start will do, either. A start
/// that was led astray on a real roof has odds not far from even.
bool is_hopeless(const RectangleRoof& roof) {
  constexpr double kLogOdds = -20;
  return roof.log_odds_against_crown() < kLogOdds;
}

}  // namespace

double RectangleRoof::log_odds_against_crown() const {
  // Of the 3 m windows in the woods of Essen (North Rhine-Westphalia's surface model) 19 of 20 scatter by as
  // much about their plane, half of them by 1 m; steep ones by more.
  constexpr double kCrownScatter_m = 0.28, kSteepCrownScatter = 4;
  const double crown_scatter = std::max(kCrownScatter_m / sigma_m, kSteepCrownScatter);
  return geo::log_odds_against_crown(covered - (gable ? 2 : 3), misfit, crown_scatter);
}

Ring RectangleRoof::corners() const {
  const double c = std::cos(direction_rad), s = std::sin(direction_rad);
  Ring ring;
  for (const auto& [u, v] : {Point{-half_u, -half_v}, {half_u, -half_v}, {half_u, half_v}, {-half_u, half_v}})
    ring.push_back({middle.x + c * u - s * v, middle.y + s * u + c * v});
  return ring;
}

double RectangleRoof::outside_m(Point p) const {
  const double c = std::cos(direction_rad), s = std::sin(direction_rad);
  const double u = c * (p.x - middle.x) + s * (p.y - middle.y),
               v = c * (p.y - middle.y) - s * (p.x - middle.x);
  return std::max(std::abs(u) - half_u, std::abs(v) - half_v);
}

double RectangleRoof::height_at(Point p) const {
  const double c = std::cos(direction_rad), s = std::sin(direction_rad);
  const double u = c * (p.x - middle.x) + s * (p.y - middle.y),
               v = c * (p.y - middle.y) - s * (p.x - middle.x);
  return gable ? top_m - slope_v * std::abs(v) : top_m + slope_u * u + slope_v * v;
}

RectangleRoof fit_rectangle_roof(const std::vector<RoofEdgeCell>& cells, const std::vector<Point>& seen,
                                 double cell_m) {
  constexpr double kTurns_deg = 7.5;
  constexpr std::size_t kRefined = 3;
  Fitter fitter(cells, cell_m);
  std::vector<RectangleRoof> starts;
  for (double turn = 0; turn < 180; turn += kTurns_deg)
    for (const bool gable : {true, false}) {
      if (!gable && turn >= 90) continue;  // a plane has no first side
      starts.push_back(around(seen, turn * kDegree, gable));
      fitter.weigh(starts.back());
    }
  std::stable_sort(starts.begin(), starts.end(),
                   [](const RectangleRoof& a, const RectangleRoof& b) { return a.cost < b.cost; });
  RectangleRoof best;
  for (const bool gable : {true, false}) {
    std::size_t refined = 0;
    for (RectangleRoof& start : starts) {
      if (start.gable != gable || start.cost >= 1e300 || refined == kRefined) continue;
      ++refined;
      refine(fitter, start);
      if (start.cost < best.cost) best = start;
      if (is_hopeless(start)) break;  // from the likeliest start: a crown, of which a wood has hundreds
    }
  }
  return best;
}

}  // namespace geo
