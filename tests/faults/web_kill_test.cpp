// kill -9 at random moments while people sign up, make and revoke keys, create, rename, save and delete
// projects in the web application: what they were told is so afterwards. ROOF_KILLS says how often (5).
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "actors/accounts/key_text.hpp"
#include "tests/http/service/web_visitor.hpp"

namespace {

using test::Reply;
using test::RunningService;
using test::WebVisitor;

constexpr auto kPersonsPassword = "grünes Haus am Hang";

/// What a project's owner knows of it. An order that was not answered may have been carried out or not.
struct OwnProject {
  std::set<std::string> names;  ///< it has one of these
  bool deletion_sent = false, deleted = false;
};

/// Shared by threads: hold the mutex to read or write it.
struct Told {
  std::mutex mutex;
  std::set<std::string> signed_up;  ///< e-mail addresses whose mail must come
  std::set<std::string> keys;       ///< in force
  std::set<std::string> revoked;
  std::map<std::string, OwnProject> projects;  ///< by path
  std::size_t deeds = 0;
};

class KillWeb : public testing::Test {
 protected:
  KillWeb() {
    anna.join("anna@example.org", kPersonsPassword);
    const std::string account = std::to_string(actors::account_of_key(anna.key()).value_or(0));
    EXPECT_EQ(
        test::run_roofd({"account", "grant", "--data-dir=" + service.data_dir(), "--account=" + account})
            .exit_code,
        0);
    home = anna.project(0);
    key_of_home = anna.key();
  }

  void sign_up_next() {
    const std::string email = "person" + std::to_string(++persons) + "@example.org";
    const Reply reply = WebVisitor(service).post(
        "/registrieren", {{"email", email}, {"passwort", kPersonsPassword}},
        {{"X-Forwarded-For", "10.0." + std::to_string(persons / 250) + "." + std::to_string(persons % 250)}});
    if (reply.status != 200) return;
    const std::lock_guard guard(told.mutex);
    told.signed_up.insert(email);
    ++told.deeds;
  }

  void make_and_revoke_keys() {
    const std::string kept = anna.key(), revoked = anna.key();
    if (kept.empty() || revoked.empty()) return;
    const std::string id = actors::key_id(actors::fingerprint_of(revoked));
    const Reply reply =
        anna.post("/schluessel", {{"tat", "widerrufen"}, {"schluessel", id}, {"bestaetigt", "ja"}});
    const std::lock_guard guard(told.mutex);
    told.keys.insert(kept);
    if (reply.status == 303) told.revoked.insert(revoked);
    told.deeds += 3;
  }

  OwnProject& project(const std::string& path) { return told.projects[path]; }

  void work_on_a_project() {
    const auto& addresses = test::sample_region().addresses;
    const Reply made =
        anna.post("/projekte/neu", {{"adresse", addresses.at(1 + ++projects % (addresses.size() - 1))},
                                    {"name", "Haus"},
                                    {"jahresverbrauch_kwh", "4.500"},
                                    {"lastprofil", "H0"}});
    if (made.status != 303) return;
    const std::string path = made.headers.at("location");
    {
      const std::lock_guard guard(told.mutex);
      project(path) = {.names = {"Haus", "Umbau"}};
      ++told.deeds;
    }
    if (anna.post(path, {{"tat", "umbenennen"}, {"name", "Umbau"}}).status == 303) {
      const std::lock_guard guard(told.mutex);
      project(path).names = {"Umbau"};
      ++told.deeds;
    }
    if (anna.post(home, {{"tat", "speichern"}}).status == 303) {
      const std::lock_guard guard(told.mutex);
      saved = true;
      ++told.deeds;
    }
    if (projects % 2 == 0) return;
    {
      const std::lock_guard guard(told.mutex);
      project(path).deletion_sent = true;
    }
    if (anna.post(path, {{"tat", "loeschen"}, {"bestaetigt", "ja"}}).status == 303) {
      const std::lock_guard guard(told.mutex);
      project(path).deleted = true;
      ++told.deeds;
    }
  }

  void work_until_killed(std::chrono::milliseconds moment) {
    std::atomic<bool> killed{false};
    const auto until_killed = [&killed](auto work) {
      return std::thread([&killed, work] {
        try {
          while (!killed) work();
        } catch (const std::exception&) {  // a broken connection: the program is gone
        }
      });
    };
    std::vector<std::thread> people;
    people.push_back(until_killed([this] { sign_up_next(); }));
    people.push_back(until_killed([this] { make_and_revoke_keys(); }));
    people.push_back(until_killed([this] { work_on_a_project(); }));
    std::this_thread::sleep_for(moment);
    service.kill_9();
    killed = true;
    for (std::thread& one : people) one.join();
  }

  void expect_everything_told() {
    EXPECT_EQ(anna.get("/konto").status, 200) << "the session";
    for (const std::string& email : told.signed_up)
      EXPECT_EQ(WebVisitor(service).get(test::mailed_path(service, email)).status, 200) << email;
    for (const std::string& key : told.keys) EXPECT_EQ(service.get("/projekte?limit=1", key).status, 200);
    for (const std::string& key : told.revoked) EXPECT_EQ(service.get("/projekte?limit=1", key).status, 401);
    if (saved) {
      EXPECT_EQ(service.get(home + "/modell", key_of_home).status, 200);
    }
    for (const auto& [path, own] : told.projects) {
      const Reply page = anna.get(path);
      if (own.deleted) {
        EXPECT_EQ(page.status, 404) << path;
      }
      if (!own.deletion_sent) {
        EXPECT_EQ(page.status, 200) << path;
      }
      if (page.status != 200) continue;
      EXPECT_TRUE(std::any_of(own.names.begin(), own.names.end(), [&](const std::string& name) {
        return page.body.find("<h1>" + name + "</h1>") != std::string::npos;
      })) << path;
    }
  }

  bool told_of_all_kinds() const {
    return !told.signed_up.empty() && !told.revoked.empty() && !told.projects.empty();
  }

  RunningService service{[] {
    std::vector<std::string> options = test::kNoLimits;
    options.insert(options.end(),
                   {"--web.sign-up=open", "--http.trusted-proxies=127.0.0.1", "--log.requests=off"});
    return options;
  }()};
  WebVisitor anna{service};
  std::string home, key_of_home;
  bool saved = false;
  std::size_t persons = 0, projects = 0;
  Told told;
};

TEST_F(KillWeb, WhatAPersonWasToldIsSoAfterwards) {
  const char* const times = std::getenv("ROOF_KILLS");
  const int kills = times ? std::stoi(times) : 5;
  std::mt19937 random(1);
  // On a busy machine a password's hash may take longer than all these moments: then later ones follow.
  for (int kill = 0; (kill < kills || (!told_of_all_kinds() && kill < 10 * kills)) && !HasFailure(); ++kill) {
    const int late_ms = 500 * std::max(0, kill - kills);
    work_until_killed(std::chrono::milliseconds(300 + random() % 900 + late_ms));
    service.start();
    expect_everything_told();
  }
  std::cout << kills << " kills; told: " << told.deeds << " deeds, " << told.signed_up.size() << " sign-ups, "
            << told.keys.size() << " keys, " << told.revoked.size() << " revocations, "
            << told.projects.size() << " projects\n";
  EXPECT_TRUE(told_of_all_kinds());
}

}  // namespace
