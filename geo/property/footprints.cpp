#include "geo/property/footprints.hpp"

#include <algorithm>
#include <numeric>

#include "geo/shapes/box.hpp"
#include "geo/shapes/overlay.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace geo {
namespace {

constexpr double kSame = 0.6;                // of the smaller one's area: the two are one building
constexpr double kSameBuildingShare = 0.8;   // of the larger one's: the same building drawn by two surveys
constexpr double kHouseOfBlock = 0.7;        // of the block's area at most
constexpr double kNarrowestShared_m = 0.05;  // what neighbours share because of rounding is narrower
constexpr double kSmallestRest_m2 = 4;       // as the smallest surface that is listed
constexpr double kNarrowestRest_m = 1.5;     // what is narrower is the overhang of a roof

using Index = std::size_t;

constexpr double kNarrowestBuilding_m = 0.3;

/// Drops what is too narrow for a building: a collapsed polygon, a line with an area.
std::vector<Polygon> without_slivers(std::vector<Polygon> footprints) {
  std::erase_if(footprints,
                [](const Polygon& shape) { return !(mean_width_m(shape) >= kNarrowestBuilding_m); });
  return footprints;
}

struct Overlap {
  Index smaller, larger;
  double share;  ///< of the smaller one's area
};

/// Footprints with their areas, the addresses in each, and which of them overlap.
class Footprints {
 public:
  Footprints(const std::vector<Polygon>& shapes, const std::vector<Point>& addresses,
             const RunControl& control)
      : shapes_(shapes), addresses_in_(shapes.size()) {
    std::vector<Box> boxes;
    for (Index i = 0; i < shapes.size(); ++i) {
      control.checkpoint();
      areas_m2_.push_back(area_m2(shapes[i]));
      boxes.push_back(bounding_box(shapes[i].outer));
      for (Index a = 0; a < addresses.size(); ++a)
        if (boxes[i].contains(addresses[a]) && holds(shapes[i], addresses[a])) addresses_in_[i].push_back(a);
    }
    for (Index i = 0; i < shapes.size(); ++i)
      for (Index k = i + 1; k < shapes.size(); ++k) {
        control.checkpoint();
        if (boxes[i].overlaps(boxes[k])) add_overlap(i, k);
      }
  }

  const std::vector<Overlap>& overlaps() const { return overlaps_; }

  /// Whether an earlier footprint shows the same building.
  bool is_repeated(Index i) const {
    return std::any_of(overlaps_.begin(), overlaps_.end(), [&](const Overlap& o) {
      return std::max(o.smaller, o.larger) == i &&
             o.share * areas_m2_[o.smaller] > kSameBuildingShare * areas_m2_[o.larger];
    });
  }

  /// Whether it holds two houses, each with an address that the other lacks.
  bool is_block(Index i) const {
    std::vector<Index> houses;
    for (const Overlap& o : overlaps_)
      if (o.larger == i && o.share > kSame && areas_m2_[o.smaller] < kHouseOfBlock * areas_m2_[i])
        houses.push_back(o.smaller);
    return std::any_of(houses.begin(), houses.end(), [&](Index a) {
      return std::any_of(houses.begin(), houses.end(),
                         [&](Index b) { return lacks_one_of(a, b) && lacks_one_of(b, a); });
    });
  }

 private:
  void add_overlap(Index i, Index k) {
    double shared_m2 = 0;
    for (const Polygon& part : overlay_intersection(shapes_[i], shapes_[k]))
      if (mean_width_m(part) > kNarrowestShared_m) shared_m2 += area_m2(part);
    if (shared_m2 <= 0) return;
    const bool larger_first = areas_m2_[i] >= areas_m2_[k];
    const Index smaller = larger_first ? k : i;
    overlaps_.push_back({smaller, larger_first ? i : k, shared_m2 / areas_m2_[smaller]});
  }
  /// `a` lacks an address that `b` holds.
  bool lacks_one_of(Index a, Index b) const {
    return !std::includes(addresses_in_[a].begin(), addresses_in_[a].end(), addresses_in_[b].begin(),
                          addresses_in_[b].end());
  }

  const std::vector<Polygon>& shapes_;
  std::vector<std::vector<Index>> addresses_in_;  ///< ascending
  std::vector<double> areas_m2_;
  std::vector<Overlap> overlaps_;
};

/// Groups of footprints that are one building, in the order of each group's first footprint.
std::vector<std::vector<Polygon>> grouped(const std::vector<Polygon>& shapes, const Footprints& footprints) {
  std::vector<Index> first(shapes.size());
  std::iota(first.begin(), first.end(), Index{0});
  for (const Overlap& o : footprints.overlaps()) {
    if (o.share <= kSame || footprints.is_block(o.larger)) continue;
    const auto [to, from] = std::minmax(first[o.smaller], first[o.larger]);
    std::replace(first.begin(), first.end(), Index{from}, Index{to});
  }
  std::vector<std::vector<Polygon>> groups(shapes.size());
  for (Index i = 0; i < shapes.size(); ++i)
    if (!footprints.is_repeated(i)) groups[first[i]].push_back(shapes[i]);
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

/// The parts that the `takers` leave of `shape`; `shape` itself where they overlap it by slivers only.
std::vector<Polygon> rest_of(const Polygon& shape, const std::vector<Polygon>& takers) {
  std::vector<Polygon> parts{shape};
  bool cut = false;
  for (const Polygon& taker : takers) {
    std::vector<Polygon> next;
    for (const Polygon& part : parts) {
      const auto shared = overlay_intersection(part, taker);
      const bool overlaps = std::any_of(shared.begin(), shared.end(), [](const Polygon& common) {
        return mean_width_m(common) > kNarrowestShared_m;
      });
      cut |= overlaps;
      for (Polygon& rest : overlaps ? overlay_difference(part, taker) : std::vector<Polygon>{part})
        next.push_back(std::move(rest));
    }
    parts = std::move(next);
  }
  if (cut)
    std::erase_if(parts, [](const Polygon& part) {
      return area_m2(part) < kSmallestRest_m2 || mean_width_m(part) < kNarrowestRest_m;
    });
  return parts;
}

/// Leaves what two shapes share to the smaller one.
std::vector<Polygon> divided(const std::vector<Polygon>& shapes, const RunControl& control) {
  std::vector<double> areas_m2;
  for (const Polygon& shape : shapes) areas_m2.push_back(area_m2(shape));
  std::vector<Polygon> out;
  for (Index i = 0; i < shapes.size(); ++i) {
    control.checkpoint();
    const Box box = bounding_box(shapes[i].outer);
    std::vector<Polygon> takers;
    for (Index k = 0; k < shapes.size(); ++k) {
      const bool before = areas_m2[k] < areas_m2[i] || (areas_m2[k] == areas_m2[i] && k < i);
      if (k != i && before && box.overlaps(bounding_box(shapes[k].outer))) takers.push_back(shapes[k]);
    }
    for (Polygon& part : rest_of(shapes[i], takers)) out.push_back(std::move(part));
  }
  return out;
}

}  // namespace

std::vector<Polygon> one_footprint_a_building(const std::vector<Polygon>& drawn,
                                              const std::vector<Point>& addresses,
                                              const RunControl& control) {
  std::vector<Polygon> footprints = without_slivers(drawn);
  const Footprints known(footprints, addresses, control);
  if (known.overlaps().empty()) return footprints;
  std::vector<Polygon> buildings;
  for (const std::vector<Polygon>& group : grouped(footprints, known)) {
    control.checkpoint();
    for (Polygon& shape : overlay_union(group)) buildings.push_back(std::move(shape));
  }
  return divided(buildings, control);
}

}  // namespace geo
