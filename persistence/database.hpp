// One opened RocksDB with the service's tables: opening, copying, statistics. The rest of the service uses
// store.hpp, which uses this.
#pragma once
#include <rocksdb/db.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "persistence/manifest_guard.hpp"
#include "persistence/store.hpp"

namespace persistence {

enum class Access {
  writing,
  reading,
  paired,     ///< writing, and what was written is kept in the log for a while
  following,  ///< as paired, for taking another's log: fast to write, slow to read (but for the table meta)
};

struct Database {
  Access access = Access::writing;
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;  // [0] is RocksDB's default, unused
  std::atomic<bool> log_is_held = false;
  std::uint64_t held_log_bytes = 0;      // written since the tables were flushed; the writer's
  std::shared_ptr<ManifestGuard> guard;  // none of one that only reads

  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();
  rocksdb::ColumnFamilyHandle* handle(Table table) const {
    return handles[static_cast<std::size_t>(table) + 1];
  }
};
using DatabasePtr = std::shared_ptr<Database>;

/// Whether there is a store. One whose file CURRENT is gone is a damaged one: RocksDB would begin an empty
/// store beside its files.
bool has_store(const std::string& directory);
/// Opens `directory`/store; does not change `opened` when that fails.
rocksdb::Status open_database(const std::string& directory, Access access, DatabasePtr& opened);

/// Begins to write what only memory and the log hold into files; does not wait for them. What is in files is
/// not read from the log when the store is opened.
void begin_flush(Database& database);
/// What begin_flush would write.
std::uint64_t unflushed_bytes(const Database& database);

/// To be called after each write of that many bytes. While no file is deleted RocksDB does not flush tables
/// for the length of the log, so after a kill it would read all of the held log again.
void flush_held_log(Database& database, std::size_t written);

std::string held_sentence(const std::string& directory);
std::string newer_sentence(const std::string& directory);
/// The operator's sentence for a failed opening.
std::string sentence(const std::string& directory, const rocksdb::Status& status);

/// What the tables and records look like. It grows with every table and every field of a record that is
/// added: a program that does not know a field would lose it.
inline constexpr std::uint64_t kSchema = 3;
inline constexpr const char* kSchemaKey = "schema";  // in the table meta
/// Of the data; 0: there are none.
std::uint64_t schema_of(const Database& database);

/// The table meta's key of the history: epoch, first sequence number and mark of each stretch, 8 bytes each.
inline constexpr const char* kHistoryKey = "stretches";
inline constexpr const char* kUnmarkedHistoryKey = "epochs";  // of schema 1, without marks
std::vector<Stretch> stretches_of(std::string_view bytes);
std::string history_bytes(const std::vector<Stretch>& history);
std::vector<Stretch> history_of(const Database& database);
std::string table_numbers_of(const Database& database);

/// A sentence when files that hold large records are gone or have another size; RocksDB looks for the others
/// when it opens.
std::optional<std::string> lost_files_of(const Database& database, const std::string& directory);

/// Takes what was erased out of the tables with large records, so that files in which nothing is left go.
rocksdb::Status compact_large_records(const Database& database);

/// RocksDB's own figures.
std::vector<StoreFigure> figures_of(const Database& database);

/// A consistent copy as of now, in a directory that does not exist yet; later writes do not change it. On the
/// same file system the immutable files are links and take no room.
rocksdb::Status copy_database(const Database& database, const std::string& directory);

}  // namespace persistence
