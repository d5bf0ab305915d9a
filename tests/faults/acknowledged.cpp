#include "tests/faults/acknowledged.hpp"

namespace test {
namespace {

/// r= of the account's limit in the RateLimit header field.
std::uint32_t remaining_of(const Reply& reply) {
  const std::string& field = reply.headers.at("ratelimit");
  const std::string before = "\"konto\";r=";
  return static_cast<std::uint32_t>(std::stoul(field.substr(field.find(before) + before.size())));
}

void verify_list(const RunningService& service, Acknowledged& known, std::size_t index) {
  const KnownAccount& account = known.accounts[index];
  std::set<std::uint64_t> listed;
  const Reply reply = service.get("/projekte?limit=200", account.key);
  if (reply.status != 200) {
    known.unfit.insert("account " + account.id + " cannot list: " + reply.body);
    return;
  }
  const auto page = reply.json();
  for (const auto& row : page["projekte"]) {
    const auto id = row["projekt_id"].get<std::uint64_t>();
    listed.insert(id);
    const auto [it, fresh] = known.projects.try_emplace(id, KnownProject{.account = index});
    if (!fresh && it->second.account != index)
      known.unfit.insert("project " + std::to_string(id) + " was given to two accounts");
  }
  for (const auto& [id, project] : known.projects)
    if (project.account == index && !listed.contains(id))
      known.unfit.insert("project " + std::to_string(id) + " was acknowledged and is gone");
}

void verify_project(const RunningService& service, Acknowledged& known, std::uint64_t id) {
  KnownProject& project = known.projects[id];
  const Reply reply =
      service.get("/projekte/" + std::to_string(id) + "/dachanalyse", known.accounts[project.account].key);
  const bool plausible = reply.status == 200 || reply.status == 202 ||
                         reply.code() == "analyse_abgebrochen" || reply.code() == "kein_dach";
  if (!plausible) known.unfit.insert("project " + std::to_string(id) + " answers " + reply.body);
  if (!project.result.empty() && !project.may_run_anew && reply.body != project.result)
    known.unfit.insert("the result of project " + std::to_string(id) + " is not what it was");
  if (reply.status == 200) {
    project.result = reply.body;
    project.may_run_anew = false;
  }
}

}  // namespace

void verify(const RunningService& service, Acknowledged& known, std::uint32_t create_limit) {
  const std::lock_guard guard(known.mutex);
  for (std::size_t i = 0; i < known.accounts.size(); ++i) {
    const KnownAccount& account = known.accounts[i];
    for (const std::string& key : account.more_keys)
      if (service.get("/projekte?limit=1", key).status != 200)
        known.unfit.insert("a key of account " + account.id + " was acknowledged and is gone");
    verify_list(service, known, i);
    // A creation that names no known load profile stores nothing, but its answer tells how the limit stands.
    const Reply counted = service.post("/projekte", account.key, R"({"lastprofil": "X9"})");
    if (create_limit - remaining_of(counted) < account.created)
      known.unfit.insert("creations of account " + account.id + " were stored and not counted");
  }
  std::vector<std::uint64_t> ids;
  for (const auto& [id, project] : known.projects) ids.push_back(id);
  for (const std::uint64_t id : ids) verify_project(service, known, id);
}

}  // namespace test
