// The check that all service tests rest on notices each kind of fault.
#include "tests/http/service/description_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/http/schema_check.hpp"

namespace {

using test::Asked;
using test::Reply;
using testing::HasSubstr;

const Asked kList{"GET", "/api/v1/projekte", {{"X-API-Key", "dach_secret"}}};

const test::Description& ours() {
  static const test::Description kOurs(test::openapi());
  return kOurs;
}

/// A good answer to kList.
Reply good() {
  return {200,
          {{"date", "Fri, 20 Nov 2026 10:00:00 GMT"},
           {"connection", "close"},
           {"x-request-id", "0123456789abcdef"},
           {"x-content-type-options", "nosniff"},
           {"referrer-policy", "no-referrer"},
           {"cache-control", "private, no-cache"},
           {"etag", "\"1\""},
           {"content-type", "application/json; charset=utf-8"}},
          R"({"anzahl":0,"projekte":[],"weiter":null})"};
}

/// A good problem document as the answer to kList.
Reply refused(int status, const std::string& code) {
  Reply reply = good();
  reply.status = status;
  reply.headers["content-type"] = "application/problem+json";
  reply.headers["retry-after"] = "60";
  reply.body =
      nlohmann::json{{"type", "https://dach.example/api/v1/doku#fehler-" + code},
                     {"title", "T"},
                     {"status", status},
                     {"detail", "M"},
                     {"instance", "urn:anfrage:0123456789abcdef"},
                     {"doku", "https://dach.example/api/v1/doku"},
                     {"fehler", {{"code", code}, {"meldung", "M"}, {"tu", "Warten Sie 60 Sekunden."}}}}
          .dump();
  return reply;
}

TEST(DescriptionCheck, LetsGoodAnswersPass) {
  EXPECT_EQ(ours().faults_of(kList, good()), "");
  EXPECT_EQ(ours().faults_of(kList, refused(429, "ratengrenze")), "");
}

TEST(DescriptionCheck, NoticesEachMissingHeaderField) {
  for (const char* name : {"date", "connection", "x-request-id", "x-content-type-options", "referrer-policy",
                           "etag", "content-type"}) {
    Reply reply = good();
    reply.headers.erase(name);
    EXPECT_NE(ours().faults_of(kList, reply), "") << name;
  }
}

TEST(DescriptionCheck, NoticesABodyThatDoesNotFit) {
  for (const char* body :
       {"", "{", "[]", R"({"anzahl":0,"projekte":[]})", R"({"anzahl":"0","projekte":[],"weiter":null})",
        R"({"anzahl":0,"projekte":[],"weiter":null,"mehr":1})"}) {
    Reply reply = good();
    reply.body = body;
    EXPECT_NE(ours().faults_of(kList, reply), "") << body;
  }
}

TEST(DescriptionCheck, NoticesAStatusOrACodeThatIsNotDescribed) {
  Reply created = good();
  created.status = 201;
  EXPECT_NE(ours().faults_of(kList, created), "");
  EXPECT_THAT(ours().faults_of(kList, refused(422, "kein_dach")), HasSubstr("not described"));
  EXPECT_THAT(ours().faults_of(kList, refused(429, "kein_dach")), HasSubstr("not described"));
  EXPECT_NE(ours().faults_of({"GET", "/api/v1/nichts", {}}, good()), "");
  EXPECT_NE(ours().faults_of({"DELETE", "/api/v1/projekte", {}}, good()), "");
}

TEST(DescriptionCheck, NoticesAnErrorThatContradictsItself) {
  const auto with = [](const char* field, const nlohmann::json& value) {
    Reply reply = refused(429, "ratengrenze");
    auto body = reply.json();
    body[field] = value;
    reply.body = body.dump();
    return ours().faults_of(kList, reply);
  };
  EXPECT_NE(with("status", 404), "");
  EXPECT_NE(with("instance", "urn:anfrage:another"), "");
  EXPECT_NE(with("type", "https://dach.example/api/v1/doku#fehler-kein_dach"), "");
  EXPECT_NE(with("detail", "otherwise"), "");
  EXPECT_NE(with("doku", nullptr), "");
}

TEST(DescriptionCheck, NoticesWaitsThatAreMissingOrDiffer) {
  Reply silent = refused(429, "ratengrenze");
  silent.headers.erase("retry-after");
  EXPECT_THAT(ours().faults_of(kList, silent), HasSubstr("Retry-After is missing"));
  Reply other = refused(429, "ratengrenze");
  other.headers["retry-after"] = "61";
  EXPECT_THAT(ours().faults_of(kList, other), HasSubstr("does not name the seconds"));
}

TEST(DescriptionCheck, NoticesAKeyThatComesBackAndAnAnswerThatMayBeKept) {
  Reply told = good();
  told.headers["link"] = "https://dach.example/?schluessel=dach_secret";
  EXPECT_THAT(ours().faults_of(kList, told), HasSubstr("holds the key"));
  EXPECT_THAT(ours().faults_of({"GET", "/api/v1/projekte?schluessel=dach_secret", {}}, good()),
              HasSubstr("Cache-Control"));
  Reply kept = good();
  kept.headers["cache-control"] = "public";
  EXPECT_THAT(ours().faults_of(kList, kept), HasSubstr("is public"));
}

}  // namespace
