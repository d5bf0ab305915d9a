// The sample region's truth: that its figures agree with its geometry, and that the surface model shows these
// planes.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "geo/data/place_frame.hpp"
#include "geo/shapes/angle.hpp"
#include "geo/shapes/boost_shapes.hpp"
#include "tests/geo/sample_region_files.hpp"

namespace {

namespace bg = boost::geometry;
using sample_test::region;
using sample_test::TruthPlane;

using geo::kDegree;

double turned_deg(double a, double b) { return std::abs(std::remainder(a - b, 360)); }

geo::BoostPolygon polygon_of(const geo::Ring& ring) { return geo::to_boost({ring, {}}); }

class SampleTruthIn : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(EverySystem, SampleTruthIn,
                         ::testing::Values("EPSG:25832", "EPSG:3035", "EPSG:2056"));

/// Independent of PlaceFrame's Jacobian: heights at places a few metres north and east by latitude and
/// longitude, metres per degree by the series of the WGS84 ellipsoid.
TEST_P(SampleTruthIn, StatesTiltAndAzimuthAgainstTrueNorth) {
  const auto planes = sample_test::truth_planes(region(GetParam()));
  ASSERT_GT(planes.size(), 30u);
  const auto rows = sample_test::csv(region(GetParam()) / "addresses.csv");
  const geo::LonLat here{std::stod(rows[1][5]), std::stod(rows[1][6])};
  const auto frame = geo::PlaceFrame::create(GetParam(), here);
  ASSERT_TRUE(frame);
  const double phi = here.lat_deg * kDegree;
  const double north_m = 111132.954 - 559.822 * std::cos(2 * phi) + 1.175 * std::cos(4 * phi);
  const double east_m = 111412.84 * std::cos(phi) - 93.5 * std::cos(3 * phi) + 0.118 * std::cos(5 * phi);
  for (const TruthPlane& p : planes) {
    const geo::LonLat at = frame->to_lonlat({p.plane.x0, p.plane.y0});
    auto height = [&](double east, double north) {
      return p.plane.height_at(frame->to_map({at.lon_deg + east / east_m, at.lat_deg + north / north_m}));
    };
    const double ge = (height(5, 0) - height(-5, 0)) / 10, gn = (height(0, 5) - height(0, -5)) / 10;
    const double tilt = std::atan(std::hypot(ge, gn)) / kDegree;
    EXPECT_NEAR(p.tilt_deg, tilt, 0.02);
    if (tilt < 0.5)
      EXPECT_EQ(p.azimuth_deg, 0);
    else
      EXPECT_LT(turned_deg(p.azimuth_deg, std::atan2(-ge, -gn) / kDegree - 180), 0.05)
          << "downhill, from south";
  }
}

TEST(SampleTruth, StatesInclinedAreasOfItsOutlines) {
  const auto frame = geo::PlaceFrame::create("EPSG:3035", [] {
    const auto rows = sample_test::csv(region("EPSG:3035") / "addresses.csv");
    return geo::LonLat{std::stod(rows[1][5]), std::stod(rows[1][6])};
  }());
  ASSERT_TRUE(frame);
  const auto planes = sample_test::truth_planes(region("EPSG:3035"));
  ASSERT_GT(planes.size(), 30u);
  for (const TruthPlane& p : planes) {
    const auto outline = polygon_of(p.outline);
    ASSERT_TRUE(bg::is_valid(outline)) << p.roof;
    geo::BoostMultiPolygon free{outline};
    for (const geo::Ring& obstacle : p.obstacles) {
      geo::BoostMultiPolygon rest;
      bg::difference(free, polygon_of(obstacle), rest);
      free = rest;
    }
    const double incline = frame->area_scale() / std::cos(p.tilt_deg * kDegree);
    EXPECT_NEAR(p.area_m2, bg::area(outline) * incline, 0.01 + 2e-4 * p.area_m2);
    EXPECT_NEAR(p.free_area_m2, bg::area(free) * incline, 0.01 + 2e-4 * p.area_m2);
    EXPECT_GT(p.free_area_m2, 0.2 * p.area_m2);
  }
}

TEST(SampleTruth, ShowsEveryKindOfRoofAmongFortyAddresses) {
  std::set<std::string> kinds;
  bool dormers = false, trees = false, outbuildings = false;
  double steepest = 0;
  for (const TruthPlane& p : sample_test::truth_planes(region("EPSG:25832", geo::Gridding::levelled, 40))) {
    if (p.main) kinds.insert(p.roof);
    dormers |= p.dormer, trees |= p.below_tree, outbuildings |= !p.main;
    steepest = std::max(steepest, p.tilt_deg);
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"gable", "hip", "half_hip", "shed", "flat", "mansard", "pyramid",
                                          "l_shape", "t_shape"}));
  EXPECT_TRUE(dormers && trees && outbuildings);
  EXPECT_GT(steepest, 50);
  EXPECT_LE(steepest, 60.01);
}

TEST(SampleTruth, PlanesOfOneRoofOverlapNowhereAndMeetAtTheSameHeight) {
  const auto planes = sample_test::truth_planes(region("EPSG:25832"));
  int ridges = 0;
  for (std::size_t i = 0; i < planes.size(); ++i)
    for (std::size_t j = i + 1; j < planes.size(); ++j) {
      const TruthPlane &a = planes[i], &b = planes[j];
      if (a.building != b.building || a.dormer || b.dormer) continue;
      geo::BoostMultiPolygon common;
      bg::intersection(polygon_of(a.outline), polygon_of(b.outline), common);
      EXPECT_LT(bg::area(common), 0.01) << a.roof;
      for (const geo::Point& p : a.outline)
        for (const geo::Point& q : b.outline)
          if (std::hypot(p.x - q.x, p.y - q.y) < 1e-3) {
            EXPECT_NEAR(a.plane.height_at(p), b.plane.height_at(p), 0.005) << a.roof;
            ++ridges;
          }
    }
  EXPECT_GT(ridges, 40);
}

TEST(SampleTruth, RoofsOverhangTheirWallsByAFewDecimetres) {
  const auto dir = region("EPSG:25832");
  const auto walls = sample_test::polygons(dir / "buildings.gpkg");
  std::vector<geo::BoostMultiPolygon> roofs(walls.size());
  for (const TruthPlane& p : sample_test::truth_planes(dir)) {
    if (!p.main || p.dormer) continue;
    geo::BoostMultiPolygon united;
    bg::union_(roofs[static_cast<std::size_t>(p.building)], polygon_of(p.outline), united);
    roofs[static_cast<std::size_t>(p.building)] = united;
  }
  int checked = 0;
  for (std::size_t i = 0; i < walls.size(); ++i) {
    if (roofs[i].empty()) continue;
    const auto wall = geo::to_boost(walls[i]);
    const double grown = (bg::area(roofs[i]) - bg::area(wall)) / bg::perimeter(wall);
    EXPECT_GT(grown, 0.08) << "row houses overhang on two sides only";
    EXPECT_LT(grown, 0.95);
    ++checked;
  }
  EXPECT_EQ(checked, 16);
}

/// A plain least-squares plane over the cells that lie well inside.
struct Fit {
  int cells = 0;
  geo::Plane plane;
};

Fit fit_inside(const geo::Grid<float>& surface, const TruthPlane& p, double margin_m) {
  bg::model::box<geo::Point> box;
  const auto outline = polygon_of(p.outline);
  bg::envelope(outline, box);
  bg::model::linestring<geo::Point> edge(p.outline.begin(), p.outline.end());
  edge.push_back(p.outline.front());
  std::vector<Eigen::Vector3d> inside;
  for (int row = surface.row_of(box.max_corner().y); row <= surface.row_of(box.min_corner().y); ++row)
    for (int col = surface.col_of(box.min_corner().x); col <= surface.col_of(box.max_corner().x); ++col) {
      const geo::Point at = surface.centre(col, row);
      if (!bg::within(at, outline) || bg::distance(at, edge) < margin_m || std::isnan(surface.at(col, row)))
        continue;
      const bool near_obstacle = std::any_of(
          p.obstacles.begin(), p.obstacles.end(),
          [&](const geo::Ring& obstacle) { return bg::distance(at, polygon_of(obstacle)) < margin_m; });
      if (!near_obstacle) inside.emplace_back(at.x - p.plane.x0, at.y - p.plane.y0, surface.at(col, row));
    }
  Eigen::MatrixX3d a(inside.size(), 3);
  Eigen::VectorXd z(inside.size());
  for (std::size_t i = 0; i < inside.size(); ++i) {
    a.row(static_cast<Eigen::Index>(i)) << 1, inside[i].x(), inside[i].y();
    z(static_cast<Eigen::Index>(i)) = inside[i].z();
  }
  if (inside.size() < 12) return {};
  const Eigen::Vector3d x = a.colPivHouseholderQr().solve(z);
  return {static_cast<int>(inside.size()), {p.plane.x0, p.plane.y0, x(0), x(1), x(2)}};
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

class SampleSurface : public ::testing::TestWithParam<std::pair<const char*, geo::Gridding>> {};

INSTANTIATE_TEST_SUITE_P(EverySystemAndGridding, SampleSurface,
                         ::testing::Values(std::pair{"EPSG:25832", geo::Gridding::levelled},
                                           std::pair{"EPSG:25832", geo::Gridding::mean},
                                           std::pair{"EPSG:25832", geo::Gridding::nearest},
                                           std::pair{"EPSG:3035", geo::Gridding::levelled},
                                           std::pair{"EPSG:2056", geo::Gridding::levelled}));

TEST_P(SampleSurface, ShowsTheTruePlanesToAPlainFitWithinADegree) {
  const auto [crs, gridding] = GetParam();
  const auto dir = region(crs, gridding);
  const auto surface = sample_test::heights(dir / "dsm.tif");
  const auto rows = sample_test::csv(dir / "addresses.csv");
  const auto frame = geo::PlaceFrame::create(crs, {std::stod(rows[1][5]), std::stod(rows[1][6])});
  ASSERT_TRUE(frame);
  std::vector<double> tilt_off, azimuth_off, height_off;
  for (const TruthPlane& p : sample_test::truth_planes(dir)) {
    if (p.below_tree || p.dormer || p.area_m2 < 25) continue;
    const Fit fit = fit_inside(surface, p, 1.2);
    if (fit.cells == 0) continue;
    const auto gradient = geo::true_gradient(fit.plane, frame->true_per_map());
    tilt_off.push_back(std::abs(geo::tilt_deg(gradient) - p.tilt_deg));
    if (p.tilt_deg > 10) azimuth_off.push_back(turned_deg(geo::azimuth_deg(gradient), p.azimuth_deg));
    geo::Point middle;
    bg::centroid(polygon_of(p.outline), middle);
    height_off.push_back(std::abs(fit.plane.height_at(middle) - p.plane.height_at(middle)));
  }
  ASSERT_GT(tilt_off.size(), 12u);
  EXPECT_LT(median(tilt_off), 1);
  EXPECT_LT(median(azimuth_off), 1);
  EXPECT_LT(median(height_off), 0.06);

  std::printf("[ measured ] %zu planes, tilt %.2f deg (most %.2f), azimuth %.2f (most %.2f), height %.3f m\n",
              tilt_off.size(), median(tilt_off), *std::max_element(tilt_off.begin(), tilt_off.end()),
              median(azimuth_off), *std::max_element(azimuth_off.begin(), azimuth_off.end()),
              median(height_off));
}

}  // namespace
