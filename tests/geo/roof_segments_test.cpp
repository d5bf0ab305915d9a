// What tells segments from strays: the noise of the cells, which the data themselves show.
#include "geo/roof/segments.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>

#include "tests/geo/roof_test_scene.hpp"
#include "tests/geo/simple_shapes.hpp"
#include "tests/sanitizers.hpp"

namespace {

using test::kGround_m;

/// A flat garage and, against it, a house under a pyramid of 45 degrees, `askew` to the grid in radians. In
/// cells of a metre the slopes look ten times as rough as the garage, because on a slope a return's place
/// within its cell changes its height.
test::HeightOf garage_and_pyramid(double askew) {
  return [=](geo::Point p) {
    p = {p.x - 20, p.y - 20};
    const geo::Point q{p.x * std::cos(askew) + p.y * std::sin(askew),
                       p.y * std::cos(askew) - p.x * std::sin(askew)};
    if (test::in_rectangle(q, -11, -3, -4.5, 3)) return kGround_m + 2.8;
    const double inside = 4.5 - std::max(std::abs(q.x), std::abs(q.y));
    return inside >= 0 ? kGround_m + 4.5 + inside : kGround_m;
  };
}

geo::RoofSegmentation segments_of(const test::HeightOf& surface) {
  geo::Building building{test::rectangle(7, 11, 28, 29)};
  building.from_footprints = false;
  const test::RoofScene scene = test::scene(surface, {building});
  const geo::RunControl control;
  return geo::segment_roof(geo::make_roof_site(scene.dsm, scene.terrain, scene.buildings, 0, {}, control),
                           control);
}

/// Whether a segment of eight cells or more rises along `uphill` at 45 degrees, its normal within ten
/// degrees.
bool has_slope(const geo::RoofSegmentation& roof, geo::Point uphill) {
  return std::any_of(roof.segments.begin(), roof.segments.end(), [&](const geo::RoofSegment& s) {
    const geo::Plane& p = s.fit.plane;
    const double cosine =
        (1 + p.gx * uphill.x + p.gy * uphill.y) / std::sqrt(2 * (1 + p.gx * p.gx + p.gy * p.gy));
    return s.cells.size() >= 8 && cosine > 0.985;
  });
}

TEST(RoofSegments, OfASteepHouseAreFoundBesideAFlatGarage) {
  for (const double askew : {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}) {
    const geo::RoofSegmentation roof = segments_of(garage_and_pyramid(askew));
    const geo::Point u{std::cos(askew), std::sin(askew)}, v{-u.y, u.x};
    for (const geo::Point& uphill : {u, u * -1, v, v * -1})
      EXPECT_TRUE(has_slope(roof, uphill)) << askew << ' ' << uphill.x << ' ' << uphill.y;
  }
}

TEST(RoofSegments, OfAHallNeedMemoryForItsCellsAndNotForTheirSquare) {
  if (test::kUnderSanitizer) GTEST_SKIP() << "a sanitizer's own memory would be measured";
  geo::Building building{test::rectangle(20, 20, 120, 220)};
  test::RoofScene hall = test::scene(
      [](geo::Point p) { return test::in_rectangle(p, 20, 20, 120, 220) ? 108.0 : 100.0; }, {building}, 240);
  for (std::size_t i = 0; i < hall.dsm.values.size(); ++i)
    hall.dsm.values[i] += static_cast<float>(0.14 * (test::hash01(i) - 0.5));  // gravel: 4 cm
  const auto most_kb = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const long before_kb = most_kb();
  const geo::RunControl control;
  const geo::RoofSite site = geo::make_roof_site(hall.dsm, hall.terrain, hall.buildings, 0, {}, control);
  const geo::RoofSegmentation roof = geo::segment_roof(site, control);
  EXPECT_LT(most_kb() - before_kb, 150'000);
  EXPECT_GE(roof.segments.at(0).cells.size(), 15'000u);
}

/// Of a block without footprints from (10, 10) to `end_m` each way. `smooth`: heights in whole decimetres, so
/// that all cells of a level roof are alike.
geo::RoofSegmentation segments_of_block(const test::HeightOf& surface, int end_m, bool smooth = false) {
  geo::Building block{test::rectangle(10, 10, end_m, end_m)};
  block.from_footprints = false;
  test::RoofScene scene = test::scene(surface, {block}, end_m + 10);
  if (smooth)
    for (float& z : scene.dsm.values) z = std::round(10 * z) / 10;
  const geo::RunControl control;
  const geo::RoofSite site = geo::make_roof_site(scene.dsm, scene.terrain, scene.buildings, 0, {}, control);
  return geo::segment_roof(site, control);
}

TEST(RoofSegments, OfABlockAreAsManyAsItsHousesHave) {
  constexpr int kHouses = 20, kHouse_m = 5;  // each way
  const auto surface = [](geo::Point p) {
    if (!test::in_rectangle(p, 10, 10, 10 + kHouses * kHouse_m, 10 + kHouses * kHouse_m)) return kGround_m;
    const double col = std::floor((p.x - 10) / kHouse_m), row = std::floor((p.y - 10) / kHouse_m);
    const auto house = static_cast<std::uint64_t>(row * kHouses + col);
    const double towards = 6.28 * test::hash01(2 * house), slope = 0.3 + 0.5 * test::hash01(2 * house + 1);
    const geo::Point middle{10 + (col + 0.5) * kHouse_m, 10 + (row + 0.5) * kHouse_m};
    const double step_m = 6 * std::fmod(col + 2 * row, 5);  // neighbours' roofs do not meet
    return kGround_m + 6 + step_m +
           slope * ((p.x - middle.x) * std::cos(towards) + (p.y - middle.y) * std::sin(towards));
  };
  const geo::RoofSegmentation roof = segments_of_block(surface, 10 + kHouses * kHouse_m);
  const auto whole = std::count_if(roof.segments.begin(), roof.segments.end(),
                                   [](const geo::RoofSegment& s) { return s.cells.size() >= 12; });
  EXPECT_GE(whole, 380) << "of 400";
}

TEST(RoofSegments, OfHousesFarApartAreOneEachWhereTheirRoofsLieInOnePlane) {
  constexpr double kHigh_m = 8;
  const auto surface = [](geo::Point p) {
    if (!test::in_rectangle(p, 10, 10, 160, 160)) return kGround_m;
    return kGround_m + (std::fmod(p.x - 10, 45) < 15 ? kHigh_m : 4);
  };
  const geo::RoofSegmentation roof = segments_of_block(surface, 160, true);
  int high = 0;
  for (const geo::RoofSegment& s : roof.segments) {
    geo::Box box;
    for (int i : s.cells) box.add({roof.cells.points[static_cast<std::size_t>(i)].x, 0});
    if (std::abs(s.fit.plane.height_at({box.min_x, 85}) - kGround_m - kHigh_m) > 0.3) continue;
    ++high;
    EXPECT_GE(s.cells.size(), 2000u) << "of 2250, from x " << box.min_x;
    EXPECT_LT(box.max_x - box.min_x, 20);
  }
  EXPECT_EQ(high, 4);
}

}  // namespace
