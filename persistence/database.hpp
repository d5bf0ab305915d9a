// One opened RocksDB with the service's tables: opening, copying, statistics. The rest of the service uses
// store.hpp, which uses this.
#pragma once
#include <rocksdb/db.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "persistence/store.hpp"

namespace persistence {

enum class Access { writing, reading };

struct Database {
  Access access = Access::writing;
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;  // [0] is RocksDB's default, unused

  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();
  rocksdb::ColumnFamilyHandle* handle(Table table) const {
    return handles[static_cast<std::size_t>(table) + 1];
  }
};
using DatabasePtr = std::shared_ptr<Database>;

/// Opens `directory`/store; does not change `opened` when that fails.
rocksdb::Status open_database(const std::string& directory, Access access, DatabasePtr& opened);

std::string held_sentence(const std::string& directory);
std::string newer_sentence(const std::string& directory);
/// The operator's sentence for a failed opening.
std::string sentence(const std::string& directory, const rocksdb::Status& status);

/// RocksDB's own figures.
std::vector<StoreFigure> figures_of(const Database& database);

/// A consistent copy as of now, in a directory that does not exist yet; later writes do not change it. On the
/// same file system the immutable files are links and take no room.
rocksdb::Status copy_database(const Database& database, const std::string& directory);

}  // namespace persistence
