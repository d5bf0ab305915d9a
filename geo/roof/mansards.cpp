#include "geo/roof/mansards.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "geo/grid/cell_block.hpp"
#include "geo/property/cell_figures.hpp"
#include "geo/roof/regularisation.hpp"
#include "geo/shapes/angle.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

constexpr std::size_t kFewestAbove = 12;      // cells of a slope that may have a lower one
constexpr std::size_t kFewestLowerCells = 4;  // of a lower one
constexpr double kSlopingUpper = 0.15;        // the upper slope has a direction
constexpr double kSteeper = 0.15;             // the lower slope is steeper by at least this
constexpr double kAlikeFall = 0.94;           // cosine between their fall lines
constexpr double kFlattest_deg = 36, kSteepest_deg = 72, kTiltStep_deg = 3;
constexpr double kNarrowestSlope_m = 1.2;  // narrower ones have no cell of their own
constexpr double kWidest_m = 3.6;  // a storey at 40 degrees, with its eave; wider ones are planes anyway
constexpr double kPlaceStep_m = 0.2;
constexpr double kEaveReach_m = 1;  // searched around the eave that was found without a lower slope
constexpr double kSide_m = 0.7;     // nearer to its sides cells are mixed
constexpr double kEither = 0.7;     // ln 2: a cut cell holds either one of its returns or their mean
constexpr double kNegligible = 12;  // a profile this much above the least cost has no weight

/// Where the roof bends and where it ends, measured down the upper slope, and how steep it is between.
struct Profile {
  double bend, eave, slope;
  double sigma_m;  ///< of a cell on the lower slope
};

/// Whether a steeper slope lies below a slope, from the cells near its eave.
class LowerSlope {
 public:
  /// `upper`: index of a segment that slopes.
  LowerSlope(const RoofSite& site, const RoofSegmentation& roof, int upper)
      : roof_(roof), upper_(upper), slope_(plane(upper).slope()), sigma_m_(roof.noise.sigma_m(plane(upper))) {
    down_ = plane(upper).gradient() * (-1 / slope_);
    width_ = roof.cells.index.cell_m * (std::abs(down_.x) + std::abs(down_.y));
    for (int i : cells(upper)) {
      last_ = std::max(last_, dot(down_, at(i)));
      from_ = std::min(from_, across(at(i))), to_ = std::max(to_, across(at(i)));
    }
    for (std::size_t s = 0; s < roof.segments.size(); ++s)
      if (may_be_lower(static_cast<int>(s))) found_before_.push_back(static_cast<int>(s));
    for (int s : found_before_)
      for (int i : cells(s)) from_ = std::min(from_, across(at(i))), to_ = std::max(to_, across(at(i)));
    look(site);
  }

  /// Existing segments that may be a lower slope.
  const std::vector<int>& found_before() const { return found_before_; }

  /// Whether ground lies beyond most of the eave. Over a neighbour's roof or a valley it is unknown which
  /// heights a cell mixes.
  bool ends_over_ground() const {
    const auto ground = std::count_if(seen_.begin(), seen_.end(), [](const Seen& c) { return c.cell < 0; });
    return 2 * static_cast<double>(ground) * roof_.cells.index.cell_m > to_ - from_;
  }

  /// The best profile of the upper slope alone, down to an eave.
  Profile alone() const {
    Profile best{};
    double least = 1e300;
    for (double eave = last_ - kWidest_m; eave <= lowest_ + 1; eave += kPlaceStep_m) {
      const Profile p{1e9, eave, slope_, sigma_m_};
      if (const double c = cost(p, seen_, least); c < least) least = c, best = p;
    }
    return best;
  }

  /// The most that a lower slope could save: it can only explain cells below the upper one.
  double most_gained(const Profile& alone) const {
    double sum = 0;
    for (const Seen& c : seen_)
      if (c.height_m < c.above_m) sum += cost(alone, c);
    return sum;
  }

  struct Found {
    Profile profile{};
    double gain = -1e300;  ///< over the upper slope alone
    double slope_error = 0;
  };
  /// The mean of all profiles with a lower slope, each weighted by how well it explains the cells.
  Found with_lower(const Profile& alone, const RunControl& control) const {
    const double first = alone.eave - kEaveReach_m, last = alone.eave + kEaveReach_m;
    std::vector<Seen> near;
    for (const Seen& c : seen_)
      if (c.down > first - kWidest_m - width_ / 2 && c.down < last + width_ / 2) near.push_back(c);
    std::vector<std::pair<double, Profile>> tried;
    double least = 1e300;
    for (double eave = first; eave <= last; eave += kPlaceStep_m) {
      control.checkpoint();
      for (double width = kNarrowestSlope_m; width <= kWidest_m; width += kPlaceStep_m)
        for (double tilt = kFlattest_deg; tilt <= kSteepest_deg; tilt += kTiltStep_deg) {
          const double slope = std::tan(tilt * kDegree);
          if (slope < slope_ + kSteeper) continue;
          const Profile p{eave - width, eave, slope, roof_.noise.sigma_m({.gx = slope})};
          const double c = cost(p, near, least + kNegligible);
          if (c < least + kNegligible) tried.push_back({c, p});
          least = std::min(least, c);
        }
    }
    Found found = mean_of(tried, least);
    found.gain = cost(alone, near, 1e300) - least;
    return found;
  }

  Plane lower_plane(const Profile& p) const {
    const Point on_bend = down_ * p.bend + Point{-down_.y, down_.x} * ((from_ + to_) / 2);
    return {on_bend.x, on_bend.y, plane(upper_).height_at(on_bend), -p.slope * down_.x, -p.slope * down_.y};
  }

  /// The cells that lie on the lower slope.
  std::vector<int> cells_of(const Profile& p) const {
    const Plane lower = lower_plane(p);
    std::vector<int> found;
    for (const auto* some : {&seen_, &at_sides_})
      for (const Seen& c : *some)
        if (c.cell >= 0 && c.down > p.bend && c.down < p.eave && explains(lower, c.cell))
          found.push_back(c.cell);
    std::sort(found.begin(), found.end());
    return found;
  }

  bool upper_explains(int cell) const { return explains(plane(upper_), cell); }

 private:
  /// A cell on the upper slope, on what lies below it, or on the ground there.
  struct Seen {
    int cell;                            ///< index into RoofCells, -1 on the ground
    double down;                         ///< the upper slope
    double height_m, above_m, ground_m;  ///< as measured; of the upper slope; of the terrain
    double unexplained;
  };

  const Plane& plane(int s) const { return roof_.plane(s); }
  const std::vector<int>& cells(int s) const { return roof_.segments[s].cells; }
  Point at(int cell) const { return roof_.cells.points[cell]; }
  double across(Point p) const { return cross(down_, p); }
  bool explains(const Plane& p, int cell) const { return roof_.cost(cell, p) < kUnexplained; }

  /// A smaller segment that falls like the slope, is steeper and lies below it.
  bool may_be_lower(int s) const {
    const Point fall = plane(s).gradient() * -1;
    if (s == upper_ || cells(s).size() > cells(upper_).size() || length(fall) < slope_ + kSteeper ||
        dot(fall, down_) < kAlikeFall * length(fall))
      return false;
    double first = 1e300, last = -1e300, over = 0;
    std::size_t beside = 0;
    bool touches = false;
    for (int i : cells(s)) {
      const double d = dot(down_, at(i)), t = across(at(i));
      first = std::min(first, d), last = std::max(last, d);
      over += residual(roof_.cells.points[i], plane(upper_));
      beside += t < from_ || t > to_;
      for (int n : roof_.cells.around[i]) touches = touches || roof_.segment_of[n] == upper_;
    }
    return touches && over < 0 && 2 * beside < cells(s).size() && last - first < kWidest_m + 1;
  }

  bool is_free(int cell) const {
    const int s = roof_.segment_of[cell];
    return s < 0 || s == upper_ || std::count(found_before_.begin(), found_before_.end(), s) > 0;
  }

  /// Collects the cells around the upper slope's eave and below it, without those of other segments and
  /// neighbours.
  void look(const RoofSite& site) {
    const Grid<int>& index = roof_.cells.index;
    for (const auto [col, row] : all_cells(index)) {
      const Point p = index.centre(col, row);
      const double d = dot(down_, p), t = across(p);
      if (t < from_ || t > to_ || d < last_ - 2 * kWidest_m || d > last_ + kWidest_m) continue;
      const int cell = index.at(col, row);
      const double z = site.height.at(col, row), ground = site.ground.at(col, row);
      if (std::isnan(z - ground) || (cell < 0 ? z - ground > kLowestRoof_m : !is_free(cell))) continue;
      if (cell >= 0) lowest_ = std::max(lowest_, d);
      const double unexplained = cell < 0 ? kUnexplained : roof_.cells.unexplained(cell);
      const bool at_side = t < from_ + kSide_m || t > to_ - kSide_m;
      (at_side ? at_sides_ : seen_).push_back({cell, d, z, plane(upper_).height_at(p), ground, unexplained});
    }
  }

  /// How high the roof lies on average from `first` to `last` downhill.
  double roof_height(const Profile& p, const Seen& c, double first, double last) const {
    const double over_bend = std::max(0.0, last - p.bend), before = std::max(0.0, first - p.bend);
    const double below = (squared(over_bend) - squared(before)) / (2 * (last - first));
    return c.above_m - slope_ * ((first + last) / 2 - c.down) - (p.slope - slope_) * below;
  }

  double cost(const Profile& p, const Seen& c) const {
    const double first = c.down - width_ / 2, last = std::min(p.eave, c.down + width_ / 2);
    const double covered = std::max(0.0, (last - first) / width_);
    const double sigma_m = c.down > p.bend ? p.sigma_m : sigma_m_;
    const double roof = covered > 0 ? roof_height(p, c, first, last) : c.ground_m;
    double least = residual_cost(c.height_m - (covered > 0.5 ? roof : c.ground_m), sigma_m);
    if (covered > 0 && covered < 1) {
      const double drop_m = roof - c.ground_m;
      const double wider = std::sqrt(1 + squared(mixed_cell_scatter_m(covered, drop_m) / sigma_m));
      const double mean = c.ground_m + covered * drop_m;
      least = std::min(least + kEither, residual_cost(c.height_m - mean, wider * sigma_m) + std::log(wider));
    }
    return std::min(c.unexplained, least);
  }

  /// The cost of all cells; stops adding once it reaches `enough`.
  double cost(const Profile& p, const std::vector<Seen>& cells, double enough) const {
    double sum = 0;
    for (std::size_t i = 0; i < cells.size() && sum < enough; ++i) sum += cost(p, cells[i]);
    return sum;
  }

  Found mean_of(const std::vector<std::pair<double, Profile>>& tried, double least) const {
    double weights = 0, bend = 0, eave = 0, tilt = 0, squares = 0;
    for (const auto& [cost, p] : tried) {
      const double weight = std::exp(least - cost), own = std::atan(p.slope);
      weights += weight, bend += weight * p.bend, eave += weight * p.eave;
      tilt += weight * own, squares += weight * own * own;
    }
    Found found;
    if (tried.empty()) return found;
    tilt /= weights;
    const double slope = std::tan(tilt);
    found.profile = {bend / weights, eave / weights, slope, roof_.noise.sigma_m({.gx = slope})};
    const double error_rad =
        std::sqrt(std::max(squares / weights - squared(tilt), squared(0.5 * kTiltStep_deg * kDegree)));
    found.slope_error = error_rad * (1 + squared(slope));
    return found;
  }

  const RoofSegmentation& roof_;
  int upper_;
  double slope_, sigma_m_, width_ = 1;
  Point down_;
  double last_ = -1e300, lowest_ = -1e300;  // farthest downhill: of the upper slope's cells, of all
  double from_ = 1e300, to_ = -1e300;       // extent across the slope
  std::vector<int> found_before_;
  std::vector<Seen> seen_, at_sides_;
};

/// Empties the segments that stood for a lower slope; their cells go to the upper slope where they lie on it.
void give_back(RoofSegmentation& roof, const LowerSlope& lower, int upper) {
  for (int s : lower.found_before())
    for (int i : roof.segments[s].cells) roof.segment_of[i] = lower.upper_explains(i) ? upper : -1;
}

void fit_below(const RoofSite& site, RoofSegmentation& roof, int upper, const RunControl& control) {
  const LowerSlope lower(site, roof, upper);
  if (!lower.ends_over_ground()) return;
  const Profile alone = lower.alone();
  if (lower.found_before().empty() && lower.most_gained(alone) <= kPerPlane) return;
  const LowerSlope::Found found = lower.with_lower(alone, control);
  const std::vector<int> cells = found.gain > kPerPlane ? lower.cells_of(found.profile) : std::vector<int>{};
  const bool is_mansard = cells.size() >= kFewestLowerCells;
  if (!is_mansard && lower.found_before().empty()) return;
  const Plane plane = lower.lower_plane(found.profile);
  give_back(roof, lower, upper);
  if (is_mansard) add_searched(roof, plane, cells, found.slope_error);
  gather_cells(roof);
}

bool may_have_lower(const RoofSegment& s) {
  return s.cells.size() >= kFewestAbove && s.fit.plane.slope() > kSlopingUpper;
}

}  // namespace

void fit_mansards(const RoofSite& site, RoofSegmentation& roof, const RunControl& control) {
  std::vector<int> largest_first(roof.segments.size());
  std::iota(largest_first.begin(), largest_first.end(), 0);
  std::stable_sort(largest_first.begin(), largest_first.end(), [&](int a, int b) {
    return roof.segments[a].cells.size() > roof.segments[b].cells.size();
  });
  for (int s : largest_first) {
    control.checkpoint();
    if (may_have_lower(roof.segments[s])) fit_below(site, roof, s, control);
  }
  remove_segments_if(roof, [&](int s) { return roof.segments[s].cells.empty(); });
}

}  // namespace geo
