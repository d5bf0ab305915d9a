// What tells a roof of few cells from an even patch of a crown: planes and leaves are set by hand here, so
// that each test shows one thing.
#include "geo/roof/roughness.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "geo/roof/leaves.hpp"
#include "tests/geo/roof_test_scene.hpp"
#include "tests/geo/simple_shapes.hpp"

namespace {

using geo::Point;

using test::kGround_m;
constexpr int kPatchedSize = 24;
constexpr int kHouse = 0, kPatch = 1;

/// A house of 10 m by 8 m with a level roof at 106 m and, off its southern wall, a patch of four cells by
/// three that is as even as a roof and lies at 107 m. `beside`: the height of what surrounds the patch.
struct PatchedPlace {
  geo::RoofSite site;
  geo::RoofSegmentation roof;

  explicit PatchedPlace(const std::function<double(Point)>& beside, bool from_footprints = false) {
    site.from_footprints = from_footprints;
    site.footprint = test::rectangle(7, 12, 17, 20);
    site.height = geo::Grid<float>(kPatchedSize, kPatchedSize, 0, kPatchedSize, 1);
    site.ground = site.height.like<float>(kGround_m);
    site.zone = site.height.like<geo::RoofZone>(geo::RoofZone::outside);
    for (int row = 0; row < kPatchedSize; ++row)
      for (int col = 0; col < kPatchedSize; ++col) set(col, row, site.height.centre(col, row), beside);
    roof.cells = geo::roof_cells(site);
    roof.segments.resize(2);
    roof.segments[kHouse].fit.plane.z0 = 106;
    roof.segments[kPatch].fit.plane.z0 = 107;
    for (const geo::HeightPoint& p : roof.cells.points)
      roof.segment_of.push_back(in_house({p.x, p.y}) ? kHouse : in_patch({p.x, p.y}) ? kPatch : -1);
    geo::gather_cells(roof);
  }

  bool keeps_the_patch() {
    geo::remove_rough(site, roof, {});
    EXPECT_FALSE(roof.segments.empty()) << "the house is a roof";
    return roof.segments.size() == 2;
  }

 private:
  static bool in_house(Point p) { return test::in_rectangle(p, 7, 12, 17, 20); }
  static bool in_patch(Point p) { return test::in_rectangle(p, 10, 9, 14, 12); }

  void set(int col, int row, Point p, const std::function<double(Point)>& beside) {
    const double noise_m = 0.1 * (test::hash01(static_cast<std::uint64_t>(row * kPatchedSize + col)) - 0.5);
    const double z = in_house(p) ? 106 : in_patch(p) ? 107 : beside(p);
    site.height.at(col, row) = static_cast<float>(z + noise_m);
    if (z < kGround_m + 2) return;
    // The zone ends three metres south of the house: cells beyond it belong to no building.
    if (in_house(p))
      site.zone.at(col, row) = geo::RoofZone::inside;
    else if (test::in_rectangle(p, 5, 9, 19, 22))
      site.zone.at(col, row) = geo::RoofZone::fringe;
  }
};

/// Around the patch, but not over the house, cells at all heights from `low` to `high` above the patch.
std::function<double(Point)> leaves(double low, double high) {
  return [=](Point p) {
    if (!test::in_rectangle(p, 7, 5, 17, 12)) return kGround_m;
    const auto key = static_cast<std::uint64_t>(p.x) * 64 + static_cast<std::uint64_t>(p.y);
    return 107 + low + (high - low) * test::hash01(key);
  };
}

TEST(RoofRoughness, AnEvenPatchAboveTheLeavesAroundItIsACrownsSkin) {
  EXPECT_FALSE(PatchedPlace(leaves(-3, -0.7)).keeps_the_patch());
}

TEST(RoofRoughness, TheSamePatchIsARoofWhereItEndsAtTheGround) {
  EXPECT_TRUE(PatchedPlace([](Point) { return kGround_m; }).keeps_the_patch());
}

TEST(RoofRoughness, TheSamePatchIsARoofWhereATreeHangsOverIt) {
  const auto above = leaves(0.7, 3);
  EXPECT_TRUE(PatchedPlace([&](Point p) { return p.x > 14 ? above(p) : kGround_m; }).keeps_the_patch());
}

TEST(RoofRoughness, TheSamePatchIsARoofAmidLeavesAboveItForSoManyCellsAreNotEvenByChance) {
  EXPECT_TRUE(PatchedPlace(leaves(0.7, 3)).keeps_the_patch());
}

TEST(RoofRoughness, TheSamePatchIsARoofWhereAFootprintSaysSo) {
  EXPECT_TRUE(PatchedPlace(leaves(-3, -0.7), true).keeps_the_patch());
}

TEST(RoofRoughness, TheCellsThatMixAnEaveWithTheGroundAreNoLeaves) {
  // One cell wide, at half the height.
  PatchedPlace place([](Point p) { return test::in_rectangle(p, 9, 8, 15, 12) ? 103.5 : kGround_m; });
  const geo::Grid<char> found = geo::leaf_cells(place.site, place.roof);
  for (const char leaf : found.values) EXPECT_EQ(leaf, 0);
  EXPECT_TRUE(place.keeps_the_patch());
}

TEST(RoofRoughness, LeavesAreSeenBeyondTheBuildingsZoneButNotOnANeighbour) {
  PatchedPlace place(leaves(-3, -0.7));
  const auto beyond = [&] {
    const geo::Grid<char> found = geo::leaf_cells(place.site, place.roof);
    return found.at(found.col_of(12), found.row_of(6.5));
  };
  ASSERT_EQ(place.site.zone.at(place.site.zone.col_of(12), place.site.zone.row_of(6.5)),
            geo::RoofZone::outside);
  EXPECT_EQ(beyond(), 1);
  place.site.neighbours.push_back(test::rectangle(8, 4, 16, 8));
  EXPECT_EQ(beyond(), 0);
}

}  // namespace
