// Conditional answers, what caches may keep, and which web pages may read an answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/api/reply_rules.hpp"

namespace {

using http::CorsPolicy;
using http::finished;
using http::names_etag;
using http::Response;
using testing::Contains;
using testing::Key;
using testing::Not;
using testing::Pair;

http::Request asked(std::string method, http::NameValues headers = {}, http::NameValues query = {}) {
  http::Request made;
  made.method = std::move(method);
  made.headers = std::move(headers);
  made.query = std::move(query);
  return made;
}

Response tagged() {
  Response response{.status = 200, .body = "body"};
  return response.with("ETag", "\"abc\"");
}

TEST(IfNoneMatch, NamesATagAmongSeveralWeakOrStrong) {
  for (const char* sent : {"\"abc\"", "W/\"abc\"", "\"x\", \"abc\"", "\"x\",W/\"abc\" , \"y\"", "*", " * "})
    EXPECT_TRUE(names_etag(sent, "\"abc\"")) << sent;
  for (const char* sent : {"", "abc", "\"ab\"", "\"abc", "w/\"abc\"", ",,", "\"x\", \"y\""})
    EXPECT_FALSE(names_etag(sent, "\"abc\"")) << sent;
  EXPECT_FALSE(names_etag("*", ""));
}

TEST(ReplyRules, AnswerNotModifiedToWhoHasTheBody) {
  const Response response = finished(tagged(), {.if_none_match = "\"abc\""});
  EXPECT_EQ(response.status, 304);
  EXPECT_EQ(response.text(), "");
  EXPECT_THAT(response.headers, Contains(Pair("ETag", "\"abc\"")));
}

TEST(ReplyRules, AnswerInFullToWhoHasAnother) {
  const Response response = finished(tagged(), {.if_none_match = "\"old\""});
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.text(), "body");
}

TEST(ReplyRules, NeverTurnARunningAnalysisOrAnErrorIntoNotModified) {
  for (const int status : {202, 404, 500}) {
    Response response = tagged();
    response.status = status;
    EXPECT_EQ(finished(response, {.if_none_match = "*"}).status, status);
  }
}

TEST(ReplyRules, LookAtIfNoneMatchOnlyWhenReading) {
  const CorsPolicy off("");
  const http::NameValues condition{{"if-none-match", "*"}};
  EXPECT_EQ(rules_of(asked("GET", condition), true, off).if_none_match, "*");
  EXPECT_EQ(rules_of(asked("HEAD", condition), true, off).if_none_match, "*");
  EXPECT_EQ(rules_of(asked("POST", condition), true, off).if_none_match, "");
}

TEST(ReplyRules, ReadTheTagsOfEveryIfNoneMatchLine) {
  const http::NameValues lines{{"if-none-match", "\"old\""}, {"accept", "*/*"}, {"if-none-match", "\"abc\""}};
  const auto rules = rules_of(asked("GET", lines), true, CorsPolicy(""));
  EXPECT_EQ(finished(tagged(), rules).status, 304);
}

TEST(ReplyRules, KeepAnAccountsAnswersOutOfSharedCaches) {
  EXPECT_THAT(finished(tagged(), {.keyed = true}).headers,
              Contains(Pair("Cache-Control", "private, no-cache")));
}

TEST(ReplyRules, LetNobodyStoreAnAnswerWhoseUrlHoldsTheKey) {
  const auto rules = rules_of(asked("GET", {}, {{"schluessel", "dach_x"}}), true, CorsPolicy(""));
  EXPECT_THAT(finished(tagged(), rules).headers, Contains(Pair("Cache-Control", "no-store")));
  Response page = tagged();
  page.with("Cache-Control", "public, max-age=300");
  const Response safe = finished(page, {.key_in_url = true});
  EXPECT_THAT(safe.headers, Contains(Pair("Cache-Control", "no-store")));
  EXPECT_THAT(safe.headers, Not(Contains(Pair("Cache-Control", "public, max-age=300"))));
}

TEST(ReplyRules, LetNobodyStoreErrorsAndLeavePublicPagesTheirOwnRule) {
  EXPECT_THAT(finished({.status = 404}, {}).headers, Contains(Pair("Cache-Control", "no-store")));
  Response page{.status = 200};
  page.with("Cache-Control", "public, max-age=300");
  EXPECT_THAT(finished(page, {}).headers, Contains(Pair("Cache-Control", "public, max-age=300")));
}

TEST(CorsPolicy, IsOffByDefault) {
  const auto rules = rules_of(asked("GET", {{"origin", "https://a.example"}}), true, CorsPolicy(""));
  const Response response = finished(tagged(), rules);
  EXPECT_THAT(response.headers, Not(Contains(Key("Access-Control-Allow-Origin"))));
  EXPECT_THAT(response.headers, Not(Contains(Key("Vary"))));
}

TEST(CorsPolicy, LetsInTheConfiguredOriginsAndNoOther) {
  const CorsPolicy policy("https://a.example, https://b.example");
  const auto allowed = [&](const char* origin) {
    return policy.allowed_origin(asked("GET", {{"origin", origin}}));
  };
  EXPECT_EQ(allowed("https://a.example"), "https://a.example");
  EXPECT_EQ(allowed("https://b.example"), "https://b.example");
  for (const char* origin :
       {"https://c.example", "http://a.example", "https://a.example.evil.example", "null", ""})
    EXPECT_EQ(allowed(origin), "") << origin;
  EXPECT_EQ(policy.allowed_origin(asked("GET")), "");
}

TEST(CorsPolicy, TellsCachesWhenTheAnswerDependsOnTheOrigin) {
  const auto headers = [](const char* origins) {
    return finished(tagged(),
                    rules_of(asked("GET", {{"origin", "https://a.example"}}), true, CorsPolicy(origins)))
        .headers;
  };
  EXPECT_THAT(headers("https://a.example"), Contains(Pair("Vary", "Origin")));
  EXPECT_THAT(headers("*"), Not(Contains(Key("Vary"))));
  EXPECT_THAT(headers("*"), Contains(Pair("Access-Control-Allow-Origin", "*")));
}

}  // namespace
