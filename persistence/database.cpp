#include "persistence/database.hpp"

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/memtablerep.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "persistence/keys.hpp"
#include "persistence/manifest_guard.hpp"

namespace persistence {
namespace {

constexpr std::array<const char*, kTables> kTableNames = {
    "meta",        "accounts", "keys",   "projects", "addresses", "runs",    "line",  "results",
    "expiry",      "limits",   "scenes", "media",    "files",     "callers", "aside", "emails",
    "credentials", "sessions", "tokens", "outbox",   "key_uses",  "passkeys"};
static_assert(kTableNames.back() != nullptr, "a table without a name");
constexpr std::size_t kAccountBytes = 8;  // the account id, with which these keys begin
constexpr std::size_t kBlockCacheBytes = 64U << 20U;
constexpr std::size_t kSavedTogetherBytes = 1U << 20U;
constexpr std::size_t kWriteBufferBytes = 16U << 20U;
constexpr std::uint64_t kLogBytes = 64U << 20U;                // the most to read again after a kill
constexpr std::uint64_t kLogKept_s = 600, kLogKept_mb = 1024;  // for a standby that was away
constexpr std::size_t kStretchesKept = 256;
constexpr std::size_t kNumber = 8;  // bytes
constexpr const char* kHead = "CURRENT";

bool has_large_records(Table table) {
  return table == Table::results || table == Table::scenes || table == Table::files;
}

/// How a table's newest records lie in memory.
void choose_memtable(Table table, Access access, rocksdb::ColumnFamilyOptions& options) {
  // With RocksDB's default of 2, writers sometimes wait for the disk.
  options.max_write_buffer_number = 4;
  if (access == Access::following && table != Table::meta) {
    options.memtable_factory = std::make_shared<rocksdb::VectorRepFactory>();  // sorted when it is flushed
    options.max_write_buffer_number = 3;  // with 4, RocksDB slows writers to 16 MB/s before all are full
    return;
  }
  if (table == Table::projects || table == Table::addresses || table == Table::runs)
    options.memtable_insert_with_hint_prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(kAccountBytes));
  if (table == Table::addresses) {  // most creations look up keys that do not exist
    options.memtable_prefix_bloom_size_ratio = 0.02;
    options.memtable_whole_key_filtering = true;
  }
}

rocksdb::ColumnFamilyOptions table_options(Table table, Access access,
                                           const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions options;
  options.write_buffer_size = kWriteBufferBytes;
  rocksdb::BlockBasedTableOptions blocks;
  blocks.block_cache = cache;
  blocks.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(blocks));
  choose_memtable(table, access, options);
  // Compactions move the keys and never read the values. Collecting garbage would read them: one that is
  // damaged or gone would then stop every write. A blob file goes when nothing in it is left.
  options.enable_blob_files = has_large_records(table);
  // Saved files live long: one that is left keeps no more than this of those that were saved beside it.
  if (table == Table::files) options.blob_file_size = kSavedTogetherBytes;
  return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> table_descriptors(Access access) {
  const auto cache = rocksdb::NewLRUCache(kBlockCacheBytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> tables;
  tables.emplace_back(rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions());
  for (std::size_t i = 0; i < kTables; ++i)
    tables.emplace_back(kTableNames[i], table_options(static_cast<Table>(i), access, cache));
  return tables;
}

/// Writes RocksDB's errors and warnings to stderr. Warnings too, because RocksDB only warns when it reads a
/// damaged log up to the damage and drops the rest. Its own log file would end the program on a full disk
/// (see Store::Impl::mend).
class Complaints : public rocksdb::Logger {
 public:
  Complaints() : rocksdb::Logger(rocksdb::InfoLogLevel::WARN_LEVEL) {}
  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    std::array<char, 1000> line{};
    std::vsnprintf(line.data(), line.size(), format, arguments);
    std::string_view text(line.data());
    while (text.ends_with('\n')) text.remove_suffix(1);
    if (text.find("File Deletions") != std::string_view::npos) return;  // a copy is being made
    std::cerr << "store: " << text << std::endl;
  }
};

rocksdb::DBOptions database_options(Access access) {
  rocksdb::DBOptions options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.info_log = std::make_shared<Complaints>();
  options.max_background_jobs = 2;
  options.max_open_files = 256;
  options.paranoid_checks = true;
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  options.max_bgerror_resume_count = 0;  // see Store::Impl::mend
  options.max_total_wal_size = kLogBytes;
  if (access == Access::following) {
    options.allow_concurrent_memtable_write = false;  // as its memtables need it
    options.max_background_flushes = 2;               // after a long absence writing waits for these alone
    options.max_background_compactions = 1;
  }
  if (access == Access::paired || access == Access::following) {
    options.WAL_ttl_seconds = kLogKept_s;
    options.WAL_size_limit_MB = kLogKept_mb;
  }
  options.statistics = rocksdb::CreateDBStatistics();
  options.statistics->set_stats_level(rocksdb::StatsLevel::kExceptHistogramOrTimers);
  return options;
}

/// As schema 1 wrote them.
std::vector<Stretch> unmarked_stretches_of(std::string_view bytes) {
  std::vector<Stretch> history;
  for (std::size_t at = 0; at + 2 * kNumber <= bytes.size(); at += 2 * kNumber)
    history.push_back({number_at(bytes, at), number_at(bytes, at + kNumber)});
  return history;
}

}  // namespace

const char* name_of(Table table) { return kTableNames[static_cast<std::size_t>(table)]; }

std::string held_sentence(const std::string& directory) {
  return directory + ": another process holds the data directory";
}

std::string newer_sentence(const std::string& directory) {
  return directory + ": the data were written by a newer version of roofd";
}

std::string sentence(const std::string& directory, const rocksdb::Status& status) {
  const std::string state = status.getState() ? status.getState() : "";
  if (status.IsIOError() && (state.starts_with("While lock file") || state.starts_with("lock hold by")))
    return held_sentence(directory);
  if (status.IsInvalidArgument() && state.starts_with("Column families not opened"))
    return newer_sentence(directory);
  return directory + ": the data directory cannot be opened (" + status.ToString() + ")";
}

Database::~Database() {
  for (auto* handle : handles) db->DestroyColumnFamilyHandle(handle);
  if (db) db->Close();
  if (guard) guard->note();  // closing may have changed the files once more
}

bool has_store(const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (auto file = fs::directory_iterator(directory + "/store", error);
       !error && file != fs::directory_iterator(); file.increment(error)) {
    const std::string kind = file->path().extension();
    // Not a manifest: it is written first, so one without CURRENT may be a beginning that was interrupted.
    if (file->path().filename() == kHead || kind == ".sst" || kind == ".blob" || kind == ".log") return true;
  }
  return false;
}

rocksdb::Status open_database(const std::string& directory, Access access, DatabasePtr& opened) {
  if (std::error_code error;
      has_store(directory) && !std::filesystem::exists(directory + "/store/" + kHead, error))
    return rocksdb::Status::Corruption("the file CURRENT is missing beside the store's other files");
  const std::string path = directory + "/store";
  if (auto whole = check_manifest(path); !whole.ok()) return whole;
  auto database = std::make_shared<Database>();
  database->access = access;
  auto options = database_options(access);
  const auto guard = std::make_shared<ManifestGuard>(path);
  if (access != Access::reading) options.listeners.push_back(guard);
  rocksdb::DB* db = nullptr;
  auto status =
      access != Access::reading
          ? rocksdb::DB::Open(options, path, table_descriptors(access), &database->handles, &db)
          : rocksdb::DB::OpenForReadOnly(options, path, table_descriptors(access), &database->handles, &db);
  database->db.reset(db);
  if (!status.ok()) return status;
  if (access != Access::reading) guard->note(), database->guard = guard;
  opened = std::move(database);
  return status;
}

void begin_flush(Database& database) {
  rocksdb::FlushOptions options;
  options.wait = false;
  options.allow_write_stall = true;  // or it would wait for room all the same
  database.db->Flush(options, database.handles);
}

std::uint64_t unflushed_bytes(const Database& database) {
  std::uint64_t bytes = 0;
  database.db->GetAggregatedIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &bytes);
  return bytes;
}

void flush_held_log(Database& database, std::size_t written) {
  if (!database.log_is_held) return;
  database.held_log_bytes += written;
  if (database.held_log_bytes < kLogBytes) return;
  database.held_log_bytes = 0;
  begin_flush(database);
}

std::vector<Stretch> stretches_of(std::string_view bytes) {
  std::vector<Stretch> history;
  for (std::size_t at = 0; at + 3 * kNumber <= bytes.size(); at += 3 * kNumber)
    history.push_back(
        {number_at(bytes, at), number_at(bytes, at + kNumber), number_at(bytes, at + 2 * kNumber)});
  return history;
}

std::string history_bytes(const std::vector<Stretch>& history) {
  std::string bytes;
  const std::size_t kept = std::min(history.size(), kStretchesKept);
  for (std::size_t i = history.size() - kept; i < history.size(); ++i)
    bytes += number_key(history[i].epoch) + number_key(history[i].first) + number_key(history[i].mark);
  return bytes;
}

std::vector<Stretch> history_of(const Database& database) {
  const auto read = [&database](const char* key) {
    std::string bytes;
    const auto found = database.db->Get(rocksdb::ReadOptions(), database.handle(Table::meta), key, &bytes);
    return found.ok() ? bytes : std::string();
  };
  const auto history = stretches_of(read(kHistoryKey));
  return history.empty() ? unmarked_stretches_of(read(kUnmarkedHistoryKey)) : history;
}

std::uint64_t schema_of(const Database& database) {
  std::string schema;
  const auto found =
      database.db->Get(rocksdb::ReadOptions(), database.handle(Table::meta), kSchemaKey, &schema);
  return found.ok() ? number_at(schema, 0) : 0;
}

std::string table_numbers_of(const Database& database) {
  std::string numbers;
  for (const auto* handle : database.handles)
    numbers += handle->GetName() + "=" + std::to_string(handle->GetID()) + ",";
  return numbers;
}

std::vector<StoreFigure> figures_of(const Database& database) {
  struct Property {
    const char* name;
    const char* help;
    const char* rocksdb;
  };
  constexpr Property kOfTables[] = {
      {"roof_store_keys", "Keys in a table, estimated", "rocksdb.estimate-num-keys"},
      {"roof_store_files_bytes", "Size of a table's sorted files", "rocksdb.live-sst-files-size"},
      {"roof_store_blob_bytes", "Size of a table's blob files", "rocksdb.live-blob-file-size"},
      {"roof_store_memtable_bytes", "Size of a table's writes that are not sorted yet",
       "rocksdb.cur-size-all-mem-tables"}};
  constexpr Property kOfAll[] = {
      {"roof_store_block_cache_bytes", "Blocks kept in memory", "rocksdb.block-cache-usage"},
      {"roof_store_compactions_running", "Compactions that run", "rocksdb.num-running-compactions"},
      {"roof_store_background_errors", "Failed flushes and compactions since opening",
       "rocksdb.background-errors"},
      {"roof_store_write_stopped", "1: writes wait for compactions", "rocksdb.is-write-stopped"}};
  struct Ticker {
    const char* name;
    const char* help;
    rocksdb::Tickers rocksdb;
    double unit = 1;  // of RocksDB's count
  };
  constexpr Ticker kTickers[] = {
      {"roof_store_block_hits_total", "Blocks found in memory", rocksdb::BLOCK_CACHE_HIT},
      {"roof_store_block_misses_total", "Blocks read from disk", rocksdb::BLOCK_CACHE_MISS},
      {"roof_store_syncs_total", "Syncs of the log", rocksdb::WAL_FILE_SYNCED},
      {"roof_store_log_bytes_total", "Bytes written into the log", rocksdb::WAL_FILE_BYTES},
      {"roof_store_compacted_bytes_total", "Bytes written by compactions", rocksdb::COMPACT_WRITE_BYTES},
      {"roof_store_stall_seconds_total", "Time that writes waited for compactions", rocksdb::STALL_MICROS,
       1e-6}};

  std::vector<StoreFigure> figures;
  for (const Property& property : kOfTables)
    for (std::size_t i = 0; i < kTables; ++i) {
      std::uint64_t value = 0;
      if (database.db->GetIntProperty(database.handles[i + 1], property.rocksdb, &value))
        figures.push_back({property.name, property.help, kTableNames[i], static_cast<double>(value), false});
    }
  for (const Property& property : kOfAll) {
    std::uint64_t value = 0;
    if (database.db->GetIntProperty(property.rocksdb, &value))
      figures.push_back({property.name, property.help, {}, static_cast<double>(value), false});
  }
  const auto statistics = database.db->GetDBOptions().statistics;
  for (const Ticker& ticker : kTickers)
    figures.push_back({ticker.name,
                       ticker.help,
                       {},
                       static_cast<double>(statistics->getTickerCount(ticker.rocksdb)) * ticker.unit,
                       true});
  return figures;
}

std::optional<std::string> lost_files_of(const Database& database, const std::string& directory) {
  std::string lost;
  for (auto* handle : database.handles) {
    rocksdb::ColumnFamilyMetaData table;
    database.db->GetColumnFamilyMetaData(handle, &table);
    for (const rocksdb::BlobMetaData& file : table.blob_files) {
      std::error_code error;
      const auto size = std::filesystem::file_size(file.blob_file_path + "/" + file.blob_file_name, error);
      const std::string name = std::filesystem::path(file.blob_file_name).filename();
      if (error || size != file.blob_file_size) lost += (lost.empty() ? "" : ", ") + name;
    }
  }
  if (lost.empty()) return {};
  return directory + ": files are gone or have another size, so what is in them cannot be read: " + lost;
}

rocksdb::Status compact_large_records(const Database& database) {
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  rocksdb::Status status;
  for (std::size_t i = 0; i < kTables && status.ok(); ++i)
    if (const auto table = static_cast<Table>(i); has_large_records(table))
      status = database.db->CompactRange(options, database.handle(table), nullptr, nullptr);
  return status;
}

rocksdb::Status copy_database(const Database& database, const std::string& directory) {
  rocksdb::Checkpoint* made = nullptr;
  auto status = rocksdb::Checkpoint::Create(database.db.get(), &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (status.ok()) status = checkpoint->CreateCheckpoint(directory);
  return status;
}

}  // namespace persistence
