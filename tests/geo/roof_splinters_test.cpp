// What becomes of small surfaces beside a house: planes and outlines are set by hand here, so that each test
// shows one thing.
#include "geo/roof/splinters.hpp"

#include <gtest/gtest.h>

#include "tests/geo/roof_test_scene.hpp"
#include "tests/geo/simple_shapes.hpp"

namespace {

using geo::Point;

using test::kGround_m;
constexpr int kPlaceSize = 30;

/// Level surfaces on bare ground, each a segment of its own; a cell's height is off by up to half of
/// `uneven_m`.
class SplinterPlace {
 public:
  SplinterPlace() {
    site_.height = geo::Grid<float>(kPlaceSize, kPlaceSize, 0, kPlaceSize, 1);
    site_.height.values.assign(site_.height.values.size(), kGround_m);
    site_.ground = site_.height.like<float>(kGround_m);
    site_.zone = site_.height.like<geo::RoofZone>(geo::RoofZone::outside);
    add(kHouse, 106, kEven);
  }

  SplinterPlace& add(const geo::Polygon& outline, double height_m, double uneven_m) {
    const auto segment = static_cast<int>(planes_m_.size());
    planes_m_.push_back(height_m);
    surfaces_.push_back({segment, outline});
    for (int row = 0; row < kPlaceSize; ++row)
      for (int col = 0; col < kPlaceSize; ++col) {
        if (!geo::contains(outline, site_.height.centre(col, row))) continue;
        const double off = test::hash01(static_cast<std::uint64_t>(row * kPlaceSize + col)) - 0.5;
        site_.height.at(col, row) = static_cast<float>(height_m + uneven_m * off);
        site_.zone.at(col, row) = geo::RoofZone::inside;
      }
    return *this;
  }

  /// A second outline of the house's plane.
  SplinterPlace& add_piece(const geo::Polygon& outline) {
    surfaces_.push_back({0, outline});
    return *this;
  }

  /// Cells of no plane, all between `low_m` and a metre more.
  SplinterPlace& add_leaves(const geo::Polygon& where, double low_m) {
    for (int row = 0; row < kPlaceSize; ++row)
      for (int col = 0; col < kPlaceSize; ++col)
        if (geo::contains(where, site_.height.centre(col, row)))
          site_.height.at(col, row) =
              static_cast<float>(low_m + test::hash01(static_cast<std::uint64_t>(row * kPlaceSize + col)));
    return *this;
  }

  /// How many surfaces stay; the house is always one.
  std::size_t kept() const {
    geo::RoofSegmentation roof;
    roof.cells = geo::roof_cells(site_);
    roof.segments.resize(planes_m_.size());
    for (std::size_t s = 0; s < planes_m_.size(); ++s) roof.segments[s].fit.plane.z0 = planes_m_[s];
    for (const geo::HeightPoint& p : roof.cells.points) roof.segment_of.push_back(segment_at({p.x, p.y}));
    geo::gather_cells(roof);
    std::vector<geo::SegmentOutline> surfaces = surfaces_;
    geo::remove_splinters(site_, roof, surfaces);
    EXPECT_TRUE(!surfaces.empty() && surfaces.front().outline == kHouse);
    return surfaces.size();
  }

  static constexpr double kEven = 0.1, kUneven = 0.45;
  inline static const geo::Polygon kHouse = test::rectangle(6, 12, 18, 20);

 private:
  int segment_at(Point p) const {
    for (const geo::SegmentOutline& s : surfaces_)
      if (geo::contains(s.outline, p)) return s.segment;
    return -1;
  }

  geo::RoofSite site_;
  std::vector<double> planes_m_;
  std::vector<geo::SegmentOutline> surfaces_;
};

const geo::Polygon kBeside = test::rectangle(18, 14, 21, 17);  // at the house's eastern wall

TEST(RoofSplinters, AnUnevenSmallSurfaceThatStandsOutOfItsHouseIsACrown) {
  EXPECT_EQ(SplinterPlace().add(kBeside, 104, SplinterPlace::kUneven).kept(), 1U);
}

TEST(RoofSplinters, AnEvenOneIsAPorch) {
  EXPECT_EQ(SplinterPlace().add(kBeside, 104, SplinterPlace::kEven).kept(), 2U);
}

TEST(RoofSplinters, AnEvenOneWithLeavesBelowItIsACrownsSkin) {
  const geo::Polygon around = test::rectangle(21, 12, 26, 19);
  EXPECT_EQ(SplinterPlace().add(kBeside, 104, SplinterPlace::kEven).add_leaves(around, 102.2).kept(), 1U);
  EXPECT_EQ(SplinterPlace().add(kBeside, 104, SplinterPlace::kEven).add_leaves(around, 105).kept(), 2U)
      << "hang over it";
}

TEST(RoofSplinters, AnUnevenOneWithinTheHousesRectangleStays) {
  const geo::Polygon wing = test::rectangle(18, 12, 24, 14);  // the house is L-shaped, its corner is filled
  EXPECT_EQ(
      SplinterPlace().add(wing, 106, SplinterPlace::kEven).add(kBeside, 104, SplinterPlace::kUneven).kept(),
      3U);
}

TEST(RoofSplinters, AnUnevenLargeOneStays) {
  EXPECT_EQ(SplinterPlace().add(test::rectangle(18, 13, 22, 17), 104, SplinterPlace::kUneven).kept(), 2U);
}

TEST(RoofSplinters, AnUnevenHalfOfAGarageStaysWhereTheOtherHalfIsEven) {
  const geo::Polygon other = test::rectangle(21, 14, 24, 17);
  EXPECT_EQ(SplinterPlace().add(kBeside, 104, 0.3).kept(), 1U);
  EXPECT_EQ(SplinterPlace().add(kBeside, 104, 0.3).add(other, 104, SplinterPlace::kEven).kept(), 3U);
}

TEST(RoofSplinters, ASmallPieceApartFromItsPlanesLargestIsNoRoof) {
  EXPECT_EQ(SplinterPlace().add_piece(test::rectangle(24, 12, 27, 15)).kept(), 1U);
  EXPECT_EQ(SplinterPlace().add_piece(test::rectangle(22, 12, 27, 15)).kept(), 2U) << "a large one is";
}

}  // namespace
