// What the cells at a plane's edges mix into its slope.
#include "geo/roof/refinement.hpp"

#include <gtest/gtest.h>

#include "tests/geo/roof_test_scene.hpp"

namespace {

/// A slope of three cells by five that rises by 1 in 1 to the north. `lower_m`: how far its highest row lies
/// below the plane, as where a ridge cuts the cells.
geo::RoofSegmentation slope_of_five_rows(double lower_m) {
  geo::RoofSite site;
  site.height = geo::Grid<float>(9, 9, 0, 9, 1);
  site.ground = site.height.like<float>(100);
  site.zone = site.height.like<geo::RoofZone>(geo::RoofZone::outside);
  for (int row = 2; row < 7; ++row)
    for (int col = 3; col < 6; ++col) {
      site.height.at(col, row) = static_cast<float>(108 - row - (row == 2 ? lower_m : 0));
      site.zone.at(col, row) = geo::RoofZone::inside;
    }
  geo::RoofSegmentation roof;
  roof.cells = geo::roof_cells(site);
  roof.segment_of.assign(roof.cells.points.size(), 0);
  roof.segments.resize(1);
  geo::gather_cells(roof);
  roof.segments[0].fit = geo::fit_plane(roof.cells.points);
  return roof;
}

TEST(RoofRefinement, EdgesThatBendASmallSlopeAreSeenInItsError) {
  geo::RoofSegmentation roof = slope_of_five_rows(0.3);
  geo::refine_planes(roof);
  EXPECT_LT(roof.segments[0].fit.plane.gy, 0.97) << "the highest row flattens it";
  EXPECT_GT(roof.segments[0].edge_shift.norm(), 0.01);
}

TEST(RoofRefinement, EdgesThatLieOnThePlaneShiftNothing) {
  geo::RoofSegmentation roof = slope_of_five_rows(0);
  geo::refine_planes(roof);
  EXPECT_NEAR(roof.segments[0].fit.plane.gy, 1, 1e-6);
  EXPECT_LT(roof.segments[0].edge_shift.norm(), 1e-6);
}

}  // namespace
