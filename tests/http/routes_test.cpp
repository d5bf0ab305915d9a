// The table of endpoints against the contract's, and the way from a path to its row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "http/api/limit_table.hpp"
#include "http/api/routes.hpp"
#include "tests/shared_data.hpp"

namespace {

using http::find_route;
using http::Route;

using Endpoint = std::pair<std::string, std::string>;

const std::set<Endpoint> kContract{
    {"GET", "/analyse"},
    {"POST", "/projekte"},
    {"GET", "/projekte"},
    {"GET", "/projekte/{projekt_id}/dachanalyse"},
    {"POST", "/projekte/{projekt_id}/dachanalyse"},
    {"GET", "/projekte/{projekt_id}/medien"},
    {"GET", "/projekte/{projekt_id}/bilder/flaeche/{nummer}"},
    {"GET", "/projekte/{projekt_id}/bilder/uebersicht"},
    {"GET", "/projekte/{projekt_id}/orthofoto"},
    {"GET", "/projekte/{projekt_id}/modell"},
    {"GET", "/lastprofile"},
    {"GET", "/openapi.json"},
    {"GET", "/doku"},
    {"GET", "/anleitung"},
};

std::set<Endpoint> endpoints() {
  std::set<Endpoint> all;
  for (const Route& route : http::route_table()) all.emplace(route.method, route.path);
  return all;
}

const Route& route_of(std::string_view method, std::string_view path) {
  return *find_route(method, path).route;
}

TEST(RouteTable, HasTheContractsEndpointsAndNoOther) {
  EXPECT_EQ(endpoints(), kContract);
  EXPECT_EQ(http::route_table().size(), kContract.size());
}

TEST(RouteTable, AgreesWithTheContractWhereItIsAtHand) {
  std::ifstream contract(test::shared_file("spec.md"));
  if (!contract) GTEST_SKIP() << "the contract is not here (ROOF_SHARED names its directory)";
  std::set<Endpoint> written;
  for (std::string line; std::getline(contract, line);) {
    std::istringstream words(line);
    std::string bar, method, path;
    words >> bar >> method >> bar >> path;
    if ((method == "GET" || method == "POST") && path.starts_with("/")) written.emplace(method, path);
  }
  EXPECT_EQ(endpoints(), written);
}

TEST(RouteTable, NeedsAKeyEverywhereButOnThePublicPages) {
  const std::set<std::string_view> open{"/lastprofile", "/openapi.json", "/doku", "/anleitung"};
  for (const Route& route : http::route_table()) {
    EXPECT_EQ(route.keyed(), !open.contains(route.path)) << route.path;
    EXPECT_NE(route.keyed(), route.page != nullptr) << route.path;
  }
}

TEST(RouteTable, CountsEachEndpointAgainstTheContractsLimit) {
  using actors::LimitClass;
  EXPECT_EQ(route_of("GET", "/analyse").limit, LimitClass::analyse);
  EXPECT_EQ(route_of("POST", "/projekte").limit, LimitClass::create);
  EXPECT_EQ(route_of("POST", "/projekte/1/dachanalyse").limit, LimitClass::create);
  EXPECT_EQ(route_of("GET", "/projekte").limit, LimitClass::status);
  EXPECT_EQ(route_of("GET", "/projekte/1/dachanalyse").limit, LimitClass::status);
  for (const char* path : {"medien", "bilder/flaeche/1", "bilder/uebersicht", "orthofoto", "modell"})
    EXPECT_EQ(route_of("GET", std::string("/projekte/1/") + path).limit, LimitClass::media) << path;
}

TEST(RouteTable, SlowsOnlyTheSingleCallDown) {
  for (const Route& route : http::route_table())
    EXPECT_EQ(route.retry_at_least_s, route.path == "/analyse" ? 10 : 0) << route.path;
}

TEST(RouteTable, GivesEveryEndpointAnIdOfItsOwnAndWords) {
  std::set<std::string_view> ids;
  for (const Route& route : http::route_table()) {
    EXPECT_TRUE(ids.insert(route.id).second) << route.id;
    EXPECT_FALSE(route.summary.empty());
    EXPECT_FALSE(route.about.empty());
    EXPECT_FALSE(route.successes.empty());
  }
}

TEST(RouteTable, DescribesEveryPlaceholderOfAPathInItsOrder) {
  for (const Route& route : http::route_table()) {
    std::string described;
    for (const http::Parameter& parameter : route.parameters)
      if (parameter.in == http::Parameter::In::path)
        described += "{" + std::string(parameter.field.name) + "}";
    std::string placeholders;
    bool inside = false;
    for (const char c : route.path) {
      inside |= c == '{';
      if (inside) placeholders += c;
      inside &= c != '}';
    }
    EXPECT_EQ(described, placeholders) << route.path;
  }
}

TEST(RouteTable, NamesOnlySchemasThatThereAre) {
  for (const Route& route : http::route_table()) {
    std::vector<std::string_view> names{route.body.schema};
    for (const http::Success& success : route.successes) names.push_back(success.schema);
    std::erase(names, "");
    for (const std::string_view name : names) EXPECT_NO_THROW(http::schema_of(name)) << name;
  }
}

TEST(FindRoute, HandsOutThePlaceholdersValues) {
  const auto routed = find_route("GET", "/projekte/42/bilder/flaeche/7");
  ASSERT_TRUE(routed.route);
  EXPECT_EQ(routed.parameters, (http::PathParameters{"42", "7"}));
}

TEST(FindRoute, TakesHeadForGet) {
  EXPECT_EQ(find_route("HEAD", "/doku").route, find_route("GET", "/doku").route);
}

TEST(FindRoute, SaysWhichMethodsAPathHas) {
  const auto routed = find_route("DELETE", "/projekte");
  EXPECT_FALSE(routed.route);
  EXPECT_EQ(routed.allowed, "POST, GET, HEAD, OPTIONS");
  EXPECT_EQ(find_route("POST", "/doku").allowed, "GET, HEAD, OPTIONS");
  EXPECT_FALSE(find_route("get", "/doku").route);
}

TEST(FindRoute, KnowsNothingOfOtherPaths) {
  for (const char* path :
       {"", "/", "/doku/", "/Doku", "/dok", "/projekte/", "/projekte/1", "/projekte/1/", "doku", "//doku",
        "/projekte/1/bilder", "/projekte/1/bilder/flaeche", "/projekte/1/medien/x", "/../doku"})
    EXPECT_EQ(find_route("GET", path).allowed, "") << path;
}

TEST(LimitTable, ShowsTheConfiguredLimits) {
  actors::ActorOptions options;
  options.limits.create_per_hour = 7;
  options.limits.media_per_hour = 0;
  options.slots = 3;
  options.retention_h = 48;
  std::string all;
  for (const http::LimitRow& row : http::limit_table(options)) all += row.what + ": " + row.value + "\n";
  EXPECT_THAT(all, testing::HasSubstr("neu starten: 7 je Stunde und Konto\n"));
  EXPECT_THAT(all, testing::HasSubstr("ihre Liste zusammen: nicht begrenzt\n"));
  EXPECT_THAT(all, testing::HasSubstr("alle Nutzer zusammen: 3\n"));
  EXPECT_THAT(all, testing::HasSubstr("eines Ergebnisses: 2 Tage\n"));
}

TEST(LimitTable, HasTheContractsFiguresByDefault) {
  std::string all;
  for (const http::LimitRow& row : http::limit_table({})) all += row.what + ": " + row.value + "\n";
  for (const char* figure :
       {": 20 je Stunde", ": 900 je Stunde", ": 40 je Stunde", ": 120 je Stunde", ": 500 ", ": 5000 ",
        "Nutzer zusammen: 2\n", "ein Tag", "150 Sekunden", "höchstens 200 Zeichen", "höchstens 150 Zeichen",
        "höchstens 100000000 kWh", "200 bis 2000", "1 bis 200", "30 Tage"})
    EXPECT_THAT(all, testing::HasSubstr(figure));
}

}  // namespace
