// Without footprints: the house of the address is answered, or none.
#include "geo/roof/address_roof.hpp"

#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <iostream>
#include <string>

#include "geo/data/gdal.hpp"
#include "geo/property/property.hpp"
#include "geo/roof/fit.hpp"
#include "geo/shapes/ogr_shapes.hpp"
#include "geo/shapes/shape_algebra.hpp"
#include "tests/geo/roof_test_scene.hpp"
#include "tests/shared_data.hpp"

namespace {

using geo::Point;
using geo::Polygon;
using test::rectangle;

geo::RoofPlane surface(const Polygon& outline) {
  geo::RoofPlane plane;
  plane.outline = outline;
  return plane;
}

/// A block of two houses from x = 10 to 30. Only the eastern one's roof was seen.
class HalfSeenBlock : public testing::Test {
 protected:
  HalfSeenBlock() {
    for (int row = 20; row < 30; ++row)
      for (int col = 10; col < 30; ++col) dsm.at(col, row) = 108;
  }
  bool stands_at(Point address) const {
    return geo::roof_stands_at(address, {surface(rectangle(20, 10, 30, 20))},
                               {{rectangle(10, 10, 30, 20), false}}, dsm, terrain);
  }
  geo::Grid<float> dsm{40, 40, 0, 40, 1, 100}, terrain = dsm;
};

TEST_F(HalfSeenBlock, AnswersForTheHouseWhoseRoofWasSeen) {
  EXPECT_TRUE(stands_at({25, 15}));
  EXPECT_TRUE(stands_at({25, 6})) << "from the street before it";
}

TEST_F(HalfSeenBlock, DoesNotAnswerForTheHouseBesideIt) {
  EXPECT_FALSE(stands_at({13, 15}));
  EXPECT_FALSE(stands_at({13, 6})) << "from the street before it";
}

TEST_F(HalfSeenBlock, DoesNotAnswerForSomethingHighBesideTheBlock) {
  dsm.at(5, 25) = 106;
  EXPECT_FALSE(stands_at({5.5, 14.5}));
}

/// Roofs of LoD2 models as a laser flight sees them.
class RealRows {
 public:
  struct House {
    Polygon ground;
    double height_m;
  };

  explicit RealRows(const std::string& file_name) {
    geo::register_gdal_drivers();
    const geo::DatasetHandle file(GDALDataset::Open(test::shared_file("data/models/" + file_name).c_str(),
                                                    GDAL_OF_VECTOR | GDAL_OF_READONLY));
    if (!file) return;
    for (const auto& feature : *file->GetLayerByName("grounds")) {
      const double z = lowest(*feature->GetGeometryRef());
      for (Polygon& shape : polygons_of(*feature->GetGeometryRef())) houses.push_back({std::move(shape), z});
    }
    for (const auto& feature : *file->GetLayerByName("roofs")) add_roof(*feature->GetGeometryRef());
  }

  /// The surface model around a point; the ground is as high as that of the nearest house.
  std::pair<geo::Grid<float>, geo::Grid<float>> heights_around(Point p) const {
    constexpr int kHalf = 45;
    geo::Grid<float> dsm(2 * kHalf, 2 * kHalf, std::floor(p.x) - kHalf, std::floor(p.y) + kHalf, 1);
    geo::Grid<float> terrain = dsm;
    const geo::Box window{dsm.west, dsm.north - 2 * kHalf, dsm.west + 2 * kHalf, dsm.north};
    std::vector<const House*> near;
    std::vector<const Roof*> above;
    for (const House& house : houses)
      if (window.grown(60).overlaps(geo::bounding_box(house.ground.outer))) near.push_back(&house);
    for (const Roof& roof : roofs_)
      if (window.overlaps(roof.box)) above.push_back(&roof);
    for (int row = 0; row < dsm.height; ++row)
      for (int col = 0; col < dsm.width; ++col) {
        const Point centre = dsm.centre(col, row);
        const House& nearest =
            **std::min_element(near.begin(), near.end(), [&](const House* a, const House* b) {
              return geo::distance_to_boundary(a->ground, centre) <
                     geo::distance_to_boundary(b->ground, centre);
            });
        terrain.at(col, row) = static_cast<float>(nearest.height_m);
        double sum = 0;
        constexpr int kReturns = 6;
        for (int i = 0; i < kReturns; ++i) {
          const auto key = (static_cast<std::uint64_t>(row) * 4096 + static_cast<std::uint64_t>(col)) * 64 +
                           static_cast<std::uint64_t>(i);
          const Point at{centre.x + test::hash01(3 * key) - 0.5, centre.y + test::hash01(3 * key + 1) - 0.5};
          double z = nearest.height_m;
          for (const Roof* roof : above)
            if (roof->box.contains(at) && geo::contains(roof->outline, at))
              z = std::max(z, roof->plane.height_at(at));
          sum += z + 0.1 * (test::hash01(3 * key + 2) - 0.5);
        }
        dsm.at(col, row) = static_cast<float>(sum / kReturns);
      }
    return {std::move(dsm), std::move(terrain)};
  }

  /// Small houses that touch another house.
  std::vector<House> in_rows() const {
    constexpr double kSmallest_m2 = 30, kLargest_m2 = 160, kTouching_m = 0.5;
    std::vector<House> out;
    for (const House& house : houses) {
      const double ground_m2 = geo::area_m2(house.ground);
      if (ground_m2 < kSmallest_m2 || ground_m2 > kLargest_m2) continue;
      const geo::Box box = geo::bounding_box(house.ground.outer).grown(kTouching_m);
      const auto touching = std::count_if(houses.begin(), houses.end(), [&](const House& other) {
        return box.overlaps(geo::bounding_box(other.ground.outer)) &&
               geo::area_m2(other.ground) >= kSmallest_m2 &&
               geo::distance_m(house.ground, other.ground) < kTouching_m;
      });
      if (touching >= 2) out.push_back(house);  // itself and another
    }
    return out;
  }

  std::vector<House> houses;

 private:
  struct Roof {
    Polygon outline;
    geo::Plane plane;
    geo::Box box;
  };

  static std::vector<Polygon> polygons_of(const OGRGeometry& geometry) {
    const std::unique_ptr<OGRGeometry> flat(geometry.clone());
    flat->flattenTo2D();
    std::vector<Polygon> out;
    geo::append_polygons(flat.get(), out);
    return out;
  }
  static const OGRLinearRing* ring_of(const OGRGeometry& geometry) {
    const auto type = wkbFlatten(geometry.getGeometryType());
    if (type == wkbPolygon) return geometry.toPolygon()->getExteriorRing();
    if (type == wkbMultiPolygon && geometry.toMultiPolygon()->getNumGeometries() > 0)
      return geometry.toMultiPolygon()->getGeometryRef(0)->getExteriorRing();
    return nullptr;
  }
  static double lowest(const OGRGeometry& geometry) {
    double z = 1e9;
    if (const OGRLinearRing* ring = ring_of(geometry))
      for (int i = 0; i < ring->getNumPoints(); ++i) z = std::min(z, ring->getZ(i));
    return z;
  }
  void add_roof(const OGRGeometry& geometry) {
    const OGRLinearRing* ring = ring_of(geometry);
    std::vector<geo::HeightPoint> corners;
    for (int i = 0; ring && i + 1 < ring->getNumPoints(); ++i)
      corners.push_back({ring->getX(i) - ring->getX(0), ring->getY(i) - ring->getY(0), ring->getZ(i)});
    const auto fit = geo::fit_plane(corners);
    if (!fit.ok) return;
    geo::Plane plane = fit.plane;
    plane.x0 += ring->getX(0);
    plane.y0 += ring->getY(0);
    for (Polygon& outline : polygons_of(geometry)) {
      const geo::Box box = geo::bounding_box(outline.outer);
      roofs_.push_back({std::move(outline), plane, box});
    }
  }

  std::vector<Roof> roofs_;
};

struct Answers {
  int asked = 0, answered = 0, wrong = 0;
};

/// Asks for some of the houses by the middle of their ground.
Answers ask(const RealRows& rows) {
  constexpr std::size_t kAsked = 8;
  const auto houses = rows.in_rows();
  Answers out;
  for (std::size_t i = 0; i < houses.size(); i += std::max<std::size_t>(1, houses.size() / kAsked)) {
    const Polygon& ground = houses[i].ground;
    Point middle;
    for (const Point& corner : ground.outer)
      middle = middle + corner * (1.0 / static_cast<double>(ground.outer.size()));
    if (!geo::holds(ground, middle)) continue;
    ++out.asked;
    const auto [dsm, terrain] = rows.heights_around(middle);
    const auto property = geo::find_property({dsm, terrain, middle}, {});
    EXPECT_TRUE(property);
    if (!property || property->buildings.empty()) continue;
    const auto planes =
        geo::detect_roof_planes(dsm, terrain, property->buildings, test::place_frame(), {}, {});
    if (!geo::roof_stands_at(middle, planes, property->buildings, dsm, terrain)) continue;
    ++out.answered;
    double own_m2 = 0;
    for (const geo::RoofPlane& plane : planes)
      for (const Polygon& part : geo::intersection(plane.outline, ground)) own_m2 += geo::area_m2(part);
    const bool wrong = own_m2 < geo::area_m2(ground) / 3;
    if (wrong)
      ADD_FAILURE() << "house " << i << ": " << own_m2 << " of " << geo::area_m2(ground) << " m2 at "
                    << std::to_string(middle.x) << " " << std::to_string(middle.y);
    out.wrong += wrong;
  }
  std::cout << out.asked << " asked, " << out.answered << " answered, " << out.wrong << " wrong\n";
  return out;
}

TEST(HousesOfRealRows, AreAnsweredThemselvesOrNotAtAll) {
  ROOF_NEEDS_SHARED_DATA();
  for (const char* file : {"nrw.gpkg", "3dbag.gpkg"}) {
    const Answers answers = ask(RealRows(file));
    EXPECT_GE(answers.asked, 6) << file;
    EXPECT_GE(answers.answered, answers.asked / 2) << file;
    EXPECT_EQ(answers.wrong, 0) << file;
  }
}

}  // namespace
