#include "persistence/log_follower.hpp"

#include <endian.h>
#include <fcntl.h>
#include <rocksdb/write_batch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "persistence/log_server.hpp"

namespace persistence {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr auto kAgain = 200ms, kAgainRefused = 2'000ms;
constexpr auto kAnswers = 500ms;  // while more and more comes
constexpr auto kConnects = 2'000ms;
constexpr std::size_t kWrittenAtOnce = 256U << 10U;
constexpr std::uint64_t kWorthFlushing = 4U << 20U;  // bytes; less is read from the log in a blink

bool sync_path(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  if (descriptor >= 0) ::close(descriptor);
  return synced;
}

// A batch's bytes: its first sequence number (8), how many records follow (4), both little-endian, and the
// records (RocksDB's write_batch.cc).
constexpr std::size_t kBatchHeader = 12, kCountAt = 8;

std::uint32_t batch_count(std::string_view batch) {
  std::uint32_t count = 0;
  std::memcpy(&count, batch.data() + kCountAt, sizeof count);
  return le32toh(count);
}

/// What is in `next` follows what is in `batch`.
void append_batch(std::string& batch, std::string_view next) {
  const std::uint32_t count = htole32(batch_count(batch) + batch_count(next));
  std::memcpy(batch.data() + kCountAt, &count, sizeof count);
  batch.append(next, kBatchHeader);
}

/// The file that a copy is being written into.
class CopiedFile {
 public:
  explicit CopiedFile(std::string folder) : folder_(std::move(folder)) {}
  ~CopiedFile() { end(); }
  bool begin(const std::string& name) {
    if (!end() || name.empty() || name.find('/') != std::string::npos || name[0] == '.') return false;
    descriptor_ = ::open((folder_ + "/" + name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return descriptor_ >= 0;
  }
  bool add(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool end() {
    if (descriptor_ < 0) return true;
    const bool synced = ::fsync(descriptor_) == 0;
    ::close(descriptor_);
    descriptor_ = -1;
    return synced;
  }

 private:
  std::string folder_;
  int descriptor_ = -1;
};

}  // namespace

LogFollower::LogFollower(std::string directory, LogFollowerOptions options, LogFollowerHooks hooks)
    : directory_(std::move(directory)), options_(std::move(options)), hooks_(std::move(hooks)) {}

tl::expected<std::unique_ptr<LogFollower>, std::string> LogFollower::start(const std::string& directory,
                                                                           LogFollowerOptions options,
                                                                           LogFollowerHooks hooks) {
  std::error_code error;
  const bool fresh = !fs::exists(directory, error);
  fs::create_directories(directory, error);
  if (error)
    return tl::make_unexpected(directory + ": the data directory cannot be made (" + error.message() + ")");
  if (fresh) ::chmod(directory.c_str(), S_IRWXU);
  // Killed between the two renames of a copy.
  if (!fs::exists(directory + "/store", error) && fs::exists(directory + "/store.replaced/CURRENT", error))
    fs::rename(directory + "/store.replaced", directory + "/store", error);
  std::unique_ptr<LogFollower> follower(new LogFollower(directory, std::move(options), std::move(hooks)));
  if (has_store(directory)) {
    const auto status = open_database(directory, Access::following, follower->database_);
    if (!status.ok()) return tl::make_unexpected(sentence(directory, status));
    if (schema_of(*follower->database_) > kSchema) return tl::make_unexpected(newer_sentence(directory));
    follower->figures_.newest = follower->database_->db->GetLatestSequenceNumber();
  }
  follower->thread_ = std::thread([raw = follower.get()] { raw->run(); });
  return follower;
}

LogFollower::~LogFollower() {
  {
    const std::lock_guard guard(mutex_);
    ending_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

FollowerFigures LogFollower::figures() const {
  const std::lock_guard guard(mutex_);
  return figures_;
}

void LogFollower::say(std::string fault) {
  const std::lock_guard guard(mutex_);
  if (fault != figures_.fault) hooks_.tell(fault);
  figures_.fault = std::move(fault);
}

/// After a failed write RocksDB takes none into the same log (store.cpp), so it is opened again.
bool LogFollower::open() {
  if (database_) return true;
  if (!has_store(directory_)) return true;  // the first copy comes
  const auto status = open_database(directory_, Access::following, database_);
  if (!status.ok()) say(sentence(directory_, status));
  return status.ok();
}

std::uint64_t LogFollower::last_epoch() const {
  if (!database_) return 0;
  const auto history = history_of(*database_);
  return history.empty() ? 0 : history.back().epoch;
}

/// After a failed write: until it is opened again, this member must not lead.
void LogFollower::lose_database() {
  database_.reset();
  hooks_.whole(false, 0, true);
}

void LogFollower::run() {
  while (!ending_) {
    if (open()) {
      // Data that were never a pair's must not be thrown away for a copy.
      const std::uint64_t epoch = last_epoch();
      const bool own = database_ && epoch == 0;
      hooks_.whole(database_ && !own && !namesake_, epoch, database_ != nullptr);
      if (own) {
        say(directory_ +
            ": holds data that were never a pair's. If these are to be served: roofd cluster promote --force "
            "on "
            "this member. A copy of the other member's would replace them; only if that is meant, move them "
            "away");
      } else {
        const auto channel = Channel::connect(options_.host, options_.port, options_.tls, kConnects);
        if (channel) {
          follow(**channel);
          prepare_to_lead();
        } else {
          say(channel.error());
        }
      }
      const std::lock_guard guard(mutex_);
      figures_.connected = figures_.copying = false;
    } else {
      hooks_.whole(false, 0, true);
    }
    const auto pause = std::exchange(refused_, false) ? kAgainRefused : kAgain;
    std::unique_lock guard(mutex_);
    ended_.wait_for(guard, pause, [this] { return ending_.load(); });
  }
}

/// The primary is gone, perhaps for ever. Until its lease has ended there is time.
void LogFollower::prepare_to_lead() {
  if (database_ && unflushed_bytes(*database_) > kWorthFlushing) begin_flush(*database_);
}

std::string LogFollower::greeting() const {
  Greeting greeting;
  greeting.name = options_.name;
  greeting.group = options_.group;
  greeting.schema = kSchema;
  if (database_) {
    greeting.newest = database_->db->GetLatestSequenceNumber();
    greeting.history = history_of(*database_);
    greeting.tables = table_numbers_of(*database_);
  }
  return greets_as_old_ ? old_greeting_bytes(greeting) : greeting_bytes(greeting);
}

void LogFollower::follow(Channel& channel) {
  answers_ = take_over_ = false;
  bool welcome = false;
  taken_ = {};
  if (!channel.send('G', greeting())) return;
  channel.allow_large_frames();
  auto heard = std::chrono::steady_clock::now();
  while (!ending_) {
    const auto frame = channel.receive(100ms);  // also what came just before the connection's end
    const bool batch = frame && frame->kind == 'B';
    if (!batch && !write_taken(channel)) return;
    // While it is copied the primary expects nothing of the kind.
    if (answers_ && take_over_.exchange(false)) channel.send('T', {});
    if (!frame) {
      if (channel.over()) break;
      if (std::chrono::steady_clock::now() - heard > options_.patience)
        return say("the primary says nothing");
      continue;
    }
    heard = std::chrono::steady_clock::now();
    FrameReader reader(frame->payload);
    switch (frame->kind) {
      case 'W': {
        epoch_ = reader.number();
        namesake_ = reader.text() == options_.name;
        welcome = true;
        if (namesake_) return refuse("the primary has this member's own name: " + options_.name);
        const std::lock_guard guard(mutex_);
        figures_.connected = true;
        figures_.epoch = epoch_;
        break;
      }
      case 'B':
        if (!take_batch(*frame)) return;
        if (channel.has_more() && taken_.bytes.size() < kWrittenAtOnce) break;
        if (!write_taken(channel)) return;
        break;
      case 'P':
        if (!answer(channel, reader.number())) return;
        break;
      case 'C':
        if (!hooks_.may_answer(epoch_)) return refuse("a primary of an older epoch is not copied from");
        if (!take_copy(channel)) return;
        if (!channel.send('G', greeting())) return;
        break;
      case 'L':
        hooks_.primary_leaves();
        return say("the primary has ended");
      default:
        return say("the primary says what this version does not understand");
    }
  }
  if (!welcome) greets_as_old_ = !greets_as_old_;  // refused: the other way next time
  if (channel.over()) say(channel.fault());
}

/// The connection's end, and no new one at once: the primary would have made another copy for nothing.
void LogFollower::refuse(std::string why) {
  refused_ = true;
  say(std::move(why));
}

/// Everything so far is on disk, and this member will not take the lead for a while.
bool LogFollower::answer(Channel& channel, std::uint64_t sent_at) {
  if (!database_) return true;  // it has nothing that could count
  if (unsynced_ && !database_->db->SyncWAL().ok()) {
    say(directory_ + ": cannot be written");
    lose_database();
    return false;
  }
  unsynced_ = false;
  if (!hooks_.may_answer(epoch_)) {
    say("a primary of an older epoch is not answered");
    return false;
  }
  const std::uint64_t newest = database_->db->GetLatestSequenceNumber();
  answered_ = std::chrono::steady_clock::now();
  {
    const std::lock_guard guard(mutex_);
    figures_.newest = newest;
    figures_.fault.clear();
  }
  answers_ = true;
  channel.send('A', FrameWriter().number(sent_at).number(newest).bytes());
  return true;  // if the connection is over, there may be more to read
}

bool LogFollower::take_batch(const Frame& frame) {
  FrameReader reader(frame.payload);
  const std::uint64_t sent_at = reader.number(), first = reader.number(), last = reader.number();
  const std::string_view bytes = reader.text();
  if (!reader.whole() || bytes.size() < kBatchHeader || !database_) {
    say("a batch is not whole");
    return false;
  }
  const std::uint64_t newest = taken_.bytes.empty() ? database_->db->GetLatestSequenceNumber() : taken_.last;
  if (first != newest + 1 || last != newest + batch_count(bytes)) {
    say("the log has a gap after " + std::to_string(newest));
    return false;
  }
  if (taken_.bytes.empty())
    taken_.bytes = bytes;
  else
    append_batch(taken_.bytes, bytes);
  taken_.last = last;
  taken_.sent_at = sent_at;
  const std::lock_guard guard(mutex_);
  figures_.taken_bytes += bytes.size();
  return true;
}

/// In one piece: a write of its own for every batch costs as much as what is in it.
bool LogFollower::write_taken(Channel& channel) {
  if (taken_.bytes.empty()) return true;
  rocksdb::WriteBatch batch(std::exchange(taken_.bytes, {}));
  rocksdb::WriteOptions options;
  // Of many batches the last one's sync is for all, but the primary must not take this member for dead.
  options.sync = !channel.has_more() || std::chrono::steady_clock::now() - answered_ > kAnswers;
  const auto status = database_->db->Write(options, &batch);
  if (!status.ok()) {
    say(directory_ + ": " + status.ToString());
    lose_database();
    return false;
  }
  unsynced_ = !options.sync;
  return unsynced_ || answer(channel, taken_.sent_at);
}

/// A copy takes the place of the store when all of it is on disk and opens, and not before.
bool LogFollower::take_copy(Channel& channel) {
  answers_ = false;
  refused_ = true;  // should it fail: another copy at once would hardly succeed
  hooks_.whole(false, 0, database_ != nullptr);
  {
    const std::lock_guard guard(mutex_);
    figures_.copying = true;
  }
  const std::string copying = directory_ + "/copying", half = copying + "/store",
                    old = directory_ + "/store.replaced";
  std::error_code error;
  for (const std::string& left_over : {copying, old, directory_ + "/store.copying"})
    fs::remove_all(left_over, error);
  fs::create_directories(half, error);
  CopiedFile file(half);
  for (bool whole = false; !whole;) {
    if (ending_ || error) return false;
    const auto frame = channel.receive(options_.patience);
    if (!frame) return false;
    bool taken = true;
    if (frame->kind == 'F') taken = file.begin(frame->payload);
    if (frame->kind == 'D') taken = file.add(frame->payload);
    if (frame->kind == 'E') whole = taken = file.end();
    if (!taken) {
      say(half + ": cannot be written");
      fs::remove_all(half, error);
      return false;
    }
    const std::lock_guard guard(mutex_);
    figures_.taken_bytes += frame->payload.size();
  }
  DatabasePtr tried;
  if (const auto status = open_database(copying, Access::following, tried); !status.ok()) {
    refuse("the copy cannot be opened: " + status.ToString());
    fs::remove_all(copying, error);
    return false;
  }
  tried.reset();
  if (!sync_path(half)) return false;
  database_.reset();
  if (fs::exists(directory_ + "/store", error)) fs::rename(directory_ + "/store", old, error);
  fs::rename(half, directory_ + "/store", error);
  sync_path(directory_);
  if (error || !open() || !database_) return false;
  for (const std::string& done : {old, copying}) fs::remove_all(done, error);
  refused_ = false;
  hooks_.whole(true, last_epoch(), true);
  const std::lock_guard guard(mutex_);
  figures_.copying = false;
  figures_.newest = database_->db->GetLatestSequenceNumber();
  return true;
}

}  // namespace persistence
