// Scenes: read from geodata, stored as bytes, and the aerial image as a file.
#include "geo/data/geodata.hpp"
#include "geo/drawing/scene.hpp"

#include <gdal_priv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "drawn_property.hpp"
#include "geo/drawing/orthophoto_image.hpp"
#include "geo/drawing/pictures.hpp"
#include "geo/drawing/roof_model.hpp"
#include "geo/drawing/scene_bytes.hpp"
#include "geo/shapes/shape_algebra.hpp"
#include "sample_region_files.hpp"

namespace {

using testing::HasSubstr;

TEST(SceneBytes, ComeBackAsTheSameScene) {
  const test::DrawnProperty property;
  const std::string bytes = geo::scene_bytes(property.scene);
  const auto back = geo::scene_from_bytes(bytes);
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(geo::scene_bytes(*back), bytes);
  EXPECT_EQ(back->background.jpeg, property.scene.background.jpeg);
  EXPECT_EQ(back->area, property.scene.area);
  EXPECT_EQ(back->buildings, property.scene.buildings);
  EXPECT_EQ(back->sources.at(1).name, "Umrisse");
  EXPECT_FALSE(back->sources.at(1).cell_m);
  ASSERT_EQ(back->ground.values.size(), property.scene.ground.values.size());
  for (std::size_t i = 0; i < back->ground.values.size(); ++i)
    EXPECT_NEAR(back->ground.values[i], property.scene.ground.values[i], 0.0051);
}

TEST(SceneBytes, AreRefusedWhenDamagedOrNewer) {
  const std::string bytes = geo::scene_bytes(test::DrawnProperty().scene);
  EXPECT_FALSE(geo::scene_from_bytes(""));
  for (std::size_t length = 0; length < bytes.size(); length += 97)
    EXPECT_FALSE(geo::scene_from_bytes(bytes.substr(0, length)));
  auto newer = nlohmann::json::from_cbor(bytes);
  newer["version"] = 2;
  std::string newer_bytes;
  nlohmann::json::to_cbor(newer, newer_bytes);
  EXPECT_THAT(geo::scene_from_bytes(newer_bytes).error().text, HasSubstr("newer"));
  auto short_of_ground = nlohmann::json::from_cbor(bytes);
  short_of_ground["ground"]["heights"].erase(0);
  std::string short_bytes;
  nlohmann::json::to_cbor(short_of_ground, short_bytes);
  EXPECT_FALSE(geo::scene_from_bytes(short_bytes));
}

/// Opened from memory by GDAL, independent of the code that wrote it.
geo::DatasetHandle opened(const std::string& bytes, const char* name) {
  geo::register_gdal_drivers();
  auto* buffer = static_cast<GByte*>(VSIMalloc(bytes.size()));
  std::copy(bytes.begin(), bytes.end(), buffer);
  VSIFCloseL(VSIFileFromMemBuffer(name, buffer, bytes.size(), TRUE));
  return geo::DatasetHandle(GDALDataset::Open(name, GDAL_OF_RASTER));
}

TEST(Orthophoto, SaysInItselfWhereItLiesAndWhoseItIs) {
  const test::DrawnProperty property;
  const auto jpeg = geo::orthophoto_image(property.scene, geo::OrthophotoFormat::jpeg);
  ASSERT_TRUE(jpeg) << jpeg.error().text;
  const auto photo = opened(*jpeg, "/vsimem/orthophoto_test.jpg");
  ASSERT_TRUE(photo);
  EXPECT_EQ(photo->GetRasterXSize(), 360);
  EXPECT_THAT(photo->GetMetadataItem("EXIF_Copyright"), HasSubstr("Luftbild"));
  EXPECT_THAT(photo->GetMetadataItem("EXIF_GPSLatitude"), HasSubstr("(48) (12)"));
  EXPECT_THAT(*jpeg, HasSubstr("transform -18 0.1 0 16 0 -0.1"));
  const auto png = geo::orthophoto_image(property.scene, geo::OrthophotoFormat::png);
  ASSERT_TRUE(png);
  EXPECT_THAT(*png, HasSubstr("+proj=aeqd +lat_0=48.21 +lon_0=16.37"));
  EXPECT_THAT(*png, HasSubstr("Luftbild"));
}

TEST(Orthophoto, HasCornersOnTheGroundThatFitItsTransform) {
  const auto where = geo::georeference_of(test::DrawnProperty().scene);
  EXPECT_EQ(where.world_file, "0.1\n0\n0\n-0.1\n-17.95\n15.95\n");
  // 36 m by 32 m, in metres of a degree at 48.21 degrees north
  EXPECT_NEAR((where.corners[1].lon_deg - where.corners[0].lon_deg) * 74'318.6, 36, 0.02);
  EXPECT_NEAR((where.corners[0].lat_deg - where.corners[3].lat_deg) * 111'198.7, 32, 0.02);
}

TEST(Orthophoto, IsNotMadeOfARelief) {
  test::DrawnProperty property;
  property.scene.background.kind = geo::BackgroundKind::relief;
  EXPECT_EQ(geo::orthophoto_image(property.scene, geo::OrthophotoFormat::jpeg).error().kind,
            geo::FailureKind::data_unreachable);
}

/// A house of a sample region, analysed once for all tests of this program.
struct SampleHouse {
  geo::Geodata geodata;
  geo::RoofRun run;

  geo::LonLat place() const { return geodata.addresses.near({13, 48}, 90).front(); }
  static const SampleHouse* get() {
    static const std::optional<SampleHouse> house = make();
    return house ? &*house : nullptr;
  }
  static std::optional<SampleHouse> make() {
    auto geodata = geo::Geodata::load(sample_test::region("EPSG:3035") / "geodata.json");
    if (!geodata) return {};
    const auto places = geodata->addresses.near({13, 48}, 90);
    if (places.empty()) return {};
    auto run = analysed(*geodata, places.front());
    if (!run) return {};
    return SampleHouse{std::move(*geodata), std::move(*run)};
  }
  static geo::Result<geo::RoofRun> analysed(const geo::Geodata& geodata, geo::LonLat place) {
    return geo::run_roof_analysis(
        geodata, {place, 4500}, [](const auto&) {}, geo::RunControl{});
  }
};

class SampleProperty : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(SampleHouse::get(), nullptr);
    analysis = SampleHouse::get()->run.analysis;
    auto read = scene_of(analysis);
    ASSERT_TRUE(read) << read.error().text;
    scene = std::move(*read);
  }
  static geo::Result<geo::PropertyScene> scene_of(const geo::RoofAnalysis& analysis,
                                                  const geo::RunControl& control = {}) {
    const SampleHouse& house = *SampleHouse::get();
    return geo::read_scene(house.geodata.catalogue, analysis, house.run.ground, control);
  }
  geo::RoofAnalysis analysis;
  geo::PropertyScene scene;
};

TEST_F(SampleProperty, HoldsTheAerialImageTheGroundAndTheBuildings) {
  EXPECT_EQ(scene.background.kind, geo::BackgroundKind::orthophoto);
  EXPECT_NEAR((scene.area.max_x - scene.area.min_x) / scene.background.width_px, 0.2, 0.01);
  ASSERT_FALSE(scene.buildings.empty());
  EXPECT_LE(scene.buildings.size(), SampleHouse::get()->run.ground.footprints.size());
  EXPECT_GT(scene.ground.width * scene.ground.cell_m, scene.area.max_x - scene.area.min_x - 1e-6);
  for (const geo::RoofSurface& s : analysis.surfaces) {
    if (!s.ridge_height_m) continue;
    const double top = s.plane.height_at(s.outline.outer.front());
    for (const float ground : scene.ground.values) EXPECT_LT(std::abs(top - ground), 40);
  }
  std::vector<std::string> kinds;
  for (const geo::Source& source : scene.sources) kinds.push_back(source.kind);
  EXPECT_THAT(kinds, testing::IsSupersetOf({"orthophoto", "dsm", "dtm", "buildings", "parcels"}));
}

TEST_F(SampleProperty, IsReadTheSameTwiceAndCarriesAllPicturesThroughItsBytes) {
  const auto again = scene_of(analysis);
  ASSERT_TRUE(again);
  EXPECT_EQ(geo::scene_bytes(*again), geo::scene_bytes(scene));
  const auto stored = geo::scene_from_bytes(geo::scene_bytes(scene));
  ASSERT_TRUE(stored);
  for (const geo::RoofSurface& s : analysis.surfaces)
    EXPECT_EQ(geo::draw_surface_svg(analysis, s.id, *stored, 800).value(),
              geo::draw_surface_svg(analysis, s.id, scene, 800).value());
  EXPECT_EQ(geo::write_model_glb(analysis, *stored).value(), geo::write_model_glb(analysis, scene).value());
}

TEST_F(SampleProperty, IsMadeOfWhatTheRunHasReadAndOpensNoHeightsAgain) {
  const SampleHouse& house = *SampleHouse::get();
  const geo::Catalogue nothing;
  const auto made = geo::read_scene(nothing, analysis, house.run.ground, geo::RunControl{});
  ASSERT_TRUE(made) << made.error().text;
  EXPECT_EQ(made->background.kind, geo::BackgroundKind::relief) << "which is made of the heights as well";
  EXPECT_EQ(made->ground.values, scene.ground.values);
  EXPECT_EQ(made->buildings, scene.buildings);
}

TEST_F(SampleProperty, ShowsTilesOnTheRoofAndNotBesideIt) {
  const auto image = geo::decode_image(scene.background.jpeg);
  ASSERT_TRUE(image);
  const auto frame = geo::PlaceFrame::create(analysis.crs_wkt, scene.centre);
  ASSERT_TRUE(frame);
  // A roof's middle and the ground a few metres outside of all roofs differ in colour: the image lies where
  // it should.
  const auto brightness_at = [&](geo::Point map) {
    const Eigen::Vector2d p = frame->to_true(map);
    const int col = static_cast<int>((p.x() - scene.area.min_x) / 0.2);
    const int row = static_cast<int>((scene.area.max_y - p.y()) / 0.2);
    const std::uint8_t* pixel = &image->rgb.at(3 * static_cast<std::size_t>(row * image->width + col));
    return pixel[1] - pixel[0];  // green against red: lawn or tiles
  };
  const geo::RoofSurface& roof = analysis.surfaces.front();
  geo::Point middle;
  for (const geo::Point& p : roof.outline.outer)
    middle = {middle.x + p.x / static_cast<double>(roof.outline.outer.size()),
              middle.y + p.y / static_cast<double>(roof.outline.outer.size())};
  int lawn = -255;
  for (const double angle : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0})
    lawn = std::max(lawn, brightness_at({middle.x + 15 * std::cos(angle), middle.y + 15 * std::sin(angle)}));
  EXPECT_GT(lawn, brightness_at(middle) + 15);
}

TEST_F(SampleProperty, ShowsAReliefWhereThereIsNoAerialImage) {
  const auto folder = sample_test::region("EPSG:3035");
  const auto catalogue = folder / "heights_only.json";
  std::ofstream(catalogue)
      << R"({"datasets": [{"kind": "dsm", "path": "dsm.tif", "attribution": "Höhen © Amt"}]})";
  const auto heights_only = geo::Geodata::load(catalogue);
  ASSERT_TRUE(heights_only) << heights_only.error().text;
  const auto run = SampleHouse::analysed(*heights_only, SampleHouse::get()->place());
  ASSERT_TRUE(run) << run.error().text;
  const auto relief = geo::read_scene(heights_only->catalogue, run->analysis, run->ground, geo::RunControl{});
  ASSERT_TRUE(relief) << relief.error().text;
  EXPECT_EQ(relief->background.kind, geo::BackgroundKind::relief);
  ASSERT_EQ(relief->sources.size(), 1u);
  EXPECT_EQ(relief->sources[0].attribution, "Höhen © Amt");
  const auto image = geo::decode_image(relief->background.jpeg);
  ASSERT_TRUE(image);
  const auto [darkest, lightest] = std::minmax_element(image->rgb.begin(), image->rgb.end());
  EXPECT_GT(*lightest - *darkest, 60) << "houses stand out";
  EXPECT_GT(*darkest, 70) << "dark lines and hatchings can be seen on it";
  EXPECT_FALSE(relief->buildings.empty()) << "from the surfaces themselves";
}

/// The region's aerial image west or east of the scene's middle, as a file of its own. One that is not
/// readable has 16 bits a colour; an empty one says of every pixel that it has no data.
struct HalfImage {
  bool west = true;
  bool readable = true;
  bool empty = false;
};

constexpr int kBeyondMiddle = 5;  // pixels, so that the western half shows the middle

void write_half(const std::filesystem::path& file, const geo::PropertyScene& scene, HalfImage half) {
  const auto source = sample_test::region("EPSG:3035") / "orthophoto.tif";
  const geo::DatasetHandle in(GDALDataset::Open(source.c_str(), GDAL_OF_RASTER));
  ASSERT_TRUE(in);
  double pixels[6];
  in->GetGeoTransform(pixels);
  const auto frame = geo::PlaceFrame::create(in->GetProjectionRef(), scene.centre);
  ASSERT_TRUE(frame);
  const int middle = static_cast<int>((frame->origin().x - pixels[0]) / pixels[1]) + kBeyondMiddle;
  const int width = in->GetRasterXSize(), height = in->GetRasterYSize();
  const int from = half.west ? 0 : middle, to = half.west ? middle : width;
  const int first = from, last = to;
  const geo::DatasetHandle out(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
      file.c_str(), last - first, height, 3, half.readable ? GDT_Byte : GDT_UInt16, nullptr));
  pixels[0] += first * pixels[1];
  out->SetGeoTransform(pixels);
  out->SetSpatialRef(in->GetSpatialRef());
  if (half.empty) {
    for (int b = 1; b <= 3; ++b) ASSERT_EQ(out->GetRasterBand(b)->SetNoDataValue(0), CE_None);
    return;
  }
  std::vector<std::uint8_t> band(static_cast<std::size_t>(last - first) * height);
  for (int b = 1; b <= 3; ++b) {
    ASSERT_EQ(in->GetRasterBand(b)->RasterIO(GF_Read, first, 0, last - first, height, band.data(),
                                             last - first, height, GDT_Byte, 0, 0, nullptr),
              CE_None);
    ASSERT_EQ(out->GetRasterBand(b)->RasterIO(GF_Write, 0, 0, last - first, height, band.data(), last - first,
                                              height, GDT_Byte, 0, 0, nullptr),
              CE_None);
  }
}

class HalfImages : public SampleProperty {
 protected:
  /// The background with these files as the aerial images.
  geo::RgbImage shown(const std::vector<HalfImage>& halves) {
    const auto folder = sample_test::region("EPSG:3035");
    nlohmann::json sets = {{{"kind", "dsm"}, {"path", "dsm.tif"}}};
    for (std::size_t i = 0; i < halves.size(); ++i) {
      const std::string name = "half" + std::to_string(i) + ".tif";
      write_half(folder / name, scene, halves[i]);
      sets.push_back({{"kind", "orthophoto"}, {"path", name}, {"name", name}});
    }
    const auto file = folder / "halves.json";
    std::ofstream(file) << nlohmann::json{{"datasets", sets}};
    const auto geodata = geo::Geodata::load(file);
    EXPECT_TRUE(geodata) << geodata.error().text;
    const auto made = geo::read_scene(geodata->catalogue, analysis, SampleHouse::get()->run.ground, {});
    EXPECT_TRUE(made) << made.error().text;
    kind = made->background.kind;
    photos = 0;
    for (const geo::Source& source : made->sources) photos += source.kind == "orthophoto" ? 1 : 0;
    return geo::decode_image(made->background.jpeg).value();
  }
  /// How far two images of one size differ on average in a side's pixels, and how colourful the first is
  /// there.
  struct Side {
    double difference = 0, colour = 0;
  };
  static Side side(const geo::RgbImage& a, const geo::RgbImage& b, bool west) {
    Side sum;
    double pixels = 0;
    constexpr int kSeam = 30;  // the file's edge lies askew in the picture
    for (int row = 0; row < a.height; ++row)
      for (int column = west ? 0 : a.width / 2 + kSeam; column < (west ? a.width / 2 - kSeam : a.width);
           ++column, ++pixels) {
        const std::size_t at = 3 * static_cast<std::size_t>(row * a.width + column);
        for (int c = 0; c < 3; ++c) sum.difference += std::abs(a.rgb[at + c] - b.rgb[at + c]) / 3.0;
        sum.colour += std::abs(a.rgb[at] - a.rgb[at + 2]);
      }
    return {sum.difference / pixels, sum.colour / pixels};
  }
  int photos = 0;
  geo::BackgroundKind kind{};
};

TEST_F(HalfImages, OfTwoFilesMakeOneWholeImage) {
  const auto whole = geo::decode_image(scene.background.jpeg);
  const auto made = shown({{.west = true}, {.west = false}});
  ASSERT_EQ(made.width, whole->width);
  for (const bool west : {true, false}) EXPECT_LT(side(made, *whole, west).difference, 3) << west;
  EXPECT_EQ(photos, 2);
  EXPECT_EQ(kind, geo::BackgroundKind::orthophoto);
}

TEST_F(HalfImages, ThatAreEmptyAtThePlaceAreNoAerialImage) {
  shown({{.west = true, .empty = true}});
  EXPECT_EQ(kind, geo::BackgroundKind::relief);
  EXPECT_EQ(photos, 0) << "and are not named";
  shown({{.west = true}, {.west = false, .empty = true}});
  EXPECT_EQ(kind, geo::BackgroundKind::orthophoto);
}

TEST_F(HalfImages, HaveTheReliefWhereTheyHaveAGap) {
  const auto whole = geo::decode_image(scene.background.jpeg);
  const auto made = shown({{.west = true}});
  EXPECT_LT(side(made, *whole, true).difference, 3);
  EXPECT_GT(side(made, *whole, true).colour, 10);
  EXPECT_LT(side(made, *whole, false).colour, 6) << "grey, but for what JPEG adds";
  const auto [darkest, lightest] = std::minmax_element(made.rgb.begin(), made.rgb.end());
  EXPECT_GT(*lightest - *darkest, 60) << "and not one plain grey";
  EXPECT_EQ(photos, 1);
}

TEST_F(HalfImages, AreShownThoughAnotherSetThatShowsACornerCannotBeRead) {
  const auto whole = geo::decode_image(scene.background.jpeg);
  const auto made = shown({{.west = true}, {.west = false, .readable = false}});
  EXPECT_LT(side(made, *whole, true).difference, 3);
  EXPECT_EQ(photos, 1);
}

TEST_F(SampleProperty, KnowsThePartsOfItsBuildingsThatCarryNoSurface) {
  // Once the largest surface is removed, its part of the house carries none.
  auto largest =
      std::max_element(analysis.surfaces.begin(), analysis.surfaces.end(),
                       [](const auto& a, const auto& b) { return a.plan_area_m2 < b.plan_area_m2; });
  const double bare_m2 = largest->plan_area_m2;
  double low = 1e9, high = -1e9;
  for (const geo::Point& p : largest->outline.outer) {
    low = std::min(low, largest->plane.height_at(p));
    high = std::max(high, largest->plane.height_at(p));
  }
  analysis.surfaces.erase(largest);
  ASSERT_FALSE(analysis.surfaces.empty());
  const auto without = scene_of(analysis);
  ASSERT_TRUE(without) << without.error().text;
  const auto bare = std::max_element(
      without->other_roofs.begin(), without->other_roofs.end(),
      [](const auto& a, const auto& b) { return geo::area_m2(a.outline) < geo::area_m2(b.outline); });
  ASSERT_NE(bare, without->other_roofs.end());
  EXPECT_GT(geo::area_m2(bare->outline), 0.6 * bare_m2) << "eaves reach beyond the footprint";
  EXPECT_LT(geo::area_m2(bare->outline), 1.05 * bare_m2);
  EXPECT_GT(bare->height_m, low);
  EXPECT_LT(bare->height_m, high);
}

TEST_F(SampleProperty, EndsWhenItIsCancelled) {
  geo::RunControl control;
  control.cancel();
  EXPECT_EQ(scene_of(analysis, control).error().kind, geo::FailureKind::cancelled);
}

TEST(Scene, OfAnAnalysisWithoutSurfacesFails) {
  ASSERT_NE(SampleHouse::get(), nullptr);
  const geo::Catalogue& catalogue = SampleHouse::get()->geodata.catalogue;
  EXPECT_EQ(geo::read_scene(catalogue, {}, SampleHouse::get()->run.ground, geo::RunControl{}).error().kind,
            geo::FailureKind::internal);
}

}  // namespace
