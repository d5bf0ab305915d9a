// Half-hips seen from the heights alone: a steep triangle of few cells, most of them cut by its edges.
#include "geo/roof/hips.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "geo/roof/building_site.hpp"
#include "geo/roof/eaves.hpp"
#include "geo/roof/lines.hpp"
#include "geo/roof/map.hpp"
#include "geo/roof/segments.hpp"
#include "geo/shapes/boost_shapes.hpp"
#include "tests/geo/roof_test_scene.hpp"
#include "tests/geo/simple_shapes.hpp"

namespace {

using test::kGround_m;
constexpr geo::Point kMiddle{20, 20};

/// A house whose ridge is cut off at both ends, `askew` to the grid in radians.
struct HalfHipHouse {
  double askew;
  double half_u = 6.5, half_v = 5.5, eaves_m = 3.5, slope = 0.95, end_slope = 1.6, hip_eaves_m = 5.7;

  geo::Point along() const { return {std::cos(askew), std::sin(askew)}; }
  geo::Point own(geo::Point p) const {
    return {geo::dot(p - kMiddle, along()), geo::cross(along(), p - kMiddle)};
  }
  geo::Point placed(geo::Point q) const {
    return kMiddle + along() * q.x + geo::Point{-along().y, along().x} * q.y;
  }
  double operator()(geo::Point p) const {
    const geo::Point q = own(p);
    const double to_eave = half_v - std::abs(q.y), to_end = half_u - std::abs(q.x);
    if (to_eave < 0 || to_end < 0) return kGround_m;
    return kGround_m + std::min(eaves_m + slope * to_eave, hip_eaves_m + end_slope * to_end);
  }
  /// The hip at the end towards `sense`, +1 or -1.
  geo::Polygon hip(double sense) const {
    const double half_width = half_v - (hip_eaves_m - eaves_m) / slope;
    const double depth = half_width * slope / end_slope;
    geo::Ring ring{placed({sense * half_u, -sense * half_width}),
                   placed({sense * half_u, sense * half_width}), placed({sense * (half_u - depth), 0})};
    return {.outer = ring, .holes = {}};
  }
};

double share_in_common(const geo::Polygon& a, const geo::Polygon& b) {
  geo::BoostMultiPolygon both;
  boost::geometry::intersection(geo::to_boost(a), geo::to_boost(b), both);
  const double common = boost::geometry::area(both);
  return common / (geo::area(a) + geo::area(b) - common);
}

test::RoofScene scene_of(const HalfHipHouse& house) {
  geo::Ring walls;
  for (geo::Point q : {geo::Point{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
    walls.push_back(house.placed({q.x * house.half_u, q.y * house.half_v}));
  geo::Building building;
  building.footprint.outer = walls;
  building.from_footprints = false;
  return test::scene(house, {building});
}

bool is_found(const test::RoofScene& scene, const std::vector<geo::RoofPlane>& planes, geo::Polygon hip) {
  for (geo::Point& p : hip.outer) p = test::on_map(scene, p);
  return std::any_of(planes.begin(), planes.end(),
                     [&](const geo::RoofPlane& p) { return share_in_common(p.outline, hip) > 0.6; });
}

/// Of 32, at both ends of a house that is turned.
int half_hips_found(geo::CellKind cells) {
  int found = 0;
  constexpr int kTurns = 16;
  for (int turn = 0; turn < kTurns; ++turn) {
    const HalfHipHouse house{turn * std::numbers::pi / 2 / kTurns};
    test::RoofScene scene = scene_of(house);
    scene.options.cells = cells;
    const std::vector<geo::RoofPlane> planes = scene.detect();
    for (const double sense : {1.0, -1.0}) found += is_found(scene, planes, house.hip(sense));
  }
  return found;
}

TEST(RoofHips, AHalfHipOfFewCellsIsAWholeTriangle) {
  EXPECT_GE(half_hips_found(geo::CellKind::unknown), 30);
  EXPECT_GE(half_hips_found(geo::CellKind::interpolated), 30);
  EXPECT_GE(half_hips_found(geo::CellKind::mean), 28) << "where its one row of cells may be a wall's";
}

TEST(RoofHips, AreFoundOnceWhereAStrayPlaneLiesWithinAHalf) {
  const HalfHipHouse house{0.3};
  const test::RoofScene scene = scene_of(house);
  const geo::RunControl control;
  const geo::RoofSite site = geo::make_roof_site(scene.dsm, scene.terrain, scene.buildings, 0, {}, control);
  geo::RoofSegmentation roof = geo::segment_roof(site, control);
  ASSERT_GE(roof.segments.size(), 2U);
  // The second half's cells near one end become a plane of their own, of the same slope.
  const geo::Point shift{scene.dsm.west - site.offset.x, scene.dsm.north - scene.dsm.height - site.offset.y};
  std::stable_sort(roof.segments.begin(), roof.segments.end(),
                   [](const auto& a, const auto& b) { return a.cells.size() > b.cells.size(); });
  roof.segments.resize(2);
  geo::RoofSegment stray = roof.segments[1];
  roof.segments.insert(roof.segments.begin() + 1, stray);
  roof.segment_of.assign(roof.segment_of.size(), -1);
  for (const std::size_t s : {0UL, 2UL})
    for (const int i : roof.segments[s].cells) {
      const geo::HeightPoint& p = roof.cells.points[static_cast<std::size_t>(i)];
      const geo::Point own = house.own({p.x - shift.x, p.y - shift.y});
      const bool strays = s == 2 && own.x > 3.5 && std::abs(own.y) < 2.5;
      roof.segment_of[static_cast<std::size_t>(i)] = strays ? 1 : static_cast<int>(s);
    }
  geo::gather_cells(roof);
  ASSERT_GE(roof.segments[1].cells.size(), 3U);
  geo::add_hips(roof, control);
  EXPECT_EQ(std::count_if(roof.segments.begin(), roof.segments.end(), [](const auto& s) { return s.hip; }),
            2);
}

TEST(RoofHips, EndTheRidgeTheyCutOff) {
  const HalfHipHouse house{0.3};
  const test::RoofScene scene = scene_of(house);
  const geo::RunControl control;
  const geo::RoofSite site = geo::make_roof_site(scene.dsm, scene.terrain, scene.buildings, 0, {}, control);
  geo::RoofSegmentation roof = geo::segment_roof(site, control);
  geo::add_hips(roof, control);
  const geo::RoofMap map = geo::make_roof_map(site, roof);
  const geo::RoofEaves eaves = geo::roof_eaves(site, roof, map);
  const geo::Point shift{scene.dsm.west - site.offset.x, scene.dsm.north - scene.dsm.height - site.offset.y};
  const auto longest = [](const geo::RoofLine& a, const geo::RoofLine& b) {
    return a.to - a.from < b.to - b.from;
  };
  std::vector<geo::RoofLine> ridges = geo::roof_lines(site, roof, map, eaves);
  std::erase_if(ridges, [](const auto& l) { return l.last > 1e299; });
  const geo::RoofLine ridge = *std::max_element(ridges.begin(), ridges.end(), longest);
  const double apex = house.half_u - geo::length(house.hip(1).outer[2] - house.placed({house.half_u, 0}));
  for (const double end : {ridge.first, ridge.last})
    EXPECT_NEAR(std::abs(house.own(ridge.line.point(end) - shift).x), apex, 0.4);
}

}  // namespace
