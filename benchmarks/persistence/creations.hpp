// What creations write, for the benchmarks of the store.
#pragma once
#include "persistence/keys.hpp"
#include "persistence/records.hpp"
#include "persistence/store.hpp"

namespace bench {

inline persistence::Write project(std::uint64_t account, std::uint64_t id) {
  const std::string number = std::to_string(id);
  return {persistence::Table::projects, persistence::project_key(account, id),
          persistence::encode(persistence::Project{id, account, "Haus " + number,
                                                   "Lastweg " + number + ", 80331 München", "Lastweg", number,
                                                   "80331", "München", "DE", 11.57, 48.14, 4500, "H0", 0})};
}

/// What a creation stores: the project, its run, its place in the line, and two spellings of its address.
inline void add_creation(persistence::Writes& writes, std::uint64_t account, std::uint64_t id) {
  using namespace persistence;
  const std::string key = project_key(account, id);
  const std::string address = "hauptstrasse" + std::to_string(id) + "80331muenchen";
  writes.push_back(project(account, id));
  writes.push_back({Table::runs, key, encode(Run{.id = id, .project = id, .account = account})});
  writes.push_back({Table::line, number_key(id), key});
  for (const auto kind : {AddressKind::spelling, AddressKind::house})
    writes.push_back({Table::addresses, address_key(account, kind, address), number_key(id)});
}

/// Creations lie in no order: each of another account.
inline std::uint64_t some_account(std::uint64_t id, std::uint64_t accounts) {
  return 1 + id * 2654435761 % accounts;
}

}  // namespace bench
