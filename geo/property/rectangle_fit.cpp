#include "geo/property/rectangle_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "geo/property/cell_figures.hpp"
#include "geo/property/crown_odds.hpp"
#include "geo/shapes/angle.hpp"
#include "geo/shapes/box.hpp"

namespace geo {
namespace {

constexpr int kSamples = 4;              // of what a cell shows, each way
constexpr double kGroundNoise_m = 0.15;  // grass, a bush
constexpr double kReachedInto = 2;       // sigmas above the roof: a house's eave reaches into the cell
constexpr double kUnexplainedCell = 4;   // what a cell costs at most
constexpr double kHouseEdgeCell = 1;     // the same where a house explains it
constexpr double kWholeCell = 0.95, kMostOfCell = 0.6;  // shares of a cell
constexpr double kSteepest = 1.2, kMostLeaning = 0.45;
constexpr double kSmallestHalf_m = 1.0;   // half a side, so that the search does not collapse
constexpr double kPerSquareMetre = 0.02;  // where nothing else decides, the smaller rectangle wins
constexpr double kCoarse_m = 0.4, kFine_m = 0.2, kFinest_m = 0.05;  // steps of the search
// Below these log-odds a crown is so much likelier that the search stops; a wood has hundreds of such groups.
// Of real garages' best starts one in 500 has less than -12; after the coarse steps one in 600 has less than
// -2.
constexpr double kHopelessStart = -14, kHopelessStartMoved = -5, kHopeless = -2;
constexpr double kTurnPerMetre = 12 * kDegree;  // how far a step of the search turns the rectangle

/// A cell that the roof covers, at least in part.
struct CoveredCell {
  const RoofEdgeCell* cell = nullptr;
  double uncovered_cost = 0;  // what it would cost without the roof
  double share = 0;
  double u = 0, v = 0, off_ridge = 0;  // means over the covered part
};

/// A cell that is mostly roof: the height of its part of the roof, which is fitted, and that height's
/// variance without the roof's own noise.
struct MostlyRoof {
  ToHouse to_house;
  Eigen::Vector3d row;
  double z, mixed_m2, share2;
};

class Fitter {
 public:
  Fitter(const std::vector<RoofEdgeCell>& cells, const CellModel& model)
      : cells_(cells),
        support_m_(model.support_m),
        evidence_(evidence_of_cell(model.cell_m)),
        per_slope_m_(model.noise_per_slope_m) {
    uncovered_costs_.reserve(cells.size());
    for (const RoofEdgeCell& cell : cells) uncovered_costs_.push_back(uncovered_cost(cell));
    uncovered_cost_ = std::accumulate(uncovered_costs_.begin(), uncovered_costs_.end(), 0.0);
  }

  /// Heights and cost of the best roof over this rectangle.
  void weigh(RectangleRoof& roof) {
    cover(roof);
    weigh(roof, first_guess(roof), {Round::median, Round::median, Round::mean, Round::mean, Round::mean});
  }

  /// The same for a rectangle that was moved a little: its heights are a good first guess.
  void weigh_again(RectangleRoof& roof) {
    cover(roof);
    weigh(roof, {roof.top_m, roof.slope_u, roof.slope_v}, {Round::mean, Round::mean});
  }

 private:
  /// The first rounds find the heights that most cells agree on. The last rounds take the mean of those
  /// cells; the others count for little.
  enum class Round { median, mean };

  void weigh(RectangleRoof& roof, Eigen::Vector3d found, std::initializer_list<Round> rounds) {
    double sigma_m = std::hypot(kLevelNoise_m, per_slope_m_ * found.tail<2>().norm());
    for (const Round round : rounds) {
      if (!improve(sigma_m, round, found)) return void(roof.cost = 1e300);
      sigma_m = std::hypot(kLevelNoise_m, per_slope_m_ * found.tail<2>().norm());
    }
    if (!within_bounds(roof, found)) return void(roof.cost = 1e300);
    roof.top_m = found[0], roof.slope_u = found[1], roof.slope_v = found[2];
    roof.sigma_m = sigma_m;
    add_up(roof);
  }

  void cover(const RectangleRoof& roof) {
    const double c = std::cos(roof.direction_rad), s = std::sin(roof.direction_rad);
    const double reach = 0.5 * support_m_ * (std::abs(c) + std::abs(s));  // of what a cell shows
    place_samples(c, s);
    covered_.clear();
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Point d{cells_[i].at.x - roof.middle.x, cells_[i].at.y - roof.middle.y};
      const double u = c * d.x + s * d.y, v = c * d.y - s * d.x;
      const double out_m = std::max(std::abs(u) - roof.half_u, std::abs(v) - roof.half_v);
      if (out_m >= reach) continue;
      CoveredCell covered{&cells_[i], uncovered_costs_[i], 1, u, v, std::abs(v)};
      if (out_m > -reach || std::abs(v) < reach) cover_samples(roof, covered);
      if (covered.share > 0) covered_.push_back(covered);
    }
    gather_mostly_roof(roof);
  }

  void gather_mostly_roof(const RectangleRoof& roof) {
    mostly_roof_.clear();
    for (const CoveredCell& c : covered_) {
      if (c.share < kMostOfCell || c.cell->to_house == ToHouse::plane) continue;
      const double z = (c.cell->z - (1 - c.share) * c.cell->ground) / c.share;
      const double mixed_m = mixed_cell_scatter_m(c.share, z - c.cell->ground);
      mostly_roof_.push_back({c.cell->to_house, row(roof, c), z, mixed_m * mixed_m, c.share * c.share});
    }
  }

  /// Where the samples of what a cell shows lie from its middle, along the roof and across it.
  void place_samples(double c, double s) {
    for (int k = 0; k < kSamples * kSamples; ++k) {
      const int col = k % kSamples, row = k / kSamples;
      const double dx = support_m_ * ((col + 0.5) / kSamples - 0.5);
      const double dy = support_m_ * ((row + 0.5) / kSamples - 0.5);
      samples_[k] = {c * dx + s * dy, c * dy - s * dx};
    }
  }

  void cover_samples(const RectangleRoof& roof, CoveredCell& cell) const {
    double inside = 0, u = 0, v = 0, off_ridge = 0;
    for (const Point& sample : samples_) {
      const double at_u = cell.u + sample.x, at_v = cell.v + sample.y;
      const double counts = (std::abs(at_u) <= roof.half_u) & (std::abs(at_v) <= roof.half_v);
      inside += counts, u += counts * at_u, v += counts * at_v, off_ridge += counts * std::abs(at_v);
    }
    cell.share = inside / static_cast<double>(samples_.size());
    cell.u = u / inside, cell.v = v / inside, cell.off_ridge = off_ridge / inside;
  }

  static Eigen::Vector3d row(const RectangleRoof& roof, const CoveredCell& c) {
    return roof.gable ? Eigen::Vector3d(1, 0, -c.off_ridge) : Eigen::Vector3d(1, c.u, c.v);
  }

  /// Cells of a house's edge may lie far above the roof. A first solution without them shows which of them
  /// are roof.
  static bool may_tell(ToHouse to_house, Round round) {
    return to_house != ToHouse::plane && (round == Round::mean || to_house != ToHouse::edge);
  }

  /// What a cell costs at most. A cell of a house's edge that lies above the roof is explained by the house.
  static double most(const RoofEdgeCell& cell, double off) {
    return cell.to_house == ToHouse::edge && off > 0 ? kHouseEdgeCell : kUnexplainedCell;
  }

  static double cost(const RoofEdgeCell& cell, double off) {
    return std::min(0.5 * off * off, most(cell, off));
  }

  static double uncovered_cost(const RoofEdgeCell& cell) {
    return cell.to_house == ToHouse::plane ? 0 : cost(cell, (cell.z - cell.ground) / kGroundNoise_m);
  }

  /// A level roof, or a gable of a usual slope, at the cells' median: a crown above a few cells would pull a
  /// mean away.
  Eigen::Vector3d first_guess(const RectangleRoof& roof) {
    constexpr double kUsualSlope = 0.5;
    const double slope = roof.gable ? kUsualSlope : 0;
    tops_.clear();
    for (const CoveredCell& c : covered_)
      if (c.share >= kMostOfCell && may_tell(c.cell->to_house, Round::median))
        tops_.push_back(c.cell->z + slope * c.off_ridge);
    if (tops_.empty()) return {0, 0, 0};
    const auto middle = tops_.begin() + static_cast<std::ptrdiff_t>(tops_.size() / 2);
    std::nth_element(tops_.begin(), middle, tops_.end());
    return {*middle, 0, slope};
  }

  /// One round of reweighted least squares (Huber 1964) over the cells that are mostly roof.
  bool improve(double sigma_m, Round round, Eigen::Vector3d& found) const {
    // Filled on and below the diagonal: ldlt() reads no more.
    Eigen::Matrix3d normal = Eigen::Matrix3d::Identity() * 1e-6;
    Eigen::Vector3d right(0, 0, 0);
    int used = 0;
    const Eigen::Vector3d before = found;
    const double z0 = cells_.front().z;
    for (const MostlyRoof& c : mostly_roof_) {
      if (!may_tell(c.to_house, round)) continue;
      const double own_m2 = (sigma_m * sigma_m + c.mixed_m2) / c.share2;
      const double weight = weight_of(std::abs(c.z - c.row.dot(before)) / std::sqrt(own_m2), round) / own_m2;
      for (int col = 0; col < 3; ++col)
        for (int row = col; row < 3; ++row) normal(row, col) += weight * c.row[row] * c.row[col];
      right += weight * (c.z - z0) * c.row;
      ++used;
    }
    if (used < 4) return false;
    found = normal.ldlt().solve(right);
    found[0] += z0;
    return found.allFinite();
  }

  static double weight_of(double sigmas, Round round) {
    if (round == Round::median) return 1 / std::max(1.0, sigmas);
    return sigmas <= 2 ? 1 : 4 / (sigmas * sigmas) * (sigmas > 4 ? 0.05 : 1);
  }

  static bool within_bounds(const RectangleRoof& roof, const Eigen::Vector3d& found) {
    if (roof.gable) return found[2] > 0.1 && found[2] < kSteepest;
    return found.tail<2>().norm() < kMostLeaning;
  }

  void add_up(RectangleRoof& roof) const {
    const Eigen::Vector3d found(roof.top_m, roof.slope_u, roof.slope_v);
    roof.cost = uncovered_cost_ + kPerSquareMetre * roof.area() + (roof.gable ? 0 : 1);
    roof.covered = 0, roof.misfit = 0;
    for (const CoveredCell& c : covered_) {
      const RoofEdgeCell& cell = *c.cell;
      if (cell.to_house == ToHouse::plane) {
        roof.cost += c.share * kUnexplainedCell;
        continue;
      }
      const double z = row(roof, c).dot(found);
      const double model = c.share * z + (1 - c.share) * cell.ground;
      const double roof_m = c.share * roof.sigma_m, ground_m = (1 - c.share) * kGroundNoise_m,
                   mixed_m = mixed_cell_scatter_m(c.share, z - cell.ground);
      const double off =
          (cell.z - model) / std::sqrt(roof_m * roof_m + ground_m * ground_m + mixed_m * mixed_m);
      roof.cost += cost(cell, off) - c.uncovered_cost;
      if (c.share < kWholeCell || (cell.to_house != ToHouse::apart && off > kReachedInto)) continue;
      roof.covered += evidence_;
      roof.misfit += evidence_ * std::min(off * off, 2 * kUnexplainedCell);
    }
  }

  const std::vector<RoofEdgeCell>& cells_;
  double support_m_, evidence_, per_slope_m_;
  std::vector<double> uncovered_costs_;
  double uncovered_cost_ = 0;  // of all cells
  std::array<Point, kSamples * kSamples> samples_;
  std::vector<CoveredCell> covered_;
  std::vector<MostlyRoof> mostly_roof_;  // of these
  std::vector<double> tops_;
};

/// The rectangle in this direction around all points, a little wider.
RectangleRoof around(const std::vector<Point>& points, double direction_rad, bool gable) {
  RectangleRoof roof{.direction_rad = direction_rad, .gable = gable};
  Box box;  // along the first side and across it
  for (const Point& p : points) box.add(roof.distances(p));
  roof.middle = roof.place({(box.min_x + box.max_x) / 2, (box.min_y + box.max_y) / 2});
  roof.half_u = std::max((box.max_x - box.min_x) / 2 + 0.3, kSmallestHalf_m);
  roof.half_v = std::max((box.max_y - box.min_y) / 2 + 0.3, kSmallestHalf_m);
  return roof;
}

/// Searches for the best rectangle nearby, with ever smaller steps. Each side is moved out or in and the
/// whole turned either way; what is better is kept at once (pattern search, Hooke and Jeeves 1961).
void refine(Fitter& fitter, RectangleRoof& best, double from_m, double to_m) {
  const auto better = [&](RectangleRoof next) {
    if (std::min(next.half_u, next.half_v) < kSmallestHalf_m) return false;
    fitter.weigh_again(next);
    if (next.cost >= best.cost - 1e-6) return false;
    best = next;
    return true;
  };
  const auto better_moved = [&](Point side, double by_m) { return better(best.with_side_moved(side, by_m)); };
  const auto better_turned = [&](double by_rad) { return better(best.turned(by_rad)); };
  for (double step_m = from_m; step_m >= to_m; step_m /= 2)
    for (int round = 0; round < 12; ++round) {
      bool improved = false;
      for (const Point side : RectangleRoof::kSides)
        improved |= better_moved(side, step_m) || better_moved(side, -step_m);
      improved |= better_turned(step_m * kTurnPerMetre) || better_turned(-step_m * kTurnPerMetre);
      if (!improved) break;
    }
}

/// Rectangles around what is seen, in all directions, the best first.
std::vector<RectangleRoof> starts_of(Fitter& fitter, const std::vector<Point>& seen, bool gable) {
  constexpr double kTurn_deg = 7.5;
  std::vector<RectangleRoof> starts;
  for (double turn_deg = 0; turn_deg < (gable ? 180 : 90);
       turn_deg += kTurn_deg) {  // a plane has no first side
    starts.push_back(around(seen, turn_deg * kDegree, gable));
    fitter.weigh(starts.back());
  }
  std::stable_sort(starts.begin(), starts.end(),
                   [](const RectangleRoof& a, const RectangleRoof& b) { return a.cost < b.cost; });
  return starts;
}

/// The best roof of one kind. The first starts are refined with coarse steps, only the best of them with fine
/// steps.
RectangleRoof best_of(Fitter& fitter, std::vector<RectangleRoof> starts) {
  constexpr std::size_t kRefined = 3;
  starts.resize(std::min(starts.size(), kRefined));
  RectangleRoof best;
  for (RectangleRoof& start : starts) {
    if (start.cost >= 1e300 || start.log_odds_against_crown() < kHopelessStart) break;
    refine(fitter, start, kCoarse_m, kCoarse_m);
    if (start.cost < best.cost) best = start;
    if (start.log_odds_against_crown() < kHopelessStartMoved) break;
  }
  if (best.cost < 1e300 && best.log_odds_against_crown() >= kHopeless)
    refine(fitter, best, kFine_m, kFinest_m);
  return best;
}

}  // namespace

RectangleRoof fit_rectangle_roof(const std::vector<RoofEdgeCell>& cells, const std::vector<Point>& seen,
                                 const CellModel& model) {
  Fitter fitter(cells, model);
  const RectangleRoof gable = best_of(fitter, starts_of(fitter, seen, true));
  const RectangleRoof plane = best_of(fitter, starts_of(fitter, seen, false));
  return plane.cost < gable.cost ? plane : gable;
}

}  // namespace geo
