#include "geo/offices/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "../../temporary_folder.hpp"
#include "geo/offices/data_folder.hpp"
#include "geo/offices/recipes.hpp"
#include "listing_slices.hpp"

namespace {

using namespace geo::offices;
using testing::HasSubstr;

/// Listings as they lie there after they were fetched once; nobody is asked.
class Plans : public testing::Test {
 protected:
  void keep_slice(const std::string& region, const std::string& kind = "dsm") {
    for (const test::Slice& slice : test::listing_slices())
      if (slice.region == region && slice.kind == kind)
        if (const auto kept = write_whole(listings_.file_of(slice.url), slice.text); !kept)
          throw std::runtime_error(kept.error().text);
  }
  const Recipe& recipe(const std::string& id) { return **find_recipe(recipes_, id); }

  test::TemporaryFolder folder_;
  std::vector<Recipe> recipes_ = *all_recipes("");
  ListingStore listings_{folder_.path(), {}};
};

TEST_F(Plans, OfAnAreaHoldsTheSquaresThatItsCircleAndItsRimTouch) {
  const Recipe& bw = recipe("de-bw");  // every square may be asked for
  const Wish wish{.area = *read_area("8.4,49.0,1km"), .kinds = {geo::DataKind::dsm}};
  const auto plan = make_plan(bw, wish, listings_, "20261124");
  ASSERT_TRUE(plan) << plan.error().text;
  const auto& files = plan->sets.front().found.files;
  // A circle of 1.6 km in squares of 2 km.
  EXPECT_GE(files.size(), 3U);
  EXPECT_LE(files.size(), 9U);
  for (const FoundFile& file : files) {
    EXPECT_EQ(std::fmod(file.square.min_x, 2000), 1000);
    EXPECT_EQ(std::fmod(file.square.min_y, 2000), 0);
    EXPECT_THAT(file.listed.url, HasSubstr("https://opengeodata.lgl-bw.de/data/dom1/dom1_32_4"));
  }
  EXPECT_EQ(plan->bytes(), files.size() * 12'000'000);
  EXPECT_FALSE(plan->sets.front().bytes_are_told);
}

TEST_F(Plans, SquaresByNumberCoverTheWholeRegionAndLittleMore) {
  for (const auto& [id, kind, least, most] : {std::tuple{"de-bw", geo::DataKind::dsm, 9000U, 14000U},
                                              {"de-he", geo::DataKind::dsm, 21000U, 36000U},
                                              {"de-sn", geo::DataKind::dsm, 4800U, 8000U},
                                              {"glo-30", geo::DataKind::relief, 140U, 180U}}) {
    const auto plan = make_plan(recipe(id), {.kinds = {kind}}, listings_, "20261124");
    ASSERT_TRUE(plan) << plan.error().text;
    EXPECT_GE(plan->sets.front().found.files.size(), least) << id;
    EXPECT_LE(plan->sets.front().found.files.size(), most) << id;
  }
}

TEST_F(Plans, HessensSquaresAreAskedOfItsCoverageServiceWithTheirCorners) {
  const Wish wish{.area = *read_area("9.49,51.31,0.1km"), .kinds = {geo::DataKind::dtm}};
  const auto plan = make_plan(recipe("de-he"), wish, listings_, "20261124");
  ASSERT_TRUE(plan) << plan.error().text;
  EXPECT_THAT(plan->sets.front().found.files.front().listed.url,
              testing::MatchesRegex("https://inspire-hessen.de/raster/dgm1/"
                                    "ows.*COVERAGEID=he_dgm1.*SUBSET=E\\(53[0-9]000,53[0-9]000\\)&SUBSET=N\\("
                                    "568[0-9]000,568[0-9]000\\)"));
}

TEST_F(Plans, ReliefIsNamedByDegrees) {
  const Wish wish{.area = *read_area("11.39,47.27,2km")};
  const auto plan = make_plan(recipe("glo-30"), wish, listings_, "20261124");
  ASSERT_TRUE(plan) << plan.error().text;
  ASSERT_EQ(plan->sets.front().found.files.size(), 1U);
  EXPECT_EQ(plan->sets.front().found.files.front().listed.url,
            "https://copernicus-dem-30m.s3.amazonaws.com/Copernicus_DSM_COG_10_N47_00_E011_00_DEM/"
            "Copernicus_DSM_COG_10_N47_00_E011_00_DEM.tif");
}

TEST_F(Plans, SayWhatTheyTakeAndWhatMustBeShown) {
  keep_slice("de-nw");
  const Wish wish{.area = *read_area("Essen"), .kinds = {geo::DataKind::dsm, geo::DataKind::irradiance}};
  const auto plan = make_plan(recipe("de-nw"), wish, listings_, "20261124");
  ASSERT_TRUE(plan) << plan.error().text;
  EXPECT_EQ(plan->bytes(), 2'117'648U + 2'104'321U);
  EXPECT_TRUE(plan->sets.front().bytes_are_told);
  const std::string text = text_of(*plan, 5'000'000'000);
  for (const char* part : {"de-nw, Nordrhein-Westfalen: Essen", "de-nw-dsm", "4.2 MB", "dl-de/zero-2-0",
                           "5.0 GB free", "Geobasis NRW", "de-nw offers no irradiance"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(Plans, RemoteSetsTakeNoRoom) {
  keep_slice("at");
  const auto plan =
      make_plan(recipe("at"), {.kinds = {geo::DataKind::dsm}, .remote = true}, listings_, "20261124");
  ASSERT_TRUE(plan) << plan.error().text;
  EXPECT_EQ(plan->bytes(), 0U);
  EXPECT_LT(plan->disk_bytes(), 100'000U);
  EXPECT_THAT(text_of(*plan, 1), HasSubstr("index only"));
}

TEST_F(Plans, AnAreaIsATownANumberACircleOrABox) {
  EXPECT_EQ(read_area("05113000")->text, "Essen");
  EXPECT_EQ(read_area("duesseldorf")->text, "Düsseldorf");
  EXPECT_EQ(read_area("Frankfurt")->text, "Frankfurt am Main");
  EXPECT_EQ(read_area("7.0, 51.4, 20km")->radius_m, 20'000);
  EXPECT_EQ(read_area("7,51,8,52")->box_deg, (geo::Box{7, 51, 8, 52}));
  for (const char* wrong : {"", "Q", "7,51", "7,51,-1km", "7,51,nan", "51,7,9999", "8,52,7,51", "7,51,8,52,9",
                            "1e9,51,2km", "inf,51,2km"})
    EXPECT_FALSE(read_area(wrong)) << wrong;
}

TEST_F(Plans, AListingOfOtherNamesIsSaidAndNothingIsPlanned) {
  const Source& dsm = *recipe("de-nw").source(geo::DataKind::dsm);
  ASSERT_TRUE(write_whole(listings_.file_of(dsm.find.urls.front()),
                          R"({"datasets":[{"files":[{"name":"dom1_new_form.tif"}]}]})"));
  const auto plan = make_plan(recipe("de-nw"), {.kinds = {geo::DataKind::dsm}}, listings_, "20261124");
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().text,
              HasSubstr("lists nothing that looks like DOM1; the office may have changed its names"));
}

TEST_F(Plans, AListingThatNobodyHasCheckedDoesNotStopTheOthers) {
  keep_slice("de-ni");
  using enum geo::DataKind;
  const auto plan = make_plan(recipe("de-ni"), {.kinds = {dsm, buildings}}, listings_, "20261124");
  ASSERT_TRUE(plan) << plan.error().text;
  ASSERT_EQ(plan->sets.size(), 1U);
  EXPECT_EQ(plan->sets.front().source->id, "de-ni-dsm");
  EXPECT_THAT(plan->left_out, testing::ElementsAre(HasSubstr("de-ni-buildings: ")));
  EXPECT_FALSE(make_plan(recipe("de-ni"), {.kinds = {dsm, dtm}}, listings_, "20261124"));
}

TEST_F(Plans, APageInAListingsPlaceLeavesTheGoodOne) {
  keep_slice("de-rp");
  Asking asking;
  asking.text = [](const std::string&) -> geo::Result<std::string> {
    return std::string("<!DOCTYPE html><html><body><a href=\"/\">Wartungsarbeiten</a></body></html>");
  };
  const ListingStore repaired(folder_.path(), asking);
  const Wish wish{.kinds = {geo::DataKind::dsm}, .anew = true};
  const auto refused = make_plan(recipe("de-rp"), wish, repaired, "20261124");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text, HasSubstr("lists nothing that looks like DOM1"));
  EXPECT_TRUE(make_plan(recipe("de-rp"), wish, listings_, "20261124")) << "the kept one is still there";
}

TEST_F(Plans, PagesThatGoRoundInACircleEnd) {
  Asking asking;
  asking.text = [](const std::string&) -> geo::Result<std::string> {
    return std::string(R"({"features":[],"links":[{"rel":"next","href":"https://data.geo.admin.ch/a"}]})");
  };
  const ListingStore listings(folder_.path(), asking);
  const auto plan = make_plan(recipe("ch"), {.kinds = {geo::DataKind::dsm}}, listings, "20261124");
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().text, HasSubstr("go round in a circle"));
}

}  // namespace
