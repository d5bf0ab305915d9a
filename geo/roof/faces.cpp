#include "geo/roof/faces.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "geo/grid/cell_block.hpp"
#include "geo/roof/labelling.hpp"

namespace geo {
namespace {

constexpr double kSample_m = 0.25;
constexpr double kBorderPerMetre = 0.35;      // square metres of misfit that a metre of border is worth
constexpr double kFreeBorderPerMetre = 0.22;  // and where the roof's own edge is read from the heights too
constexpr double kReachOfPlane = 3;           // sigmas within which a cell is a plane's
constexpr double kBesideTheSegment = 0.2;     // for a plane to which the cell was not given
constexpr double kBesideAnyone = 0.1;         // where the cell was given to none
constexpr double kEdgeBand_m = 0.75;          // nearer to the roof's edge cells are mixed
constexpr double kNearFace_m = 3;  // a plane with a cell so near to the box around a face may be its

using Choices = std::vector<LabellingProblem::Choice>;

class FaceCosts {
 public:
  FaceCosts(const RoofSite& site, const RoofSegmentation& segmentation, const RoofMap& map,
            const RoofEaves& eaves)
      : site_(site),
        segmentation_(segmentation),
        map_(map),
        eaves_(eaves),
        none_(static_cast<int>(segmentation.segments.size())) {}

  int labels() const { return none_ + 1; }

  /// No plane, the planes with cells near the face, and those that its cells are nearest to. They cost
  /// nothing yet.
  Choices choices_within(const Box& face) const {
    std::set<int> near{none_};
    for (int cell : cells_within(segmentation_.cells, face.grown(kNearFace_m)))
      if (const int s = segmentation_.segment_of[cell]; s >= 0) near.insert(s);
    const Grid<int>& nearest = map_.nearest;
    for (const auto [col, row] : cells_touching(nearest, face))
      if (nearest.at(col, row) >= 0) near.insert(nearest.at(col, row));
    Choices found;
    for (int label : near) found.push_back({label, 0});
    return found;
  }

  /// Adds a sample's cost, of `weight` square metres, for every choice.
  void add(Point p, double weight, Choices& choices) const {
    const int col = site_.height.col_of(p.x), row = site_.height.row_of(p.y);
    const bool known = site_.height.contains(col, row) && !std::isnan(site_.height.at(col, row));
    if (!known) return pay_all(weight, choices);
    if (!site_.from_footprints) return add_by_heights(col, row, weight, choices);
    if ((is_on_neighbour(site_, p) && !eaves_.covers_neighbour(p)) || !eaves_.covers(p))
      return pay_all(3 * weight, choices);
    const bool edge = !contains(site_.footprint, p) || distance_to_boundary(site_.footprint, p) < kEdgeBand_m;
    const bool low = site_.zone.at(col, row) == RoofZone::outside || map_.segment.at(col, row) < 0;
    if (edge && low && map_.nearest.at(col, row) >= 0) return add_by_nearest(col, row, weight, choices);
    add_by_heights(col, row, weight, choices);
  }

 private:
  void pay_all(double weight, Choices& choices) const {
    for (auto& [label, cost] : choices)
      if (label != none_) cost += weight;
  }

  /// A mixed cell at the roof's known edge counts as the segment nearest to it.
  void add_by_nearest(int col, int row, double weight, Choices& choices) const {
    const int nearest = map_.nearest.at(col, row);
    for (auto& [label, cost] : choices) cost += weight * (label == none_ ? 0.7 : label == nearest ? 0 : 0.5);
  }

  void add_by_heights(int col, int row, double weight, Choices& choices) const {
    const RoofZone zone = site_.zone.at(col, row);
    const int own = map_.segment.at(col, row);
    const double z = site_.height.at(col, row);
    const Point centre = site_.height.centre(col, row);
    if (!site_.from_footprints && (zone == RoofZone::outside || is_cut(col, row)))
      return add_by_share(col, row, weight, choices);
    const int suits = own >= 0 ? own : map_.nearest.at(col, row);
    for (auto& [label, cost] : choices) {
      if (label == none_) {
        cost += weight * without_roof(zone, own);
        continue;
      }
      const Plane& plane = segmentation_.segments[label].fit.plane;
      const double q = (z - plane.height_at(centre)) / (kReachOfPlane * segmentation_.noise.sigma_m(plane));
      double misfit = std::min(1.0, q * q);
      // What stands on a roof or hangs over it does not end it; what lies below it does.
      if (q > 1) misfit = site_.from_footprints ? 0.55 : 0.85;
      if (zone == RoofZone::outside) misfit = 1;
      cost += weight * (misfit + (label == suits ? 0 : own < 0 ? kBesideAnyone : kBesideTheSegment));
    }
  }

  /// Whether the roof's edge cuts the cell: it lies on no plane and below the nearest one, with roof on one
  /// side and ground on the other.
  bool is_cut(int col, int row) const {
    const int nearest = map_.nearest.at(col, row);
    if (map_.segment.at(col, row) >= 0 || nearest < 0) return false;
    const Plane& roof = segmentation_.segments[nearest].fit.plane;
    if (site_.height.at(col, row) > roof.height_at(site_.height.centre(col, row))) return false;
    for (const auto [c, r] : cells_around(site_.zone, {col, row})) {
      const int opposite_col = 2 * col - c, opposite_row = 2 * row - r;
      if (map_.segment.at(c, r) >= 0 && site_.zone.contains(opposite_col, opposite_row) &&
          site_.zone.at(opposite_col, opposite_row) == RoofZone::outside)
        return true;
    }
    return false;
  }

  /// A low cell where only the heights show the roof's edge: the edge may cut it, and its height between
  /// ground and roof says how much of it is covered.
  void add_by_share(int col, int row, double weight, Choices& choices) const {
    const int nearest = map_.nearest.at(col, row);
    double share = 0;
    if (nearest >= 0) {
      const Plane& plane = segmentation_.segments[nearest].fit.plane;
      const double ground = site_.ground.at(col, row), z = site_.height.at(col, row);
      const double roof = plane.height_at(site_.height.centre(col, row));
      // What stands higher than the roof would is something else beside it.
      const bool higher = z > roof + kReachOfPlane * segmentation_.noise.sigma_m(plane);
      if (roof - ground > 0.5 && !higher) share = std::clamp((z - ground) / (roof - ground), 0.0, 1.0);
    }
    for (auto& [label, cost] : choices)
      cost += weight * (label == none_ ? share : label == nearest ? 1 - share : 1);
  }

  double without_roof(RoofZone zone, int own) const {
    if (own >= 0) return 1;
    if (zone == RoofZone::outside) return 0;
    if (!site_.from_footprints) return 0.35;
    return zone == RoofZone::inside ? 0.7 : 0.3;
  }

  const RoofSite& site_;
  const RoofSegmentation& segmentation_;
  const RoofMap& map_;
  const RoofEaves& eaves_;
  int none_;
};

Choices choices_of(const Ring& ring, const FaceCosts& costs) {
  const Box box = bounding_box(ring);
  Choices choices = costs.choices_within(box);
  int samples = 0;
  const double weight = kSample_m * kSample_m;
  for (double y = (std::floor(box.min_y / kSample_m) + 0.5) * kSample_m; y < box.max_y; y += kSample_m)
    for (double x = (std::floor(box.min_x / kSample_m) + 0.5) * kSample_m; x < box.max_x; x += kSample_m)
      if (contains(ring, {x, y})) {
        costs.add({x, y}, weight, choices);
        ++samples;
      }
  if (samples > 0) return choices;
  Point centre{};
  for (Point p : ring) centre = centre + p * (1.0 / static_cast<double>(ring.size()));
  costs.add(centre, std::abs(signed_area(ring)), choices);
  return choices;
}

}  // namespace

std::vector<SegmentOutline> label_faces(const RoofSite& site, const RoofSegmentation& segmentation,
                                        const RoofMap& map, const RoofEaves& eaves,
                                        const RoofPartition& partition, const RunControl& control) {
  const FaceCosts costs(site, segmentation, map, eaves);
  LabellingProblem problem;
  const auto faces = static_cast<int>(partition.faces().size());
  problem.labels = costs.labels();
  for (int face = 0; face < faces; ++face) {
    control.checkpoint();
    problem.choices.push_back(choices_of(partition.ring(face), costs));
    const auto& loop = partition.faces()[face];
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int a = loop[i], b = loop[(i + 1) % loop.size()];
      const int other = partition.face_left_of(b, a);
      const double metres = length(partition.corners()[b] - partition.corners()[a]);
      if (other > face)
        problem.pairs.push_back(
            {face, other, (site.from_footprints ? kBorderPerMetre : kFreeBorderPerMetre) * metres});
    }
  }
  const std::vector<int> label = share_out(problem, 6, control);
  std::vector<SegmentOutline> surfaces;
  for (int s = 0; s + 1 < problem.labels; ++s) {
    std::vector<int> chosen;
    for (int face = 0; face < faces; ++face)
      if (label[face] == s) chosen.push_back(face);
    for (Polygon& outline : partition.outlines(chosen)) surfaces.push_back({s, std::move(outline)});
  }
  return surfaces;
}

}  // namespace geo
