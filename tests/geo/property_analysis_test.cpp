// A run's whole work: what the pictures are drawn from comes with the analysis, and what is missing for it
// costs the pictures and nothing else.
#include "geo/property_analysis.hpp"

#include <gdal_utils.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geo/data/geodata.hpp"
#include "geo/drawing/scene_bytes.hpp"
#include "sample_region_files.hpp"

namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

/// A catalogue of the sample region with another aerial image, or with none.
fs::path catalogue_with(const std::string& name, const fs::path& orthophoto) {
  const fs::path region = sample_test::region("EPSG:3035");
  fs::path file = region / (name + ".json");
  std::ofstream out(file);
  out << R"({"datasets": [{"kind": "dsm", "path": "dsm.tif"}, {"kind": "dtm", "path": "dtm.tif"},)"
      << R"({"kind": "buildings", "path": "buildings.gpkg"}, {"kind": "parcels", "path": "parcels.gpkg"})";
  if (!orthophoto.empty())
    out << R"(, {"kind": "orthophoto", "attribution": "Luftbild © Amt", "path": ")" << orthophoto.string()
        << "\"}";
  out << "]}";
  return file;
}

geo::LonLat first_house() {
  const auto region = geo::Geodata::load(sample_test::region("EPSG:3035") / "geodata.json");
  return region->addresses.near({13, 48}, 90).at(0);
}

geo::Result<geo::PropertyAnalysis> analysed(
    const fs::path& catalogue, const geo::StepListener& on_step = [](const geo::AnalysisStep&) {}) {
  const auto geodata = geo::Geodata::load(catalogue);
  EXPECT_TRUE(geodata) << geodata.error().text;
  return geo::analyse_property(*geodata, {first_house(), 4500}, on_step, geo::RunControl{});
}

/// A copy of the region's aerial image, as gdal_translate makes it of these options.
fs::path translated_image(const std::string& name, std::vector<std::string> options) {
  geo::register_gdal_drivers();
  fs::path out = sample_test::folder("images") / name;
  fs::create_directories(out.parent_path());
  const std::string in = (sample_test::region("EPSG:3035") / "orthophoto.tif").string();
  const geo::DatasetHandle source(GDALDataset::Open(in.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY));
  std::vector<char*> arguments;
  for (std::string& option : options) arguments.push_back(option.data());
  arguments.push_back(nullptr);
  auto* translate = GDALTranslateOptionsNew(arguments.data(), nullptr);
  int error = 0;
  GDALClose(GDALTranslate(out.c_str(), GDALDataset::ToHandle(source.get()), translate, &error));
  GDALTranslateOptionsFree(translate);
  EXPECT_EQ(error, 0);
  return out;
}

geo::BackgroundKind background_of(const geo::PropertyAnalysis& whole) {
  const auto scene = geo::scene_from_bytes(whole.scene);
  EXPECT_TRUE(scene);
  return scene ? scene->background.kind : geo::BackgroundKind::relief;
}

TEST(PropertyAnalysis, BringsTheSceneWithItAndNamesWhatItShows) {
  const auto whole = analysed(sample_test::region("EPSG:3035") / "geodata.json");
  ASSERT_TRUE(whole) << whole.error().text;
  EXPECT_EQ(background_of(*whole), geo::BackgroundKind::orthophoto);
  EXPECT_THAT(whole->analysis.sources, Contains(Field(&geo::Source::kind, "orthophoto")).Times(1));
  EXPECT_THAT(whole->analysis.sources, Contains(Field(&geo::Source::kind, "dsm")).Times(1));
}

TEST(PropertyAnalysis, TellsOfEveryStepOnce) {
  std::vector<int> done;
  std::string last;
  const auto whole = analysed(catalogue_with("steps", {}), [&](const geo::AnalysisStep& step) {
    done.push_back(step.done);
    last = step.name;
    EXPECT_EQ(step.total, geo::kRunSteps);
  });
  ASSERT_TRUE(whole);
  EXPECT_THAT(done, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_EQ(last, "Bilder vorbereiten");
}

TEST(PropertyAnalysis, ShowsTheReliefWithoutAWordWhereThereIsNoAerialImage) {
  const auto whole = analysed(catalogue_with("without", {}));
  ASSERT_TRUE(whole);
  EXPECT_EQ(background_of(*whole), geo::BackgroundKind::relief);
  EXPECT_THAT(whole->analysis.warnings, Not(Contains(HasSubstr("Luftbild"))));
}

TEST(PropertyAnalysis, ShowsTheReliefAndSaysSoWhenTheAerialImageIsNotOf8Bits) {
  const auto whole = analysed(catalogue_with("deep", translated_image("deep.tif", {"-ot", "UInt16"})));
  ASSERT_TRUE(whole) << whole.error().text;
  EXPECT_EQ(background_of(*whole), geo::BackgroundKind::relief);
  EXPECT_THAT(whole->analysis.warnings, Contains(HasSubstr("Luftbild")));
  EXPECT_THAT(whole->analysis.sources, Not(Contains(Field(&geo::Source::kind, "orthophoto"))));
}

TEST(PropertyAnalysis, ShowsTheReliefAndSaysSoWhenTheAerialImageIsUnreadable) {
  const fs::path image = translated_image("torn.tif", {"-co", "COMPRESS=DEFLATE", "-co", "TILED=YES"});
  const fs::path catalogue = catalogue_with("torn", image);
  const auto size = fs::file_size(image);
  std::fstream file(image, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(size / 16));  // the header stays, so that it can be opened
  file << std::string(size - size / 8, '\x5a');
  file.close();
  const auto whole = analysed(catalogue);
  ASSERT_TRUE(whole) << whole.error().text;
  EXPECT_EQ(background_of(*whole), geo::BackgroundKind::relief);
  EXPECT_THAT(whole->analysis.warnings, Contains(HasSubstr("Luftbild")));
}

TEST(PropertyAnalysis, ReadsTheHeightsOnceForSurfacesAndPictures) {
  const fs::path heights = sample_test::folder("lost.tif");
  fs::copy_file(sample_test::region("EPSG:3035") / "dsm.tif", heights);
  const fs::path catalogue = sample_test::region("EPSG:3035") / "lost.json";
  std::ofstream(catalogue) << R"({"datasets": [{"kind": "dsm", "path": ")" << heights.string() << "\"}]}";
  const auto whole = analysed(catalogue, [&](const geo::AnalysisStep& step) {
    if (step.name == "Bilder vorbereiten") fs::remove(heights);
  });
  ASSERT_TRUE(whole) << whole.error().text;
  EXPECT_FALSE(whole->analysis.surfaces.empty());
  const auto scene = geo::scene_from_bytes(whole->scene);
  ASSERT_TRUE(scene);
  EXPECT_EQ(scene->background.kind, geo::BackgroundKind::relief);
  EXPECT_THAT(whole->analysis.warnings, Not(Contains(HasSubstr("Bilder"))));
}

TEST(PropertyAnalysis, EndsWhenItIsCancelledBeforeTheScene) {
  const auto geodata = geo::Geodata::load(catalogue_with("cancelled", {}));
  ASSERT_TRUE(geodata);
  geo::RunControl control;
  const auto whole = geo::analyse_property(
      *geodata, {first_house(), 4500},
      [&](const geo::AnalysisStep& step) {
        if (step.done == geo::kAnalysisSteps) control.cancel();
      },
      control);
  ASSERT_FALSE(whole);
  EXPECT_EQ(whole.error().kind, geo::FailureKind::cancelled);
}

TEST(PropertyAnalysis, GivesBothSidesOfARidgeTheSameHeight) {
  const auto geodata = geo::Geodata::load(sample_test::region("EPSG:3035") / "geodata.json");
  int ridges = 0;
  for (const auto& house : geodata->addresses.near({13, 48}, 90)) {
    const auto found = geo::analyse_property(
        *geodata, {house, 4500}, [](const geo::AnalysisStep&) {}, geo::RunControl{});
    if (!found) continue;
    const auto& surfaces = found->analysis.surfaces;
    for (std::size_t a = 0; a < surfaces.size(); ++a)
      for (std::size_t b = a + 1; b < surfaces.size(); ++b) {
        const auto top = [](const geo::RoofSurface& s) {
          double most = -1e300;
          for (geo::Point p : s.outline.outer) most = std::max(most, s.plane.height_at(p));
          return most;
        };
        int shared_tops = 0;
        for (geo::Point p : surfaces[a].outline.outer)
          for (geo::Point q : surfaces[b].outline.outer)
            shared_tops += p == q && surfaces[a].plane.height_at(p) > top(surfaces[a]) - 0.1 &&
                           surfaces[b].plane.height_at(p) > top(surfaces[b]) - 0.1;
        if (shared_tops < 2 || std::min(surfaces[a].tilt_deg, surfaces[b].tilt_deg) < 10) continue;
        ++ridges;
        EXPECT_NEAR(surfaces[a].ridge_height_m.value(), surfaces[b].ridge_height_m.value(), 0.1)
            << surfaces[a].name;
      }
  }
  EXPECT_GT(ridges, 5);
}

}  // namespace
