#include "tests/http/service/contract_world.hpp"

#include <gtest/gtest.h>

#include "persistence/keys.hpp"
#include "persistence/result_codec.hpp"
#include "tests/sample_analysis.hpp"

namespace test {

using persistence::project_key;
using persistence::Table;

namespace {

constexpr std::uint64_t kAccount = 1;

const std::vector<std::string> kUnlimited{"--limits.create-per-hour=0",  "--limits.status-per-hour=0",
                                          "--limits.analyse-per-hour=0", "--limits.media-per-hour=0",
                                          "--limits.address-per-hour=0", "--limits.address-per-day=0"};

void put_result(persistence::Store& store, std::uint64_t project, const geo::RoofAnalysis& analysis) {
  EXPECT_TRUE(store.commit(
      {{Table::results, project_key(kAccount, project), persistence::encode_result(analysis).value()}}));
}

geo::RoofAnalysis with_modules_on(std::size_t surfaces) {
  geo::RoofAnalysis analysis = sample_analysis();
  for (std::size_t i = surfaces; i < analysis.surfaces.size(); ++i) analysis.surfaces[i].modules.clear();
  return analysis;
}

std::string percent_encoded(const std::string& text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0)
      out += c;
    else
      out.append({'%', kHex[byte >> 4U], kHex[byte & 15U]});
  }
  return out;
}

}  // namespace

void change_store(RunningService& stopped, const std::function<void(persistence::Store&)>& change) {
  const auto store = persistence::Store::open(stopped.data_dir());
  ASSERT_TRUE(store) << store.error();
  change(**store);
}

void change_run(persistence::Store& store, std::uint64_t project,
                const std::function<void(persistence::Run&)>& change) {
  const std::string key = project_key(kAccount, project);
  auto run = persistence::decode_run(store.get(Table::runs, key)->value());
  change(*run);
  EXPECT_TRUE(store.commit({{Table::runs, key, encode(*run)}}));
}

void fail_run(persistence::Store& store, std::uint64_t project, const std::string& code) {
  change_run(store, project, [&code](persistence::Run& run) {
    run.state = persistence::RunState::failed;
    run.failure_code = code;
    run.failure_text.clear();
  });
}

void damage_result(persistence::Store& store, std::uint64_t project) {
  const std::string key = project_key(kAccount, project);
  std::string bytes = store.get(Table::results, key)->value();
  bytes[bytes.size() / 2] ^= 1;
  EXPECT_TRUE(store.commit({{Table::results, key, bytes}}));
}

World::World()
    : service(kUnlimited),
      key(service.new_key()),
      test_key(service.new_key("test")),
      broken_key(service.new_key()) {
  for (std::size_t n = 0; n < kProjects; ++n) EXPECT_EQ(service.create(key, n).status, 202);
  for (std::size_t n = 0; n < kProjects; ++n) service.await_result(key, n + 1);
  EXPECT_EQ(service.create(test_key, 0).status, 202);
  service.stop();
  change_store(service, [](persistence::Store& store) {
    damage_result(store, damaged);
    change_run(store, expired, [](persistence::Run& run) { run.ended_ms = 1; });
    fail_run(store, interrupted, "analyse_abgebrochen");
    fail_run(store, roofless, "kein_dach");
    fail_run(store, unreachable, "dienst_nicht_erreichbar");
    fail_run(store, overloaded, "dienst_ueberlastet");
    fail_run(store, failed, "analyse_fehlgeschlagen");
    fail_run(store, broken, "interner_fehler");
    put_result(store, bare, with_modules_on(0));
    put_result(store, half_bare, with_modules_on(1));
    EXPECT_TRUE(store.commit({{Table::accounts, persistence::number_key(3), "\xff"}}));
  });
  service.start();
}

std::string World::single_call(const std::string& address, const std::string& more) {
  return "/analyse?jahresverbrauch_kwh=4500&adresse=" + percent_encoded(address) + more;
}

}  // namespace test
