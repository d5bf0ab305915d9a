#include "geo/roof/steps.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "geo/roof/proposals.hpp"
#include "geo/shapes/angle.hpp"

namespace geo {
namespace {

using Eigen::Vector2d;

constexpr double kTurned = 10;  // degrees: how far a plane fitted across steps may turn off the slope
constexpr double kAlikeGradients = 0.15;  // gradients of one slope's parts differ by less
constexpr double kHasRidge = 0.2;         // what is flatter has no ridge to go along
constexpr double kHighestStep_m = 1.2;
constexpr double kLowestStep_m = 0.12;        // what is lower is how evenly a roof is built, no party wall
constexpr double kOppositeGradients = -0.95;  // cosine between the gradients on both sides of a ridge
constexpr std::size_t kFewestContacts = 6;    // pairs of cells along a ridge

SteppedSlope pieces_of(const StepProfile& profile, const SharedSlopes& slopes,
                       const std::vector<std::size_t>& ends, std::size_t sides, double sigma_m) {
  SteppedSlope out;
  const std::vector<double> levels = profile.levels(ends, slopes);
  out.units = ends.size();
  for (std::size_t side = 0; side < sides; ++side)
    for (std::size_t k = 0; k < ends.size(); ++k)
      out.pieces.push_back({profile.plane(side, levels[k], slopes), {}, side, k});
  for (std::size_t i = 0; i < profile.size(); ++i)
    out.pieces[profile.side(i) * ends.size() + profile.piece(i, ends)].cells.push_back(profile.cell(i));
  std::erase_if(out.pieces, [](const SlopePiece& piece) { return piece.cells.empty(); });
  out.cost = profile.cost(levels, ends, slopes, sigma_m) + kPerPlane * static_cast<double>(sides) +
             kPerPlane * static_cast<double>(ends.size() - 1);
  return out;
}

/// Makes one of neighbouring pieces that hardly step, the lowest step first.
void join_low_steps(const StepProfile& profile, SharedSlopes& slopes, std::vector<std::size_t>& ends) {
  while (ends.size() > 1) {
    const std::vector<double> levels = profile.levels(ends, slopes);
    std::vector<double> steps_m;
    for (std::size_t k = 0; k + 1 < levels.size(); ++k)
      steps_m.push_back(std::abs(levels[k + 1] - levels[k]));
    const auto lowest = std::min_element(steps_m.begin(), steps_m.end());
    if (*lowest >= kLowestStep_m) return;
    ends.erase(ends.begin() + (lowest - steps_m.begin()));
    slopes = profile.slopes_with(ends);
  }
}

bool alike(const RoofSegment& a, const RoofSegment& b) {
  const Plane &p = a.fit.plane, &q = b.fit.plane;
  return p.slope() > kHasRidge && std::hypot(p.gx - q.gx, p.gy - q.gy) < kAlikeGradients;
}

/// Which segments fall alike and touch, directly or through others: a group's number for each.
std::vector<std::size_t> groups_of(const RoofSegmentation& roof) {
  std::vector<std::size_t> group(roof.segments.size());
  for (std::size_t s = 0; s < group.size(); ++s) group[s] = s;
  for (std::size_t i = 0; i < roof.segment_of.size(); ++i)
    for (int n : roof.cells.near[i]) {
      const int a = roof.segment_of[i], b = roof.segment_of[n];
      if (a < 0 || b < 0 || a == b) continue;
      const auto &one = roof.segments[a], &other = roof.segments[b];
      const std::size_t from = group[a], to = group[b];
      const Point p = roof.cells.points[i];
      const double step = roof.plane(a).height_at(p) - roof.plane(b).height_at(p);
      if (from == to || !alike(one, other) || std::abs(step) > kHighestStep_m) continue;
      std::replace(group.begin(), group.end(), from, to);
    }
  return group;
}

double cost_of(const RoofSegmentation& roof, const std::vector<std::size_t>& segments, double sigma_m) {
  double sum = 0;
  for (std::size_t s : segments) {
    sum += kPerPlane;
    for (int i : roof.segments[s].cells) {
      const double r = residual(roof.cells.points[i], roof.segments[s].fit.plane);
      sum += std::min(kUnexplained, residual_cost(r, sigma_m));
    }
  }
  return sum;
}

double border_cost(const RoofCells& cells, const std::vector<int>& label) {
  double sum = 0;
  for (const auto& [pair, weight] : borders(cells, label)) sum += weight;
  return sum;
}

/// What the borders among a group of segments cost as they are.
double borders_among(const RoofSegmentation& roof, const std::vector<std::size_t>& segments) {
  std::vector<int> label(roof.segment_of.size(), -1);
  for (std::size_t s : segments)
    for (int i : roof.segments[s].cells) label[i] = static_cast<int>(s);
  return border_cost(roof.cells, label);
}
/// The same for the pieces in their place. Where both sides of a ridge jump alike, walls part them: these are
/// straight, and the cost of the pieces pays for their places. A jump on one side alone must be worth its
/// border.
double borders_among(const RoofSegmentation& roof, const SteppedSlope& stepped, std::size_t sides) {
  std::vector<int> label(roof.segment_of.size(), -1);
  for (const SlopePiece& piece : stepped.pieces)
    for (int i : piece.cells) label[i] = static_cast<int>(sides > 1 ? piece.side : piece.unit);
  return border_cost(roof.cells, label);
}

/// Segments that fall alike and touch.
struct Slope {
  std::vector<std::size_t> members;
  SlopeSide side;
  Vector2d middle{0, 0};
};

/// By the group's number; empty where no segment has it.
std::vector<Slope> slopes_of(const RoofSegmentation& roof, const std::vector<std::size_t>& group) {
  std::vector<Slope> slopes(group.size());
  for (std::size_t s = 0; s < group.size(); ++s) {
    const RoofSegment& segment = roof.segments[s];
    auto& [members, side, middle] = slopes[group[s]];
    members.push_back(s);
    side.cells.insert(side.cells.end(), segment.cells.begin(), segment.cells.end());
    side.gradient +=
        static_cast<double>(segment.cells.size()) * Vector2d(segment.fit.plane.gx, segment.fit.plane.gy);
  }
  for (auto& [members, side, middle] : slopes) {
    const auto cells = static_cast<double>(side.cells.size());
    if (cells > 0) side.gradient /= cells;
    for (int i : side.cells) middle += Vector2d(roof.cells.points[i].x, roof.cells.points[i].y) / cells;
  }
  return slopes;
}

/// Whether both rise towards each other.
bool share_ridge(const Slope& a, const Slope& b) {
  const Vector2d &p = a.side.gradient, &q = b.side.gradient;
  if (std::min(p.norm(), q.norm()) < kHasRidge || p.dot(q) > kOppositeGradients * p.norm() * q.norm())
    return false;
  return p.dot(b.middle - a.middle) > 0 && q.dot(a.middle - b.middle) > 0;
}

/// All slopes; two on opposite sides of one ridge form a group, the larger first.
std::vector<std::vector<Slope>> slopes_by_ridge(const RoofSegmentation& roof) {
  const std::vector<std::size_t> group = groups_of(roof);
  const std::vector<Slope> slopes = slopes_of(roof, group);
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> contacts;
  for (std::size_t i = 0; i < roof.segment_of.size(); ++i)
    for (int n : roof.cells.around[i]) {
      const int s = roof.segment_of[i], t = roof.segment_of[n];
      if (s < 0 || t < 0) continue;
      const std::size_t a = group[s], b = group[t];
      if (a < b && share_ridge(slopes[a], slopes[b])) ++contacts[{a, b}];
    }
  std::vector<std::pair<std::size_t, std::pair<std::size_t, std::size_t>>> longest;
  for (const auto& [pair, count] : contacts)
    if (count >= kFewestContacts) longest.push_back({count, pair});
  std::stable_sort(longest.begin(), longest.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::vector<Slope>> out;
  std::vector<char> taken(slopes.size(), 0);
  for (const auto& [count, pair] : longest) {
    const auto& [a, b] = pair;
    if (taken[a] || taken[b]) continue;
    taken[a] = taken[b] = 1;
    const bool first = slopes[a].side.cells.size() >= slopes[b].side.cells.size();
    out.push_back({slopes[first ? a : b], slopes[first ? b : a]});
  }
  for (std::size_t s = 0; s < slopes.size(); ++s)
    if (!taken[s] && !slopes[s].side.cells.empty()) out.push_back({slopes[s]});
  return out;
}

}  // namespace

SteppedSlope stepped_slope(const RoofCells& cells, const std::vector<SlopeSide>& sides, double sigma_m) {
  SteppedSlope best;
  std::size_t seen = 0;
  for (const SlopeSide& side : sides) seen += side.cells.size();
  // A lean along the ridge is the same on both sides and cancels in their difference.
  const Vector2d gradient =
      sides.size() > 1 ? Vector2d(sides[0].gradient - sides[1].gradient) : sides[0].gradient;
  if (seen < 2 * kFewestForSlope || sides[0].gradient.norm() < kHasRidge) return best;
  const double angle = std::atan2(gradient.y(), gradient.x());
  std::optional<StepProfile> best_profile;
  SharedSlopes best_slopes;
  std::vector<std::size_t> best_ends;
  for (double turned = -kTurned; turned <= kTurned; turned += 1) {
    StepProfile profile(cells, sides, angle + turned * kDegree);
    SharedSlopes slopes = profile.first_slopes();
    std::vector<std::size_t> ends;
    for (int round = 0; round < 2; ++round) {
      ends = profile.partition(slopes, sigma_m);
      slopes = profile.slopes_with(ends);
    }
    SteppedSlope found = pieces_of(profile, slopes, ends, sides.size(), sigma_m);
    if (found.cost >= best.cost) continue;
    best = std::move(found);
    best_profile = std::move(profile), best_slopes = slopes, best_ends = std::move(ends);
  }
  // Only now: pieces turned off the slope seem to step by more.
  join_low_steps(*best_profile, best_slopes, best_ends);
  if (best_ends.size() == best.units) return best;
  return pieces_of(*best_profile, best_slopes, best_ends, sides.size(), sigma_m);
}

bool part_at_steps(RoofSegmentation& roof, const CellNoise& noise, const RunControl& control) {
  std::vector<RoofSegment> parted;
  std::vector<char> replaced(roof.segments.size(), 0);
  int row = 0;
  for (const std::vector<Slope>& roofs : slopes_by_ridge(roof)) {
    control.checkpoint();
    std::vector<SlopeSide> sides;
    std::vector<std::size_t> members;
    for (const Slope& slope : roofs) {
      sides.push_back(slope.side);
      members.insert(members.end(), slope.members.begin(), slope.members.end());
    }
    const double sigma_m = noise.sigma_m({.gx = sides[0].gradient.x(), .gy = sides[0].gradient.y()});
    const SteppedSlope found = stepped_slope(roof.cells, sides, sigma_m);
    if (found.units < 2 || found.cost + borders_among(roof, found, sides.size()) >=
                               cost_of(roof, members, sigma_m) + borders_among(roof, members))
      continue;
    for (std::size_t s : members) replaced[s] = 1;
    for (const SlopePiece& piece : found.pieces) {
      RoofSegment segment;
      segment.fit.plane = piece.plane;
      segment.cells = piece.cells;
      segment.house = {row, static_cast<int>(piece.unit)};
      parted.push_back(std::move(segment));
    }
    ++row;
  }
  if (parted.empty()) return false;
  for (std::size_t s = 0; s < replaced.size(); ++s)
    if (!replaced[s]) parted.push_back(roof.segments[s]);
  roof.segments = std::move(parted);
  roof.segment_of.assign(roof.segment_of.size(), -1);
  for (std::size_t s = 0; s < roof.segments.size(); ++s)
    for (int i : roof.segments[s].cells) roof.segment_of[i] = static_cast<int>(s);
  return true;
}

}  // namespace geo
