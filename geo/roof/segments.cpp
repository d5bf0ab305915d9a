#include "geo/roof/segments.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "geo/roof/labelling.hpp"
#include "geo/roof/noise_correlation.hpp"
#include "geo/roof/refinement.hpp"
#include "geo/roof/roughness.hpp"
#include "geo/roof/steps.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

constexpr int kSweeps = 4;
constexpr int kRounds = 5;
constexpr std::size_t kFewestSegmentCells = 4;
// Indexed by the number of neighbours in the same segment, an edge counted twice and a corner once: 12 is an
// inner cell.
constexpr double kTrust[13] = {.1, .1, .1, .1, .1, .1, .1, .1, .15, .2, .3, .5, 1};

class Segmenter {
 public:
  Segmenter(const RoofSite& site, const RunControl& control)
      : site_(site), control_(control), from_footprints_(site.from_footprints) {
    out_.cells = roof_cells(site);
    out_.segment_of.assign(out_.cells.points.size(), -1);
  }

  RoofSegmentation run() {
    add(propose_planes(out_.cells, explained(), {}, out_.noise, control_));
    settle();
    measure_noise();
    start_again();
    add(propose_planes(out_.cells, explained(), {.level = level_rows()}, out_.noise, control_));
    settle();
    split();
    add(propose_planes(out_.cells, explained(), {.elsewhere = slopes()}, out_.noise, control_));
    settle();
    if (!from_footprints_ && part_at_steps(out_, cell_noise_, control_)) settle();
    remove_rough(site_, out_, control_);
    for (int round = 0; round < 2; ++round) refine_planes(out_);
    out_.noise.variance_factor = noise_correlation(out_);
    return std::move(out_);
  }

 private:
  void add(std::vector<ProposedPlane> proposed) {
    for (ProposedPlane& p : proposed) {
      RoofSegment segment;
      segment.fit.plane = p.plane;
      segment.borrowed = p.borrowed;
      segment.cells = std::move(p.cells);
      out_.segments.push_back(std::move(segment));
    }
  }

  void start_again() {
    out_.segments.clear();
    out_.segment_of.assign(out_.cells.points.size(), -1);
  }

  /// Which rows of even cells may be a level roof. Resampled cells are so alike that some are even on any
  /// roof, and without a footprint a row may lie in a crown. Where walls mix cells an edge cuts nearly all
  /// cells of a strip askew to the grid, and those left lie along a diagonal.
  LevelRows level_rows() const {
    using enum LevelRows;
    if (!from_footprints_ || site_.cells == CellKind::resampled) return none;
    return mixed_cells_at_wall(site_.cells) > 0 ? any : along_axes;
  }

  /// The building's slopes, each once, the most extensive first. Their number is limited, as a crown has
  /// hundreds.
  std::vector<Plane> slopes() const {
    constexpr double kSame = 0.06;
    constexpr std::size_t kMost = 64;
    std::vector<const RoofSegment*> largest;
    for (const RoofSegment& s : out_.segments) largest.push_back(&s);
    std::stable_sort(largest.begin(), largest.end(),
                     [](auto* a, auto* b) { return a->cells.size() > b->cells.size(); });
    std::vector<Plane> found;
    for (const RoofSegment* s : largest) {
      const Plane& p = s->fit.plane;
      const bool known = std::any_of(found.begin(), found.end(), [&p](const Plane& f) {
        return std::hypot(f.gx - p.gx, f.gy - p.gy) < kSame;
      });
      if (!known && found.size() < kMost) found.push_back(p);
    }
    return found;
  }

  /// 1 for the cells that their plane suits well; any other cell may belong to another plane.
  std::vector<char> explained() const {
    constexpr double kWell = 1.0;  // residual_cost(): within 1.4 sigmas
    std::vector<char> found;
    for (std::size_t i = 0; i < out_.segment_of.size(); ++i) {
      const int s = out_.segment_of[i];
      found.push_back(s >= 0 && out_.cost(static_cast<int>(i), out_.plane(s)) < kWell);
    }
    return found;
  }

  void settle() {
    for (int round = 0; round < kRounds && !out_.segments.empty(); ++round) {
      const std::vector<int> before = out_.segment_of;
      share();
      refit();
      const bool fewer = merge() | remove_smallest();
      if (!fewer && before == out_.segment_of) break;
    }
  }

  /// A row of houses that climbs a hill looks like one plane that leans along the row, and once that plane is
  /// taken nothing better is proposed. Where a large segment's cells suit it badly, narrower planes are
  /// proposed for them; settling keeps whichever explains the cells at less cost.
  void split() {
    constexpr std::size_t kLarge = 30;
    constexpr double kSuitsBadly =
        0.45;  // per cell; noise alone costs 0.27, as the allowance for it is generous
    constexpr double kNarrow = 0.6;
    std::vector<ProposedPlane> narrower;
    for (std::size_t s = 0; s < out_.segments.size(); ++s) {
      const RoofSegment& segment = out_.segments[s];
      const auto cells = static_cast<double>(segment.cells.size());
      if (segment.cells.size() < kLarge || cost_of(segment.cells, segment.fit.plane) < kSuitsBadly * cells)
        continue;
      std::vector<char> others(out_.cells.points.size(), 1);
      for (int i : segment.cells) others[i] = 0;
      for (ProposedPlane& p : propose_planes(out_.cells, others, {}, out_.noise.scaled(kNarrow), control_))
        narrower.push_back(std::move(p));
    }
    if (narrower.empty()) return;
    add(std::move(narrower));
    settle();
  }

  void share() {
    LabellingProblem problem;
    const auto cells = static_cast<int>(out_.cells.points.size());
    const auto none = static_cast<int>(out_.segments.size());
    problem.labels = none + 1;
    problem.choices.resize(out_.cells.points.size());
    for (int s = 0; s < none; ++s) {
      const RoofSegment& segment = out_.segments[s];
      if (segment.cells.empty()) continue;
      for (int cell : cells_within(out_.cells, reach_of(out_.cells, segment.cells)))
        if (const double c = out_.cost(cell, segment.fit.plane); c < kCutOff)
          problem.choices[cell].push_back({s, c});
    }
    for (int cell = 0; cell < cells; ++cell) {
      problem.choices[cell].push_back({none, out_.cells.unexplained(cell)});
      for (int other : out_.cells.near[cell])
        if (other > cell) problem.pairs.push_back({cell, other, kBorderNear});
      for (int other : out_.cells.diagonal[cell])
        if (other > cell) problem.pairs.push_back({cell, other, kBorderDiagonal});
    }
    out_.segment_of = share_out(problem, kSweeps, control_);
    for (int& s : out_.segment_of)
      if (s == none) s = -1;
    gather_cells(out_);
  }

  /// Cells at a segment's edge mix two surfaces: they count less the fewer of their neighbours it holds.
  /// `own`: 1 for its cells.
  double trust(int cell, const std::vector<std::uint8_t>& own) const {
    int fellows = 0;
    for (int other : out_.cells.near[cell]) fellows += 2 * own[other];
    for (int other : out_.cells.diagonal[cell]) fellows += own[other];
    return kTrust[fellows];
  }

  PlaneFit fitted(std::vector<int> cells, const Plane& before, bool borrowed = false) const {
    std::sort(cells.begin(), cells.end());
    std::vector<HeightPoint> points;
    std::vector<double> trusts;
    std::vector<std::uint8_t> own(out_.cells.points.size(), 0);
    for (int i : cells) own[i] = 1;
    for (int i : cells) {
      points.push_back(out_.cells.points[i]);
      trusts.push_back(trust(i, own));
    }
    PlaneFit fit = fit_plane_robust(points, trusts, 0.7 * out_.noise.sigma_m(before));
    const bool enough = cells.size() >= (borrowed ? kFewestForSlope : kFewestSegmentCells);
    if (fit.ok && enough && fit.plane.slope() < 4) return fit;
    fit.plane = borrowed ? level_plane(points, before.gx, before.gy) : before;
    return fit;
  }

  void refit() {
    for (RoofSegment& s : out_.segments)
      if (!s.cells.empty()) s.fit = fitted(s.cells, s.fit.plane, s.borrowed);
  }

  double cost_of(const std::vector<int>& cells, const Plane& plane) const {
    double sum = 0;
    for (int i : cells) sum += std::min(out_.cost(i, plane), out_.cells.unexplained(i));
    return sum;
  }

  /// What two segments would be as one.
  struct Union {
    PlaneFit fit;
    double gain = 0;  ///< without their border
  };

  Union united(const RoofSegment& a, const RoofSegment& b) const {
    std::vector<int> both = a.cells;
    both.insert(both.end(), b.cells.begin(), b.cells.end());
    const bool a_is_larger = a.cells.size() >= b.cells.size();
    const RoofSegment& larger = a_is_larger ? a : b;
    PlaneFit fit = fitted(both, larger.fit.plane);
    const double now = cost_of(a.cells, a.fit.plane) + cost_of(b.cells, b.fit.plane);
    double then = cost_of(both, fit.plane);
    if (const double kept = cost_of(both, larger.fit.plane); kept < then) {
      then = kept;
      fit = larger.fit;
    }
    return {fit, now - then + (a_is_larger ? b : a).price()};
  }

  static bool are_two_houses(const RoofSegment& a, const RoofSegment& b) {
    return a.house && b.house && a.house->row == b.house->row && a.house->unit != b.house->unit;
  }

  /// Merges the pair that gains most, again and again. A merger changes one segment and leaves the others as
  /// they are, so what their unions would gain is computed once: `names` tells them apart while their numbers
  /// move up.
  bool merge() {
    std::vector<int> names(out_.segments.size());
    std::iota(names.begin(), names.end(), 0);
    int next_name = static_cast<int>(names.size());
    std::map<std::pair<int, int>, Union> unions;
    bool merged = false;
    for (;;) {
      control_.checkpoint();
      double best_gain = 0;
      std::pair<int, int> best;
      const Union* best_union = nullptr;
      for (const auto& [pair, border] : borders(out_.cells, out_.segment_of)) {
        control_.checkpoint();
        const RoofSegment &a = out_.segments[pair.first], &b = out_.segments[pair.second];
        if (are_two_houses(a, b)) continue;
        const auto [known, is_new] = unions.try_emplace({names[pair.first], names[pair.second]});
        Union& both = known->second;
        if (is_new) both = united(a, b);
        if (both.gain + border <= best_gain) continue;
        best_gain = both.gain + border;
        best = pair;
        best_union = &both;
      }
      if (!best_union) return merged;
      merged = true;
      RoofSegment& kept = out_.segments[best.first];
      kept.fit = best_union->fit;
      kept.borrowed = kept.borrowed && out_.segments[best.second].borrowed;
      for (int& s : out_.segment_of)
        if (s == best.second) s = best.first;
      remove_segment(out_, best.second);
      names[best.first] = next_name++;
      names.erase(names.begin() + best.second);
    }
  }

  bool remove_smallest() {
    return remove_segments_if(out_,
                              [this](int s) { return out_.segments[s].cells.size() < kFewestSegmentCells; });
  }

  /// Measures the noise; the usual one (noise.hpp) stays where there are few windows.
  /// It uses windows of nine cells of one segment: over a whole segment a step too low to see would pass
  /// for noise and stay hidden.
  void measure_noise() {
    std::vector<double> level, sloped;
    for (std::size_t i = 0; i < out_.segment_of.size(); ++i) {
      const int s = out_.segment_of[i];
      if (s < 0) continue;
      std::vector<HeightPoint> window{out_.cells.points[i]};
      for (int other : out_.cells.around[i])
        if (out_.segment_of[other] == s) window.push_back(out_.cells.points[other]);
      if (window.size() < 9) continue;
      constexpr double kFreedom = 9.0 / 6;  // nine cells less the plane's three parameters
      constexpr double kLevel = 0.2;
      const Plane& plane = out_.segments[s].fit.plane;
      const double scatter = fit_plane(window).rms_m * std::sqrt(kFreedom) / out_.noise.sigma_m(plane);
      (plane.slope() < kLevel ? level : sloped).push_back(scatter);
    }
    constexpr std::size_t kEnough = 8;
    constexpr double kAllowance = 1.35;  // for gutters, bent ridges and whatever else is no plane
    // The scatter of a flat garage says nothing about the slopes of the house beside it.
    const auto scale = [&](std::vector<double>& measured, double& own, double& allowed) {
      if (measured.size() < kEnough) return;
      const double observed = median(measured);
      own *= std::clamp(observed, 0.4, 1.4);
      allowed *= std::clamp(kAllowance * observed, 0.5, 1.4);
    };
    if (level.size() < kEnough) level = sloped;
    scale(level, cell_noise_.level_m, out_.noise.level_m);
    scale(sloped, cell_noise_.per_slope_m, out_.noise.per_slope_m);
  }

  const RoofSite& site_;
  const RunControl& control_;
  bool from_footprints_;
  CellNoise cell_noise_;  ///< without allowances: what tells a step from noise
  RoofSegmentation out_;
};

}  // namespace

std::map<std::pair<int, int>, double> borders(const RoofCells& cells, const std::vector<int>& label) {
  std::map<std::pair<int, int>, double> found;
  auto add = [&](std::size_t i, int j, double weight) {
    const int a = label[i], b = label[j];
    if (a >= 0 && b >= 0 && a != b) found[{std::min(a, b), std::max(a, b)}] += weight / 2;
  };
  for (std::size_t i = 0; i < label.size(); ++i) {
    for (int j : cells.near[i]) add(i, j, kBorderNear);
    for (int j : cells.diagonal[i]) add(i, j, kBorderDiagonal);
  }
  return found;
}

void gather_cells(RoofSegmentation& roof) {
  for (RoofSegment& s : roof.segments) s.cells.clear();
  for (std::size_t i = 0; i < roof.segment_of.size(); ++i)
    if (const int s = roof.segment_of[i]; s >= 0) roof.segments[s].cells.push_back(static_cast<int>(i));
}

void remove_segment(RoofSegmentation& roof, int segment) {
  roof.segments.erase(roof.segments.begin() + segment);
  for (int& s : roof.segment_of) {
    if (s == segment) s = -1;
    if (s > segment) --s;
  }
  gather_cells(roof);
}

bool has_cell_within(const RoofSegmentation& roof, const RoofSegment& segment, Point of, double distance_m) {
  return std::any_of(segment.cells.begin(), segment.cells.end(),
                     [&](int i) { return length(roof.cells.points[i] - of) < distance_m; });
}

RoofSegmentation segment_roof(const RoofSite& site, const RunControl& control) {
  return Segmenter(site, control).run();
}

}  // namespace geo
