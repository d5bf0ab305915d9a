// One opened RocksDB with the service's tables: how it is opened, copied and looked at. store.hpp is what the
// rest of the service uses; this stands between it and RocksDB.
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

/// Opens `directory`/store; `opened` is left alone when that fails.
rocksdb::Status open_database(const std::string& directory, Access access, DatabasePtr& opened);

std::string held_sentence(const std::string& directory);
std::string newer_sentence(const std::string& directory);
/// What a failed opening means to an operator.
std::string sentence(const std::string& directory, const rocksdb::Status& status);

/// RocksDB's own figures.
std::vector<StoreFigure> figures_of(const Database& database);

/// A consistent copy as of now, in a directory that does not exist yet; what goes on being written does not
/// disturb it. On the same file system the immutable files are links and cost no room.
rocksdb::Status copy_database(const Database& database, const std::string& directory);

}  // namespace persistence
