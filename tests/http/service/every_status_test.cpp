// Every endpoint gives every status that the contract lists for it, and every error code of the contract has
// been given by the running program, each for the reason that the contract names. The tables of expectations
// are held against the contract's own: what it has and they have not, fails.
#include <gtest/gtest.h>

#include <set>

#include "http/api/errors.hpp"
#include "http/api/routes.hpp"
#include "tests/http/contract_tables.hpp"
#include "tests/http/service/contract_world.hpp"

namespace {

using test::Headers;
using test::Reply;
using test::RunningService;
using test::World;

struct Given {
  std::string endpoint;  ///< as the contract writes it
  int status;
  std::string code;  ///< empty: no error
  std::string reason;
  Reply reply;
};

const Headers kJson{{"Content-Type", "application/json"}};

nlohmann::json order(const std::string& field, const nlohmann::json& value) {
  auto body = test::project_order(test::sample_region().addresses[11]);
  body[field] = value;
  return body;
}

/// Swaps two letters of the street.
std::string mistyped(std::string address) {
  std::size_t at = 1;
  while (address[at] == address[at + 1] || std::isalpha(static_cast<unsigned char>(address[at])) == 0 ||
         std::isalpha(static_cast<unsigned char>(address[at + 1])) == 0)
    ++at;
  std::swap(address[at], address[at + 1]);
  return address;
}

/// A missing or bad key, at every endpoint that needs one.
void keys(World& w, std::vector<Given>& given) {
  for (const http::Route& route : http::route_table()) {
    if (!route.keyed()) continue;
    const std::string endpoint = std::string(route.method) + " " + std::string(route.path);
    std::string path(route.path);
    for (const auto& [name, value] :
         {std::pair<std::string, std::string>{"{projekt_id}", "1"}, {"{nummer}", "1"}})
      if (const auto at = path.find(name); at != std::string::npos) path.replace(at, name.size(), value);
    const auto call = [&](const Headers& headers) {
      return w.service.request(std::string(route.method), path, {}, headers);
    };
    given.push_back({endpoint, 401, "schluessel_fehlt", "no key", call({})});
    given.push_back({endpoint, 401, "schluessel_ungueltig", "a key that is none",
                     call({{"X-API-Key", "dach_nonsense"}})});
    given.push_back({endpoint, 500, "interner_fehler", "an account that cannot be read",
                     call({{"X-API-Key", w.broken_key}})});
  }
}

void creation(World& w, std::vector<Given>& given) {
  const std::string endpoint = "POST /projekte";
  const auto post = [&](const nlohmann::json& body) {
    return w.service.post("/projekte", w.key, body.dump());
  };
  given.push_back({endpoint, 400, "anfrage_ungueltig", "no JSON", w.service.post("/projekte", w.key, "{")});
  given.push_back(
      {endpoint, 400, "adresse_zu_lang", "201 characters", post(order("adresse", std::string(201, 'a')))});
  given.push_back({endpoint, 400, "verbrauch_fehlt", "zero", post(order("jahresverbrauch_kwh", 0))});
  given.push_back({endpoint, 400, "lastprofil_unbekannt", "not listed", post(order("lastprofil", "X1"))});
  given.push_back({endpoint, 403, "testkontingent_erschoepft", "the second address of a test account",
                   w.service.post("/projekte", w.test_key, order("name", "b").dump())});
  given.push_back({endpoint, 404, "adresse_nicht_gefunden", "nowhere",
                   post(order("adresse", "Xyzgasse 1, 1010 Nirgendwo"))});
  given.push_back({endpoint, 404, "adresse_nicht_eindeutig", "a typing error",
                   post(order("adresse", mistyped(test::sample_region().addresses[11])))});
  given.push_back({endpoint, 409, "projekt_besteht_bereits", "the same address again",
                   post(order("adresse", w.address(World::finished)))});
  given.push_back({endpoint, 413, "anfrage_zu_gross", "70 KB",
                   w.service.post("/projekte", w.key, std::string(70'000, ' '))});
  given.push_back(
      {endpoint, 415, "inhaltstyp_falsch", "text/plain",
       w.service.post("/projekte", w.key, order("name", "b").dump(), {{"Content-Type", "text/plain"}})});
  given.push_back({endpoint, 202, "", "a new address", post(order("name", "neu"))});
}

void states(World& w, std::vector<Given>& given) {
  struct Expected {
    World::Project project;
    int status;
    std::string code;
  };
  for (const auto& [project, status, code] :
       {Expected{World::finished, 200, ""}, Expected{World::damaged, 500, "analyse_unlesbar"},
        Expected{World::expired, 404, "analyse_fehlt"},
        Expected{World::interrupted, 503, "analyse_abgebrochen"}, Expected{World::roofless, 422, "kein_dach"},
        Expected{World::unreachable, 503, "dienst_nicht_erreichbar"},
        Expected{World::overloaded, 503, "dienst_ueberlastet"},
        Expected{World::failed, 500, "analyse_fehlgeschlagen"},
        Expected{World::broken, 500, "interner_fehler"}}) {
    given.push_back({"GET /projekte/{projekt_id}/dachanalyse", status, code, "the project's state",
                     w.service.get(World::analysis(project), w.key)});
    given.push_back(
        {"GET /analyse", status, code, "the project's state",
         w.service.get(World::single_call(test::sample_region().addresses.at(project - 1)), w.key)});
  }
  given.push_back({"GET /projekte/{projekt_id}/dachanalyse", 404, "projekt_unbekannt", "no such project",
                   w.service.get(World::analysis(4711), w.key)});
  given.push_back({"GET /projekte/{projekt_id}/dachanalyse", 404, "projekt_unbekannt",
                   "another account's project", w.service.get(World::analysis(World::finished), w.test_key)});
}

void single_call(World& w, std::vector<Given>& given) {
  const std::string endpoint = "GET /analyse";
  const auto get = [&](const std::string& query) { return w.service.get("/analyse?" + query, w.key); };
  given.push_back({endpoint, 400, "anfrage_ungueltig", "no address", get("jahresverbrauch_kwh=1")});
  given.push_back({endpoint, 400, "verbrauch_fehlt", "no consumption", get("adresse=a")});
  given.push_back(
      {endpoint, 400, "lastprofil_unbekannt", "not listed", get("adresse=a&verbrauch=1&lastprofil=X1")});
  given.push_back({endpoint, 400, "adresse_zu_lang", "201 characters",
                   get("verbrauch=1&adresse=" + std::string(201, 'a'))});
  given.push_back({endpoint, 404, "adresse_nicht_gefunden", "nowhere",
                   get("verbrauch=1&adresse=Xyzgasse+1,+1010+Nirgendwo")});
  given.push_back(
      {endpoint, 202, "", "a new address, for an account that has none",
       w.service.get(World::single_call(test::sample_region().addresses[0]), w.service.new_key())});
}

void restarts(World& w, std::vector<Given>& given) {
  const std::string endpoint = "POST /projekte/{projekt_id}/dachanalyse";
  const auto post = [&](std::uint64_t project, const std::string& body, const Headers& headers = kJson) {
    return w.service.post(World::analysis(project), w.key, body, headers);
  };
  given.push_back({endpoint, 400, "anfrage_ungueltig", "no JSON", post(World::failed, "{")});
  given.push_back(
      {endpoint, 400, "verbrauch_fehlt", "zero", post(World::failed, R"({"jahresverbrauch_kwh":0})")});
  given.push_back(
      {endpoint, 400, "lastprofil_unbekannt", "not listed", post(World::failed, R"({"lastprofil":"X1"})")});
  given.push_back({endpoint, 404, "projekt_unbekannt", "no such project", post(4711, "", {})});
  given.push_back({endpoint, 415, "inhaltstyp_falsch", "text/plain",
                   post(World::failed, "{}", {{"Content-Type", "text/plain"}})});
  given.push_back({endpoint, 500, "analyse_unlesbar", "a damaged result is not overwritten",
                   post(World::damaged, "", {})});
  for (const auto project : {World::failed, World::expired, World::interrupted})
    given.push_back({endpoint, 202, "", "begins anew", post(project, "", {})});
}

/// The JSON side of the media; what pictures look like is tested elsewhere.
void media(World& w, std::vector<Given>& given) {
  const auto get = [&](std::uint64_t project, const std::string& what) {
    return w.service.get(World::media(project, what), w.key);
  };
  const std::string project = "GET /projekte/{projekt_id}/";
  const std::string surface = project + "bilder/flaeche/{nummer}";
  given.push_back({project + "medien", 200, "", "the list", get(World::finished, "medien")});
  given.push_back(
      {project + "orthofoto", 404, "orthofoto_fehlt", "never saved", get(World::finished, "orthofoto")});
  given.push_back({project + "modell", 404, "modell_fehlt", "never saved", get(World::finished, "modell")});
  for (const std::string what : {"bilder/uebersicht", "bilder/flaeche/1"}) {
    const std::string endpoint = what == "bilder/uebersicht" ? project + what : surface;
    given.push_back({endpoint, 404, "analyse_fehlt", "no stored analysis", get(World::roofless, what)});
    given.push_back({endpoint, 404, "keine_belegten_flaechen", "no module anywhere", get(World::bare, what)});
    given.push_back({endpoint, 500, "analyse_unlesbar", "damaged", get(World::damaged, what)});
    given.push_back(
        {endpoint, 400, "anfrage_ungueltig", "too wide", get(World::finished, what + "?breite=2001")});
  }
  given.push_back(
      {surface, 404, "flaeche_unbekannt", "no such surface", get(World::half_bare, "bilder/flaeche/77")});
  given.push_back(
      {surface, 404, "flaeche_unbekannt", "no number", get(World::half_bare, "bilder/flaeche/x")});
  given.push_back(
      {surface, 404, "bild_nicht_zeichenbar", "no module on it", get(World::half_bare, "bilder/flaeche/2")});
  for (const std::string what : {"medien", "bilder/uebersicht", "bilder/flaeche/1", "orthofoto", "modell"})
    given.push_back({what == "bilder/flaeche/1" ? surface : project + what, 404, "projekt_unbekannt",
                     "no such project", get(4711, what)});
}

void listing_and_pages(World& w, std::vector<Given>& given) {
  given.push_back({"GET /projekte", 200, "", "a page", w.service.get("/projekte", w.key)});
  given.push_back(
      {"GET /projekte", 400, "anfrage_ungueltig", "limit 0", w.service.get("/projekte?limit=0", w.key)});
  for (const std::string path : {"/lastprofile", "/openapi.json", "/doku", "/anleitung"})
    given.push_back({"GET " + path, 200, "", "public", w.service.get(path)});
  given.push_back(
      {"GET /projekte/1", 404, "pfad_unbekannt", "no such path", w.service.get("/projekte/1", w.key)});
  given.push_back({"PUT /projekte", 405, "methode_nicht_erlaubt", "no such method",
                   w.service.request("PUT", "/projekte", {}, {{"X-API-Key", w.key}})});
}

/// One request an hour is allowed in each class: the second is one too many.
void limits(std::vector<Given>& given) {
  RunningService service({"--limits.create-per-hour=1", "--limits.status-per-hour=1",
                          "--limits.analyse-per-hour=1", "--limits.media-per-hour=1"});
  const std::string key = service.new_key();
  const auto second = [&](const std::string& endpoint, const auto& call) {
    call();
    given.push_back({endpoint, 429, "ratengrenze", "one too many in an hour", call()});
  };
  second("POST /projekte", [&] { return service.create(key, 0); });
  second("GET /projekte", [&] { return service.get("/projekte", key); });
  second("GET /projekte/{projekt_id}/dachanalyse",
         [&] { return service.get("/projekte/1/dachanalyse", key); });
  second("POST /projekte/{projekt_id}/dachanalyse",
         [&] { return service.post("/projekte/1/dachanalyse", key, "", {}); });
  second("GET /analyse",
         [&] { return service.get(World::single_call(test::sample_region().addresses[0]), key); });
  second("GET /projekte/{projekt_id}/medien", [&] { return service.get("/projekte/1/medien", key); });
  for (const std::string what : {"bilder/uebersicht", "bilder/flaeche/{nummer}", "orthofoto", "modell"})
    second("GET /projekte/{projekt_id}/" + what, [&] {
      return service.get("/projekte/1/" + (what == "bilder/flaeche/{nummer}" ? "bilder/flaeche/1" : what),
                         key);
    });
}

/// A full line refuses a run, and the last run in it is seen waiting.
void full_line(std::vector<Given>& given) {
  RunningService service({"--analysis.slots=1", "--analysis.waiting-max=2", "--limits.create-per-hour=0"});
  const std::string key = service.new_key();
  Reply refused;
  std::size_t n = 0;
  for (; n < 12 && refused.status != 503; ++n) refused = service.create(key, n);
  given.push_back({"POST /projekte", 503, "dienst_ueberlastet", "the line is full", refused});
  const auto waiting = std::to_string(n - 1);
  given.push_back({"GET /projekte/{projekt_id}/dachanalyse", 202, "", "the last in line",
                   service.get("/projekte/" + waiting + "/dachanalyse", key)});
}

TEST(Contract, EveryStatusOfEveryEndpointAndEveryErrorCodeIsGivenForItsReason) {
  std::vector<Given> given;
  {
    World world;
    for (auto* part : {keys, states, media, creation, single_call, listing_and_pages, restarts})
      part(world, given);
  }
  limits(given);
  full_line(given);
  std::set<std::pair<std::string, int>> statuses;
  std::set<std::string> codes;
  for (const Given& g : given) {
    EXPECT_EQ(g.reply.status, g.status) << g.endpoint << ": " << g.reason << "\n"
                                        << g.reply.body.substr(0, 300);
    EXPECT_EQ(g.reply.code(), g.code) << g.endpoint << ": " << g.reason;
    statuses.emplace(g.endpoint, g.status);
    codes.insert(g.code);
  }
  for (const auto& [endpoint, listed] : test::contract_tables().statuses)
    for (const int status : listed)
      EXPECT_TRUE(statuses.contains({endpoint, status}))
          << "nothing here gives " << endpoint << " " << status;
  // A PNG that cannot be made, and a request that takes too long, have tests of their own.
  const std::set<std::string> elsewhere{"format_nicht_moeglich", "anfrage_zu_langsam"};
  for (const http::ErrorRow& row : http::error_table()) {
    const std::string code = actors::name_of(row.code);
    EXPECT_TRUE(codes.contains(code) || elsewhere.contains(code)) << "nothing here gives " << code;
  }
}

}  // namespace
