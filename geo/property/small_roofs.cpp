#include "geo/property/small_roofs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geo/grid/cell_block.hpp"
#include "geo/property/building_pieces.hpp"

namespace geo {
namespace {

constexpr double kFewest_m2 = 5;          // of high cells
constexpr double kNarrowestShed_m = 2.3;  // a hedge or a wall is narrower
constexpr double kLowestEaves_m = 1.5;
// A building on a parcel's border may have walls of 3 m on average (Germany's Musterbauordnung, section 6
// (8)); where all eaves are higher it is a house.
constexpr double kHighestEaves_m = 3.5;
// The same section allows 9 m along the border; a garage for two cars side by side is some 7 m deep.
constexpr double kSmallest_m2 = 9, kLargest_m2 = 70;
constexpr double kAround_m = 3;  // cells looked at beyond the high ones
// The odds against a crown must be high: a garden has several trees for each garage, but hardly any tree
// stands against a wall.
constexpr double kOddsAlone = 10000, kOddsAtHouse = 20;
// The cells that a hip or a mansard leaves over beside a house look like a steep gable.
constexpr double kSteep = 0.84;      // 40 degrees
constexpr double kExplained = 0.75;  // of the high cells
constexpr double kReachToHouse_m = 1;
constexpr double kOnRoof_m = 0.3;
constexpr double kBesideRoof_m = 1.2;  // how far into a house its planes are compared with a roof beside it
constexpr std::size_t kFewestBeside = 2;  // cells
constexpr double kLowestWall_m = 0.4;
constexpr double kOverlapping = 0.3;  // of its cells: the same roof, seen from another side of a house

CellBlock window_around(const Grid<float>& mask, const Piece& piece) {
  CellBlock w{mask.width, 0, mask.height, 0};
  const int margin = static_cast<int>(std::lround(kAround_m / mask.cell_m));
  for (std::size_t i : piece) {
    const auto [col, row] = mask.cell(i);
    w.first_col = std::min(w.first_col, col - margin), w.last_col = std::max(w.last_col, col + margin);
    w.first_row = std::min(w.first_row, row - margin), w.last_row = std::max(w.last_row, row + margin);
  }
  return clipped(w, mask);
}

/// One group of high cells, and what is known around it. Points are relative to its first cell: map
/// coordinates are large.
class Group {
 public:
  Group(const Grid<float>& dsm, const Grid<float>& terrain, const SmallRoofCells& cells, const Piece& piece,
        const CellModel& model)
      : dsm_(dsm),
        terrain_(terrain),
        cells_(cells),
        piece_(piece),
        window_(window_around(dsm, piece)),
        model_(model) {
    origin_ = dsm.centre(piece.front());
    for (std::size_t i : piece) seen_.push_back(local(dsm.centre(i)));
  }

  /// All that its fit depends on within one surface model: its cells, and how those around lie to houses.
  std::string description() const {
    std::string text(reinterpret_cast<const char*>(piece_.data()), piece_.size() * sizeof(std::size_t));
    for (const auto [col, row] : window_) text += static_cast<char>(to_house(col, row));
    return text;
  }

  RectangleRoof fitted() const {
    std::vector<RoofEdgeCell> cells;
    for (const auto [col, row] : window_)
      if (!std::isnan(dsm_.at(col, row)) && !std::isnan(terrain_.at(col, row)))
        cells.push_back(
            {local(dsm_.centre(col, row)), dsm_.at(col, row), terrain_.at(col, row), to_house(col, row)});
    return fit_rectangle_roof(cells, seen_, model_);
  }

  bool is_roof(const RectangleRoof& roof) const {
    // A part of the roof may be hidden below a house's eave.
    const auto hidden_m = [&](Point side) { return faces_house(roof, side) ? kReachToHouse_m : 0; };
    return roof.cost < 1e300 && is_no_crown(roof, at_house(roof)) && has_size(drawn_out(roof, hidden_m)) &&
           has_height(roof) && explained(roof) >= kExplained && hemmed_in(roof) <= kMostHemmedIn;
  }

  SmallRoof small_roof(const RectangleRoof& fitted) const {
    SmallRoof out;
    const RectangleRoof roof = drawn_out(fitted, [&](Point side) { return gap_to_house_m(fitted, side); });
    out.of_house = goes_on_in_house(fitted);
    for (const Point& p : roof.corners()) out.outline.outer.push_back({p.x + origin_.x, p.y + origin_.y});
    for (const auto [col, row] : window_)
      if (!is_house(roof, col, row) && roof.outside_m(local(dsm_.centre(col, row))) < 0)
        out.cells.push_back(dsm_.index(col, row));
    return out;
  }

 private:
  Point local(Point p) const { return {p.x - origin_.x, p.y - origin_.y}; }

  ToHouse to_house(int col, int row) const {
    if (cells_.house_planes.at(col, row)) return ToHouse::plane;
    if (cells_.houses.at(col, row)) return ToHouse::edge;
    for (const auto [c, r] : cells_around(cells_.houses, {col, row}))
      if (cells_.houses.at(c, r)) return ToHouse::beside;
    return ToHouse::apart;
  }

  /// Whether it is part of the house's own roof: the house's planes beside it go on at its height. Beside a
  /// garage the house has a wall.
  bool goes_on_in_house(const RectangleRoof& roof) const {
    std::vector<double> steps_m;
    for (const auto [col, row] : window_) {
      const Point p = local(dsm_.centre(col, row));
      const double outside_m = roof.outside_m(p);
      if (cells_.house_planes.at(col, row) && !std::isnan(dsm_.at(col, row)) && outside_m > 0 &&
          outside_m < kBesideRoof_m)
        steps_m.push_back(dsm_.at(col, row) - roof.height_at(roof.nearest(p)));
    }
    if (steps_m.size() < kFewestBeside) return false;
    const auto lower = steps_m.begin() + static_cast<std::ptrdiff_t>((steps_m.size() - 1) / 4);
    std::nth_element(steps_m.begin(), lower, steps_m.end());
    return *lower < kLowestWall_m;
  }

  static bool is_no_crown(const RectangleRoof& roof, bool at_house) {
    return roof.log_odds_against_crown() >
           std::log(at_house && roof.slope() < kSteep ? kOddsAtHouse : kOddsAlone);
  }

  static bool has_size(const RectangleRoof& roof) {
    return roof.area() >= kSmallest_m2 && roof.area() <= kLargest_m2 &&
           2 * std::min(roof.half_u, roof.half_v) >= kNarrowestShed_m;
  }

  bool has_height(const RectangleRoof& roof) const {
    const double eaves_m = lowest_eaves_m(roof);
    return eaves_m >= kLowestEaves_m && (eaves_m <= kHighestEaves_m || goes_on_in_house(roof));
  }

  /// The lowest corner above the ground. Infinite where no ground is known.
  double lowest_eaves_m(const RectangleRoof& roof) const {
    double lowest_m = std::numeric_limits<double>::infinity();
    for (const Point& p : roof.corners()) {
      const int col = std::clamp(terrain_.col_of(p.x + origin_.x), 0, terrain_.width - 1);
      const int row = std::clamp(terrain_.row_of(p.y + origin_.y), 0, terrain_.height - 1);
      if (const float ground = terrain_.at(col, row); !std::isnan(ground))
        lowest_m = std::min(lowest_m, roof.height_at(p) - ground);
    }
    return lowest_m;
  }

  double explained(const RectangleRoof& roof) const {
    const auto inside = std::count_if(seen_.begin(), seen_.end(),
                                      [&](const Point& p) { return roof.outside_m(p) < 0.5 * dsm_.cell_m; });
    return static_cast<double>(inside) / static_cast<double>(seen_.size());
  }

  /// Of the cells beside it that belong to no house, the share that is high. Cells that its edge cuts are
  /// left out.
  double hemmed_in(const RectangleRoof& roof) const {
    int around = 0, high = 0;
    for (const auto [col, row] : window_) {
      const double outside = roof.outside_m(local(dsm_.centre(col, row))) / dsm_.cell_m;
      if (cells_.houses.at(col, row) || outside < 0.7 || outside > 1.7) continue;
      ++around;
      high += cells_.high.at(col, row);
    }
    return around > 0 ? static_cast<double>(high) / around : 0;
  }

  /// Moves each side out by the distance that `by_m` gives for it.
  template <class By>
  static RectangleRoof drawn_out(RectangleRoof roof, By by_m) {
    for (const Point side : RectangleRoof::kSides) roof = roof.with_side_moved(side, by_m(side));
    return roof;
  }

  /// How far a side must move out to meet the house. The cells between belong to neither, so the roof goes on
  /// to the house. 0 on a side that faces no house.
  double gap_to_house_m(const RectangleRoof& roof, Point side) const {
    constexpr double kStep_m = 0.25;
    if (!faces_house(roof, side)) return 0;
    double gap_m = 0;
    const auto in_house = [&](int col, int row) { return is_house(roof, col, row); };
    while (gap_m < kReachToHouse_m && !beside(roof, side, gap_m + kStep_m / 2, in_house)) gap_m += kStep_m;
    return gap_m;
  }

  /// A cell of the house's edge that lies on this roof belongs to the garage.
  bool is_house(const RectangleRoof& roof, int col, int row) const {
    return cells_.house_planes.at(col, row) ||
           (cells_.houses.at(col, row) &&
            dsm_.at(col, row) > roof.height_at(local(dsm_.centre(col, row))) + kOnRoof_m);
  }

  bool at_house(const RectangleRoof& roof) const {
    return roof.cost < 1e300 && std::any_of(RectangleRoof::kSides.begin(), RectangleRoof::kSides.end(),
                                            [&](Point side) { return faces_house(roof, side); });
  }

  bool faces_house(const RectangleRoof& roof, Point side) const {
    return beside(roof, side, 0.75 * kReachToHouse_m,
                  [&](int col, int row) { return cells_.houses.at(col, row); });
  }

  /// Whether most of five points along a side, `out_m` beyond it, lie in cells for which `holds` is true.
  template <class Holds>
  bool beside(const RectangleRoof& roof, Point side, double out_m, Holds holds) const {
    int count = 0;
    for (const double along : {-0.6, -0.3, 0.0, 0.3, 0.6}) {
      const double u = side.x != 0 ? side.x * (roof.half_u + out_m) : along * roof.half_u;
      const double v = side.y != 0 ? side.y * (roof.half_v + out_m) : along * roof.half_v;
      const Point p = roof.place({u, v});
      const int col = cells_.houses.col_of(origin_.x + p.x), row = cells_.houses.row_of(origin_.y + p.y);
      count += cells_.houses.contains(col, row) && holds(col, row);
    }
    return count >= 3;
  }

  const Grid<float>&dsm_, &terrain_;
  const SmallRoofCells& cells_;
  const Piece& piece_;
  CellBlock window_;
  const CellModel& model_;
  Point origin_;
  std::vector<Point> seen_;
};

}  // namespace

std::vector<SmallRoof> small_roofs(const Grid<float>& dsm, const Grid<float>& terrain,
                                   const SmallRoofCells& cells, const Box& where, const CellModel& model,
                                   RectangleFits& fits, const RunControl& control) {
  std::vector<SmallRoof> found;
  Mask taken = dsm.like(std::uint8_t{0});
  const double cell_m2 = dsm.cell_m * dsm.cell_m;
  for (const Piece& piece : pieces_of(cells.groups, Beside::edges, control)) {
    control.checkpoint();
    const double area_m2 = static_cast<double>(piece.size()) * cell_m2;
    if (area_m2 < kFewest_m2 || area_m2 > kLargest_m2 || share_in(cells.refused, piece) == 1) continue;
    if (std::none_of(piece.begin(), piece.end(),
                     [&](std::size_t i) { return where.contains(dsm.centre(i)); }))
      continue;
    const Group group(dsm, terrain, cells, piece, model);
    const RectangleRoof& fitted = fits.of(group.description(), [&] { return group.fitted(); });
    if (!group.is_roof(fitted)) continue;
    SmallRoof roof = group.small_roof(fitted);
    if (share_in(taken, roof.cells) > kOverlapping) continue;
    for (std::size_t i : roof.cells) taken.values[i] = 1;
    found.push_back(std::move(roof));
  }
  return found;
}

}  // namespace geo
