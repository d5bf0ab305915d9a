// Sets whose files lie in a share's folder, which WebDAV lists.
#include <gmock/gmock.h>

#include "geo/offices/found_files.hpp"
#include "geo/offices/listing_forms.hpp"
#include "outlines_fixture.hpp"

namespace {

using namespace geo::offices;
using test::Outlines;
using testing::IsEmpty;

// Saarland's share, as Nextcloud answers.
TEST(WebDavFolder, HasTheFilesAndNotItself) {
  const std::string path = "/cloud/public.php/dav/files/NK8ndP55qAqGEZD/OD_ALKIS_shp_LK/";
  const auto entry = [&](const std::string& name, const std::string& facts) {
    return "<d:response><d:href>" + path + name + "</d:href><d:propstat><d:prop>" + facts +
           "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>";
  };
  const std::string answer =
      R"(<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">)" +
      entry("", "<d:resourcetype><d:collection/></d:resourcetype>") +
      entry("ALKIS_shp_MZG.zip", "<d:getcontentlength>131072000</d:getcontentlength>") +
      entry("alt", "<d:resourcetype><d:collection/></d:resourcetype>") +
      entry("Lies%20mich.pdf", "<d:getcontentlength>1000</d:getcontentlength>") + "</d:multistatus>";
  const std::vector<Recipe> recipes = *all_recipes("");
  const Source& source = *(*find_recipe(recipes, "de-sl"))->source(geo::DataKind::buildings);
  auto listing = read_listing(answer, source.find.urls.front(), source.find);
  ASSERT_TRUE(listing) << listing.error().text;
  EXPECT_EQ(listing->files.size(), 2U);
  const FoundFiles found = found_files(source, std::move(listing->files), "20261128");
  ASSERT_EQ(found.files.size(), 1U);
  EXPECT_EQ(found.files.front().listed.url, "https://www.shop.lvgl.saarland.de" + path + "ALKIS_shp_MZG.zip");
  EXPECT_EQ(found.files.front().listed.bytes, 131072000U);
  EXPECT_FALSE(read_webdav_folder("<html/>", "https://a.de/"));
}

TEST_F(Outlines, OfASharesFolderAreAskedForByPropfind) {
  std::string asked;
  office_.answer_with([&](const test::OfficeServer::Request& request)
                          -> std::optional<test::LoopbackServer::Answer> {
    if (request.target() != "/dav/shp/") return {};
    asked = std::string(request.method_string()) + " " + std::string(request["Depth"]);
    return test::LoopbackServer::Answer{
        .status = 207,
        .body =
            R"(<?xml version="1.0"?><d:multistatus xmlns:d="DAV:"><d:response><d:href>/lk/gru_05113_Essen.zip)"
            "</d:href></d:response></d:multistatus>"};
  });
  Recipe made = recipe();
  made.sources.front().find = {.method = FindMethod::webdav, .urls = {office_.url("/dav/shp/")}};
  EXPECT_THAT(acquired(made, "").problems, IsEmpty());
  EXPECT_EQ(asked, "PROPFIND 1");
  EXPECT_EQ(count(), 3U);
}

}  // namespace
