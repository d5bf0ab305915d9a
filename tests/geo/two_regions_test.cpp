// Two regions that meet: whoever lives beside the border gets heights, shading and horizon from both sides,
// and both offices are named.
#include <gtest/gtest.h>

#include "tests/geo/hostile_catalogue.hpp"

namespace hostile {
namespace {

constexpr const char* kHeights[] = {"dsm", "dtm", "relief"};
constexpr const char* kNextZone = "EPSG:25833";

/// The region cut along a line so many metres east of the house: each part has a surface model, a terrain
/// model and a relief of its own; `crs_of_the_east`: its system.
std::string two_regions(Draft& draft, double east_m, const std::string& crs_of_the_east) {
  const double border = middle_of_house().x + east_m;
  for (const std::string kind : kHeights) {
    const geo::Grid<float> all = sample_test::heights(region() / (kind + ".tif"));
    const int col = all.col_of(border);
    draft.drop(kind);
    draft.add(kind, written(part(all, 0, 0, col, all.height), draft.file("west_" + kind + ".tif"), {}));
    std::string east =
        written(part(all, col, 0, all.width, all.height), draft.file("east_" + kind + ".tif"), {});
    if (crs_of_the_east != kCrs)
      east = warped(east, draft.file("zone_" + kind + ".tif"),
                    {"-t_srs", crs_of_the_east, "-r", "bilinear", "-tr", std::to_string(all.cell_m),
                     std::to_string(all.cell_m), "-dstnodata", "-9999"});
    draft.add(kind, east);
  }
  return draft.catalogue();
}

/// Regions of which only the western one has data.
std::string western_region(Draft& draft, double east_m) {
  two_regions(draft, east_m, kCrs);
  std::erase_if(draft.entries,
                [](const Entry& entry) { return entry.path.find("east_") != std::string::npos; });
  return draft.catalogue();
}

double yield_of(const geo::RoofAnalysis& analysis) {
  double sum = 0;
  for (const geo::RoofSurface& surface : analysis.surfaces)
    sum += surface.plan_area_m2 * surface.yield_kwh_per_kwp.value_or(0);
  return sum / total_area(analysis);
}

std::vector<std::string> names_of(const geo::RoofAnalysis& analysis) {
  std::vector<std::string> names;
  for (const geo::Source& source : analysis.sources) names.push_back(source.name);
  return names;
}

class TwoRegions : public testing::TestWithParam<double> {};

TEST_P(TwoRegions, OfOneSystemGiveWhatOneGives) {
  Draft draft;
  const auto found = analysed(two_regions(draft, GetParam(), kCrs));
  ASSERT_TRUE(found) << found.error().text;
  ASSERT_EQ(found->surfaces.size(), untouched().surfaces.size());
  for (std::size_t i = 0; i < found->surfaces.size(); ++i) {
    const geo::RoofSurface &surface = found->surfaces[i], &wanted = untouched().surfaces[i];
    EXPECT_EQ(surface.yield_kwh_per_kwp, wanted.yield_kwh_per_kwp) << surface.name;
    EXPECT_EQ(surface.modules_possible(), wanted.modules_possible()) << surface.name;
  }
  EXPECT_EQ(found->warnings, untouched().warnings);
  EXPECT_THAT(names_of(*found),
              testing::IsSupersetOf({"west_dsm.tif", "west_relief.tif", "east_relief.tif"}));
}

TEST_P(TwoRegions, OfTwoSystemsGiveNearlyWhatOneGives) {
  Draft draft;
  const auto found = analysed(two_regions(draft, GetParam(), kNextZone));
  ASSERT_TRUE(found) << found.error().text;
  const bool house_is_resampled = GetParam() < 0;
  expect_untouched(*found, house_is_resampled ? kRoughly : kNearly);
  EXPECT_NEAR(yield_of(*found), yield_of(untouched()),
              (house_is_resampled ? 0.02 : 0.01) * yield_of(untouched()));
  EXPECT_THAT(names_of(*found),
              testing::IsSupersetOf({"west_dsm.tif", "west_relief.tif", "zone_relief.tif"}));
}

INSTANTIATE_TEST_SUITE_P(SoManyMetresEast, TwoRegions, testing::Values(20.0, 120.0, -120.0));

TEST(OneOfTwoRegions, SaysFromWhereShadeMayBeMissing) {
  Draft draft;
  const auto found = analysed(western_region(draft, 30));
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_THAT(
      found->warnings,
      testing::Contains("Nach Nordosten, Osten und Südosten liegen in der Nähe nur zum Teil Höhendaten vor; "
                        "Schatten von dort kann fehlen."));
}

TEST(OneOfTwoRegions, SaysWhereItsReliefEndsBeforeTheMountains) {
  Draft draft;
  const auto found = analysed(western_region(draft, 120));
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_THAT(found->warnings,
              testing::Contains(testing::AllOf(
                  testing::HasSubstr("Nach Nordosten, Osten"),
                  testing::HasSubstr(
                      "reicht das Relief keine 10 km weit; was dahinter aufragt, fehlt im Fernhorizont."))));
  EXPECT_THAT(untouched().warnings, testing::Not(testing::Contains(testing::HasSubstr("reicht das Relief"))));
}

}  // namespace
}  // namespace hostile
