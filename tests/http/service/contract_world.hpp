// A service with a project in every state that the contract names. The states that no test can wait for (a
// day passes, a disk errs, a geodata service fails) are written into the store while the service is stopped.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "persistence/records.hpp"
#include "persistence/store.hpp"
#include "tests/http/service/running_service.hpp"

namespace test {

/// Opens the stopped service's store, lets `change` work on it and closes it again.
void change_store(RunningService& stopped, const std::function<void(persistence::Store&)>& change);

/// Changes the run of a project of account 1 in the stopped service's store.
void change_run(persistence::Store& store, std::uint64_t project,
                const std::function<void(persistence::Run&)>& change);
/// Makes the project's run one that has failed with this code.
void fail_run(persistence::Store& store, std::uint64_t project, const std::string& code);
/// Flips one bit of the stored result.
void damage_result(persistence::Store& store, std::uint64_t project);

/// Account 1's projects; project n is at the sample region's address n - 1.
struct World {
  enum Project : std::uint64_t {
    finished = 1,
    damaged,
    expired,
    interrupted,
    roofless,
    unreachable,
    overloaded,
    failed,
    broken,     ///< its failure is the service's own
    bare,       ///< surfaces, and no module on any
    half_bare,  ///< surface 1 with modules, 2 without
  };
  static constexpr std::size_t kProjects = 11;

  World();
  std::string address(Project project) const { return sample_region().addresses.at(project - 1); }
  /// "/projekte/4/dachanalyse"
  static std::string analysis(std::uint64_t project) { return media(project, "dachanalyse"); }
  static std::string media(std::uint64_t project, const std::string& what) {
    return "/projekte/" + std::to_string(project) + "/" + what;
  }
  /// GET /analyse for an address.
  static std::string single_call(const std::string& address, const std::string& more = {});

  RunningService service;
  std::string key;         ///< of account 1
  std::string test_key;    ///< of a test account that has its one project
  std::string broken_key;  ///< of an account whose record the store cannot read
};

}  // namespace test
