// What a client was told, and what must therefore still hold after the program was killed.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tests/http/service/running_service.hpp"

namespace test {

/// One project as its client knows it.
struct KnownProject {
  std::size_t account = 0;    ///< index of the account
  std::string result;         ///< the body of the last 200; empty: none seen
  bool may_run_anew = false;  ///< a restart was sent: the result may be gone
};

struct KnownAccount {
  std::string id;   ///< as the program gave it
  std::string key;  ///< the one that the requests use
  std::vector<std::string> more_keys;
  std::size_t created = 0;  ///< acknowledged creations
};

/// Thread-safe by its mutex, which whoever reads or writes it holds.
struct Acknowledged {
  std::mutex mutex;
  std::vector<KnownAccount> accounts;
  std::map<std::uint64_t, KnownProject> projects;  ///< by id; an id is never anybody else's
  std::set<std::string> unfit;                     ///< sentences: what did not hold
};

/// Asks the running program for everything that was acknowledged; what does not hold goes into `unfit`.
/// Projects that were stored but not acknowledged are taken up.
void verify(const RunningService& service, Acknowledged& known, std::uint32_t create_limit);

}  // namespace test
