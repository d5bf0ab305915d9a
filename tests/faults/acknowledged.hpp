// What a client was told, and what must therefore still hold after the program was killed.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tests/http/service/running_service.hpp"

namespace test {

/// Limits that no test reaches, so that the counts can be read off the answers.
inline constexpr std::uint32_t kCreateLimit = 100'000;
inline constexpr std::uint32_t kStatusLimit = 100'000;

/// One project as its client knows it.
struct KnownProject {
  std::size_t account = 0;    ///< index of the account
  std::string result;         ///< the body of the last 200; empty: none seen
  bool may_run_anew = false;  ///< a restart was sent: the result may be gone
  bool computing = false;     ///< its run was seen computing, and no end and no restart of it since
};

struct KnownAccount {
  std::string id;   ///< as the program gave it
  std::string key;  ///< the one that the requests use
  std::vector<std::string> more_keys;
  std::vector<std::string> revoked_keys;
  std::size_t created = 0;  ///< acknowledged creations
  /// When status queries were answered. Each was counted, and the count is on disk a second later.
  std::vector<std::chrono::steady_clock::time_point> asked;
};

/// Shared by threads: hold the mutex to read or write it.
struct Acknowledged {
  std::mutex mutex;
  std::vector<KnownAccount> accounts;
  std::map<std::uint64_t, KnownProject> projects;          ///< by id; no id is given twice
  std::set<std::string> unfit;                             ///< sentences: what did not hold
  std::chrono::steady_clock::duration slowest_creation{};  ///< since the last kill
  std::size_t interrupted = 0;  ///< runs seen computing that later said they were interrupted

  /// Remembers what an answer says about a project's state. The caller holds the mutex.
  void heard(std::uint64_t id, const Reply& reply);
};

/// The program was killed at that moment: counts of the second before may be forgotten.
void note_kill(Acknowledged& known, std::chrono::steady_clock::time_point moment);

/// Asks the running program for everything that was acknowledged; what does not hold goes into `unfit`.
/// Projects that were stored but not acknowledged are taken up.
void verify(const RunningService& service, Acknowledged& known);

}  // namespace test
