// The one RocksDB of a data directory. Its column families are the tables below. When commit() has returned,
// its writes are on disk. The rest of the service does not use RocksDB directly.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace persistence {

/// Keys are big-endian, so that their order is the numbers' order (keys.hpp makes them).
enum class Table : std::uint8_t {
  meta,       ///< name -> value: schema version, id sequences
  accounts,   ///< account -> Account
  keys,       ///< account, fingerprint -> Key
  projects,   ///< account, project -> Project
  addresses,  ///< account, kind, spelling or house -> project
  runs,       ///< account, project -> the project's newest Run
  line,       ///< run -> account, project: every run that waits or computes
  results,    ///< account, project -> result_codec bytes, in blob files
  expiry,     ///< end of the run in ms, account, project -> nothing: results in order of expiry
  limits,     ///< account, class of requests (one byte) -> Window
  scenes,     ///< account, project -> what the result's pictures are drawn from (geo/drawing/scene_bytes.hpp)
  media,      ///< account, project -> SavedMedia
  files,      ///< account, project, kind (one byte) -> a saved file's bytes, in blob files
  callers,    ///< calling address -> Window; "*", shard: the shared windows
  aside,      ///< account, project, when in ms -> a damaged result's bytes, moved here by an operator
  // The web application's:
  emails,       ///< e-mail address (EmailAddress::key) -> account
  credentials,  ///< account -> Credentials
  sessions,     ///< account, fingerprint of the session's id -> Session
  tokens,       ///< fingerprint of what a mail's link carries -> MailToken
  outbox,       ///< mail -> OutgoingMail: what has not been sent yet
  key_uses,     ///< account, fingerprint of the key -> KeyUse
  passkeys,     ///< account, fingerprint of the credential's id -> Passkey
};
inline constexpr std::size_t kTables = 22;

/// One change: a value put in place, or the key erased.
struct Write {
  Table table = Table::meta;
  std::string key;
  std::string value;
  bool erase = false;
};
inline Write erased(Table table, std::string key) { return {table, std::move(key), {}, true}; }
using Writes = std::vector<Write>;

enum class StoreFault {
  unreadable,  ///< the bytes on disk are damaged or the disk does not answer
  gone,        ///< of get_unverified(): the file with the bytes is gone or no whole file any more
  unwritable,  ///< disk full, read-only
};
template <class T>
using Stored = tl::expected<T, StoreFault>;

/// One of the store's figures, named as an operator reads it.
struct StoreFigure {
  std::string name, help;
  std::string table;  ///< empty: of all tables together
  double value = 0;
  bool only_grows = false;
};
/// As the operator's commands spell it: "projects".
const char* name_of(Table table);

/// Where one primary's writing began: all that follows in the log, up to the next stretch, it has written.
/// Two stores with a stretch in common are equal up to the end of that stretch, or of the shorter log.
struct Stretch {
  std::uint64_t epoch = 0;
  std::uint64_t first = 0;  ///< sequence number
  /// Drawn at random: two pairs that were set up alike have the same epochs and numbers. 0: of before there
  /// were marks.
  std::uint64_t mark = 0;
  bool operator==(const Stretch&) const = default;
};

/// Whoever must have a batch before commit() returns. offer() and withdraw() come in the log's order.
class BatchFollower {
 public:
  virtual ~BatchFollower() = default;
  /// Before the batch is written here, so that both disks write at once.
  virtual void offer(std::uint64_t first, std::uint64_t last, std::shared_ptr<const std::string> batch) = 0;
  /// It has not been written here: what was offered is not part of the log.
  virtual void withdraw() = 0;
  /// Returns when all have it that must.
  virtual void await(std::uint64_t last) = 0;
};

/// Thread-safe. Only committing, copying and dropping lost files wait for the disk to write; reading never
/// waits for them.
class Store {
 public:
  /// Creates the directory (mode 0700) and the tables when they are missing. The error is one sentence for
  /// the operator: the directory cannot be written, another process holds it, its schema is newer than the
  /// program. One of a pair keeps its log for a while, so that a standby can catch up.
  static tl::expected<std::unique_ptr<Store>, std::string> open(const std::string& directory,
                                                                bool one_of_pair = false);
  /// The sentence with which open() would fail, as far as that can be told without reading the data. Not for
  /// a store that this process has open: looking at its lock would release it.
  static std::optional<std::string> opening_fault(const std::string& directory);
  /// Whether there are data.
  static bool exists(const std::string& directory);
  struct Trial {
    std::optional<std::string> fault;  ///< with which open() would fail
    std::optional<std::string> loss;   ///< as lost_files() tells it
  };
  /// Reads the data in the directory, which takes as long as opening; nothing is told when there are none
  /// yet.
  static Trial try_reading(const std::string& directory);
  /// A sentence when files that hold results or pictures are gone or have another size. The other records are
  /// not harmed.
  std::optional<std::string> lost_files() const;
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// std::nullopt when there is no such key.
  Stored<std::optional<std::string>> get(Table table, std::string_view key) const;

  /// get() of each key, in their order; faster than one by one.
  std::vector<Stored<std::optional<std::string>>> get_each(Table table,
                                                           const std::vector<std::string>& keys) const;

  /// The value's bytes as the disk gives them, without a check of the store's checksums: for keeping damaged
  /// values, never for use.
  Stored<std::optional<std::string>> get_unverified(Table table, std::string_view key) const;

  /// All writes or none; they are on disk when it returns. When the disk refuses them, everything stored
  /// before stays as it was, and writing goes on as soon as there is room again.
  Stored<void> commit(const Writes& writes);
  /// The same for several groups of writes at once.
  Stored<void> commit_all(std::span<const Writes* const> of_all);

  /// Calls `visit` with every key that starts with `prefix`, until it returns false. Ascending: from `from`
  /// on. Descending: from the greatest key smaller than `from`. An empty `from` is the respective end.
  /// `visit` may read, but not commit.
  enum class Order { ascending, descending };
  using Visitor = std::function<bool(std::string_view key, std::string_view value)>;
  Stored<void> scan(Table table, std::string_view prefix, Order order, std::string_view from,
                    const Visitor& visit) const;

  /// The next number of a sequence. No two records carry the same number, even after a crash, because every
  /// committed batch stores how far the numbers have been given out. A number that was given out but never
  /// stored may be given out again by the next program. Does not wait for the disk. `name` is "project",
  /// "run", "account".
  Stored<std::uint64_t> next_id(const std::string& name);

  // ---- one of a pair ----
  /// Empty unless this store is one of a pair's.
  std::vector<Stretch> history() const;
  /// From now on this store's batches are those of a primary, and `follower`, which must outlive the store,
  /// hears of each.
  Stored<void> begin_epoch(std::uint64_t epoch, BatchFollower& follower);
  /// The store serves alone again. Without this or begin_epoch() a pair's store takes no writes.
  Stored<void> leave_pair();
  /// Calls `work` between two batches; `newest` is the last one's sequence number, `history` the log's up to
  /// it.
  void between_batches(
      const std::function<void(std::uint64_t newest, const std::vector<Stretch>& history)>& work);
  /// The log from `first` on, batch by batch, until `visit` returns false. False when the log does not go
  /// back that far, or has a gap.
  bool read_log(std::uint64_t first,
                const std::function<bool(std::uint64_t first, std::uint64_t last, std::string batch)>& visit);
  /// While the returned value lives, no part of the log is deleted, however long ago it was
  /// written. Nothing where the store cannot be written.
  std::shared_ptr<void> hold_log();
  /// The tables with the numbers by which batches name them.
  std::string table_numbers() const;

  std::vector<StoreFigure> figures() const;
  /// False after a write that the disk has refused, until it takes one again.
  bool takes_writes() const;
  /// Why the disk refused the last refused write, in its words; empty when none was refused.
  std::string last_fault() const;

  /// Writes a consistent copy to `directory`, while reading and writing go on; `directory` must not exist or
  /// must be empty. The error is one sentence. A copy is a data directory: open()
  /// opens it. Until then its list says whether it is whole (copy_list.hpp).
  tl::expected<void, std::string> copy_to(const std::string& directory) const;

  /// A sentence when a table's file is damaged: RocksDB refuses all writes once it moves such a table's
  /// records. Reads the tables, but not the large records.
  std::optional<std::string> damaged_table() const;

  /// Forgets the files that lost_files() tells, once everything in them was erased. The error is one
  /// sentence: what lost_files() tells while something is left in them.
  tl::expected<void, std::string> drop_lost_files();

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace persistence
