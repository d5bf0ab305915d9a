// What is answered without asking an actor: unknown paths and methods, OPTIONS, the public pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "http/api/reception.hpp"
#include "tests/http/schema_check.hpp"

namespace {

using http::Reception;
using http::Request;
using http::Response;
using testing::Contains;
using testing::Key;
using testing::Not;
using testing::Pair;

Request request(std::string method, std::string_view target, http::NameValues headers = {}) {
  Request made;
  made.id = "0123";
  made.method = std::move(method);
  made.headers = std::move(headers);
  http::read_target(target, made);
  return made;
}

std::optional<Response> answer(const Request& request, const char* origins = "") {
  static const http::PageContext context = test::page_context();
  return Reception(context, origins).answer(request, Reception::route(request));
}

std::string code_of(const Response& response) {
  return nlohmann::json::parse(response.text())["fehler"]["code"];
}

TEST(Reception, KnowsNoPathOutsideTheVersion) {
  for (const char* target : {"/", "/doku", "/api/v2/doku", "/api/v1", "/api/v1/", "/api/v1doku",
                             "/api/v1/nichts", "*", "/%00", "//api/v1/doku", "/API/v1/doku"}) {
    const auto response = answer(request("GET", target));
    ASSERT_TRUE(response) << target;
    EXPECT_EQ(response->status, 404) << target;
    EXPECT_EQ(code_of(*response), "pfad_unbekannt") << target;
  }
}

TEST(Reception, SaysWhichMethodsAPathTakes) {
  const auto response = answer(request("PUT", "/api/v1/projekte"));
  EXPECT_EQ(response->status, 405);
  EXPECT_EQ(code_of(*response), "methode_nicht_erlaubt");
  EXPECT_THAT(response->headers, Contains(Pair("Allow", "POST, GET, HEAD, OPTIONS")));
}

TEST(Reception, HeadCreatesNothing) {
  const auto response = answer(request("HEAD", "/api/v1/analyse?adresse=Weg+1&jahresverbrauch_kwh=1"));
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 405);
  EXPECT_THAT(response->headers, Contains(Pair("Allow", "GET, OPTIONS")));
  EXPECT_THAT(answer(request("OPTIONS", "/api/v1/analyse"))->headers,
              Contains(Pair("Allow", "GET, OPTIONS")));
  EXPECT_FALSE(answer(request("GET", "/api/v1/analyse"))) << "which the actors answer";
}

/// HEAD works on every GET route but /analyse, which may create a project.
TEST(Reception, HeadIsTakenWhereGetChangesNothingAndNowhereElse) {
  for (const http::Route& route : http::route_table()) {
    std::string path = "/api/v1" + std::string(route.path);
    for (auto at = path.find('{'); at != std::string::npos; at = path.find('{'))
      path.replace(at, path.find('}') - at + 1, "1");
    const http::Routed routed = Reception::route(request("HEAD", path));
    if (routed.route) {
      EXPECT_EQ(routed.route->method, "GET") << path;
    }
    const bool creates = path == "/api/v1/analyse";
    if (route.method == "GET") {
      EXPECT_EQ(routed.route == nullptr, creates) << path;
    }
  }
}

TEST(Reception, AnswersOptionsWithTheMethods) {
  const auto response = answer(request("OPTIONS", "/api/v1/doku"));
  EXPECT_EQ(response->status, 204);
  EXPECT_THAT(response->headers, Contains(Pair("Allow", "GET, HEAD, OPTIONS")));
  EXPECT_THAT(response->headers, Not(Contains(Key("Access-Control-Allow-Methods"))));
}

TEST(Reception, AnswersOptionsForTheWholeServer) {
  const auto response = answer(request("OPTIONS", "*"));
  EXPECT_EQ(response->status, 204);
  EXPECT_THAT(response->headers, Contains(Pair("Allow", "GET, HEAD, POST, OPTIONS")));
  EXPECT_EQ(answer(request("GET", "*"))->status, 404);
}

TEST(Reception, AnswersAPreflightOfAnAllowedOriginOnly) {
  const auto preflight = [](const char* origin) {
    return *answer(request("OPTIONS", "/api/v1/projekte",
                           {{"origin", origin}, {"access-control-request-method", "POST"}}),
                   "https://a.example");
  };
  EXPECT_THAT(preflight("https://a.example").headers,
              Contains(Pair("Access-Control-Allow-Headers", testing::HasSubstr("X-API-Key"))));
  EXPECT_THAT(preflight("https://b.example").headers, Not(Contains(Key("Access-Control-Allow-Headers"))));
}

TEST(Reception, LeavesKeyedEndpointsToTheActors) {
  EXPECT_FALSE(answer(request("GET", "/api/v1/projekte")));
  EXPECT_FALSE(answer(request("HEAD", "/api/v1/projekte/1/dachanalyse")));
  EXPECT_FALSE(answer(request("POST", "/api/v1/projekte")));
}

http::Response page(const char* path, const http::PageContext& context = test::page_context()) {
  return Reception(context, "").page(*Reception::route(request("GET", path)).route);
}

TEST(Reception, ServesPublicPagesWithATagThatFollowsTheirContent) {
  for (const char* path :
       {"/api/v1/lastprofile", "/api/v1/openapi.json", "/api/v1/doku", "/api/v1/anleitung"}) {
    EXPECT_FALSE(answer(request("GET", path))) << "the address guard is asked first";
    const auto response = page(path);
    EXPECT_EQ(response.status, 200);
    EXPECT_THAT(response.headers, Contains(Pair("Cache-Control", "public, max-age=300")));
    EXPECT_THAT(response.headers, Contains(Pair("ETag", testing::MatchesRegex("\"[A-Za-z0-9+/=]{44}\""))));
    EXPECT_EQ(response.headers, page(path).headers);
  }
  http::PageContext other = test::page_context();
  other.options.slots = 9;
  EXPECT_NE(page("/api/v1/doku", other).headers, page("/api/v1/doku").headers);
}

TEST(KeyOfARequest, IsTheHeadersBeforeTheUrls) {
  EXPECT_EQ(http::key_of(request("GET", "/?schluessel=url", {{"x-api-key", "header"}})), "header");
  EXPECT_EQ(http::key_of(request("GET", "/?schluessel=url", {{"x-api-key", ""}})), "url");
  EXPECT_EQ(http::key_of(request("GET", "/?schluessel=a%2Bb")), "a+b");
  EXPECT_EQ(http::key_of(request("GET", "/")), "");
}

}  // namespace
