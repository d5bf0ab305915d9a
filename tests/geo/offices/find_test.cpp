// Each office's listing form, read by its own recipe.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "geo/offices/found_files.hpp"
#include "geo/offices/listing_forms.hpp"
#include "geo/offices/recipes.hpp"
#include "listing_slices.hpp"

namespace {

using namespace geo::offices;
using testing::HasSubstr;

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> kAll = *all_recipes("");
  return kAll;
}
const Source& source_of(const std::string& region, const std::string& kind) {
  for (const Source& source : (*find_recipe(recipes(), region))->sources)
    if (geo::name_of(source.kind) == kind) return source;
  throw std::runtime_error("no " + kind + " in " + region);
}

/// As the store does: of a ZIP the table of contents alone.
geo::Result<Listing> listing_of(const test::Slice& slice, const FindRule& rule) {
  if (rule.method != FindMethod::zip_members) return read_listing(slice.text, slice.url, rule);
  const auto place = find_zip_directory(slice.text, slice.text.size(), slice.url);
  if (!place) return tl::make_unexpected(place.error());
  return read_listing(slice.text.substr(place->offset, place->bytes), slice.url, rule);
}

class OfficeListing : public testing::TestWithParam<test::Slice> {};

TEST_P(OfficeListing, TheNewestFileOfASquareIsFoundByItsRecipe) {
  const test::Slice& slice = GetParam();
  const Source& source = source_of(slice.region, slice.kind);
  EXPECT_THAT(source.find.urls, testing::Contains(slice.url))
      << "the slice is of another listing than the recipe's";
  auto listing = listing_of(slice, source.find);
  ASSERT_TRUE(listing) << listing.error().text;
  const FoundFiles found = found_files(source, std::move(listing->files), "20261124");
  int here = 0;
  for (const FoundFile& file : found.files) {
    if (file.square.min_x != slice.square_x || file.square.min_y != slice.square_y) continue;
    ++here;
    EXPECT_EQ(file.listed.url, slice.found_url);
    EXPECT_EQ(file.fields.year(), slice.year);
    EXPECT_EQ(file.square.max_x - file.square.min_x, source.grid.size);
    const TileGrid& grid = source.grid;
    EXPECT_EQ(std::fmod(file.square.min_x - grid.origin.x, grid.size), 0) << "the grid's origin is another";
    EXPECT_EQ(std::fmod(file.square.min_y - grid.origin.y, grid.size), 0) << "the grid's origin is another";
  }
  EXPECT_EQ(here, 1) << "the square is not found, or more than once";
}
INSTANTIATE_TEST_SUITE_P(All, OfficeListing, testing::ValuesIn(test::listing_slices()), [](const auto& info) {
  std::string name = info.param.region;
  std::erase(name, '-');
  return name;
});

TEST(OfficeListing, EveryRegionWithAListingHasASlice) {
  for (const Recipe& recipe : recipes()) {
    const Source* dsm = recipe.source(geo::DataKind::dsm);
    if (!dsm || dsm->find.method == FindMethod::tile_numbers) continue;
    bool has = false;
    for (const test::Slice& slice : test::listing_slices()) has = has || slice.region == recipe.id;
    EXPECT_TRUE(has) << recipe.id;
  }
}

TEST(OfficeListing, TellsSizesAndSumsWhereTheOfficeDoes) {
  for (const test::Slice& slice : test::listing_slices()) {
    const auto listing = listing_of(slice, source_of(slice.region, slice.kind).find);
    for (const ListedFile& file : listing->files) {
      if (slice.region == "de-by") {
        EXPECT_EQ(file.bytes, 36'000'000U);
        EXPECT_EQ(file.sha256.size(), 64U);
      }
      if (slice.region == "de-nw" && file.url == slice.found_url) {
        EXPECT_EQ(file.bytes, 2'104'321U);
      }
      if (slice.region == "ch" && file.url == slice.found_url) {
        EXPECT_EQ(file.sha256, std::string(64, 'b'));
      }
    }
  }
}

TEST(OfficeListing, OfSwitzerlandsTwoFormsOfAPacketTheShapesAreMeant) {
  const std::string base = "https://data.geo.admin.ch/ch.swisstopo-vd.amtliche-vermessung/DM01AVCH24D/";
  std::string text;
  for (const char* packet : {"ITF/AG/4022.zip", "SHP/AG/4022.zip", "SHP/AG/4023.zip", "ITF/AG/4023.zip"})
    text += base + packet + " 2026-09-01\n";
  for (const char* kind : {"buildings", "parcels"}) {
    const Source& source = source_of("ch", kind);
    const FoundFiles found =
        found_files(source, read_listing(text, source.find.urls.front(), source.find)->files, "20261124");
    std::vector<std::string> urls;
    for (const FoundFile& file : found.files) urls.push_back(file.listed.url);
    EXPECT_THAT(urls, testing::ElementsAre(base + "SHP/AG/4022.zip", base + "SHP/AG/4023.zip"));
    EXPECT_EQ(found.others, 2U);
  }
}

// Hesse's download centre: its links have spaces, and the day on which they were listed.
TEST(OfficeListing, OfADownloadCentreHasTheFilesBehindItsButtons) {
  const Source& source = source_of("de-he", "addresses");
  const std::string path = "Liegenschaftskataster/Hauskoordinaten ohne Postalische Angaben (txt)";
  const auto file = [&](const std::string& name, const std::string& type) {
    return R"({"name":")" + name + R"(","id":"DP0111000","fileExtension":")" + type +
           R"(","fileSize":"27,4 MB","creationDate":"24.06.2026","downloadType":"File","downloadLink":)" +
           R"({"name":"Datei herunterladen","uri":"/downloadcenter/20261128/)" + path + "/" + name + "." +
           (type == "ZIP" ? "zip" : "pdf") + "\"}}";
  };
  const std::string edition = "Hauskoordinaten ohne Postalische Angaben-2026-01";
  const std::string page =
      R"({"breadcrumb":[{"name":"Downloadcenter","uri":"/INTERSHOP/rest/WFS/HLBG-Geodaten-Site/-/downloadcenter"}],)" +
      std::string(
          R"("searchresult":{"packages":[],"product":{"name":"Hauskoordinaten","id":"DC0100200"},"downloads":[)") +
      file("Hauskoordinaten ohne Postalische Angaben-2025-07", "ZIP") + "," + file(edition, "ZIP") + "," +
      file("Beschreibung-2026-01", "PDF") + "]}}";
  auto listing = read_listing(page, source.find.urls.front(), source.find);
  ASSERT_TRUE(listing) << listing.error().text;
  const FoundFiles found = found_files(source, std::move(listing->files), "20261128");
  ASSERT_EQ(found.files.size(), 1U) << "the newest edition";
  EXPECT_EQ(found.files.front().listed.url,
            "https://gds.hessen.de/downloadcenter/20261128/Liegenschaftskataster/"
            "Hauskoordinaten%20ohne%20Postalische%20Angaben%20(txt)/"
            "Hauskoordinaten%20ohne%20Postalische%20Angaben-2026-01.zip");
  EXPECT_EQ(found.files.front().fields.date, 20260100);
}

TEST(OfficeListing, AStacPageNamesTheNext) {
  const std::string page =
      R"({"features":[],"links":[{"rel":"self","href":"a"},{"rel":"next","href":"/api/next?cursor=2"}]})";
  EXPECT_EQ(read_stac_items(page, "https://data.geo.admin.ch/api/stac", {})->next,
            "https://data.geo.admin.ch/api/next?cursor=2");
}

TEST(OfficeListing, AnArcGisLayerIsAskedOnFromWhereItEnded) {
  FindRule rule;
  rule.url_field = "dom1";
  const std::string page =
      R"({"exceededTransferLimit":true,"features":[{"attributes":{"dom1":"https://a.de/x.tif","t":1583280000000},"geometry":{"rings":[[[9,52],[9.01,52],[9.01,52.01],[9,52]]]}}]})";
  rule.date_field = "t";
  const auto listing = read_feature_index(page, "https://a.de/query?f=json&resultOffset=2000", rule);
  ASSERT_TRUE(listing) << listing.error().text;
  EXPECT_EQ(listing->next, "https://a.de/query?f=json&resultOffset=2001");
  ASSERT_EQ(listing->files.size(), 1U);
  EXPECT_EQ(listing->files[0].date, 20200304);
  EXPECT_NEAR(listing->files[0].place->max_y, 52.01, 1e-9);
}

TEST(OfficeListing, WhatIsBrokenIsRefusedWithTheListingsName) {
  for (const test::Slice& slice : test::listing_slices()) {
    const FindRule& rule = source_of(slice.region, slice.kind).find;
    if (rule.method == FindMethod::listing && slice.text.find("<html") != std::string::npos)
      continue;  // no form to break
    test::Slice cut = slice;
    cut.text = slice.text.substr(0, slice.text.size() / 2);
    const auto listing = listing_of(cut, rule);
    ASSERT_FALSE(listing) << slice.region;
    EXPECT_EQ(listing.error().kind, geo::FailureKind::invalid_input);
    EXPECT_THAT(listing.error().text, HasSubstr(slice.url));
    cut.text = "<!DOCTYPE html><html><body>Wartungsarbeiten</body></html>";
    const auto page = listing_of(cut, rule);
    if (page) {
      EXPECT_TRUE(found_files(source_of(slice.region, slice.kind), page->files, "").files.empty());
    }
  }
}

TEST(HostileListing, NamesNoFileOfThisMachineAndNoOtherProtocol) {
  for (const char* link : {"file:///etc/passwd", "FILE:///etc/passwd", "ftp://a.de/dom.tif",
                           "javascript:alert(1)", "data:,x", "x\ny.tif", "#x", ""})
    EXPECT_EQ(resolved_url(link, "https://a.de/list/"), "") << link;
  EXPECT_EQ(resolved_url("http://a.de/x.tif", "https://a.de/list/"), "") << "a step down from https";
  EXPECT_EQ(resolved_url("../x.tif", "https://a.de/list/"), "https://a.de/list/../x.tif");
  EXPECT_EQ(resolved_url("//b.de/x", "https://a.de/list/"), "https://b.de/x");
  EXPECT_EQ(resolved_url("/x", "https://a.de"), "https://a.de/x");
  EXPECT_EQ(resolved_url("x", "https://a.de/list?file=a/b"), "https://a.de/x");
}

TEST(HostileListing, AnEntityBombIsNotExpanded) {
  const std::string bomb =
      R"(<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "aaaaaaaaaaaaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>&b;&c;</title><link href="https://a.de/x.zip"/></entry></feed>)";
  const auto feed = read_feed(bomb, "https://a.de/feed");
  ASSERT_TRUE(feed) << feed.error().text;
  ASSERT_EQ(feed->files.size(), 1U);
  EXPECT_LT(feed->files[0].title.size(), 20U);
}

TEST(HostileListing, DepthAndLengthCostNeitherStackNorMinutes) {
  const std::clock_t begun = std::clock();
  const std::string deep_json = std::string(2'000'000, '[');
  EXPECT_FALSE(read_link_list(deep_json, "https://a.de/"));
  std::string deep_xml = "<?xml version=\"1.0\"?>";
  for (int i = 0; i < 200'000; ++i) deep_xml += "<a>";
  EXPECT_FALSE(read_link_list(deep_xml, "https://a.de/"));
  for (int i = 0; i < 200'000; ++i) deep_xml += "</a>";
  EXPECT_TRUE(read_link_list(deep_xml, "https://a.de/"));
  std::string links = "<html>";
  for (int i = 0; i < 200'000; ++i) links += "<a href=\"" + std::to_string(i) + ".tif\">";
  links += "<a href=\"never closed";
  EXPECT_EQ(read_link_list(links, "https://a.de/")->files.size(), 200'000U);
  EXPECT_LT(std::clock() - begun, 5 * CLOCKS_PER_SEC);
}

TEST(HostileListing, AZipThatLiesAboutItselfIsRefused) {
  const std::string good = test::zip_of({{"a_1_2.tif", "x"}}),
                    good64 = test::zip_of({{"a_1_2.tif", "x"}}, true);
  for (const std::string& zip : {good, good64})
    for (std::size_t at = 0; at < zip.size(); ++at)
      for (const char value : {'\0', '\xFF', '\x7F'}) {
        std::string broken = zip;
        broken[at] = value;
        const auto place = find_zip_directory(broken, broken.size(), "z");
        if (!place) continue;
        ASSERT_LE(place->offset + place->bytes, broken.size());
        (void)read_zip_directory(broken.substr(place->offset, place->bytes), "z");
      }
  EXPECT_FALSE(find_zip_directory("PK", 2, "z"));
  EXPECT_FALSE(find_zip_directory(std::string(100'000, 'x'), 100'000, "z"));
}

}  // namespace
