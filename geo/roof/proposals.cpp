#include "geo/roof/proposals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <utility>

#include "geo/grid/cell_block.hpp"
#include "geo/grid/cell_kind.hpp"
#include "geo/grid/walls.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

/// `slants`: by how many cells southwards each column lies from the one before.
struct Window {
  int cols, rows;
  int slants = 0;
};
constexpr std::array<Window, 4> kWindows{{{3, 3}, {3, 2}, {2, 3}, {2, 2}}};
/// Too few cells for a slope, but a level plane is told by its height alone.
constexpr std::array<Window, 4> kRows{{{3, 1}, {1, 3}, {3, 1, 1}, {3, 1, -1}}};
constexpr double kLevelRow = 0.65;           // a row's cells scatter by at most so many sigmas
constexpr double kContinues = 2.5;           // a neighbour continues a plane within so many sigmas
constexpr std::size_t kPlanesOfHouse = 120;  // of any building; a crown would have hundreds
constexpr double kEachPlane_m2 = 12;         // a block has one for so many square metres
constexpr double kTakenUp = 1.5;  // a window within so many sigmas of a grown plane proposes nothing new

class Grower {
 public:
  Grower(const RoofCells& cells, const CellNoise& noise)
      : cells_(cells), noise_(noise), seen_(cells.points.size(), 0) {}

  /// The connected cells around `seed` that continue `plane`.
  std::vector<int> support(const std::vector<int>& seed, const Plane& plane) {
    const double reach_m = kContinues * noise_.sigma_m(plane);
    ++stamp_;
    std::vector<int> found;
    auto visit = [&](int cell) {
      int& seen = seen_[cell];
      if (seen == stamp_) return;
      seen = stamp_;
      if (std::abs(residual(cells_.points[cell], plane)) <= reach_m) found.push_back(cell);
    };
    for (int cell : seed) visit(cell);
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (int next : cells_.around[found[i]]) visit(next);
    }
    return found;
  }

  ProposedPlane grown(const std::vector<int>& seed, const Plane& start, bool slope_is_given) {
    ProposedPlane proposal{start, slope_is_given, support(seed, start)};
    for (int round = 0; round < 3 && proposal.cells.size() > seed.size() && proposal.cells.size() >= 5;
         ++round) {
      const std::vector<HeightPoint> points = points_of(cells_, proposal.cells);
      const PlaneFit fit = fit_plane(points);
      if (!fit.ok || (slope_is_given && points.size() < 12)) break;
      std::vector<int> next = support(seed, fit.plane);
      if (next.size() <= proposal.cells.size()) break;
      proposal = {fit.plane, false, std::move(next)};
    }
    return proposal;
  }

 private:
  const RoofCells& cells_;
  CellNoise noise_;
  std::vector<int> seen_;
  int stamp_ = 0;
};

std::vector<int> window_cells(const RoofCells& cells, int col, int row, Window window) {
  std::vector<int> found;
  for (int y = 0; y < window.rows; ++y)
    for (int x = 0; x < window.cols; ++x) {
      const int c = col + x, r = row + y + x * window.slants;
      if (!cells.index.contains(c, r) || cells.index.at(c, r) < 0) return {};
      found.push_back(cells.index.at(c, r));
    }
  return found;
}

struct Seed {
  std::vector<int> cells;
  Plane plane;
  double rms_m;
  bool slope_is_given;
};

/// Takes a window for a plane of this gradient where its cells scatter by less than `most` sigmas about it.
void add_sloped(const std::vector<int>& window, const std::vector<HeightPoint>& points, Point gradient,
                double most, const CellNoise& noise, std::vector<Seed>& seeds) {
  const Plane plane = level_plane(points, gradient.x, gradient.y);
  double squares = 0;
  for (const HeightPoint& p : points) squares += squared(residual(p, plane));
  const double rms_m = std::sqrt(squares / static_cast<double>(points.size()));
  if (rms_m < most * noise.sigma_m(plane)) seeds.push_back({window, plane, rms_m, true});
}

void add_borrowed_slopes(const std::vector<int>& window, const std::vector<HeightPoint>& points,
                         const std::vector<Plane>& slopes, const CellNoise& noise, std::vector<Seed>& seeds) {
  for (const Plane& s : slopes)
    for (const Point g : {Point{s.gx, s.gy}, {-s.gx, -s.gy}, {-s.gy, s.gx}, {s.gy, -s.gx}})
      add_sloped(window, points, g, 1, noise, seeds);
}

/// By how much the points rise along a direction, by least squares.
double rise_along(const std::vector<HeightPoint>& points, Point direction) {
  double mean_t = 0, mean_z = 0, tt = 0, tz = 0;
  const double share = 1.0 / static_cast<double>(points.size());
  for (const HeightPoint& p : points) mean_t += share * dot(direction, p), mean_z += share * p.z;
  for (const HeightPoint& p : points) {
    const double t = dot(direction, p) - mean_t;
    tt += t * t;
    tz += t * (p.z - mean_z);
  }
  return tz / tt;
}

/// The direction is borrowed, the slope is the window's own.
void add_borrowed_directions(const std::vector<int>& window, const std::vector<HeightPoint>& points,
                             const std::vector<Plane>& slopes, const CellNoise& noise,
                             std::vector<Seed>& seeds) {
  for (const Plane& s : slopes) {
    const double size = s.slope();
    if (size < 0.15) continue;
    for (const Point d : {Point{s.gx / size, s.gy / size}, {-s.gy / size, s.gx / size}})
      if (const double slope = rise_along(points, d); std::abs(slope) >= 0.1 && std::abs(slope) <= 2)
        add_sloped(window, points, d * slope, 1, noise, seeds);
  }
}

/// Visits the windows of one size that no plane explains, not even in part.
template <class Visit>
void for_windows(const RoofCells& cells, const std::vector<char>& explained, const Window& size,
                 const RunControl& control, Visit visit) {
  for (int row = 0; row < cells.index.height; ++row) {
    control.checkpoint();
    for (int col = 0; col < cells.index.width; ++col) {
      const std::vector<int> window = window_cells(cells, col, row, size);
      if (!window.empty() && std::none_of(window.begin(), window.end(), [&](int i) { return explained[i]; }))
        visit(window, points_of(cells, window));
    }
  }
}

std::vector<Seed> seeds_of(const RoofCells& cells, const std::vector<char>& explained,
                           const KnownSlopes& slopes, const CellNoise& noise, const RunControl& control) {
  std::vector<Seed> seeds;
  for (const Window& size : kWindows)
    for_windows(cells, explained, size, control, [&](const auto& window, const auto& points) {
      const PlaneFit fit = fit_plane(points);
      // Walls and tree crowns are steeper than roofs.
      const bool steep = fit.plane.slope() > 4;
      if (fit.ok && !steep && fit.rms_m < 1.5 * noise.sigma_m(fit.plane))
        seeds.push_back({window, fit.plane, fit.rms_m, false});
      if (window.size() > 6) return;
      add_borrowed_slopes(window, points, slopes.elsewhere, noise, seeds);
      if (window.size() == 6) add_borrowed_directions(window, points, slopes.elsewhere, noise, seeds);
    });
  for (const Window& row : kRows)
    if (slopes.level == LevelRows::any || (slopes.level == LevelRows::along_axes && !row.slants))
      for_windows(cells, explained, row, control, [&](const auto& window, const auto& points) {
        add_sloped(window, points, {}, kLevelRow, noise, seeds);
      });
  // Large windows first, then the smoothest; a stable sort keeps the order of cells otherwise.
  std::stable_sort(seeds.begin(), seeds.end(), [&](const Seed& a, const Seed& b) {
    if (a.cells.size() != b.cells.size()) return a.cells.size() > b.cells.size();
    return a.rms_m < b.rms_m;
  });
  return seeds;
}

bool taken_up(const RoofCells& cells, const Seed& seed, const std::vector<ProposedPlane>& proposals,
              const CellNoise& noise) {
  return std::any_of(proposals.begin(), proposals.end(), [&](const ProposedPlane& p) {
    if (p.cells.size() < 12 || !p.reach.contains(cells.points[seed.cells[0]])) return false;
    const double reach_m = kTakenUp * noise.sigma_m(p.plane);
    return std::all_of(seed.cells.begin(), seed.cells.end(),
                       [&](int i) { return std::abs(residual(cells.points[i], p.plane)) <= reach_m; });
  });
}

/// How often each cell was proposed. On a hall's roof thousands of windows are a little off its plane, and
/// each would grow over the whole roof: time and memory would grow with the square of its cells.
class Proposed {
 public:
  explicit Proposed(std::size_t cells) : times_(cells, 0) {}

  void add(const ProposedPlane& proposal) {
    for (int i : proposal.cells) times_[i] += weight(proposal);
  }
  bool often(const Seed& seed) const {
    constexpr int kOften = 64;
    return std::all_of(seed.cells.begin(), seed.cells.end(), [&](int i) { return times_[i] >= kOften; });
  }

 private:
  /// For a house's plane every variant is useful; for a hall's plane eight are enough.
  static int weight(const ProposedPlane& proposal) {
    constexpr std::size_t kHouses = 256;  // cells
    return 1 + static_cast<int>(std::min<std::size_t>(proposal.cells.size() / kHouses, 7));
  }

  std::vector<int> times_;
};

double gain(const RoofCells& cells, const ProposedPlane& proposal, const std::vector<char>& explained,
            const CellNoise& noise) {
  const double sigma_m = noise.sigma_m(proposal.plane);
  double sum = proposal.borrowed ? -kPerBorrowedPlane : -kPerPlane;
  for (int i : proposal.cells) {
    const auto at = static_cast<std::size_t>(i);
    if (explained[at]) continue;
    const double left = cells.unexplained(at);
    sum += left - std::min(left, residual_cost(residual(cells.points[at], proposal.plane), sigma_m));
  }
  return sum;
}

/// Takes the proposal that gains most, again and again. None gains more after another was taken, so what it
/// gained before is the most it can gain: only the first in the queue is weighed anew (Minoux 1978).
std::vector<ProposedPlane> best_of(std::vector<ProposedPlane>& proposals, const RoofCells& cells,
                                   std::vector<char> explained, const CellNoise& noise,
                                   const RunControl& control) {
  struct Entry {
    double most;  ///< that it gains
    std::size_t proposal;
    /// Of two that gain the same the first proposal comes first.
    bool operator<(const Entry& o) const { return std::pair(most, o.proposal) < std::pair(o.most, proposal); }
  };
  std::priority_queue<Entry> queue;
  for (std::size_t i = 0; i < proposals.size(); ++i)
    queue.push({gain(cells, proposals[i], explained, noise), i});
  const double area_m2 = static_cast<double>(cells.points.size()) * cells.index.cell_m * cells.index.cell_m;
  const std::size_t most = std::max(kPlanesOfHouse, static_cast<std::size_t>(area_m2 / kEachPlane_m2));
  std::vector<ProposedPlane> chosen;
  while (!queue.empty() && chosen.size() < most) {
    control.checkpoint();
    const Entry top = queue.top();
    queue.pop();
    ProposedPlane& proposal = proposals[top.proposal];
    const double now = gain(cells, proposal, explained, noise);
    if (now <= 0) continue;
    if (now < top.most) {
      queue.push({now, top.proposal});
      continue;
    }
    for (int i : proposal.cells) explained[i] = 1;
    chosen.push_back(std::move(proposal));
  }
  return chosen;
}

}  // namespace

RoofCells roof_cells(const RoofSite& site) {
  RoofCells cells;
  cells.index = site.height.like<int>(-1);
  const Grid<std::uint8_t> at_wall = wall_cells(site.height, mixed_cells_at_wall(site.cells));
  if (site.cells == CellKind::interpolated) cells.unexplained_at_wall = kUnexplainedPerhapsAtWall;
  for (const auto [col, row] : all_cells(site.zone)) {
    if (site.zone.at(col, row) == RoofZone::outside) continue;
    cells.index.at(col, row) = static_cast<int>(cells.points.size());
    const Point centre = site.height.centre(col, row);
    cells.points.push_back({centre.x, centre.y, site.height.at(col, row)});
    cells.inside.push_back(site.zone.at(col, row) == RoofZone::inside);
    cells.at_wall.push_back(at_wall.at(col, row));
  }
  cells.near.resize(cells.points.size());
  cells.diagonal.resize(cells.points.size());
  for (const auto [col, row] : all_cells(cells.index)) {
    const int own = cells.index.at(col, row);
    if (own < 0) continue;
    for (const auto [c, r] : cells_around(cells.index, {col, row}))
      if (const int other = cells.index.at(c, r); other >= 0 && other != own)
        (c != col && r != row ? cells.diagonal : cells.near)[own].push_back(other);
  }
  cells.around = cells.near;
  for (std::size_t i = 0; i < cells.around.size(); ++i)
    cells.around[i].insert(cells.around[i].end(), cells.diagonal[i].begin(), cells.diagonal[i].end());
  return cells;
}

std::vector<HeightPoint> points_of(const RoofCells& cells, const std::vector<int>& indices) {
  std::vector<HeightPoint> points;
  for (int i : indices) points.push_back(cells.points[i]);
  return points;
}

Box reach_of(const RoofCells& cells, const std::vector<int>& of_plane) {
  constexpr double kReach_m = 20;
  Box box;
  for (int i : of_plane) box.add(cells.points[i]);
  return box.grown(kReach_m);
}

std::vector<int> cells_within(const RoofCells& cells, const Box& box) {
  std::vector<int> found;
  for (const auto [col, row] : cells_touching(cells.index, box))
    if (const int i = cells.index.at(col, row); i >= 0) found.push_back(i);
  return found;
}

std::vector<ProposedPlane> propose_planes(const RoofCells& cells, const std::vector<char>& explained,
                                          const KnownSlopes& slopes, const CellNoise& noise,
                                          const RunControl& control) {
  Grower grower(cells, noise);
  std::vector<ProposedPlane> proposals;
  Proposed proposed(cells.points.size());
  for (const Seed& seed : seeds_of(cells, explained, slopes, noise, control)) {
    control.checkpoint();
    if (proposed.often(seed) || taken_up(cells, seed, proposals, noise)) continue;
    ProposedPlane proposal = grower.grown(seed.cells, seed.plane, seed.slope_is_given);
    if (gain(cells, proposal, explained, noise) <= 0) continue;
    proposal.reach = reach_of(cells, proposal.cells);
    proposed.add(proposal);
    proposals.push_back(std::move(proposal));
  }
  return best_of(proposals, cells, explained, noise, control);
}

}  // namespace geo
