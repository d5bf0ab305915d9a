#include "geo/fetch/office_files.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <ctime>
#include <sstream>
#include <utility>

#include "geo/fetch/content.hpp"
#include "geo/fetch/sha256.hpp"
#include "geo/fetch/tries.hpp"
#include "geo/fetch/url.hpp"

namespace geo {
namespace {

constexpr std::size_t kBlocksAtOnce = 16;  // of one request
constexpr std::size_t kNameLength = 32;    // of a hash's digits: enough to tell files apart
constexpr const char* kRecordVersion = "roof url 1";
constexpr const char* kRecordName = "url";
constexpr std::chrono::milliseconds kLookAround{100};  // for a cancellation

std::string name_of_block(std::uint64_t block) { return std::to_string(block); }

FetchFailure stopped(const std::string& url) {
  return fetch_failure(FailureKind::cancelled, shown_url(url) + ": the reading was stopped");
}

FetchFailure changed_meanwhile(const std::string& url) {
  return fetch_failure(FailureKind::data_unreachable,
                       shown_url(url) + " has changed while it was read: the next reading takes the new one");
}

/// What a server leaves out of a part's head is not held against it.
bool is_other(const HttpAnswer& answer, const OfficeFiles::File& file) {
  if (!answer.etag.empty()) return answer.etag != file.etag;
  return !answer.last_modified.empty() && answer.last_modified != file.last_modified;
}

FetchFailure not_there(const std::string& url, int status) {
  return fetch_failure(FailureKind::data_unreachable,
                       shown_url(url) + " has no such file (" + std::to_string(status) + ")", status);
}

}  // namespace

/// What is known of a URL from an earlier answer.
struct OfficeFiles::Remembered {
  int missing = 0;  ///< 404 or 410 if it was
  std::uint64_t bytes = 0;
  std::string etag, last_modified;
  std::time_t asked_at = 0;

  std::string text() const {
    return std::string(kRecordVersion) + "\n" + std::to_string(missing) + "\n" + std::to_string(bytes) +
           "\n" + std::to_string(asked_at) + "\n" + etag + "\n" + last_modified + "\n";
  }
  static std::optional<Remembered> from(const std::string& text) {
    std::istringstream in(text);
    std::string version;
    Remembered what;
    if (!std::getline(in, version) || version != kRecordVersion) return {};
    if (!(in >> what.missing >> what.bytes >> what.asked_at)) return {};
    in.ignore();
    std::getline(in, what.etag);
    std::getline(in, what.last_modified);
    return what;
  }
  File file(const std::string& url) const {
    const std::string all = url + "\n" + std::to_string(bytes) + "\n" + etag + "\n" + last_modified;
    return {url, bytes, etag, last_modified, sha256_of(all).substr(0, kNameLength)};
  }
};

struct OfficeFiles::State {
  std::string url, key;
  bool asking = false;
  std::optional<Remembered> remembered{};
  std::map<std::uint64_t, int> under_way{};  ///< blocks that somebody fetches
  std::optional<FetchFailure> failure{};
  Clock::time_point failed_at{};

  bool has_failed(Clock::duration within) const { return failure && Clock::now() < failed_at + within; }
};

struct OfficeFiles::Requested {
  FetchResult<std::string> bytes;
  bool changed = false;  ///< the server has another state of the file
  Remembered told{};
};

struct OfficeFiles::Limits {
  Clock::time_point deadline;
  const RunControl& control;
  std::chrono::milliseconds left() const {
    return std::max(std::chrono::milliseconds(1),
                    std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()));
  }
};

OfficeFiles::OfficeFiles(Network& network, OfficeFilesOptions options)
    : network_(network),
      options_(std::move(options)),
      store_(options_.folder, options_.disk_bytes),
      memory_(std::max<std::size_t>(1, options_.memory_bytes / kBlock)) {}

OfficeFiles::~OfficeFiles() = default;

std::shared_ptr<OfficeFiles::State> OfficeFiles::state_of(const std::string& url) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = states_.find(url); known != states_.end()) return known->second;
  }
  auto state = std::make_shared<State>(State{url, sha256_of(url).substr(0, kNameLength)});
  // The disk may be slow: those who ask for what is in memory do not wait for it.
  if (const auto record = store_.get(state->key, kRecordName)) state->remembered = Remembered::from(*record);
  const std::lock_guard lock(mutex_);
  if (states_.size() >= options_.most_known) forget_idle();
  return states_.try_emplace(url, std::move(state)).first->second;
}

/// The disk remembers them. A state that somebody uses stays, so that all who wait share one request.
void OfficeFiles::forget_idle() {
  std::erase_if(states_, [this](const auto& known) {
    return known.second.use_count() == 1 && !known.second->has_failed(options_.failed_for);
  });
}

std::optional<FetchResult<OfficeFiles::File>> OfficeFiles::without_asking(State& state) const {
  const auto& known = state.remembered;
  if (known) {
    const std::chrono::seconds age(std::time(nullptr) - known->asked_at);
    const bool young = age.count() >= 0 && age < (known->missing ? options_.missing_for : options_.same_for);
    if (known->missing && young) return tl::make_unexpected(not_there(state.url, known->missing));
    // Better what is held than nothing, while the server cannot be asked.
    if (!known->missing && (young || is_offline() || state.has_failed(options_.failed_for)))
      return known->file(state.url);
  }
  if (state.has_failed(options_.failed_for)) return tl::make_unexpected(*state.failure);
  return {};
}

std::optional<OfficeFiles::File> OfficeFiles::known(const std::string& url) {
  const auto state = state_of(url);
  const std::lock_guard lock(mutex_);
  const auto known = without_asking(*state);
  if (!known || !*known) return {};
  return **known;
}

FetchResult<OfficeFiles::File> OfficeFiles::open(const std::string& url, const RunControl& control) {
  const Limits limits{Clock::now() + options_.read_limit, control};
  const auto state = state_of(url);
  bool is_held = false;
  {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (auto known = without_asking(*state)) return *std::move(known);
      if (!state->asking) break;
      if (control.cancelled()) return tl::make_unexpected(stopped(url));
      changed_.wait_for(lock, kLookAround);
    }
    state->asking = true;
    is_held = state->remembered && !state->remembered->missing;
  }
  // Whoever has blocks already need not wait for a server that is busy.
  const ByteRange first{0, kBlock};
  FetchResult<File> file =
      told(*state, is_held ? requested(url, nullptr, first, limits) : tried(url, nullptr, first, limits));
  {
    const std::lock_guard lock(mutex_);
    state->asking = false;
  }
  changed_.notify_all();
  return file;
}

/// Takes in what the server has said of the file, with its first block.
FetchResult<OfficeFiles::File> OfficeFiles::told(State& state, Requested answer) {
  if (!answer.bytes) {
    const FetchFailure& why = answer.bytes.error();
    if (why.missing()) keep(state, {.missing = why.status, .asked_at = std::time(nullptr)});
    const std::lock_guard lock(mutex_);
    if (why.kind == FailureKind::cancelled || why.missing()) return tl::make_unexpected(why);
    state.failure = why;
    state.failed_at = Clock::now();
    if (state.remembered && !state.remembered->missing) return state.remembered->file(state.url);
    return tl::make_unexpected(why);
  }
  std::optional<File> before;
  {
    const std::lock_guard lock(mutex_);
    if (state.remembered && !state.remembered->missing) before = state.remembered->file(state.url);
  }
  File file = answer.told.file(state.url);
  if (before && before->state != file.state) store_.drop(before->state);
  store_.put(file.state, name_of_block(0), *answer.bytes);
  keep(state, answer.told);
  const std::lock_guard lock(mutex_);
  memory_.put(file.state + name_of_block(0), std::make_shared<const std::string>(*std::move(answer.bytes)));
  return file;
}

void OfficeFiles::keep(State& state, const Remembered& what) {
  store_.put(state.key, kRecordName, what.text());
  const std::lock_guard lock(mutex_);
  state.remembered = what;
  state.failure.reset();
}

OfficeFiles::Requested OfficeFiles::tried(const std::string& url, const File* file, ByteRange range,
                                          const Limits& limits) const {
  const FetchPatience patience{
      .tries = 3, .first_wait = std::chrono::milliseconds(200), .longest_wait = options_.longest_pause};
  for (Tries tries(patience, limits.control);;) {
    Requested answer = requested(url, file, range, limits);
    if (answer.bytes || answer.changed || Clock::now() >= limits.deadline) return answer;
    if (!tries.again(answer.bytes.error())) return answer;
  }
}

/// One request. Without a file the server is asked what it has.
OfficeFiles::Requested OfficeFiles::requested(const std::string& url, const File* file, ByteRange range,
                                              const Limits& limits) const {
  const std::string shown = shown_url(url);
  Requested result;
  std::string bytes;
  const auto begin = [&](const HttpAnswer& answer) -> Failed {
    const auto whole = answer.status == 206 ? answer.whole : answer.length;
    if (file) {
      result.changed = answer.status != 206 || whole != file->bytes || is_other(answer, *file);
      if (result.changed) return changed_meanwhile(url);
    }
    if (answer.status == 206 ? answer.first != range.first || !whole : whole.value_or(kBlock + 1) > kBlock)
      return fetch_failure(FailureKind::data_unreachable,
                           shown + " cannot be had in parts from its server: fetch its region whole");
    result.told = {0, *whole, answer.etag, answer.last_modified, std::time(nullptr)};
    return {};
  };
  bool begun = false;
  const auto answer = network_.get(
      {.url = url,
       .range = range,
       .if_range = file ? validator_of(file->etag, file->last_modified) : std::string(),
       .limit = limits.left(),
       .patience = limits.left(),
       .longest_pause = std::min(limits.left(), options_.longest_pause)},
      [&](const HttpAnswer& head, std::string_view piece) -> Failed {
        if (!std::exchange(begun, true))
          if (auto failure = begin(head)) return failure;
        if (bytes.size() + piece.size() > range.count)
          return fetch_failure(FailureKind::data_unreachable, shown + " sends more than was asked for");
        bytes.append(piece);
        return {};
      },
      limits.control);
  if (!answer) {
    constexpr int kRangeBeyondEnd = 416;
    result.changed |= file && answer.error().status == kRangeBeyondEnd;
    result.bytes = tl::make_unexpected(answer.error());
    return result;
  }
  const std::uint64_t expected =
      begun ? std::min(range.count, result.told.bytes - std::min(result.told.bytes, range.first))
            : range.count;
  if (bytes.size() != expected) {
    result.bytes = tl::make_unexpected(
        fetch_failure(FailureKind::data_unreachable,
                      shown + " sends another part than was asked for: see whether its server is in order"));
    return result;
  }
  if (range.first == 0 && !looks_like(Content::text, std::string_view(bytes).substr(0, kContentBytes))) {
    result.bytes = tl::make_unexpected(
        fetch_failure(FailureKind::data_unreachable,
                      shown + " is a page of HTML: open it in a browser and see what the office says"));
    return result;
  }
  result.bytes = std::move(bytes);
  return result;
}

OfficeFiles::Failed OfficeFiles::read(const File& file, std::span<const Piece> pieces,
                                      const RunControl& control) {
  std::vector<std::uint64_t> wanted;
  for (const Piece& piece : pieces) {
    if (piece.into.empty()) continue;
    if (piece.offset > file.bytes || piece.into.size() > file.bytes - piece.offset)
      return fetch_failure(FailureKind::internal, shown_url(file.url) + " is read beyond its end");
    const std::uint64_t last = (piece.offset + piece.into.size() - 1) / kBlock;
    for (std::uint64_t block = piece.offset / kBlock; block <= last; ++block) wanted.push_back(block);
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  const auto state = state_of(file.url);
  for (std::size_t at = 0; at < wanted.size(); at += kBlocksAtOnce) {
    const std::size_t end = std::min(wanted.size(), at + kBlocksAtOnce);
    Blocks blocks;
    if (auto failure = fill(*state, file, {&wanted[at], &wanted[at] + (end - at)}, blocks,
                            {Clock::now() + options_.read_limit, control}))
      return failure;
    for (const Piece& piece : pieces)
      for (const auto& [block, bytes] : blocks) {
        const std::uint64_t from = std::max(piece.offset, block * kBlock);
        const std::uint64_t to = std::min(piece.offset + piece.into.size(), block * kBlock + bytes->size());
        if (from < to)
          std::memcpy(piece.into.data() + (from - piece.offset), bytes->data() + (from - block * kBlock),
                      to - from);
      }
  }
  return {};
}

/// The blocks that are wanted, from memory, from whoever fetches them already, or fetched here.
OfficeFiles::Failed OfficeFiles::fill(State& state, const File& file,
                                      const std::vector<std::uint64_t>& wanted, Blocks& blocks,
                                      const Limits& limits) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (!state.remembered || state.remembered->file(file.url).state != file.state)
      return changed_meanwhile(file.url);
    std::vector<std::uint64_t> mine;
    bool others = false;
    for (const std::uint64_t block : wanted) {
      if (blocks.count(block)) continue;
      if (const Block* held = memory_.find(file.state + name_of_block(block)))
        blocks[block] = *held;
      else if (state.under_way.count(block))
        others = true;
      else
        mine.push_back(block);
    }
    if (mine.empty() && !others) return {};
    if (!mine.empty()) {
      for (const std::uint64_t block : mine) state.under_way[block] = 1;
      lock.unlock();
      Blocks got;
      Failed failure = fetch(state, file, mine, got, limits);
      lock.lock();
      for (const std::uint64_t block : mine) state.under_way.erase(block);
      for (const auto& [block, bytes] : got) memory_.put(file.state + name_of_block(block), bytes);
      blocks.merge(got);
      changed_.notify_all();
      if (failure) return failure;
      continue;
    }
    if (limits.control.cancelled()) return stopped(file.url);
    if (Clock::now() >= limits.deadline)
      return fetch_failure(FailureKind::data_unreachable,
                           shown_url(file.url) + " did not come in time: try again later");
    changed_.wait_for(lock, kLookAround);
  }
}

/// From disk, else from the server: neighbours in one request.
OfficeFiles::Failed OfficeFiles::fetch(State& state, const File& file, const std::vector<std::uint64_t>& mine,
                                       Blocks& got, const Limits& limits) {
  std::vector<std::uint64_t> missing;
  for (const std::uint64_t block : mine) {
    auto held = store_.get(file.state, name_of_block(block));
    if (held && held->size() == std::min(kBlock, file.bytes - block * kBlock))
      got[block] = std::make_shared<const std::string>(*std::move(held));
    else
      missing.push_back(block);
  }
  for (std::size_t at = 0; at < missing.size();) {
    std::size_t end = at + 1;
    while (end < missing.size() && missing[end] == missing[end - 1] + 1) ++end;
    {
      const std::lock_guard lock(mutex_);
      if (state.has_failed(options_.failed_for)) return state.failure;
    }
    const std::uint64_t first = missing[at] * kBlock;
    const std::uint64_t last = std::min(file.bytes, (missing[end - 1] + 1) * kBlock);
    const Requested answer = tried(file.url, &file, {first, last - first}, limits);
    if (!answer.bytes) {
      failed(state, file, answer);
      return answer.bytes.error();
    }
    for (; at < end; ++at) {
      auto bytes =
          std::make_shared<const std::string>(answer.bytes->substr(missing[at] * kBlock - first, kBlock));
      store_.put(file.state, name_of_block(missing[at]), *bytes);
      got[missing[at]] = std::move(bytes);
    }
  }
  return {};
}

void OfficeFiles::failed(State& state, const File& file, const Requested& answer) {
  const FetchFailure& why = answer.bytes.error();
  if (answer.changed || why.missing()) {
    store_.drop(state.key, kRecordName);
    store_.drop(file.state);
    const std::lock_guard lock(mutex_);
    if (state.remembered && state.remembered->file(file.url).state == file.state) state.remembered.reset();
  } else if (why.kind != FailureKind::cancelled) {
    const std::lock_guard lock(mutex_);
    state.failure = why;
    state.failed_at = Clock::now();
  }
}

}  // namespace geo
