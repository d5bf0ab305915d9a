// kill -9 at random moments under mixed load: what was acknowledged is there afterwards, ids are never given
// twice, limits remember, no slot leaks, interrupted runs say so and can be run again. ROOF_KILLS says how
// often (20; `./roof faults` takes 200), ROOF_SEED from which random numbers.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <random>
#include <thread>

#include "tests/faults/acknowledged.hpp"

namespace {

using namespace std::chrono_literals;
using test::Acknowledged;
using test::Reply;
using test::RunningService;

constexpr std::uint32_t kCreateLimit = 100'000;

unsigned from_environment(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  return text ? static_cast<unsigned>(std::stoul(text)) : otherwise;
}

/// Works until the program is killed: a connection that breaks ends it, and the word of whoever kills (the
/// operator's commands go on without a server).
template <class Work>
std::thread until_killed(const std::atomic<bool>& killed, Work work) {
  return std::thread([&killed, work] {
    try {
      while (!killed && work()) {
      }
    } catch (const std::exception&) {
    }
  });
}

/// Creates projects at all addresses, one after the other.
bool create_next(const RunningService& service, Acknowledged& known, std::size_t account, std::size_t& n) {
  if (n == test::sample_region().addresses.size()) return false;
  const Reply reply = service.create(known.accounts[account].key, n++);
  const std::lock_guard guard(known.mutex);
  if (reply.status != 202) {
    known.unfit.insert("a creation was answered " + reply.body);
    return false;
  }
  const auto id = reply.json()["projekt_id"].get<std::uint64_t>();
  if (!known.projects.try_emplace(id, test::KnownProject{.account = account}).second)
    known.unfit.insert("id " + std::to_string(id) + " was given twice");
  ++known.accounts[account].created;
  return true;
}

/// Asks for any project's state, and now and then runs it again.
bool ask_any(const RunningService& service, Acknowledged& known, std::mt19937& random) {
  std::uint64_t id = 0;
  std::string key;
  const bool anew = random() % 8 == 0;
  {
    const std::lock_guard guard(known.mutex);
    if (known.projects.empty()) return true;
    auto it = known.projects.begin();
    std::advance(it, static_cast<long>(random() % known.projects.size()));
    id = it->first;
    key = known.accounts[it->second.account].key;
    it->second.may_run_anew |= anew;
  }
  const std::string path = "/projekte/" + std::to_string(id) + "/dachanalyse";
  const Reply reply = anew ? service.post(path, key, {}, {}) : service.get(path, key);
  if (reply.status == 200) {
    const std::lock_guard guard(known.mutex);
    test::KnownProject& project = known.projects[id];
    if (!project.may_run_anew) project.result = reply.body;
  }
  return true;
}

/// Makes keys through the operator's door.
bool add_key(const RunningService& service, Acknowledged& known, std::size_t account) {
  const auto made = test::run_roofd({"key", "add", "--data-dir=" + service.data_dir(),
                                     "--account=" + known.accounts[account].id, "--name=x"});
  if (made.exit_code != 0) return false;
  const std::lock_guard guard(known.mutex);
  known.accounts[account].more_keys.push_back(made.out.substr(0, made.out.find('\n')));
  return true;
}

void add_account(RunningService& service, Acknowledged& known) {
  const std::string key = service.new_key();
  known.accounts.push_back({std::to_string(known.accounts.size() + 1), key, {}, 0});
}

/// After the last kill everything must come to its end, with the slots it has.
void finish_everything(const RunningService& service, Acknowledged& known) {
  for (const auto& [id, project] : known.projects) {
    const std::string& key = known.accounts[project.account].key;
    const std::string path = "/projekte/" + std::to_string(id) + "/dachanalyse";
    if (service.get(path, key).code() == "analyse_abgebrochen") service.post(path, key, {}, {});
    EXPECT_LE(service.metric("roof_slots_taken"), 2);
  }
  for (const auto& [id, project] : known.projects) {
    const Reply reply = service.await_result(known.accounts[project.account].key, id);
    EXPECT_TRUE(reply.status == 200 || reply.code() == "kein_dach") << reply.body;
  }
  EXPECT_EQ(service.metric("roof_line_runs"), 0);
  for (int i = 0; i < 100 && service.metric("roof_slots_taken") > 0; ++i) std::this_thread::sleep_for(20ms);
  EXPECT_EQ(service.metric("roof_slots_taken"), 0) << "a slot has leaked";
}

TEST(Kill, NothingAcknowledgedIsLostAndNoIdIsGivenTwice) {
  const unsigned kills = from_environment("ROOF_KILLS", 20);
  std::mt19937 random(from_environment("ROOF_SEED", 1));
  RunningService service({"--limits.create-per-hour=" + std::to_string(kCreateLimit),
                          "--limits.status-per-hour=0", "--limits.address-per-hour=0",
                          "--limits.address-per-day=0", "--log.requests=off"});
  Acknowledged known;
  for (unsigned kill = 0; kill < kills && known.unfit.empty(); ++kill) {
    add_account(service, known);
    const std::size_t account = known.accounts.size() - 1;
    std::mt19937 other(random());
    std::size_t n = 0;
    std::atomic<bool> killed{false};
    std::vector<std::thread> clients;
    clients.push_back(until_killed(killed, [&] { return create_next(service, known, account, n); }));
    clients.push_back(until_killed(killed, [&] { return ask_any(service, known, other); }));
    clients.push_back(until_killed(killed, [&] { return add_key(service, known, account); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 400));  // the random moment
    service.kill_9();
    killed = true;
    for (std::thread& client : clients) client.join();
    service.start();
    test::verify(service, known, kCreateLimit);
  }
  for (const std::string& sentence : known.unfit) ADD_FAILURE() << sentence;
  finish_everything(service, known);
  std::size_t keys = 0, results = 0;
  for (const auto& account : known.accounts) keys += 1 + account.more_keys.size();
  for (const auto& [id, project] : known.projects) results += !project.result.empty();
  std::cout << kills << " kills: " << known.projects.size() << " projects, " << keys << " keys, " << results
            << " results acknowledged and found again\n";
  EXPECT_GT(known.projects.size(), 0U);
}

}  // namespace
