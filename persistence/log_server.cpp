#include "persistence/log_server.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "persistence/database.hpp"
#include "persistence/keys.hpp"

namespace persistence {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kHeldBytes = 16U << 20U;
constexpr std::size_t kCopyPiece = 1U << 20U;
constexpr auto kHandshake = 5'000ms;

/// Who has connected and has not shown a certificate yet. Hands are shaken with all of them at once:
/// strangers that say nothing must not hold up the standby.
class Reception {
 public:
  Reception(int listening, int wake, const LogServerOptions& options)
      : listening_(listening), wake_(wake), options_(options) {}

  /// The first who has shown the right certificate; nothing after a second, or when it is woken.
  std::unique_ptr<Channel> next(const std::function<void(const std::string&)>& tell) {
    wait();
    if (const int socket = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK); socket >= 0)
      guests_.push_back(Channel::accepted(socket, options_.peer_host, options_.tls, kHandshake));
    if (guests_.size() > kMost) guests_.pop_front();  // the one that has been silent the longest
    std::unique_ptr<Channel> member;
    std::erase_if(guests_, [&](auto& guest) {
      if (member) return false;
      const bool shaken = guest->shakes_hands();
      if (guest->over()) tell("a connection is refused: " + guest->fault());
      if (!shaken) return guest->over();
      member = std::move(guest);
      return true;
    });
    return member;
  }

 private:
  static constexpr std::size_t kMost = 64;
  static constexpr int kPause_ms = 1'000, kPauseWithGuests_ms = 100;
  void wait() {
    std::vector<pollfd> places{{listening_, POLLIN, 0}, {wake_, POLLIN, 0}};
    for (const auto& guest : guests_) places.push_back({guest->socket(), POLLIN, 0});
    ::poll(places.data(), places.size(), guests_.empty() ? kPause_ms : kPauseWithGuests_ms);
    eventfd_t ignored = 0;
    ::eventfd_read(wake_, &ignored);
  }
  const int listening_, wake_;
  const LogServerOptions& options_;
  std::deque<std::unique_ptr<Channel>> guests_;
};

}  // namespace

LogServer::LogServer(Store& store, LogServerOptions options, LogServerHooks hooks, std::string directory)
    : store_(store),
      options_(std::move(options)),
      hooks_(std::move(hooks)),
      directory_(std::move(directory)),
      wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

tl::expected<std::unique_ptr<LogServer>, std::string> LogServer::start(Store& store, LogServerOptions options,
                                                                       LogServerHooks hooks,
                                                                       const std::string& directory) {
  std::unique_ptr<LogServer> server(new LogServer(store, std::move(options), std::move(hooks), directory));
  const auto listening = listen_on(server->options_.host, server->options_.port);
  if (!listening) return tl::make_unexpected(listening.error());
  server->listening_ = *listening;
  server->thread_ = std::thread([raw = server.get()] { raw->accept(); });
  return server;
}

LogServer::~LogServer() {
  ending_ = true;
  ::eventfd_write(wake_, 1);
  if (thread_.joinable()) thread_.join();
  if (listening_ >= 0) ::close(listening_);
  ::close(wake_);
}

// ---- the writer's side ------------------------------------------------------------------------------------

void LogServer::offer(std::uint64_t first, std::uint64_t last, std::shared_ptr<const std::string> batch) {
  {
    const std::lock_guard guard(mutex_);
    held_bytes_ += batch->size();
    held_.push_back({first, last, std::move(batch)});
    while (held_.size() > 1 && held_bytes_ > kHeldBytes) {
      held_bytes_ -= held_.front().bytes->size();
      held_.pop_front();
    }
    if (figures_.answered >= figures_.newest) behind_since_ = hooks_.now_ms();
    figures_.newest = last;
    if (!figures_.connected) return;
  }
  ::eventfd_write(wake_, 1);
}

void LogServer::withdraw() {
  const std::lock_guard guard(mutex_);
  if (held_.empty()) return;
  figures_.newest = held_.back().first - 1;
  figures_.answered = std::min(figures_.answered, figures_.newest);
  held_bytes_ -= held_.back().bytes->size();
  held_.pop_back();
  ++withdrawals_;
}

void LogServer::await(std::uint64_t last) {
  std::unique_lock guard(mutex_);
  while (true) {
    const std::string has_all = figures_.answered >= last ? figures_.name : std::string();
    guard.unlock();
    if (hooks_.acknowledges(has_all)) return;
    guard.lock();
    // Who is needed may change without a word of the standby.
    if (figures_.answered < last) changed_.wait_for(guard, 20ms);
  }
}

void LogServer::look_again() { changed_.notify_all(); }

void LogServer::leave() {
  leaving_ = true;
  ::eventfd_write(wake_, 1);
  std::unique_lock guard(mutex_);
  changed_.wait_for(guard, 1'000ms, [this] { return !leaving_ || !figures_.connected; });
}

StandbyFigures LogServer::figures() const {
  const std::lock_guard guard(mutex_);
  StandbyFigures figures = figures_;
  if (figures.answered < figures.newest)
    figures.lag_ms = static_cast<std::uint64_t>(std::max<std::int64_t>(0, hooks_.now_ms() - behind_since_));
  return figures;
}

// ---- the connection's side --------------------------------------------------------------------------------

void LogServer::accept() {
  Reception reception(listening_, wake_, options_);
  while (!ending_) {
    const auto channel = reception.next(hooks_.tell);
    leaving_ = false;  // nobody is there to be told
    if (!channel) continue;
    serve(*channel);
    held_log_.reset();
    bool was_here = false;
    {
      const std::lock_guard guard(mutex_);
      was_here = std::exchange(figures_.connected, false);
      figures_.copying = false;
    }
    changed_.notify_all();
    if (!ending_ && was_here) hooks_.tell("the standby is gone: " + channel->fault());
  }
}

void LogServer::serve(Channel& channel) {
  Greeting greeting;
  const auto next = welcome(channel, greeting);
  if (next) follow(channel, greeting.name, *next);
}

/// Why a standby is refused, whatever its data are.
std::string LogServer::fault_of(const Greeting& greeting) const {
  if (greeting.name.empty()) return "it has no name";
  if (greeting.group != options_.group)
    return greeting.name + " is of the pair " + greeting.group + " (cluster.group), this is " +
           options_.group;
  if (greeting.schema < kSchema)
    return greeting.name + " would lose what it does not know of this version's records: upgrade it";
  return {};
}

/// The first sequence number that the standby lacks; before that, a copy if it must have one.
std::optional<std::uint64_t> LogServer::welcome(Channel& channel, Greeting& greeting) {
  for (int copies = 0; copies < 2 && !ending_;) {
    const auto frame = channel.receive(kHandshake);
    if (!frame || frame->kind != 'G') return {};
    const auto read = greeting_of(frame->payload);
    const std::string fault = read ? fault_of(*read) : "it is of another version: upgrade it";
    // It hears by whom it is welcomed, so that one of the same name can say so as well.
    if (read && !channel.send('W', FrameWriter().number(options_.epoch).text(options_.name).bytes()))
      return {};
    if (fault != told_fault_ && !fault.empty()) hooks_.tell("a standby is refused: " + fault);
    told_fault_ = fault;  // it comes again and again
    if (!fault.empty()) return {};
    greeting = *read;
    if (greeting.name == options_.name) {
      hooks_.tell("a standby by this member's own name is refused: " + options_.name);
      return {};
    }
    {
      const std::lock_guard guard(mutex_);
      withdrawals_seen_ = withdrawals_;
    }
    bool follows = has_tables(greeting.tables, store_.table_numbers());
    store_.between_batches([&](std::uint64_t newest, const std::vector<Stretch>& history) {
      follows = follows && is_beginning(greeting.history, greeting.newest, history, newest);
    });
    if (follows) follows = store_.read_log(greeting.newest + 1, [](auto, auto, auto&&) { return false; });
    {
      const std::lock_guard guard(mutex_);
      figures_.name = greeting.name;
      figures_.answered = 0;  // a greeting is no answer: it promises nothing
      figures_.connected = true;
      figures_.copying = !follows;
      ++figures_.connections;
    }
    if (follows) return greeting.newest + 1;
    ++copies;
    if (!copy(channel)) return {};
  }
  return {};
}

/// Only when the standby does not count any more: until its copy is whole, it has nothing.
bool LogServer::copy(Channel& channel) {
  namespace fs = std::filesystem;
  {
    const std::lock_guard guard(mutex_);
    ++figures_.copies;
  }
  hooks_.tell("the standby is copied anew");
  hooks_.diverged();
  std::string name;
  {
    const std::lock_guard guard(mutex_);
    name = figures_.name;
  }
  while (hooks_.needed(name) || hooks_.in_sync(name)) {
    if (ending_ || channel.over()) return false;
    channel.send('P', FrameWriter().number(static_cast<std::uint64_t>(hooks_.now_ms())).bytes());
    channel.receive(50ms);
  }
  const std::string folder = directory_ + "/sending";
  std::error_code error;
  fs::remove_all(folder, error);
  held_log_ = store_.hold_log();  // what is written during the copy follows it, however long it takes
  if (const auto copied = store_.copy_to(folder); !copied) {
    hooks_.tell(copied.error());
    return false;
  }
  bool sent = channel.send('C', {});
  for (auto entry = fs::directory_iterator(folder + "/store", error);
       !error && entry != fs::directory_iterator(); entry.increment(error))
    sent = sent && send_file(channel, entry->path());
  if (error) hooks_.tell(folder + ": cannot be read (" + error.message() + "), so the copy is not whole");
  sent = sent && !error;
  fs::remove_all(folder, error);
  return sent && !ending_ && channel.send('E', {});
}

/// A standby that takes the log more slowly than it grows must not fill the disk.
void LogServer::hold_log_while_there_is_room() {
  if (!held_log_) return;
  std::error_code error;
  const auto space = std::filesystem::space(directory_, error);
  if (!error && space.available > space.capacity / 10) return;
  hooks_.tell("the disk is nearly full: the log is not held any longer for the standby that was copied");
  held_log_.reset();
}

/// All of it, or the copy must not be said to be whole.
bool LogServer::send_file(Channel& channel, const std::filesystem::path& path) {
  std::error_code error;
  std::uintmax_t left = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  bool sent = !error && file && channel.send('F', path.filename().string());
  std::string piece(kCopyPiece, '\0');
  while (sent && left > 0 && !ending_) {
    hold_log_while_there_is_room();
    file.read(piece.data(), static_cast<std::streamsize>(std::min<std::uintmax_t>(left, piece.size())));
    const auto size = static_cast<std::size_t>(file.gcount());
    if (size == 0) break;
    sent = channel.send('D', std::string_view(piece).substr(0, size));
    left -= size;
    const std::lock_guard guard(mutex_);
    figures_.sent_bytes += size;
  }
  if (!channel.over() && !ending_ && (error || left > 0))
    hooks_.tell(path.string() + ": cannot be read, so the copy is not whole");
  return sent && left == 0;
}

bool LogServer::follow(Channel& channel, const std::string& name, std::uint64_t next) {
  auto spoke = std::chrono::steady_clock::now() - options_.ping;
  auto heard = std::chrono::steady_clock::now();
  hooks_.tell("the standby " + name + " follows from " + std::to_string(next));
  while (!ending_ && !channel.over()) {
    const std::uint64_t before = next;
    const auto sending = std::chrono::steady_clock::now();
    const bool whole = send_missing(channel, next);
    if (!channel.flush() || !whole) return false;  // also what lies before a gap: the standby ends there
    heard += std::chrono::steady_clock::now() - sending;  // who takes much at once is not silent meanwhile
    {
      const std::lock_guard guard(mutex_);
      if (withdrawals_seen_ != withdrawals_)
        return false;  // it greets anew, and may be found to have too much
    }
    if (next != before) spoke = std::chrono::steady_clock::now();
    if (std::chrono::steady_clock::now() - spoke >= options_.ping) {
      channel.send('P', FrameWriter().number(static_cast<std::uint64_t>(hooks_.now_ms())).bytes());
      spoke = std::chrono::steady_clock::now();
    }
    if (leaving_) {
      channel.send('L', {});
      // It ends the connection; closing it here could make its system throw the frame away.
      const auto end = std::chrono::steady_clock::now() + 500ms;
      while (!channel.over() && std::chrono::steady_clock::now() < end) channel.receive(20ms);
      leaving_ = false;
      changed_.notify_all();
      return false;
    }
    auto frame = channel.receive(options_.ping, wake_);
    eventfd_t ignored = 0;
    ::eventfd_read(wake_, &ignored);
    const auto now = std::chrono::steady_clock::now();
    if (frame) heard = now;
    for (; frame; frame = channel.receive(0ms))
      if (!take_answer(*frame, name)) return false;
    if (now - heard > options_.patience) {
      channel.give_up("it says nothing");
      return false;
    }
    join(name);
    if (hooks_.in_sync(name))
      held_log_.reset();
    else
      hold_log_while_there_is_room();
  }
  return true;
}

std::optional<LogServer::Batch> LogServer::held(std::uint64_t first) {
  const std::lock_guard guard(mutex_);
  const auto found = std::lower_bound(held_.begin(), held_.end(), first,
                                      [](const Batch& batch, std::uint64_t n) { return batch.first < n; });
  if (found == held_.end() || found->first != first) return {};
  return *found;
}

bool LogServer::send_batch(Channel& channel, const Batch& batch) {
  const bool sent = channel.add('B', FrameWriter()
                                         .number(static_cast<std::uint64_t>(hooks_.now_ms()))
                                         .number(batch.first)
                                         .number(batch.last)
                                         .text(*batch.bytes)
                                         .bytes());
  const std::lock_guard guard(mutex_);
  figures_.sent_bytes += batch.bytes->size();
  return sent;
}

/// All that is there: from memory, or else from the log on disk.
bool LogServer::send_missing(Channel& channel, std::uint64_t& next) {
  while (!ending_) {
    {
      const std::lock_guard guard(mutex_);
      if (held_.empty() ? next > figures_.newest && figures_.newest != 0 : next > held_.back().last)
        return true;
    }
    if (const auto batch = held(next)) {
      if (!send_batch(channel, *batch)) return false;
      next = batch->last + 1;
      continue;
    }
    const std::uint64_t before = next;
    bool sent = true;
    const bool whole = store_.read_log(next, [&](std::uint64_t first, std::uint64_t last, std::string bytes) {
      sent = send_batch(channel, {first, last, std::make_shared<const std::string>(std::move(bytes))});
      next = last + 1;
      return sent && !ending_ && !held(next);
    });
    if (!sent || !whole) return false;  // with a gap in the log it greets anew, and is copied
    if (next == before) return true;
  }
  return true;
}

bool LogServer::take_answer(const Frame& frame, const std::string& name) {
  if (frame.kind == 'T') {
    if (hooks_.in_sync(name))
      hooks_.take_over();
    else
      hooks_.tell(name + " is not in sync and does not take over");
    return true;
  }
  if (frame.kind != 'A') return false;
  FrameReader reader(frame.payload);
  const auto sent_at = static_cast<std::int64_t>(reader.number());
  const std::uint64_t answered = reader.number();
  if (!reader.whole()) return false;
  {
    const std::lock_guard guard(mutex_);
    if (withdrawals_seen_ != withdrawals_) return false;  // it may speak of a batch that is none
    figures_.answered = std::max(figures_.answered, answered);
  }
  hooks_.answered(name, sent_at);
  changed_.notify_all();
  return true;
}

/// Between two batches, so that none is acknowledged that it lacks.
void LogServer::join(const std::string& name) {
  if (hooks_.in_sync(name) || hooks_.needed(name)) return;
  const StandbyFigures now = figures();
  if (now.answered < now.newest) return;
  store_.between_batches([&](std::uint64_t newest, const auto&) {
    if (figures().answered >= newest) hooks_.caught_up(name);
  });
}

}  // namespace persistence
