#include "geo/addresses/index_file.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>

namespace geo {
namespace {

constexpr std::uint32_t kApplication = 0x52414452;  // 'RADR'
constexpr std::size_t kSum_bytes = 4;

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// Of the page's number too: SQLite's tree may be damaged so that it gives another page.
std::uint32_t sum_of(PageId id, std::string_view bytes) {
  const auto crc_of = [](uLong before, const void* data, std::size_t size) {
    return crc32(before, static_cast<const Bytef*>(data), static_cast<uInt>(size));
  };
  return static_cast<std::uint32_t>(crc_of(crc_of(0, &id, sizeof id), bytes.data(), bytes.size()));
}

/// The fields of SQLite's file header that matter here; big-endian.
struct FileHeader {
  std::uint32_t application = 0, version = 0;
  std::uint64_t bytes = 0;  ///< that the file must have
};
std::optional<FileHeader> header_of(const std::string& path) {
  std::array<char, 100> raw{};
  std::ifstream file(path, std::ios::binary);
  if (!file.read(raw.data(), raw.size()) || std::memcmp(raw.data(), "SQLite format 3", 16) != 0) return {};
  const auto number = [&raw](std::size_t at, std::size_t length) {
    std::uint32_t value = 0;
    for (std::size_t i = at; i < at + length; ++i) value = value << 8 | static_cast<unsigned char>(raw[i]);
    return value;
  };
  const std::uint64_t page = number(16, 2) == 1 ? 65536 : number(16, 2);
  return FileHeader{number(68, 4), number(60, 4), page * number(28, 4)};
}

/// As SQLite wants a file's name in a URI.
std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '?' || c == '#' || c == '%')
      (uri += '%') += {kHex[byte >> 4U], kHex[byte & 15U]};
    else
      uri += c;
  }
  return uri + "?mode=ro&immutable=1";
}

/// Which file a path leads to. No other has its number while one connection is open.
struct FileAtPath {
  dev_t device;
  ino_t number;
  friend bool operator==(const FileAtPath&, const FileAtPath&) = default;
};
std::optional<FileAtPath> file_at(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  return FileAtPath{found.st_dev, found.st_ino};
}

/// One thread's way into the file.
struct Connection {
  Database database;
  Statement one, some;
};

/// All connections lead into the file that was there at the beginning: pages of two files do not fit each
/// other. SQLite opens by path alone, so once another file lies there no connection is added, and whoever has
/// none waits for one. The first is never closed, so somebody always gives one back.
class PagesInFile : public AddressPages {
 public:
  explicit PagesInFile(const std::string& path) : AddressPages(path), file_(file_at(path)) {}

  Result<void> try_it() {
    auto connection = connect();
    if (!is_still_there())
      return fail(FailureKind::invalid_input, name() + ": was replaced while it was opened: try again");
    if (!connection)
      return fail(FailureKind::invalid_input, name() + ": cannot be read as an address index" + kImportAgain);
    give_back(std::move(*connection));
    return {};
  }

  bool read(PageId id, std::string& bytes) const override {
    Borrowed connection(*this);
    sqlite3_stmt* const statement = connection->one.get();
    sqlite3_bind_int64(statement, 1, static_cast<sqlite3_int64>(id));
    const bool found = step(statement);
    if (found) bytes = page_of(id, statement, 0);
    return found;
  }

  void visit(PageId first, PageId last,
             const std::function<bool(PageId, std::string_view)>& take) const override {
    Borrowed connection(*this);
    sqlite3_stmt* const statement = connection->some.get();
    sqlite3_bind_int64(statement, 1, static_cast<sqlite3_int64>(first));
    sqlite3_bind_int64(statement, 2, static_cast<sqlite3_int64>(last));
    while (step(statement)) {
      const auto id = static_cast<PageId>(sqlite3_column_int64(statement, 0));
      if (!take(id, page_of(id, statement, 1))) return;
    }
  }

 private:
  /// Takes a connection for one question. After a failure it forgets what it has read, so that a file that
  /// is mended serves again.
  class Borrowed {
   public:
    explicit Borrowed(const PagesInFile& pages) : pages_(pages), connection_(pages.take()) {}
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    ~Borrowed() {
      sqlite3_reset(connection_.one.get());
      sqlite3_reset(connection_.some.get());
      if (std::uncaught_exceptions() != uncaught_) sqlite3_db_release_memory(connection_.database.get());
      pages_.give_back(std::move(connection_));
    }
    const Connection* operator->() const { return &connection_; }

   private:
    const PagesInFile& pages_;
    int uncaught_ = std::uncaught_exceptions();
    Connection connection_;
  };

  bool is_still_there() const { return file_ && file_at(name()) == file_; }
  /// One more into the same file, if its path still leads there.
  std::optional<Connection> another() const {
    if (!is_still_there()) return {};
    auto connection = connect();
    if (!is_still_there()) return {};  // it was replaced meanwhile
    return connection;
  }
  std::optional<Connection> connect() const {
    sqlite3* opened = nullptr;
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    const int code = sqlite3_open_v2(uri_of(name()).c_str(), &opened, flags, nullptr);
    Connection connection{Database(opened), {}, {}};
    if (code != SQLITE_OK) return {};
    sqlite3_exec(opened, "PRAGMA cache_size=-2000; PRAGMA mmap_size=0; PRAGMA trusted_schema=OFF", nullptr,
                 nullptr, nullptr);
    connection.one = prepare(opened, "SELECT bytes FROM pages WHERE id=?1");
    connection.some = prepare(opened, "SELECT id, bytes FROM pages WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
    if (!connection.one || !connection.some) return {};
    return connection;
  }
  static Statement prepare(sqlite3* database, const char* sql) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    return Statement(statement);
  }

  Connection take() const {
    std::unique_lock lock(mutex_);
    if (idle_.empty()) {
      lock.unlock();
      if (auto connection = another()) return std::move(*connection);
      lock.lock();
      given_back_.wait(lock, [this] { return !idle_.empty(); });
    }
    Connection connection = std::move(idle_.back());
    idle_.pop_back();
    return connection;
  }
  void give_back(Connection connection) const {
    {
      const std::lock_guard guard(mutex_);
      idle_.push_back(std::move(connection));
    }
    given_back_.notify_one();
  }

  bool step(sqlite3_stmt* statement) const {
    const int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
      throw DamagedPages(name(), std::string("cannot be read (") + sqlite3_errstr(code) + ")");
    return code == SQLITE_ROW;
  }
  std::string_view page_of(PageId id, sqlite3_stmt* statement, int column) const {
    const auto* data = static_cast<const char*>(sqlite3_column_blob(statement, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    if (!data || size < kSum_bytes) throw DamagedPages(name());
    const std::string_view bytes(data, size - kSum_bytes);
    std::uint32_t sum = 0;
    std::memcpy(&sum, data + bytes.size(), kSum_bytes);
    if (sum != sum_of(id, bytes)) throw DamagedPages(name());
    return bytes;
  }

  const std::optional<FileAtPath> file_;
  mutable std::condition_variable given_back_;
  mutable std::mutex mutex_;  // guards what follows
  mutable std::vector<Connection> idle_;
};

}  // namespace

bool is_address_index(const std::string& path) {
  const auto header = header_of(path);
  return header && header->application == kApplication;
}

Result<std::unique_ptr<AddressPages>> open_address_index(const std::string& path) {
  const auto refuse = [&path](const std::string& why) {
    return fail(FailureKind::invalid_input, path + ": " + why + kImportAgain);
  };
  auto pages = std::make_unique<PagesInFile>(path);
  const auto header = header_of(path);
  if (!header || header->application != kApplication) return refuse("is not an address index");
  if (header->version != kAddressIndexVersion)
    return refuse("is an address index of version " + std::to_string(header->version) +
                  ", and this program reads version " + std::to_string(kAddressIndexVersion));
  std::error_code error;
  if (std::filesystem::file_size(path, error) != header->bytes || error) return refuse("is not complete");
  if (const auto tried = pages->try_it(); !tried) return tl::make_unexpected(tried.error());
  return pages;
}

AddressIndexWriter::AddressIndexWriter(std::string path) : path_(std::move(path)), part_(path_ + ".part") {}

Result<std::unique_ptr<AddressIndexWriter>> AddressIndexWriter::create(const std::string& path) {
  std::unique_ptr<AddressIndexWriter> writer(new AddressIndexWriter(path));
  const int lock = ::open(writer->part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0)
    return fail(FailureKind::invalid_input,
                writer->part_ + ": cannot be written (" + std::strerror(errno) + ")");
  if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
    ::close(lock);
    return fail(FailureKind::invalid_input, writer->part_ + ": another import is writing it");
  }
  writer->lock_ = lock;
  if (::ftruncate(lock, 0) != 0 ||
      sqlite3_open_v2(writer->part_.c_str(), &writer->database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                      nullptr) != SQLITE_OK)
    return fail(FailureKind::invalid_input, writer->part_ + ": cannot be written");
  const std::string marks = "PRAGMA application_id=" + std::to_string(kApplication) +
                            "; PRAGMA user_version=" + std::to_string(kAddressIndexVersion);
  for (const char* sql :
       {"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE", marks.c_str(),
        "CREATE TABLE pages(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)", "BEGIN"})
    writer->run(sql);
  sqlite3_prepare_v2(writer->database_, "INSERT INTO pages VALUES(?1, ?2)", -1, &writer->insert_, nullptr);
  if (!writer->insert_) writer->note_failure();
  return writer;
}

AddressIndexWriter::~AddressIndexWriter() {
  close_database();
  if (lock_ < 0) return;
  ::unlink(part_.c_str());
  ::close(lock_);
}

void AddressIndexWriter::close_database() {
  sqlite3_finalize(insert_);
  insert_ = nullptr;
  sqlite3_close(database_);
  database_ = nullptr;
}

void AddressIndexWriter::note_failure() {
  if (failure_.empty()) failure_ = sqlite3_errmsg(database_);
}
bool AddressIndexWriter::run(const char* sql) {
  const bool done = sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  if (!done) note_failure();
  return done;
}

void AddressIndexWriter::add(PageId id, std::string_view bytes) {
  if (!failure_.empty()) return;
  bytes_.assign(bytes);
  const std::uint32_t sum = sum_of(id, bytes);
  bytes_.append(reinterpret_cast<const char*>(&sum), kSum_bytes);
  sqlite3_bind_int64(insert_, 1, static_cast<sqlite3_int64>(id));
  sqlite3_bind_blob64(insert_, 2, bytes_.data(), bytes_.size(), SQLITE_STATIC);
  if (sqlite3_step(insert_) != SQLITE_DONE) note_failure();
  sqlite3_reset(insert_);
}

Result<void> AddressIndexWriter::finish() {
  if (failure_.empty()) run("COMMIT");
  close_database();
  if (failure_.empty() && ::fsync(lock_) != 0) failure_ = std::strerror(errno);
  if (failure_.empty() && ::rename(part_.c_str(), path_.c_str()) != 0) failure_ = std::strerror(errno);
  if (!failure_.empty())
    return fail(FailureKind::invalid_input, path_ + ": cannot be written (" + failure_ + ")");
  ::close(lock_);
  lock_ = -1;
  return {};
}

}  // namespace geo
