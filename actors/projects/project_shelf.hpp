// A shard's project records. Those with a run in line or computing are kept in memory, the others are read
// from the store through a bounded cache. This class only reads: changes go through the journal and are put
// here once they are on disk.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "actors/recent_cache.hpp"
#include "actors/values.hpp"
#include "persistence/records.hpp"
#include "persistence/store.hpp"

namespace actors {

struct ProjectEntry {
  persistence::Project project;
  persistence::Run run;
  bool active() const {
    return run.state == persistence::RunState::waiting || run.state == persistence::RunState::running;
  }
};

class ProjectShelf {
 public:
  ProjectShelf(const persistence::Store& store, std::size_t cached, CacheMeter meter)
      : store_(store), idle_(cached, meter) {}

  /// Null when the account has no such project. The pointer holds until the next call.
  persistence::Stored<ProjectEntry*> find(std::uint64_t account, std::uint64_t project);
  void put(ProjectEntry entry);

  /// The project is being erased: nobody finds it until the disk has refused to.
  void leaving(std::uint64_t project) { leaving_.insert(project); }
  void erased(std::uint64_t project);
  void stays(std::uint64_t project) { leaving_.erase(project); }
  bool is_leaving(std::uint64_t project) const { return leaving_.contains(project); }

  /// The project of an address key (persistence/keys.hpp).
  persistence::Stored<std::optional<std::uint64_t>> by_address(const std::string& key) const;
  /// Whether the account has a project, or has had one as a test account.
  persistence::Stored<bool> has_projects(std::uint64_t account) const;
  /// The account's newest projects with a number below the order's `before`.
  persistence::Stored<ProjectPage> page(std::uint64_t account, const ListProjects& order) const;

 private:
  persistence::Stored<std::optional<ProjectEntry>> load(std::uint64_t account, std::uint64_t project) const;

  const persistence::Store& store_;
  std::map<std::uint64_t, ProjectEntry> active_;
  RecentCache<std::uint64_t, ProjectEntry> idle_;
  std::set<std::uint64_t> leaving_;
};

}  // namespace actors
