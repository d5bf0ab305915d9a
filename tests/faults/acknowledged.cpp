#include "tests/faults/acknowledged.hpp"

#include <algorithm>
#include <utility>

namespace test {
namespace {

using namespace std::chrono_literals;

/// Counts are written every second (design), and the write itself takes its time.
constexpr auto kWrittenEvery = 1s;
constexpr std::chrono::steady_clock::duration kWriteTakes = 500ms;

/// r= of the account's limit in the RateLimit header field.
std::uint32_t remaining_of(const Reply& reply) {
  const std::string& field = reply.headers.at("ratelimit");
  const std::string before = "\"konto\";r=";
  return static_cast<std::uint32_t>(std::stoul(field.substr(field.find(before) + before.size())));
}

/// A project that was listed: one that is known, or one that was stored and not acknowledged.
void take_up(Acknowledged& known, std::uint64_t id, std::size_t account) {
  const auto [it, fresh] = known.projects.try_emplace(id, KnownProject{.account = account});
  if (!fresh && it->second.account != account)
    known.unfit.insert("project " + std::to_string(id) + " was given to two accounts");
}

void verify_list(const RunningService& service, Acknowledged& known, std::size_t index) {
  KnownAccount& account = known.accounts[index];
  const Reply reply = service.get("/projekte?limit=200", account.key);
  if (reply.status != 200) {
    known.unfit.insert("account " + account.id + " cannot list: " + reply.body);
    return;
  }
  if (kStatusLimit - remaining_of(reply) <= account.asked.size())
    known.unfit.insert("queries of account " + account.id + " were forgotten that were older than a second");
  account.asked.push_back(std::chrono::steady_clock::now());
  std::set<std::uint64_t> listed;
  const auto page = reply.json();
  for (const auto& row : page["projekte"]) {
    listed.insert(row["projekt_id"].get<std::uint64_t>());
    take_up(known, row["projekt_id"], index);
  }
  for (const auto& [id, project] : known.projects)
    if (project.account == index && !listed.contains(id))
      known.unfit.insert("project " + std::to_string(id) + " was acknowledged and is gone");
}

void verify_keys(const RunningService& service, Acknowledged& known, const KnownAccount& account) {
  for (const std::string& key : account.more_keys)
    if (service.get("/projekte?limit=1", key).status != 200)
      known.unfit.insert("a key of account " + account.id + " was acknowledged and is gone");
  for (const std::string& key : account.revoked_keys)
    if (service.get("/projekte?limit=1", key).code() != "schluessel_ungueltig")
      known.unfit.insert("a key of account " + account.id + " was revoked and is in force");
}

void verify_creations(const RunningService& service, Acknowledged& known, const KnownAccount& account) {
  // A creation that names no known load profile stores nothing, but its answer tells how the limit stands.
  const Reply counted = service.post("/projekte", account.key, R"({"lastprofil": "X9"})");
  if (kCreateLimit - remaining_of(counted) <= account.created)
    known.unfit.insert("creations of account " + account.id + " were stored and not counted");
}

void verify_project(const RunningService& service, Acknowledged& known, std::uint64_t id) {
  KnownProject& project = known.projects[id];
  KnownAccount& account = known.accounts[project.account];
  const Reply reply = service.get("/projekte/" + std::to_string(id) + "/dachanalyse", account.key);
  account.asked.push_back(std::chrono::steady_clock::now());
  const std::string name = "project " + std::to_string(id);
  const bool interrupted = reply.code() == "analyse_abgebrochen";
  if (reply.status != 200 && reply.status != 202 && !interrupted && reply.code() != "kein_dach")
    known.unfit.insert(name + " answers " + reply.body);
  if (!project.result.empty() && !project.may_run_anew && reply.body != project.result)
    known.unfit.insert("the result of " + name + " is not what it was");
  if (project.computing && reply.status == 202)
    known.unfit.insert(name + " was computing when the program was killed and does not say so");
  known.interrupted += project.computing && interrupted ? 1 : 0;
  project = {.account = project.account};  // no client runs now: this answer says how the project stands
  known.heard(id, reply);
}

}  // namespace

void Acknowledged::heard(std::uint64_t id, const Reply& reply) {
  KnownProject& project = projects[id];
  if (project.may_run_anew) return;  // this may be the old run's end or the new one's
  project.computing = reply.status == 202 && reply.json()["wartet"] == false;
  if (reply.status == 200) project.result = reply.body;
}

void note_kill(Acknowledged& known, std::chrono::steady_clock::time_point moment) {
  const std::lock_guard guard(known.mutex);
  // A creation is answered when it is on disk. On a busy machine writing the counts may take as long.
  const auto write = std::max(kWriteTakes, 2 * std::exchange(known.slowest_creation, {}));
  const auto safe = moment - kWrittenEvery - write;
  for (KnownAccount& account : known.accounts)
    std::erase_if(account.asked, [safe](const auto& when) { return when > safe; });
}

void verify(const RunningService& service, Acknowledged& known) {
  const std::lock_guard guard(known.mutex);
  for (std::size_t i = 0; i < known.accounts.size(); ++i) {
    verify_list(service, known, i);
    verify_keys(service, known, known.accounts[i]);
    verify_creations(service, known, known.accounts[i]);
  }
  std::vector<std::uint64_t> ids;
  for (const auto& [id, project] : known.projects) ids.push_back(id);
  for (const std::uint64_t id : ids) verify_project(service, known, id);
}

}  // namespace test
