// Heights of one system complete each other, whatever an office, an operator or a file calls the system.
#include <gtest/gtest.h>
#include <ogr_spatialref.h>

#include <fstream>

#include "geo/data/coordinate_system.hpp"
#include "geo/data/height_models.hpp"
#include "geo/sample_region/raster_files.hpp"
#include "tests/temporary_folder.hpp"

namespace {

TEST(HeightSystems, AreOneByWhateverName) {
  const std::vector<std::vector<std::string>> systems = {
      {"DHHN2016", "DHHN2016 height", "dhhn 2016", "DHHN2016_height", "EPSG:7837", "epsg:7837"},
      {"LN02", "LN02 height", "EPSG:5728"},
      {"EVRF2000 Austria", "EVRF2000 Austria height", "EPSG:9274"},
      {"DHHN92", "DHHN92 height", "EPSG:5783"},
      {"LHN95", "EPSG:5729"},
      {"EVRF2000", "EPSG:5730"},
      {"EGM2008", "EPSG:3855"},
      {"ellipsoid"},
      {"", "unknown", "unnamed"},
      {"EPSG:25832"},   // no system of heights
      {"EPSG:999999"},  // no code
  };
  for (const auto& names : systems)
    for (const auto& others : systems)
      for (const std::string& a : names)
        for (const std::string& b : others)
          EXPECT_EQ(geo::comparable_height_system(a) == geo::comparable_height_system(b), &names == &others)
              << a << ", " << b;
}

/// Two surface models, side by side: how many of them a run at the first one reads.
std::size_t models_that_complete_each_other(const std::string& crs, const std::string& more,
                                            const std::string& other_crs, const std::string& other_more) {
  const test::TemporaryFolder folder;
  const auto west = geo::sample::write_heights(folder.file("west.tif"), crs,
                                               geo::Grid<float>(100, 100, 500'000, 5'400'100, 1, 300));
  const auto east = geo::sample::write_heights(folder.file("east.tif"), other_crs,
                                               geo::Grid<float>(100, 100, 500'100, 5'400'100, 1, 300));
  EXPECT_TRUE(west && east);
  std::ofstream(folder.file("geodata.json"))
      << R"({"datasets": [{"kind": "dsm", "path": "west.tif")" << more
      << R"(}, {"kind": "dsm", "path": "east.tif")" << other_more << "}]}";
  const auto catalogue = geo::Catalogue::load(folder.file("geodata.json"));
  EXPECT_TRUE(catalogue) << (catalogue ? "" : catalogue.error().text);
  if (!catalogue) return 0;
  geo::LonLat middle{500'050, 5'400'050};
  const auto to_wgs84 = geo::transformation_to_wgs84("EPSG:25832");
  EXPECT_TRUE(to_wgs84 && to_wgs84->Transform(1, &middle.lon_deg, &middle.lat_deg));
  const auto models = geo::HeightModels::around(*catalogue, geo::DataKind::dsm, middle, geo::RunControl());
  EXPECT_TRUE(models) << (models ? "" : models.error().text);
  return models ? models->sets().size() : 0;
}

TEST(HeightSystems, OfAFileAndOfARecipeCompleteEachOtherWhenTheyAreOne) {
  const std::string stated = R"(, "heights": "DHHN2016")";
  EXPECT_EQ(models_that_complete_each_other("EPSG:25832+7837", "", "EPSG:25832", stated), 2u);
  EXPECT_EQ(
      models_that_complete_each_other("EPSG:25832", R"(, "heights": "EPSG:7837")", "EPSG:25832", stated), 2u);
  EXPECT_EQ(models_that_complete_each_other("EPSG:25832+5783", "", "EPSG:25832", stated), 1u);
}

}  // namespace
