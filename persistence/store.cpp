#include "persistence/store.hpp"

#include <fcntl.h>
#include <rocksdb/write_batch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#include "persistence/database.hpp"
#include "persistence/keys.hpp"

namespace persistence {
namespace {

constexpr std::uint64_t kSchema = 1;
constexpr std::uint64_t kFirstIdBlock = 100;
constexpr std::uint64_t kLastIdBlock = 12'800;

rocksdb::Slice slice(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(const rocksdb::Slice& s) { return {s.data(), s.size()}; }

/// The first key after every one with this prefix; empty when all that follow have it.
std::string first_key_after(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && static_cast<unsigned char>(end.back()) == 0xff) end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

/// Whether the disk takes a megabyte.
bool has_room(const std::string& directory) {
  const std::string probe = directory + "/probe";
  std::ofstream file(probe, std::ios::binary | std::ios::trunc);
  const bool written = (file << std::string(1U << 20U, '\0')).flush().good();
  file.close();
  std::error_code ignored;
  std::filesystem::remove(probe, ignored);
  return written;
}

/// Whether another process has locked a file, as RocksDB does.
bool held_by_another(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool held = ::fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  ::close(descriptor);
  return held;
}

/// Why a database that is there cannot be read. Tables that an older program did not make are no fault:
/// writing makes them.
std::optional<std::string> reading_fault(const std::string& directory) {
  DatabasePtr tried;
  const auto status = open_database(directory, Access::reading, tried);
  const bool newer = sentence(directory, status) == newer_sentence(directory);
  if (!status.ok())
    return status.IsInvalidArgument() && !newer ? std::nullopt : std::optional(sentence(directory, status));
  std::string schema;
  const auto found =
      tried->db->Get(rocksdb::ReadOptions(), tried->handle(Table::meta), slice("schema"), &schema);
  return found.ok() && number_at(schema, 0) > kSchema ? std::optional(newer_sentence(directory))
                                                      : std::nullopt;
}

}  // namespace

struct Store::Impl {
  std::string directory;
  std::mutex database_mutex;
  DatabasePtr database;              // null when it was closed and could not be opened again
  std::mutex writing_mutex;          // one writer at a time: after a failed write no other may follow
  std::atomic<bool> broken = false;  // a write has failed: no further one may go into this database
  std::string fault;                 // of the last write that failed; writing_mutex guards it

  struct Sequence {
    std::uint64_t next = 0, reserved = 0;
    std::uint64_t block = kFirstIdBlock;  // doubles, so that a busy program seldom waits for a writer
  };
  std::mutex sequence_mutex;
  std::map<std::string, Sequence> sequences;

  DatabasePtr current() {
    const std::lock_guard guard(database_mutex);
    return database;
  }
  DatabasePtr writable();
  bool mend();
  Stored<std::optional<std::string>> get(Table table, std::string_view key, bool verified);
};

/// Null as long as the disk refuses. For whoever holds the writing_mutex.
DatabasePtr Store::Impl::writable() {
  const std::lock_guard guard(database_mutex);
  return !broken || mend() ? database : nullptr;
}

/// After a failed write RocksDB 7.8 ends the program at the next write into the same log, Resume() or not
/// (facebook/rocksdb#11643; Debian's library asserts). So the database is closed and opened again, once the
/// disk has room and nobody reads; until then reading goes on.
bool Store::Impl::mend() {
  if (database.use_count() > 1 || !has_room(directory)) return false;
  database.reset();
  broken = !open_database(directory, Access::writing, database).ok();
  if (broken) open_database(directory, Access::reading, database).PermitUncheckedError();
  return !broken;
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;

tl::expected<std::unique_ptr<Store>, std::string> Store::open(const std::string& directory) {
  std::error_code error;
  const bool fresh = !std::filesystem::exists(directory, error);
  std::filesystem::create_directories(directory + "/store", error);
  if (error)
    return tl::make_unexpected(directory + ": the data directory cannot be made (" + error.message() + ")");
  if (fresh) ::chmod(directory.c_str(), S_IRWXU);

  auto impl = std::make_unique<Impl>();
  impl->directory = directory;
  const auto status = open_database(directory, Access::writing, impl->database);
  if (!status.ok()) return tl::make_unexpected(sentence(directory, status));

  std::unique_ptr<Store> store(new Store(std::move(impl)));
  const auto schema = store->get(Table::meta, "schema");
  if (!schema) return tl::make_unexpected(directory + ": the data directory cannot be read");
  if (*schema && number_at(**schema, 0) > kSchema) return tl::make_unexpected(newer_sentence(directory));
  if (!*schema && !store->commit({{Table::meta, "schema", number_key(kSchema)}}))
    return tl::make_unexpected(directory + ": the data directory cannot be written");
  return store;
}

std::optional<std::string> Store::opening_fault(const std::string& directory) {
  namespace fs = std::filesystem;
  const auto unmade = [&](const std::string& why) {
    return directory + ": the data directory cannot be made (" + why + ")";
  };
  std::error_code error;
  fs::path there = fs::absolute(directory);
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  if (!fs::is_directory(there, error)) return unmade(there.string() + " is no directory");
  const bool made = fs::exists(directory + "/store", error);
  if (made) there = fs::absolute(directory + "/store");
  if (::access(there.c_str(), R_OK | W_OK | X_OK) != 0) {
    const std::string why = std::generic_category().message(errno);
    return made ? directory + ": the data directory cannot be written (" + why + ")" : unmade(why);
  }
  if (held_by_another(directory + "/store/LOCK")) return held_sentence(directory);
  return fs::exists(directory + "/store/CURRENT", error) ? reading_fault(directory) : std::nullopt;
}

Stored<std::optional<std::string>> Store::get(Table table, std::string_view key) const {
  return impl_->get(table, key, true);
}

Stored<std::optional<std::string>> Store::get_unverified(Table table, std::string_view key) const {
  return impl_->get(table, key, false);
}

Stored<std::optional<std::string>> Store::Impl::get(Table table, std::string_view key, bool verified) {
  const auto database = current();
  if (!database) return tl::make_unexpected(StoreFault::unreadable);
  rocksdb::ReadOptions options;
  options.verify_checksums = verified;
  std::string value;
  const auto status = database->db->Get(options, database->handle(table), slice(key), &value);
  if (status.IsNotFound()) return std::optional<std::string>{};
  if (!status.ok()) return tl::make_unexpected(StoreFault::unreadable);
  return std::optional<std::string>(std::move(value));
}

Stored<void> Store::commit(const Writes& writes, bool sync) {
  return commit_all(std::array<const Writes*, 1>{&writes}, sync);
}

Stored<void> Store::commit_all(std::span<const Writes* const> of_all, bool sync) {
  const std::lock_guard guard(impl_->writing_mutex);
  const auto database = impl_->writable();
  if (!database) return tl::make_unexpected(StoreFault::unwritable);
  // Table by table, which keeps a table's nodes in the processor's cache; within a table in their order.
  std::vector<const Write*> by_table;
  for (const Writes* writes : of_all)
    for (const Write& write : *writes) by_table.push_back(&write);
  std::stable_sort(by_table.begin(), by_table.end(),
                   [](const Write* a, const Write* b) { return a->table < b->table; });
  rocksdb::WriteBatch batch;
  for (const Write* write : by_table) {
    if (write->erase)
      batch.Delete(database->handle(write->table), slice(write->key));
    else
      batch.Put(database->handle(write->table), slice(write->key), slice(write->value));
  }
  rocksdb::WriteOptions options;
  options.sync = sync;
  const auto status = database->db->Write(options, &batch);
  impl_->broken = !status.ok();
  if (impl_->broken) impl_->fault = status.ToString();
  if (impl_->broken) return tl::make_unexpected(StoreFault::unwritable);
  return {};
}

std::string Store::last_fault() const {
  const std::lock_guard guard(impl_->writing_mutex);
  return impl_->fault;
}

Stored<void> Store::scan(Table table, std::string_view prefix, Order order, std::string_view from,
                         const Visitor& visit) const {
  const auto database = impl_->current();
  if (!database) return tl::make_unexpected(StoreFault::unreadable);
  const std::unique_ptr<rocksdb::Iterator> it(
      database->db->NewIterator(rocksdb::ReadOptions(), database->handle(table)));
  const bool ascending = order == Order::ascending;
  if (ascending) {
    it->Seek(slice(std::max(from, prefix)));
  } else {
    const std::string end = first_key_after(prefix);  // empty: there is none
    const std::string_view bound = from.empty() || (!end.empty() && from > end) ? end : from;
    if (bound.empty()) {
      it->SeekToLast();
    } else {
      it->SeekForPrev(slice(bound));
      if (it->Valid() && view(it->key()) == bound) it->Prev();
    }
  }
  for (; it->Valid() && view(it->key()).starts_with(prefix); ascending ? it->Next() : it->Prev())
    if (!visit(view(it->key()), view(it->value()))) break;
  if (!it->status().ok()) return tl::make_unexpected(StoreFault::unreadable);
  return {};
}

std::vector<StoreFigure> Store::figures() const {
  const auto database = impl_->current();
  return database ? figures_of(*database) : std::vector<StoreFigure>{};
}

bool Store::takes_writes() const {
  const std::lock_guard guard(impl_->database_mutex);
  return impl_->database && !impl_->broken;
}

tl::expected<void, std::string> Store::copy_to(const std::string& directory) const {
  const auto refused = [&](const std::string& why) { return tl::make_unexpected(directory + ": " + why); };
  const auto database = impl_->current();
  if (!database) return tl::make_unexpected(impl_->directory + ": the data directory cannot be read");
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return refused("cannot be made (" + error.message() + ")");
  if (!std::filesystem::is_empty(directory, error) || error) return refused("is not empty");
  const auto status = copy_database(*database, directory + "/store");
  if (status.ok()) return {};
  std::filesystem::remove_all(directory + "/store.tmp", error);
  return refused("the copy cannot be written (" + status.ToString() + ")");
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
    if (!commit({{Table::meta, key, number_key(start + sequence.block)}}, false))
      return tl::make_unexpected(StoreFault::unwritable);
    sequence = {start, start + sequence.block, std::min(2 * sequence.block, kLastIdBlock)};
  }
  return sequence.next++;
}

}  // namespace persistence
