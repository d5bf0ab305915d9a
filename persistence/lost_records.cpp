#include "persistence/lost_records.hpp"

#include "persistence/keys.hpp"

namespace persistence {
namespace {

constexpr FileKind kFileKinds[] = {FileKind::model, FileKind::orthophoto};

}  // namespace

LostRecords lost_records_of(const Store& store, std::uint64_t account, std::uint64_t project) {
  const std::string key = project_key(account, project);
  LostRecords lost;
  lost.result = !store.get_unverified(Table::results, key);
  lost.scene = !store.get_unverified(Table::scenes, key);
  for (const FileKind kind : kFileKinds)
    if (!store.get_unverified(Table::files, file_key(account, project, kind))) lost.saved = true;
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
