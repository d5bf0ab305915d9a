#include "persistence/lost_records.hpp"

#include "persistence/keys.hpp"

namespace persistence {
namespace {

constexpr FileKind kFileKinds[] = {FileKind::model, FileKind::orthophoto};

bool is_gone(const Store& store, Table table, const std::string& key) {
  const auto bytes = store.get_unverified(table, key);
  return !bytes && bytes.error() == StoreFault::gone;
}

}  // namespace

LostRecords lost_records_of(const Store& store, std::uint64_t account, std::uint64_t project) {
  const std::string key = project_key(account, project);
  LostRecords lost;
  lost.result = is_gone(store, Table::results, key);
  lost.scene = is_gone(store, Table::scenes, key);
  for (const FileKind kind : kFileKinds)
    lost.saved |= is_gone(store, Table::files, file_key(account, project, kind));
  return lost;
}

Writes erasures_of(const LostRecords& lost, std::uint64_t account, std::uint64_t project) {
  const std::string key = project_key(account, project);
  Writes writes;
  if (lost.result) writes.push_back(erased(Table::results, key));
  if (lost.result || lost.scene) writes.push_back(erased(Table::scenes, key));
  if (lost.saved) {
    writes.push_back(erased(Table::media, key));
    for (const FileKind kind : kFileKinds)
      writes.push_back(erased(Table::files, file_key(account, project, kind)));
  }
  return writes;
}

}  // namespace persistence
