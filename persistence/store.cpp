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
#include <random>

#include "persistence/copy_list.hpp"
#include "persistence/database.hpp"
#include "persistence/keys.hpp"

namespace persistence {
namespace {

std::uint64_t random_mark() {
  std::random_device random;
  return std::uniform_int_distribution<std::uint64_t>(1)(random);
}

rocksdb::Slice slice(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(const rocksdb::Slice& s) { return {s.data(), s.size()}; }

/// The first key after all keys with this prefix; empty when no key can follow them.
std::string first_key_after(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && static_cast<unsigned char>(end.back()) == 0xff) end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

std::string sequence_key(const std::string& name) { return "next-" + name; }

/// Calls `value` only when the key was found.
template <class Value>
Stored<std::optional<std::string>> result_of(const rocksdb::Status& status, const Value& value) {
  if (status.IsNotFound()) return std::optional<std::string>{};
  if (!status.ok()) return tl::make_unexpected(StoreFault::unreadable);
  return std::optional<std::string>(value());
}

/// What of a large record the disk does not give, as RocksDB's words tell (blob_file_reader.cc,
/// blob_log_format.cc).
enum class Damage { none, of_value, of_whole_file, of_table };
Damage damage_of(const rocksdb::Status& status) {
  if (status.IsPathNotFound()) return Damage::of_whole_file;
  if (!status.IsCorruption()) return Damage::none;
  const std::string told = status.ToString();
  const auto says = [&](const char* words) { return told.find(words) != std::string::npos; };
  if (says("Blob CRC mismatch") || says("decoding blob record")) return Damage::of_value;
  for (const char* of_file :
       {"blob log header", "blob log footer", "Malformed blob file", "ID mismatch", "TTL blob"})
    if (says(of_file)) return Damage::of_whole_file;
  return Damage::of_table;
}

/// Whether a megabyte can be written to the disk.
bool has_room(const std::string& directory) {
  const std::string probe = directory + "/probe";
  std::ofstream file(probe, std::ios::binary | std::ios::trunc);
  const bool written = (file << std::string(1U << 20U, '\0')).flush().good();
  file.close();
  std::error_code ignored;
  std::filesystem::remove(probe, ignored);
  return written;
}

/// A batch's bytes begin with its sequence number, little-endian (RocksDB's write_batch.cc).
std::string numbered(std::string bytes, std::uint64_t first) {
  for (std::size_t i = 0; i < 8; ++i, first >>= 8) bytes[i] = static_cast<char>(first & 0xff);
  return bytes;
}

/// Whether another process holds a lock on the file of the kind that RocksDB uses.
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

}  // namespace

/// The next number of each sequence, by name.
using Numbers = std::map<std::string, std::uint64_t>;

struct Store::Impl {
  std::string directory;
  std::mutex database_mutex;  // guards only the pointer: readers never wait for the disk
  DatabasePtr database;
  std::mutex writing_mutex;          // one writer at a time: no other may follow after a failed write
  std::atomic<bool> broken = false;  // a write has failed: this database takes no more
  DatabasePtr closing;             // the broken database, until its last reader has left; for the writer only
  mutable std::mutex fault_mutex;  // never held while writing to the disk
  std::string fault;               // of the last write that failed
  Access access = Access::writing;    // how it is opened for writing
  BatchFollower* follower = nullptr;  // writing_mutex guards this and what follows
  std::vector<Stretch> history;
  std::uint64_t new_stretch = 0;  // the next batch begins one of this epoch; 0: none

  /// Numbers below `next` have been given out; numbers below `stored` are on disk as given out.
  struct Sequence {
    std::uint64_t next = 1, stored = 1;
  };
  std::mutex sequence_mutex;  // never held while writing to the disk
  std::map<std::string, Sequence> sequences;

  DatabasePtr current() {
    const std::lock_guard guard(database_mutex);
    return database;
  }
  DatabasePtr replaced_by(DatabasePtr next) {
    const std::lock_guard guard(database_mutex);
    return std::exchange(database, std::move(next));
  }
  DatabasePtr writable() { return !broken || mend() ? current() : nullptr; }
  bool mend();
  void tell_fault(std::string text) {
    const std::lock_guard guard(fault_mutex);
    fault = std::move(text);
  }
  Numbers given_numbers();
  void stored(const Numbers& given);
  Stored<std::optional<std::string>> get(Table table, std::string_view key);
  Stored<std::optional<std::string>> get_unverified(Table table, std::string_view key);
  Stored<std::uint64_t> write(Database& opened, rocksdb::WriteBatch& batch, const Numbers& given);
};

/// After a failed write RocksDB 7.8 ends the program at the next write into the same log, even after Resume()
/// (facebook/rocksdb#11643; Debian's library asserts). So once the disk has room the database is closed and
/// opened again. That takes time: meanwhile a second, read-only opening serves the readers. The caller must
/// hold writing_mutex. False while the database cannot be written.
bool Store::Impl::mend() {
  if (!has_room(directory)) return false;
  DatabasePtr opened;
  if (current()->access != Access::reading) {
    if (!open_database(directory, Access::reading, opened).ok()) return false;
    closing = replaced_by(std::move(opened));
  }
  if (closing.use_count() > 1) return false;  // somebody still reads from it: the next write tries again
  closing.reset();
  if (!open_database(directory, access, opened).ok()) return false;
  replaced_by(std::move(opened));
  broken = false;
  return true;
}

/// The sequences to store with the next batch, which may carry records with the newest numbers.
Numbers Store::Impl::given_numbers() {
  const std::lock_guard guard(sequence_mutex);
  Numbers given;
  for (const auto& [name, sequence] : sequences)
    if (sequence.next > sequence.stored) given.emplace(name, sequence.next);
  return given;
}

void Store::Impl::stored(const Numbers& given) {
  const std::lock_guard guard(sequence_mutex);
  for (const auto& [name, next] : given) sequences.at(name).stored = next;
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;

tl::expected<std::unique_ptr<Store>, std::string> Store::open(const std::string& directory,
                                                              bool one_of_pair) {
  std::error_code error;
  const bool fresh = !std::filesystem::exists(directory, error);
  std::filesystem::create_directories(directory + "/store", error);
  if (error)
    return tl::make_unexpected(directory + ": the data directory cannot be made (" + error.message() + ")");
  if (fresh) ::chmod(directory.c_str(), S_IRWXU);

  auto impl = std::make_unique<Impl>();
  impl->directory = directory;
  impl->access = one_of_pair ? Access::paired : Access::writing;
  const auto status = open_database(directory, impl->access, impl->database);
  if (!status.ok()) return tl::make_unexpected(sentence(directory, status));
  impl->history = history_of(*impl->database);
  drop_copy_list(directory);

  std::unique_ptr<Store> store(new Store(std::move(impl)));
  const auto schema = store->get(Table::meta, kSchemaKey);
  if (!schema) return tl::make_unexpected(directory + ": the data directory cannot be read");
  const std::uint64_t found = *schema ? number_at(**schema, 0) : 0;
  if (found > kSchema) return tl::make_unexpected(newer_sentence(directory));
  // One of a pair says so with the first batch of its epoch (begin_epoch).
  const bool said_here = found < kSchema && store->impl_->history.empty();
  if (said_here && !store->commit({{Table::meta, kSchemaKey, number_key(kSchema)}}))
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
  return {};
}

bool Store::exists(const std::string& directory) { return has_store(directory); }

Store::Trial Store::try_reading(const std::string& directory) {
  if (!has_store(directory)) return {};
  DatabasePtr tried;
  const auto status = open_database(directory, Access::reading, tried);
  const bool newer = sentence(directory, status) == newer_sentence(directory);
  // Tables that are missing because an older program wrote the data are no fault: opening for writing makes
  // them.
  if (!status.ok())
    return {.fault = status.IsInvalidArgument() && !newer ? std::nullopt
                                                          : std::optional(sentence(directory, status))};
  if (schema_of(*tried) > kSchema) return {.fault = newer_sentence(directory)};
  return {.loss = lost_files_of(*tried, directory)};
}

std::optional<std::string> Store::lost_files() const {
  const auto database = impl_->current();
  return database ? lost_files_of(*database, impl_->directory) : std::nullopt;
}

Stored<std::optional<std::string>> Store::get(Table table, std::string_view key) const {
  return impl_->get(table, key);
}

Stored<std::optional<std::string>> Store::get_unverified(Table table, std::string_view key) const {
  return impl_->get_unverified(table, key);
}

Stored<std::optional<std::string>> Store::Impl::get(Table table, std::string_view key) {
  const auto database = current();
  std::string value;
  const auto status = database->db->Get(rocksdb::ReadOptions(), database->handle(table), slice(key), &value);
  return result_of(status, [&] { return std::move(value); });
}

/// Only the value is read without its sum. RocksDB would not check the table's blocks either, ends the
/// program in some damaged ones, and keeps them for those who read after: so the way to the value is gone
/// with sums first.
Stored<std::optional<std::string>> Store::Impl::get_unverified(Table table, std::string_view key) {
  const auto database = current();
  std::string value;
  rocksdb::ReadOptions options;
  auto status = database->db->Get(options, database->handle(table), slice(key), &value);
  if (damage_of(status) == Damage::of_value) {
    options.verify_checksums = options.fill_cache = false;
    status = database->db->Get(options, database->handle(table), slice(key), &value);
  }
  if (damage_of(status) == Damage::of_whole_file) return tl::make_unexpected(StoreFault::gone);
  return result_of(status, [&] { return std::move(value); });
}

std::vector<Stored<std::optional<std::string>>> Store::get_each(Table table,
                                                                const std::vector<std::string>& keys) const {
  const auto database = impl_->current();
  const std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
  std::vector<rocksdb::PinnableSlice> values(keys.size());
  std::vector<rocksdb::Status> found(keys.size());
  database->db->MultiGet(rocksdb::ReadOptions(), database->handle(table), keys.size(), slices.data(),
                         values.data(), found.data());
  std::vector<Stored<std::optional<std::string>>> each;
  each.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    // MultiGet may give one file's fault to keys of other files.
    const bool faulty = !found[i].ok() && !found[i].IsNotFound();
    each.push_back(faulty ? get(table, keys[i]) : result_of(found[i], [&] { return values[i].ToString(); }));
  }
  return each;
}

Stored<void> Store::commit(const Writes& writes) { return commit_all(std::array<const Writes*, 1>{&writes}); }

Stored<void> Store::commit_all(std::span<const Writes* const> of_all) {
  std::unique_lock guard(impl_->writing_mutex);
  const auto database = impl_->writable();
  if (!database) return tl::make_unexpected(StoreFault::unwritable);
  // Sorted by table, which keeps a table's nodes in the processor's cache; the order within a table is kept.
  std::vector<const Write*> by_table;
  for (const Writes* writes : of_all)
    for (const Write& write : *writes) by_table.push_back(&write);
  std::stable_sort(by_table.begin(), by_table.end(),
                   [](const Write* a, const Write* b) { return a->table < b->table; });
  rocksdb::WriteBatch batch;
  const Numbers given = impl_->given_numbers();
  for (const auto& [name, next] : given)
    batch.Put(database->handle(Table::meta), sequence_key(name), number_key(next));
  for (const Write* write : by_table) {
    if (write->erase)
      batch.Delete(database->handle(write->table), slice(write->key));
    else
      batch.Put(database->handle(write->table), slice(write->key), slice(write->value));
  }
  const auto last = impl_->write(*database, batch, given);
  if (!last) return tl::make_unexpected(last.error());
  BatchFollower* const follower = impl_->follower;
  guard.unlock();  // a standby that comes back looks at the log before it can have this batch
  if (follower && batch.Count() > 0) follower->await(*last);
  return {};
}

/// Writes here and, where there is a follower, there at the same time. The batch's last sequence number.
Stored<std::uint64_t> Store::Impl::write(Database& opened, rocksdb::WriteBatch& batch, const Numbers& given) {
  if (!follower && !history.empty()) {
    tell_fault("the data belong to a pair, and this member does not lead");
    return tl::make_unexpected(StoreFault::unwritable);
  }
  const std::uint64_t first = opened.db->GetLatestSequenceNumber() + 1;
  std::vector<Stretch> extended = history;
  if (new_stretch != 0) {
    extended.push_back({new_stretch, first, random_mark()});
    batch.Put(opened.handle(Table::meta), kHistoryKey, history_bytes(extended));
    batch.Delete(opened.handle(Table::meta), kUnmarkedHistoryKey);
  }
  const std::uint64_t last = first + batch.Count() - 1;
  const bool offered = follower && batch.Count() > 0;
  if (offered)
    follower->offer(first, last, std::make_shared<const std::string>(numbered(batch.Data(), first)));
  rocksdb::WriteOptions options;
  options.sync = true;
  const auto status = opened.db->Write(options, &batch);
  broken = !status.ok();
  if (broken) {
    tell_fault(status.ToString());
    // The standby may have this batch, which this log has not: the next batch begins a new stretch.
    if (offered) {
      follower->withdraw();
      if (new_stretch == 0) new_stretch = history.back().epoch;
    }
    return tl::make_unexpected(StoreFault::unwritable);
  }
  history = std::move(extended);
  new_stretch = 0;
  stored(given);
  flush_held_log(opened, batch.GetDataSize());
  return last;
}

std::vector<Stretch> Store::history() const {
  const std::lock_guard guard(impl_->writing_mutex);
  return impl_->history;
}

Stored<void> Store::begin_epoch(std::uint64_t epoch, BatchFollower& follower) {
  {
    const std::lock_guard guard(impl_->writing_mutex);
    impl_->follower = &follower;
    impl_->new_stretch = epoch;
  }
  return commit(
      {{Table::meta, kSchemaKey, number_key(kSchema)}});  // the first batch, which begins the stretch
}

Stored<void> Store::leave_pair() {
  const std::lock_guard guard(impl_->writing_mutex);
  const auto database = impl_->writable();
  if (impl_->history.empty()) return {};
  if (!database) return tl::make_unexpected(StoreFault::unwritable);
  rocksdb::WriteBatch batch;
  batch.Put(database->handle(Table::meta), kSchemaKey, number_key(kSchema));
  for (const char* key : {kHistoryKey, kUnmarkedHistoryKey}) batch.Delete(database->handle(Table::meta), key);
  rocksdb::WriteOptions options;
  options.sync = true;
  if (!database->db->Write(options, &batch).ok()) return tl::make_unexpected(StoreFault::unwritable);
  impl_->history.clear();
  return {};
}

void Store::between_batches(const std::function<void(std::uint64_t, const std::vector<Stretch>&)>& work) {
  const std::lock_guard guard(impl_->writing_mutex);
  work(impl_->current()->db->GetLatestSequenceNumber(), impl_->history);
}

/// RocksDB answers OK and begins later, or never, where the log does not go back that far
/// (rocksplicator#599), so every batch must follow the one before it.
bool Store::read_log(std::uint64_t first,
                     const std::function<bool(std::uint64_t, std::uint64_t, std::string)>& visit) {
  const auto database = impl_->current();
  if (first > database->db->GetLatestSequenceNumber()) return true;
  std::unique_ptr<rocksdb::TransactionLogIterator> it;
  if (!database->db->GetUpdatesSince(first, &it).ok() || !it->Valid()) return false;
  for (std::uint64_t next = first; it->Valid(); it->Next()) {
    rocksdb::BatchResult found = it->GetBatch();
    if (found.sequence != next) return false;
    next += found.writeBatchPtr->Count();
    if (!visit(found.sequence, next - 1, numbered(found.writeBatchPtr->Data(), found.sequence))) return true;
  }
  return true;  // what is being written now comes by offer()
}

std::shared_ptr<void> Store::hold_log() {
  const auto database = impl_->current();
  if (!database->db->DisableFileDeletions().ok()) return {};
  database->log_is_held = true;
  // Holding the database itself would keep mend() from opening it anew.
  return {database.get(), [weak = std::weak_ptr(database)](void*) {
            const auto held = weak.lock();
            if (!held) return;
            held->log_is_held = false;
            held->db->EnableFileDeletions(/*force=*/false);
          }};
}

std::string Store::table_numbers() const { return table_numbers_of(*impl_->current()); }

std::string Store::last_fault() const {
  const std::lock_guard guard(impl_->fault_mutex);
  return impl_->fault;
}

Stored<void> Store::scan(Table table, std::string_view prefix, Order order, std::string_view from,
                         const Visitor& visit) const {
  const auto database = impl_->current();
  const std::unique_ptr<rocksdb::Iterator> it(
      database->db->NewIterator(rocksdb::ReadOptions(), database->handle(table)));
  const bool ascending = order == Order::ascending;
  if (ascending) {
    it->Seek(slice(std::max(from, prefix)));
  } else {
    const std::string end = first_key_after(prefix);  // empty: no key follows the prefix
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

std::vector<StoreFigure> Store::figures() const { return figures_of(*impl_->current()); }

bool Store::takes_writes() const { return !impl_->broken; }

tl::expected<void, std::string> Store::copy_to(const std::string& directory) const {
  const auto refused = [&](const std::string& why) { return tl::make_unexpected(directory + ": " + why); };
  const auto database = impl_->current();
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return refused("cannot be made (" + error.message() + ")");
  if (!std::filesystem::is_empty(directory, error) || error) return refused("is not empty");
  const auto status = copy_database(*database, directory + "/store");
  std::filesystem::remove_all(directory + "/store.tmp", error);
  if (!status.ok()) {
    const auto loss = lost_files();
    return refused("the copy cannot be written (" + (loss ? *loss : status.ToString()) + ")");
  }
  return write_copy_list(directory);
}

std::optional<std::string> Store::damaged_table() const {
  const auto status = impl_->current()->db->VerifyChecksum();
  if (status.ok()) return {};
  return impl_->directory + ": a table is damaged, so writes will stop some day (" + status.ToString() + ")";
}

tl::expected<void, std::string> Store::drop_lost_files() {
  const auto status = compact_large_records(*impl_->current());
  if (!status.ok())
    return tl::make_unexpected(impl_->directory + ": cannot be rewritten (" + status.ToString() + ")");
  if (const auto loss = lost_files()) return tl::make_unexpected(*loss);
  return {};
}

Stored<std::uint64_t> Store::next_id(const std::string& name) {
  const std::lock_guard guard(impl_->sequence_mutex);
  auto known = impl_->sequences.find(name);
  if (known == impl_->sequences.end()) {
    const auto stored = get(Table::meta, sequence_key(name));
    if (!stored) return tl::make_unexpected(stored.error());
    const std::uint64_t start = *stored ? number_at(**stored, 0) : 1;
    known = impl_->sequences.emplace(name, Impl::Sequence{start, start}).first;
  }
  return known->second.next++;
}

}  // namespace persistence
