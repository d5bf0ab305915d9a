// Every outcome of the actors as a body of the contract, held against the description's own schemas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/api/answers.hpp"
#include "tests/http/schema_check.hpp"

namespace {

using nlohmann::json;
using testing::Contains;
using testing::Pair;

const http::Links kPageLinks = test::page_context().links;

http::Response response_to(actors::Outcome outcome, int retry_at_least_s = 0, int page_limit = 100) {
  return http::response_of({{.account = 1, .limit = 20, .remaining = 3, .reset_s = 99}, std::move(outcome)},
                           {kPageLinks, "0123", retry_at_least_s, page_limit});
}
json body_of(const http::Response& response) { return json::parse(response.text()); }

TEST(Answers, TellACreatedProject) {
  const auto response = response_to(actors::Created{7, "Haus", "Weg 1", 48.2, 16.3, 5});
  EXPECT_EQ(response.status, 202);
  EXPECT_EQ(test::faults_as("Angelegt", body_of(response)), "");
  EXPECT_EQ(body_of(response)["analyse_url"], "https://dach.example/api/v1/projekte/7/dachanalyse");
  EXPECT_THAT(response.headers, Contains(Pair("Retry-After", "5")));
}

TEST(Answers, TellARunThatComputes) {
  const auto response = response_to(actors::Running{7, false, "Dachflächen erkennen", 3, 8, 4});
  EXPECT_EQ(test::faults_as("Laufstand", body_of(response)), "");
  EXPECT_EQ(body_of(response)["fertig"], 3);
  EXPECT_EQ(body_of(response)["erneut_in_s"], 4);
}

TEST(Answers, TellNoStepsOfARunThatWaits) {
  const json body = body_of(response_to(actors::Running{.project = 7, .waiting = true, .retry_s = 4}));
  EXPECT_EQ(test::faults_as("Laufstand", body), "");
  EXPECT_EQ(body["wartet"], true);
  for (const char* field : {"schritt", "fertig", "gesamt"}) EXPECT_TRUE(body[field].is_null()) << field;
}

TEST(Answers, SayThatARunKeepsItsInputs) {
  for (const bool waiting : {false, true}) {
    const auto note = [&](bool keeps) {
      const json body =
          body_of(response_to(actors::Running{.project = 7, .waiting = waiting, .retry_s = 2, .keeps_inputs = keeps}));
      EXPECT_EQ(test::faults_as("Laufstand", body), "");
      return body["hinweis"].get<std::string>();
    };
    EXPECT_THAT(note(true), testing::HasSubstr("behält Verbrauch und Lastprofil"));
    EXPECT_THAT(note(false), testing::Not(testing::HasSubstr("behält")));
  }
}

TEST(Answers, SlowTheSingleCallDownInBodyAndHeader) {
  const auto response = response_to(actors::Running{.project = 7, .retry_s = 2}, 10);
  EXPECT_EQ(body_of(response)["erneut_in_s"], 10);
  EXPECT_THAT(response.headers, Contains(Pair("Retry-After", "10")));
}

TEST(Answers, GiveAFinishedResultItsOwnTag) {
  const auto finished = [](const char* text, std::uint64_t tag) {
    return response_to(actors::Finished{7, {std::make_shared<const std::string>(text), tag}});
  };
  EXPECT_EQ(finished("{}", 1).text(), "{}");
  EXPECT_THAT(finished("{}", 0xabc).headers, Contains(Pair("ETag", "\"0000000000000abc\"")));
}

TEST(Answers, ListProjectsAndTheNextPage) {
  actors::ProjectPage page{{{9, "Haus", "Weg 1", "1010", "Wien", 48.2, 16.3}, {8, "Hof", "", "", "", 47, 15}},
                           true};
  const json body = body_of(response_to(page, 0, 2));
  EXPECT_EQ(test::faults_as("Projektliste", body), "");
  EXPECT_EQ(body["anzahl"], 2);
  EXPECT_TRUE(body["projekte"][1]["strasse"].is_null());
  EXPECT_EQ(body["weiter"], "https://dach.example/api/v1/projekte?limit=2&vor_id=8");
  page.more = false;
  EXPECT_TRUE(body_of(response_to(page))["weiter"].is_null());
  EXPECT_EQ(test::faults_as("Projektliste", body_of(response_to(actors::ProjectPage{}))), "");
}

TEST(Answers, ListMediaAndHowWellSurfacesAreKnown) {
  using actors::Code;
  using actors::MediaKind;
  const actors::Refusal no_picture{.code = Code::bild_nicht_zeichenbar, .text = "Kein Modul passt."};
  const actors::MediaList list{7,
                               {{MediaKind::overview_image, 0, true, {}, 0, "© A"},
                                {MediaKind::surface_image, 2, false, no_picture, 0, "© A"},
                                {MediaKind::orthophoto, 0, true, {}, 12345, ""},
                                {.kind = MediaKind::model, .refusal = {.code = Code::modell_fehlt}}},
                               {{2, 0.41, 0.7, 1.3, 0.061, 41, 97.6}}};
  const json body = body_of(response_to(list));
  EXPECT_EQ(test::faults_as("Medienliste", body), "");
  const json& media = body["medien"];
  EXPECT_EQ(media[0]["url"], "https://dach.example/api/v1/projekte/7/bilder/uebersicht");
  EXPECT_TRUE(media[0]["nummer"].is_null());
  EXPECT_EQ(media[1]["url"], "https://dach.example/api/v1/projekte/7/bilder/flaeche/2");
  EXPECT_EQ(media[1]["nummer"], 2);
  EXPECT_EQ(media[1]["vorhanden"], false);
  EXPECT_EQ(media[1]["hinweis"], "Kein Modul passt.");
  EXPECT_EQ(media[2]["groesse_bytes"], 12345);
  EXPECT_EQ(media[3]["url"], "https://dach.example/api/v1/projekte/7/modell");
  EXPECT_THAT(media[3]["hinweis"].get<std::string>(), testing::HasSubstr("Webanwendung"));
  EXPECT_EQ(body["flaechen"][0]["residuum_m"], 0.061);
}

TEST(Answers, TellInAMediaListTheNextStepWithAnAddressThatIsThere) {
  using actors::Code;
  actors::MediaList list{.project = 7};
  for (const char* advice : {"", "Fragen Sie fehler.analyse_url mit GET ab."})
    list.media.push_back({.kind = actors::MediaKind::overview_image,
                          .refusal = {.code = Code::analyse_fehlt, .advice = advice, .project = 7}});
  for (const json& item : body_of(response_to(list))["medien"]) {
    const auto hint = item["hinweis"].get<std::string>();
    EXPECT_THAT(hint, testing::HasSubstr("https://dach.example/api/v1/projekte/7/dachanalyse")) << hint;
    EXPECT_THAT(hint, testing::Not(testing::HasSubstr("fehler."))) << hint;
  }
}

TEST(Answers, BringAMediumAsWhatItIsWithANameToSaveItUnder) {
  using actors::MediaKind;
  struct Row {
    MediaKind kind;
    bool png;
    const char* type;
    const char* disposition;
  };
  const actors::SharedText body{std::make_shared<const std::string>("bytes\0of it", 11), 0xabc};
  for (const Row& row :
       {Row{MediaKind::surface_image, false, "image/svg+xml", "inline; filename=\"dach-7-flaeche-2.svg\""},
        Row{MediaKind::surface_image, true, "image/png", "inline; filename=\"dach-7-flaeche-2.png\""},
        Row{MediaKind::overview_image, false, "image/svg+xml", "inline; filename=\"dach-7-uebersicht.svg\""},
        Row{MediaKind::overview_image, true, "image/png", "inline; filename=\"dach-7-uebersicht.png\""},
        Row{MediaKind::orthophoto, false, "image/jpeg", "inline; filename=\"dach-7-orthofoto.jpg\""},
        Row{MediaKind::model, false, "model/gltf-binary", "attachment; filename=\"dach-7-modell.glb\""}}) {
    const auto response = response_to(actors::Medium{7, row.kind, 2, row.png, body});
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.content_type, row.type);
    EXPECT_EQ(response.text(), *body.text);
    EXPECT_THAT(response.headers, Contains(Pair("Content-Disposition", row.disposition)));
    EXPECT_THAT(response.headers, Contains(Pair("ETag", "\"0000000000000abc\"")));
  }
}

TEST(Answers, SayHowTheLimitsStand) {
  const auto response = response_to(actors::ProjectPage{});
  EXPECT_THAT(response.headers, Contains(Pair("RateLimit-Policy", "\"konto\";q=20;w=3600")));
  EXPECT_THAT(response.headers, Contains(Pair("RateLimit", "\"konto\";r=3;t=99")));
}

TEST(Answers, TellACallingAddressThatIsRefusedHowItsLimitsStand) {
  actors::Ticket nobody;
  nobody.address.hour = {500, 0, 120};
  const auto response =
      http::response_of({nobody, actors::Refusal{.code = actors::Code::ratengrenze}}, {kPageLinks, "0123"});
  EXPECT_THAT(response.headers, Contains(Pair("RateLimit", "\"adresse-stunde\";r=0;t=120")));
}

TEST(Answers, TagListsByTheirContent) {
  const auto tag_of = [](const http::Response& response) {
    for (const auto& [name, value] : response.headers)
      if (name == "ETag") return value;
    return std::string();
  };
  const auto empty = response_to(actors::ProjectPage{});
  EXPECT_EQ(tag_of(empty), tag_of(response_to(actors::ProjectPage{})));
  EXPECT_NE(tag_of(empty),
            tag_of(response_to(actors::ProjectPage{{{9, "Haus", "", "", "", 48.2, 16.3}}, false})));
  EXPECT_NE(tag_of(response_to(actors::MediaList{7, {}, {}})),
            tag_of(response_to(actors::MediaList{8, {}, {}})));
}

TEST(Answers, SayNothingOfLimitsToNobody) {
  const auto response =
      http::response_of({{}, actors::Refusal{.code = actors::Code::schluessel_fehlt}}, {kPageLinks, "0123"});
  EXPECT_EQ(response.status, 401);
  for (const auto& [name, value] : response.headers) EXPECT_FALSE(name.starts_with("RateLimit")) << name;
}

}  // namespace
