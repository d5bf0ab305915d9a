// Pictures, 3D model and orthophoto as a client gets them from the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tiny_gltf.h>

#include "geo/drawing/image_codec.hpp"
#include "tests/geo/svg_reader.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

using test::run_roofd;
using test::RunningService;
using testing::HasSubstr;

/// A service with one finished project.
class Media : public testing::Test {
 protected:
  void SetUp() override {
    const auto created = service.create(key, 0);
    ASSERT_EQ(created.status, 202) << created.body;
    project = created.json()["projekt_id"];
    const auto reply = service.await_result(key, project);
    ASSERT_EQ(reply.status, 200) << reply.body;
    result = reply.json();
  }
  std::string path(const std::string& medium) const {
    return "/projekte/" + std::to_string(project) + "/" + medium;
  }
  test::Reply get(const std::string& medium, const test::Headers& headers = {}) const {
    return service.get(path(medium), key, headers);
  }
  /// An occupied surface of the result.
  nlohmann::json surface() const {
    for (const nlohmann::json& candidate : result["flaechen"])
      if (candidate["module_moeglich"] > 0) return candidate;
    return {};
  }
  std::string surface_image() const { return "bilder/flaeche/" + surface()["id"].dump(); }
  nlohmann::json listed(const std::string& kind) const {
    const nlohmann::json list = get("medien").json();
    for (const nlohmann::json& item : list["medien"])
      if (item["art"] == kind) return item;
    return {};
  }
  test::Ended save() const {
    return run_roofd(
        {"project", "save", "--data-dir=" + service.data_dir(), "--project=" + std::to_string(project)});
  }

  RunningService service;
  std::string key = service.new_key();
  std::uint64_t project = 0;
  nlohmann::json result;
};

TEST_F(Media, ShowEverySurfaceWithAllItsModules) {
  int seen = 0;
  for (const nlohmann::json& s : result["flaechen"]) {
    const auto reply = get("bilder/flaeche/" + s["id"].dump());
    if (s["module_moeglich"] == 0) {
      EXPECT_EQ(reply.code(), "bild_nicht_zeichenbar");
      continue;
    }
    ASSERT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.headers.at("content-type"), "image/svg+xml");
    const test::SvgReader svg(reply.body);
    ASSERT_TRUE(svg.well_formed());
    EXPECT_EQ(svg.one("svg").number("width"), 800);
    EXPECT_EQ(svg.all("path", "[@class='module']").size(), s["module_moeglich"].get<std::size_t>());
    EXPECT_THAT(svg.all_text(), HasSubstr(s["name"].get<std::string>()));
    ++seen;
  }
  EXPECT_GT(seen, 0);
}

TEST_F(Media, ShowAllOccupiedSurfacesInTheOverview) {
  const auto reply = get("bilder/uebersicht?breite=1000");
  ASSERT_EQ(reply.status, 200) << reply.body;
  const test::SvgReader svg(reply.body);
  ASSERT_TRUE(svg.well_formed());
  EXPECT_EQ(svg.one("svg").number("width"), 1000);
  EXPECT_TRUE(svg.all("script").empty());
}

TEST_F(Media, ComeAsPngOfTheWidthThatWasAskedFor) {
  for (const std::string& medium : {surface_image(), std::string("bilder/uebersicht")})
    for (const int width : {200, 2000}) {
      const auto reply = get(medium + "?format=png&breite=" + std::to_string(width));
      ASSERT_EQ(reply.status, 200) << reply.body;
      EXPECT_EQ(reply.headers.at("content-type"), "image/png");
      const auto image = geo::decode_image(reply.body);
      ASSERT_TRUE(image);
      EXPECT_EQ(image->width, width);
    }
}

TEST_F(Media, AreTheSameBytesWithTheSameTagAlsoAfterARestart) {
  const std::string medium = surface_image() + "?format=png&breite=400";
  const auto first = get(medium);
  ASSERT_EQ(first.status, 200);
  const std::string tag = first.headers.at("etag");
  EXPECT_THAT(tag, testing::MatchesRegex("\"[0-9a-f]+\"")) << "strong";
  EXPECT_THAT(first.headers.at("cache-control"), HasSubstr("private"));
  EXPECT_EQ(get(medium).body, first.body);
  const auto known = get(medium, {{"If-None-Match", tag}});
  EXPECT_EQ(known.status, 304);
  EXPECT_TRUE(known.body.empty());
  EXPECT_EQ(get(surface_image() + "?breite=400", {{"If-None-Match", tag}}).status, 200)
      << "the SVG is something else";
  service.kill_9();
  service.start();
  const auto again = get(medium);
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(again.headers.at("etag"), tag);
}

TEST_F(Media, HaveNamesToSaveThemUnder) {
  const std::string prefix = "filename=\"dach-" + std::to_string(project) + "-";
  const std::string id = surface()["id"].dump();
  EXPECT_THAT(get(surface_image()).headers.at("content-disposition"),
              HasSubstr(prefix + "flaeche-" + id + ".svg\""));
  EXPECT_THAT(get("bilder/uebersicht?format=png&breite=200").headers.at("content-disposition"),
              HasSubstr(prefix + "uebersicht.png\""));
  ASSERT_EQ(save().exit_code, 0);
  EXPECT_THAT(get("modell").headers.at("content-disposition"), HasSubstr(prefix + "modell.glb\""));
  EXPECT_THAT(get("orthofoto").headers.at("content-disposition"), HasSubstr(prefix + "orthofoto.jpg\""));
}

TEST_F(Media, OfTheWebApplicationExistOnceTheOwnerHasSaved) {
  EXPECT_EQ(get("modell").code(), "modell_fehlt");
  EXPECT_EQ(get("orthofoto").code(), "orthofoto_fehlt");
  EXPECT_EQ(listed("modell")["vorhanden"], false);
  const auto saved = save();
  ASSERT_EQ(saved.exit_code, 0) << saved.err;
  const auto model = get("modell");
  ASSERT_EQ(model.status, 200) << model.body;
  EXPECT_EQ(model.headers.at("content-type"), "model/gltf-binary");
  EXPECT_LT(model.body.size(), 2'000'000U);
  EXPECT_THAT(saved.out, HasSubstr("model " + std::to_string(model.body.size()) + " bytes"));
  tinygltf::Model read;
  std::string error, warning;
  ASSERT_TRUE(tinygltf::TinyGLTF().LoadBinaryFromMemory(
      &read, &error, &warning, reinterpret_cast<const unsigned char*>(model.body.data()),
      static_cast<unsigned>(model.body.size())))
      << error;
  const auto photo = get("orthofoto");
  ASSERT_EQ(photo.status, 200) << photo.body;
  EXPECT_EQ(photo.headers.at("content-type"), "image/jpeg");
  EXPECT_TRUE(geo::decode_image(photo.body));
  for (const auto& [kind, body] : {std::pair{"modell", model.body}, {"orthofoto", photo.body}}) {
    EXPECT_EQ(listed(kind)["vorhanden"], true);
    EXPECT_EQ(listed(kind)["groesse_bytes"], body.size());
    EXPECT_TRUE(listed(kind)["namensnennung"].is_string());
  }
  EXPECT_EQ(get("modell", {{"If-None-Match", model.headers.at("etag")}}).status, 304);
}

TEST_F(Media, AreSavedWithTheServerStoppedToo) {
  service.stop();
  const auto saved = save();
  ASSERT_EQ(saved.exit_code, 0) << saved.err;
  service.start();
  const std::string stopped = get("modell").body;
  ASSERT_EQ(get("modell").status, 200);
  ASSERT_EQ(save().exit_code, 0);
  EXPECT_EQ(get("modell").body, stopped) << "the same result gives the same bytes, whoever makes them";
}

TEST_F(Media, AreNotSavedOfWhatThereIsNot) {
  for (const char* wrong : {"999999", "0", "-1", "x", ""}) {
    const auto ended =
        run_roofd({"project", "save", "--data-dir=" + service.data_dir(), std::string("--project=") + wrong});
    EXPECT_NE(ended.exit_code, 0) << wrong;
    EXPECT_THAT(ended.err, HasSubstr("project")) << wrong;
  }
}

TEST_F(Media, InTheListAnswerAsItSays) {
  for (const bool is_saved : {false, true}) {
    if (is_saved) {
      ASSERT_EQ(save().exit_code, 0);
    }
    const nlohmann::json list = get("medien").json();
    EXPECT_EQ(list["projekt_id"], project);
    EXPECT_EQ(list["medien"].size(), result["flaechen"].size() + 3);
    EXPECT_EQ(list["flaechen"].size(), result["flaechen"].size());
    for (const nlohmann::json& item : list["medien"]) {
      const std::string url = item["url"];
      const std::string below = url.substr(url.find("/api/v1") + 7);
      const auto reply = service.get(below, key);
      EXPECT_EQ(reply.status == 200, item["vorhanden"].get<bool>()) << item;
      EXPECT_FALSE(item["hinweis"].get<std::string>().empty());
      if (reply.status != 200) continue;
      EXPECT_THAT(item["formate"].dump(), HasSubstr(reply.headers.at("content-type")));
      EXPECT_TRUE(item["namensnennung"].is_string()) << item;
    }
  }
}

TEST_F(Media, NameTheAerialImageAmongTheSources) {
  std::vector<std::string> kinds;
  for (const nlohmann::json& source : result["quellen"]) kinds.push_back(source["art"]);
  EXPECT_THAT(kinds, testing::Contains("orthofoto")) << result["quellen"];
}

TEST(MediaBurst, BeyondTheLineAnswers503WithATimeToComeBack) {
  RunningService service(
      {"--render.waiting-max=1", "--limits.media-per-hour=0", "--limits.address-per-hour=0"});
  const std::string key = service.new_key();
  const auto created = service.create(key, 0);
  const std::uint64_t project = created.json()["projekt_id"];
  ASSERT_EQ(service.await_result(key, project).status, 200);
  // One connection asks for many different pictures at once: one is drawn, one waits.
  std::vector<std::string> paths;
  for (int width = 1900; width < 1920; ++width)
    paths.push_back("/projekte/" + std::to_string(project) +
                    "/bilder/uebersicht?format=png&breite=" + std::to_string(width));
  int drawn = 0, refused = 0;
  for (const test::Reply& reply : service.get_all_at_once(paths, key)) {
    drawn += reply.status == 200;
    if (reply.status == 200) continue;
    EXPECT_EQ(reply.code(), "dienst_ueberlastet") << reply.body;
    EXPECT_GT(std::stoi(reply.headers.at("retry-after")), 0);
    ++refused;
  }
  EXPECT_GE(drawn, 2);
  EXPECT_GT(refused, 0);
  EXPECT_EQ(drawn + refused, 20);
}

}  // namespace
