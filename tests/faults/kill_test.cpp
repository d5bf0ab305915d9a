// kill -9 at random moments under mixed load, also while the program starts: what was acknowledged is there
// afterwards, ids are never given twice, limits remember, revoked keys stay revoked, no slot leaks,
// interrupted runs say so and can be run again. ROOF_KILLS says how often (20; `./roof faults` takes 200),
// ROOF_SEED from which random numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <random>
#include <thread>

#include "actors/accounts/key_text.hpp"
#include "tests/faults/acknowledged.hpp"

namespace {

using namespace std::chrono_literals;
using test::Acknowledged;
using test::Reply;
using test::RunningService;

constexpr std::size_t kProjectsAKill = 3;

unsigned from_environment(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  return text ? static_cast<unsigned>(std::stoul(text)) : otherwise;
}

/// Works until the program is killed. A broken connection ends the work, and so does `killed`, because the
/// operator's commands go on without a server.
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

/// Creates projects at some addresses, one after the other.
bool create_next(const RunningService& service, Acknowledged& known, std::size_t account, std::size_t& n) {
  if (n == kProjectsAKill) return false;
  const auto began = std::chrono::steady_clock::now();
  const Reply reply = service.create(known.accounts[account].key, n++);
  const std::lock_guard guard(known.mutex);
  known.slowest_creation = std::max(known.slowest_creation, std::chrono::steady_clock::now() - began);
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
  std::size_t account = 0;
  std::string key;
  const bool anew = random() % 16 == 0;
  {
    const std::lock_guard guard(known.mutex);
    if (known.projects.empty()) return true;
    auto it = known.projects.begin();
    std::advance(it, static_cast<long>(random() % known.projects.size()));
    id = it->first;
    account = it->second.account;
    key = known.accounts[account].key;
    if (anew) it->second = {.account = account, .may_run_anew = true};
  }
  const std::string path = "/projekte/" + std::to_string(id) + "/dachanalyse";
  const Reply reply = anew ? service.post(path, key, {}, {}) : service.get(path, key);
  if (anew) return true;
  const std::lock_guard guard(known.mutex);
  known.accounts[account].asked.push_back(std::chrono::steady_clock::now());
  known.heard(id, reply);
  return true;
}

/// Makes keys through the operator's door, and revokes every other one.
bool add_key(const RunningService& service, Acknowledged& known, std::size_t account, std::size_t& n) {
  const std::string directory = "--data-dir=" + service.data_dir();
  const std::string of_account = "--account=" + known.accounts[account].id;
  const auto made = test::run_roofd({"key", "add", directory, of_account, "--name=x"});
  if (made.exit_code != 0) return false;
  const std::string key = made.out.substr(0, made.out.find('\n'));
  const std::string id = actors::key_id(actors::fingerprint_of(key));
  const bool revoke = n++ % 2 == 1;
  const bool revoked =
      revoke && test::run_roofd({"key", "revoke", directory, of_account, "--key=" + id}).exit_code == 0;
  const std::lock_guard guard(known.mutex);
  if (revoked) known.accounts[account].revoked_keys.push_back(key);
  if (!revoke) known.accounts[account].more_keys.push_back(key);
  return true;
}

std::size_t add_account(RunningService& service, Acknowledged& known) {
  const std::string key = service.new_key();
  const std::string id = std::to_string(actors::account_of_key(key).value_or(0));
  for (const auto& account : known.accounts)
    if (account.id == id) known.unfit.insert("account " + id + " was given twice");
  known.accounts.push_back({.id = id, .key = key});
  return known.accounts.size() - 1;
}

/// Runs clients of a new account and of all existing projects, and kills the program in the middle.
void kill_under_load(RunningService& service, Acknowledged& known, std::mt19937& random, bool late) {
  const std::size_t account = add_account(service, known);
  std::mt19937 other(random());
  std::size_t projects = 0, keys = 0;
  std::atomic<bool> killed{false};
  std::vector<std::thread> clients;
  clients.push_back(until_killed(killed, [&] { return create_next(service, known, account, projects); }));
  clients.push_back(until_killed(killed, [&] { return ask_any(service, known, other); }));
  clients.push_back(until_killed(killed, [&] { return add_key(service, known, account, keys); }));
  // The random moment; now and then late enough for counts to be on disk.
  std::this_thread::sleep_for(std::chrono::milliseconds(random() % 400 + (late ? 1600 : 0)));
  const auto moment = std::chrono::steady_clock::now();
  service.kill_9();
  killed = true;
  for (std::thread& client : clients) client.join();  // the operator's commands may take a while
  test::note_kill(known, moment);
}

/// After the last kill every run must end, and every slot must be free again.
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
  service.expect_no_run_left();
}

void print_summary(const Acknowledged& known, unsigned kills, unsigned while_starting,
                   std::vector<std::int64_t> starts_ms) {
  std::size_t keys = 0, revoked = 0, results = 0;
  for (const auto& account : known.accounts) {
    keys += 1 + account.more_keys.size();
    revoked += account.revoked_keys.size();
  }
  for (const auto& [id, project] : known.projects) results += !project.result.empty();
  std::sort(starts_ms.begin(), starts_ms.end());
  std::cout << "kill -9         " << kills << " under load, " << while_starting << " more while starting\n"
            << "acknowledged    " << known.accounts.size() << " accounts, " << known.projects.size()
            << " projects, " << keys << " keys, " << revoked << " revocations, " << results << " results\n"
            << "interrupted     " << known.interrupted << " runs seen computing, and all said so\n"
            << "did not hold    " << known.unfit.size() << "\n"
            << "start after it  median " << starts_ms[starts_ms.size() / 2] << " ms, longest "
            << starts_ms.back() << " ms\n";
}

TEST(Kill, NothingAcknowledgedIsLostAndNoIdIsGivenTwice) {
  const unsigned kills = from_environment("ROOF_KILLS", 20);
  std::mt19937 random(from_environment("ROOF_SEED", 1));
  RunningService service({"--limits.create-per-hour=" + std::to_string(test::kCreateLimit),
                          "--limits.status-per-hour=" + std::to_string(test::kStatusLimit),
                          "--limits.address-per-hour=0", "--limits.address-per-day=0", "--log.requests=off"});
  Acknowledged known;
  unsigned while_starting = 0;
  std::vector<std::int64_t> starts_ms;
  for (unsigned kill = 1; kill <= kills && known.unfit.empty(); ++kill) {
    kill_under_load(service, known, random, kill % 4 == 0);
    if (kill % 5 == 0) {
      ++while_starting;
      service.launch();
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
      service.kill_9();
    }
    service.start();
    starts_ms.push_back(service.start_took().count());
    test::verify(service, known);
  }
  for (const std::string& sentence : known.unfit) ADD_FAILURE() << sentence;
  finish_everything(service, known);
  print_summary(known, kills, while_starting, starts_ms);
  EXPECT_GT(known.projects.size(), 0U);
}

}  // namespace
