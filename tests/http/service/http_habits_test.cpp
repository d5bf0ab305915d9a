// What users of good APIs expect of any: tags and 304, HEAD, who may keep an answer, web pages of other
// origins, limits told in every answer, and the public pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/http/service/contract_world.hpp"

namespace {

using test::Headers;
using test::RunningService;
using testing::HasSubstr;

TEST(Tags, SpareTheBodyAndCountAllTheSame) {
  RunningService service;
  const std::string key = service.new_key();
  service.create(key, 0);
  const auto result = service.await_result(key, 1);
  for (const char* path : {"/projekte/1/dachanalyse", "/projekte", "/projekte/1/medien"}) {
    const auto first = service.get(path, key);
    const std::string tag = first.headers.at("etag");
    EXPECT_TRUE(tag.starts_with('"')) << "strong: " << tag;
    const auto again = service.get(path, key, {{"If-None-Match", tag}});
    EXPECT_EQ(again.status, 304) << path;
    EXPECT_EQ(again.headers.at("etag"), tag);
    const auto left = [](const test::Reply& reply) {
      const std::string& limits = reply.headers.at("ratelimit");
      return std::stoi(limits.substr(limits.find("r=") + 2));
    };
    EXPECT_EQ(left(again), left(first) - 1) << "a 304 counts as well";
    EXPECT_EQ(service.get(path, key, {{"If-None-Match", "\"another\""}}).status, 200);
  }
}

TEST(Tags, OfPublicPagesSpareTheBody) {
  RunningService service;
  for (const char* path : {"/doku", "/anleitung", "/openapi.json", "/lastprofile"}) {
    const auto first = service.get(path);
    EXPECT_EQ(service.get(path, "", {{"If-None-Match", first.headers.at("etag")}}).status, 304) << path;
    EXPECT_THAT(first.headers.at("cache-control"), HasSubstr("public"));
  }
}

TEST(Head, IsAnsweredLikeGetWithoutABody) {
  RunningService service;
  const std::string key = service.new_key();
  service.create(key, 0);
  service.await_result(key, 1);
  for (const char* path :
       {"/projekte", "/projekte/1/dachanalyse", "/doku", "/lastprofile", "/projekte/4711/medien"}) {
    const auto get = service.get(path, key);
    const auto head = service.request("HEAD", path, {}, {{"X-API-Key", key}});
    EXPECT_EQ(head.status, get.status) << path;
    EXPECT_EQ(head.headers.at("content-length"), get.headers.at("content-length")) << path;
    EXPECT_EQ(head.headers.at("content-type"), get.headers.at("content-type")) << path;
  }
}

TEST(Head, OfAnalyseCreatesNothingAndLeavesTheTestQuotaAlone) {
  RunningService service;
  const std::string key = service.new_key("test");
  const auto head = service.unchecked("HEAD", "/api/v1/analyse?adresse=Weg+1&jahresverbrauch_kwh=4500", {},
                                      {{"X-API-Key", key}});
  EXPECT_EQ(head.status, 405);
  EXPECT_EQ(head.headers.at("allow"), "GET, OPTIONS");
  EXPECT_EQ(head.body, "");
  EXPECT_EQ(service.get("/projekte", key).json()["anzahl"], 0);
  EXPECT_EQ(service.create(key, 0).status, 202);
}

TEST(Caches, KeepNothingWhoseUrlHoldsAKeyAndNothingOfAnAccountForOthers) {
  RunningService service;
  const std::string key = service.new_key();
  EXPECT_EQ(service.get("/projekte?schluessel=" + key).headers.at("cache-control"), "no-store");
  EXPECT_EQ(service.get("/doku?schluessel=" + key).headers.at("cache-control"), "no-store");
  EXPECT_EQ(service.get("/nichts?schluessel=" + key).headers.at("cache-control"), "no-store");
  EXPECT_EQ(service.get("/projekte?schluessel=" + key.substr(0, 20)).headers.at("cache-control"), "no-store");
  EXPECT_THAT(service.get("/projekte", key).headers.at("cache-control"), HasSubstr("private"));
  EXPECT_EQ(service.get("/nichts").headers.at("cache-control"), "no-store");
}

TEST(OtherOrigins, ReadAnswersOnlyWhereTheOperatorAllowsIt) {
  const RunningService open({"--http.cors-origin=https://karte.example"});
  const Headers asking{{"Origin", "https://karte.example"}, {"Access-Control-Request-Method", "POST"}};
  const auto preflight = open.request("OPTIONS", "/projekte", {}, asking);
  EXPECT_EQ(preflight.headers.at("access-control-allow-origin"), "https://karte.example");
  EXPECT_THAT(preflight.headers.at("access-control-allow-methods"), HasSubstr("POST"));
  EXPECT_THAT(preflight.headers.at("access-control-allow-headers"), HasSubstr("X-API-Key"));
  EXPECT_EQ(open.get("/lastprofile", "", {{"Origin", "https://boese.example"}})
                .headers.count("access-control-allow-origin"),
            0U);
  const RunningService closed;
  EXPECT_EQ(closed.request("OPTIONS", "/projekte", {}, asking).headers.count("access-control-allow-origin"),
            0U);
}

TEST(OddHeaders, OfBrowsersAndProxiesFailNoRequest) {
  RunningService service;
  for (const Headers& odd : {Headers{{"Accept", "foo"}}, Headers{{"Accept", "text/html;q=0.x"}},
                             Headers{{"Date", "gestern"}}, Headers{{"Cache-Control", ";;"}},
                             Headers{{"Content-Type", "a/b/c"}}, Headers{{"Accept-Encoding", "br, gzip"}},
                             Headers{{"Via", "1.1 proxy"}, {"X-Forwarded-For", "nonsense, 1.2.3"}},
                             Headers{{"Connection", "foo"}}})
    EXPECT_EQ(service.get("/lastprofile", "", odd).status, 200)
        << odd.begin()->first << ": " << odd.begin()->second;
}

TEST(Limits, OfACallingAddressSurviveARestart) {
  RunningService service({"--limits.address-per-hour=4"});
  for (int i = 0; i < 4; ++i) EXPECT_EQ(service.get("/lastprofile").status, 200);
  service.stop();
  service.start();
  const auto refused = service.get("/lastprofile");
  EXPECT_EQ(refused.code(), "ratengrenze");
  EXPECT_THAT(refused.headers.at("ratelimit"), HasSubstr("\"adresse-stunde\";r=0"));
}

TEST(Limits, OfACallingAddressCountAnIpv6NetworkAsOneBehindATrustedProxy) {
  RunningService service({"--limits.address-per-hour=2", "--http.trusted-proxies=127.0.0.1"});
  const auto from = [&](const char* address) {
    return service.get("/lastprofile", "", {{"X-Forwarded-For", address}}).status;
  };
  EXPECT_EQ(from("2001:db8:1:2::1"), 200);
  EXPECT_EQ(from("2001:db8:1:2:ffff::9"), 200);
  EXPECT_EQ(from("2001:db8:1:2::3"), 429);
  EXPECT_EQ(from("2001:db8:1:3::1"), 200);
  EXPECT_EQ(from("192.0.2.1"), 200);
}

TEST(LoadProfiles, AreTheElevenOfTheContract) {
  RunningService service;
  const auto body = service.get("/lastprofile").json();
  std::vector<std::string> codes;
  for (const auto& profile : body["profile"]) codes.push_back(profile["kennung"]);
  EXPECT_THAT(
      codes, testing::UnorderedElementsAre("H0", "L0", "L1", "L2", "G0", "G1", "G2", "G3", "G4", "G5", "G6"));
  EXPECT_EQ(body["vorgabe"], "H0");
}

TEST(Description, IsOpenApiOfTheContractsVersion) {
  RunningService service;
  const auto body = service.get("/openapi.json").json();
  EXPECT_EQ(body["openapi"], "3.1.0");
  EXPECT_EQ(body["info"]["version"], "1.1.0");
}

TEST(Result, KeepsTheRulesOfTheContractsFields) {
  RunningService service;
  const std::string key = service.new_key();
  service.create(key, 0);
  const auto body = service.await_result(key, 1).json();
  int id = 0, recommended = 0, possible = 0;
  for (const auto& surface : body["flaechen"]) {
    EXPECT_EQ(surface["id"], ++id) << "from 1 on, without a gap";
    EXPECT_EQ(surface["ertrag_enthaelt_verschattung"], true);
    EXPECT_EQ(surface["empfohlen"].get<bool>(), surface["module_empfohlen"].get<int>() > 0);
    EXPECT_GT(surface["azimut_grad"], -180);
    EXPECT_LE(surface["azimut_grad"], 180);
    EXPECT_THAT(surface["bild_url"].get<std::string>(),
                testing::EndsWith("/bilder/flaeche/" + std::to_string(id)));
    for (const auto& ring : surface["umriss"]["coordinates"]) {
      EXPECT_GE(ring.size(), 4U);
      EXPECT_EQ(ring.front(), ring.back());
      for (const auto& point : ring)
        EXPECT_LT(point[0], point[1]) << "longitude before latitude, in our countries";
    }
    if (!surface["verschattung"].is_null()) {
      EXPECT_EQ(surface["verschattung"]["messpunkte"].size(), 5U);
    }
    recommended += surface["module_empfohlen"].get<int>();
    possible += surface["module_moeglich"].get<int>();
  }
  EXPECT_EQ(body["zusammenfassung"]["flaechen_anzahl"], id);
  EXPECT_EQ(body["zusammenfassung"]["auslegung_module"], recommended);
  EXPECT_EQ(body["zusammenfassung"]["module_moeglich"], possible);
  EXPECT_EQ(body["wirtschaftlichkeit"]["verfuegbar"], false);
  EXPECT_EQ(body["wirtschaftlichkeit"]["anmeldung_noetig"], true);
  EXPECT_FALSE(body["quellen"].empty());
  for (const auto& source : body["quellen"]) EXPECT_FALSE(source["art"].get<std::string>().empty());
  const std::string analysis = "/projekte/1/dachanalyse";
  EXPECT_EQ(service.get(analysis, key).body, service.get(analysis, key).body) << "same input, same bytes";
}

}  // namespace
