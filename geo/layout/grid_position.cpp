// Why walking the borders is enough. Let R be the positions at which a given set of cells is free. R is
// closed and bounded, so it has a border point, and there one of the cells touches a keep-off zone: R's
// border point, seen from that cell, lies on the border of a zone in the space of corners. Counting all cells
// along every zone's border therefore meets the best set. Where fits are exact, R may be a single point:
// zones are tested one tolerance smaller than they are and walked half a tolerance inside, so that such a
// point is passed with room to spare and rounding decides nothing.
#include "geo/layout/grid_position.hpp"

#include <algorithm>
#include <cmath>

namespace geo {
namespace {

constexpr double kShortestStay_m = 1e-9;

struct Change {
  double at;
  int cells;
};

class BorderWalk {
 public:
  BorderWalk(const PlacementSpace& space, ModuleSize pitch) : space_(space), pitch_(pitch) {}

  /// Counts along a border, in stretches no longer than a pitch.
  void follow(Point a, Point b) {
    const double pitches = std::max(std::abs(b.x - a.x) / pitch_.u_m, std::abs(b.y - a.y) / pitch_.v_m);
    const int steps = std::max(1, static_cast<int>(std::ceil(pitches)));
    auto at = [&](int k) { return Point{a.x + (b.x - a.x) * k / steps, a.y + (b.y - a.y) * k / steps}; };
    for (int k = 0; k < steps; ++k) walk(at(k), at(k + 1));
  }
  const GridPosition& best() const { return best_; }

 private:
  void walk(Point start, Point end) {
    space_.free_parts(start, end, parts_);
    if (parts_.empty()) return;  // the touching cell itself is not free here
    collect_changes(start, end);
    if (always_ + sometimes_ <= best_.modules) return;
    std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
    const double length = std::hypot(end.x - start.x, end.y - start.y);
    int cells = always_;
    double since = 0;
    for (const Change& change : changes_) {
      if (cells > best_.modules && (change.at - since) * length > kShortestStay_m) {
        const double t = (since + change.at) / 2;
        best_ = {{start.x + t * (end.x - start.x), start.y + t * (end.y - start.y)}, cells};
      }
      cells += change.cells;
      since = change.at;
    }
  }

  /// Collects where each cell becomes free or stops being so while the grid moves along the stretch.
  void collect_changes(Point start, Point end) {
    always_ = sometimes_ = 0;
    changes_.assign(1, {1, 0});
    const Box& room = space_.bounds();
    const int i0 = first(room.min_x, std::max(start.x, end.x), pitch_.u_m);
    const int i1 = last(room.max_x, std::min(start.x, end.x), pitch_.u_m);
    const int j0 = first(room.min_y, std::max(start.y, end.y), pitch_.v_m);
    const int j1 = last(room.max_y, std::min(start.y, end.y), pitch_.v_m);
    for (int j = j0; j <= j1; ++j)
      for (int i = i0; i <= i1; ++i) {
        const Point shift{i * pitch_.u_m, j * pitch_.v_m};
        space_.free_parts({start.x + shift.x, start.y + shift.y}, {end.x + shift.x, end.y + shift.y}, parts_);
        if (parts_.empty()) continue;
        if (parts_.front().from == 0 && parts_.front().to == 1) {
          ++always_;
          continue;
        }
        ++sometimes_;
        for (const Part& part : parts_) {
          changes_.push_back({part.from, 1});
          changes_.push_back({part.to, -1});
        }
      }
  }

  static int first(double low, double from, double pitch) {
    return static_cast<int>(std::ceil((low - from) / pitch));
  }
  static int last(double high, double from, double pitch) {
    return static_cast<int>(std::floor((high - from) / pitch));
  }

  const PlacementSpace& space_;
  ModuleSize pitch_;
  GridPosition best_;
  std::vector<Part> parts_;
  std::vector<Change> changes_;
  int always_ = 0, sometimes_ = 0;
};

}  // namespace

GridPosition best_grid_position(const PlacementSpace& space, ModuleSize pitch, const RunControl& control) {
  if (space.empty()) return {};
  BorderWalk walk(space, pitch);
  for (const KeepOffZone& zone : space.zones()) {
    control.checkpoint();
    const Ring& border = zone.border();
    for (std::size_t i = 0; i < border.size(); ++i) walk.follow(border[i], border[(i + 1) % border.size()]);
  }
  return walk.best();
}

}  // namespace geo
