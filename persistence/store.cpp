#include "persistence/store.hpp"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <map>
#include <mutex>

#include "persistence/keys.hpp"

namespace persistence {
namespace {

constexpr std::array<const char*, kTables> kTableNames = {"meta", "accounts", "keys",    "projects", "addresses",
                                                          "runs", "line",     "results", "expiry"};
constexpr std::uint64_t kSchema = 1;
constexpr std::uint64_t kIdBlock = 100;
constexpr std::size_t kBlockCacheBytes = 64U << 20U;
constexpr std::size_t kWriteBufferBytes = 16U << 20U;

rocksdb::Slice slice(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(const rocksdb::Slice& s) { return {s.data(), s.size()}; }

rocksdb::ColumnFamilyOptions table_options(std::size_t table, const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions options;
  options.write_buffer_size = kWriteBufferBytes;
  rocksdb::BlockBasedTableOptions blocks;
  blocks.block_cache = cache;
  blocks.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(blocks));
  if (static_cast<Table>(table) == Table::results) {
    options.enable_blob_files = true;
    options.enable_blob_garbage_collection = true;
  }
  return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> table_descriptors() {
  const auto cache = rocksdb::NewLRUCache(kBlockCacheBytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> tables;
  tables.emplace_back(rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions());
  for (std::size_t i = 0; i < kTables; ++i) tables.emplace_back(kTableNames[i], table_options(i, cache));
  return tables;
}

/// What a failed opening means to an operator.
std::string sentence(const std::string& directory, const rocksdb::Status& status) {
  if (status.IsIOError() && status.ToString().find("lock") != std::string::npos)
    return directory + ": another process holds the data directory";
  return directory + ": the data directory cannot be opened (" + status.ToString() + ")";
}

}  // namespace

struct Store::Impl {
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;  // [0] is RocksDB's default, unused
  struct Sequence {
    std::uint64_t next = 0, reserved = 0;
  };
  std::mutex sequence_mutex;
  std::map<std::string, Sequence> sequences;

  rocksdb::ColumnFamilyHandle* handle(Table table) const { return handles[static_cast<std::size_t>(table) + 1]; }
  ~Impl() {
    for (auto* handle : handles) db->DestroyColumnFamilyHandle(handle);
    if (db) db->Close();
  }
};

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;

tl::expected<std::unique_ptr<Store>, std::string> Store::open(const std::string& directory) {
  std::error_code error;
  const bool fresh = std::filesystem::create_directories(directory, error);
  if (error) return tl::make_unexpected(directory + ": the data directory cannot be made (" + error.message() + ")");
  if (fresh) ::chmod(directory.c_str(), S_IRWXU);

  rocksdb::DBOptions options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.max_log_file_size = 1U << 20U;
  options.keep_log_file_num = 4;
  options.max_background_jobs = 2;
  options.max_open_files = 256;
  options.paranoid_checks = true;
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  auto impl = std::make_unique<Impl>();
  rocksdb::DB* db = nullptr;
  const auto status = rocksdb::DB::Open(options, directory + "/store", table_descriptors(), &impl->handles, &db);
  if (!status.ok()) return tl::make_unexpected(sentence(directory, status));
  impl->db.reset(db);

  std::unique_ptr<Store> store(new Store(std::move(impl)));
  const auto schema = store->get(Table::meta, "schema");
  if (!schema) return tl::make_unexpected(directory + ": the data directory cannot be read");
  if (*schema && number_at(**schema, 0) > kSchema)
    return tl::make_unexpected(directory + ": the data were written by a newer version of roofd");
  if (!*schema && !store->commit({{Table::meta, "schema", number_key(kSchema)}}))
    return tl::make_unexpected(directory + ": the data directory cannot be written");
  return store;
}

Stored<std::optional<std::string>> Store::get(Table table, std::string_view key) const {
  std::string value;
  const auto status = impl_->db->Get(rocksdb::ReadOptions(), impl_->handle(table), slice(key), &value);
  if (status.IsNotFound()) return std::optional<std::string>{};
  if (!status.ok()) return tl::make_unexpected(StoreFault::unreadable);
  return std::optional<std::string>(std::move(value));
}

Stored<void> Store::commit(const Writes& writes, bool sync) {
  rocksdb::WriteBatch batch;
  for (const Write& write : writes) {
    if (write.erase)
      batch.Delete(impl_->handle(write.table), slice(write.key));
    else
      batch.Put(impl_->handle(write.table), slice(write.key), slice(write.value));
  }
  rocksdb::WriteOptions options;
  options.sync = sync;
  auto status = impl_->db->Write(options, &batch);
  if (!status.ok() && impl_->db->Resume().ok())  // space may be back since an earlier fault
    status = impl_->db->Write(options, &batch);
  if (!status.ok()) return tl::make_unexpected(StoreFault::unwritable);
  return {};
}

Stored<void> Store::scan(Table table, std::string_view prefix, Order order, std::string_view from,
                         const Visitor& visit) const {
  const std::unique_ptr<rocksdb::Iterator> it(
      impl_->db->NewIterator(rocksdb::ReadOptions(), impl_->handle(table)));
  const bool ascending = order == Order::ascending;
  if (ascending) {
    it->Seek(slice(from.empty() ? prefix : from));
  } else if (!from.empty()) {
    it->SeekForPrev(slice(from));
    if (it->Valid() && view(it->key()) == from) it->Prev();
  } else {
    std::string end(prefix);  // the first key after every one with this prefix
    while (!end.empty() && static_cast<unsigned char>(end.back()) == 0xff) end.pop_back();
    if (end.empty()) {
      it->SeekToLast();
    } else {
      end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
      it->SeekForPrev(end);
      if (it->Valid() && view(it->key()) == end) it->Prev();
    }
  }
  for (; it->Valid() && view(it->key()).starts_with(prefix); ascending ? it->Next() : it->Prev())
    if (!visit(view(it->key()), view(it->value()))) break;
  if (!it->status().ok()) return tl::make_unexpected(StoreFault::unreadable);
  return {};
}

Stored<std::uint64_t> Store::next_id(const std::string& name) {
  const std::lock_guard guard(impl_->sequence_mutex);
  auto& sequence = impl_->sequences[name];
  if (sequence.next == sequence.reserved) {
    const std::string key = "next-" + name;
    const auto stored = get(Table::meta, key);
    if (!stored) return tl::make_unexpected(stored.error());
    const std::uint64_t start = *stored ? number_at(**stored, 0) : 1;
    // Not synced: a later synced batch puts everything before it in the log on disk as well.
    if (!commit({{Table::meta, key, number_key(start + kIdBlock)}}, false))
      return tl::make_unexpected(StoreFault::unwritable);
    sequence = {start, start + kIdBlock};
  }
  return sequence.next++;
}

}  // namespace persistence
