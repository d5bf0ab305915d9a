#include "geo/data/vector_layers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cpl_vsi.h>
#include <fstream>

#include "geo/shapes/shape_algebra.hpp"
#include "tests/shared_data.hpp"
#include "tests/temporary_folder.hpp"

namespace {

/// A data set that lives in memory only.
class MemoryFile {
 public:
  explicit MemoryFile(std::string text) : text_(std::move(text)) {
    VSIFCloseL(VSIFileFromMemBuffer(kPath, reinterpret_cast<GByte*>(text_.data()), text_.size(), FALSE));
  }
  ~MemoryFile() { VSIUnlink(kPath); }
  static constexpr const char* kPath = "/vsimem/roof_vector_layers_test.geojson";

 private:
  std::string text_;
};

std::string collection(const std::string& geometry) {
  return R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":)" +
         geometry + "}]}";
}

const geo::Box kVienna{601000, 5338000, 603000, 5342000};  // EPSG:32633

TEST(VectorLayers, ComeInTheElevationModelsSystem) {
  MemoryFile file(collection(
      R"({"type":"MultiPolygon","coordinates":[[[[16.37,48.2],[16.371,48.2],[16.371,48.201],[16.37,48.2]]],
          [[[16.38,48.2],[16.38,48.201],[16.381,48.2],[16.38,48.2]]]]})"));
  const auto polygons = geo::read_polygons({MemoryFile::kPath}, kVienna, "EPSG:32633", {});
  ASSERT_TRUE(polygons) << polygons.error().text;
  ASSERT_EQ(polygons->size(), 2u) << "a multi-polygon is taken apart";
  for (const auto& polygon : *polygons) {
    EXPECT_NEAR(geo::area_m2(polygon), 0.5 * 74.3 * 111.2, 15);
    EXPECT_TRUE(geo::is_valid_shape(polygon)) << "also the one that came clockwise";
  }
}

TEST(VectorLayers, GiveOnlyWhatTouchesTheWindow) {
  MemoryFile file(collection(R"({"type":"Polygon","coordinates":[[[9,48],[9.1,48],[9,48.1],[9,48]]]})"));
  const auto polygons = geo::read_polygons({MemoryFile::kPath}, kVienna, "EPSG:32633", {});
  ASSERT_TRUE(polygons);
  EXPECT_TRUE(polygons->empty());
}

TEST(VectorLayers, MendABowTie) {
  MemoryFile file(collection(
      R"({"type":"Polygon","coordinates":[[[16.37,48.2],[16.372,48.201],[16.372,48.2],[16.37,48.201],[16.37,48.2]]]})"));
  const auto polygons = geo::read_polygons({MemoryFile::kPath}, kVienna, "EPSG:32633", {});
  ASSERT_TRUE(polygons);
  ASSERT_EQ(polygons->size(), 1u);
  EXPECT_TRUE(geo::is_valid_shape(polygons->front()));
  EXPECT_NEAR(geo::area_m2(polygons->front()), 2 * 74.3 * 111.2, 120) << "all that its corners span";
}

TEST(VectorLayers, ThatCannotBeOpenedAreUnreachable) {
  const auto polygons = geo::read_polygons({"/vsimem/nothing.gpkg"}, kVienna, "EPSG:32633", {});
  ASSERT_FALSE(polygons);
  EXPECT_EQ(polygons.error().kind, geo::FailureKind::data_unreachable);
}

TEST(VectorLayers, ThatCannotBeOpenedSayWhatMayHelp) {
  const test::TemporaryFolder folder;
  const auto refusal = [&](const std::string& name, bool is_there) {
    if (is_there) std::ofstream(folder.file(name)) << "no data set";
    const auto polygons = geo::read_polygons({folder.file(name)}, kVienna, "EPSG:32633", {});
    return polygons ? std::string("opened") : polygons.error().text;
  };
  using testing::HasSubstr;
  EXPECT_THAT(refusal("none.gpkg", false), HasSubstr("there is no such file"));
  EXPECT_THAT(refusal("hu.ZIP", true), HasSubstr("named as /vsizip/" + folder.file("hu.ZIP") + "/NAME"));
  EXPECT_THAT(refusal("hu.sqlite", true), HasSubstr("a format that is not read"));
  const auto index = geo::Raster::open(folder.file("hu.sqlite"));
  ASSERT_FALSE(index);
  EXPECT_THAT(index.error().text, HasSubstr("a format that is not read"));
}

TEST(VectorLayers, HoldTheFootprintsOfDelft) {
  ROOF_NEEDS_SHARED_DATA();
  const auto file = test::shared_file("data/delft/buildings.gpkg");
  const auto all = geo::read_polygons({file}, {84000, 447000, 86000, 448000}, "EPSG:28992", {});
  ASSERT_TRUE(all) << all.error().text;
  EXPECT_GE(all->size(), 160u);
  const auto some = geo::read_polygons({file}, {84900, 447500, 84950, 447550}, "EPSG:28992", {});
  ASSERT_TRUE(some);
  EXPECT_GT(some->size(), 0u);
  EXPECT_LT(some->size(), all->size() / 2);
}

}  // namespace
