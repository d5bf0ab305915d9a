#include "geo/fetch/fetcher.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "geo/fetch/file_download.hpp"
#include "geo/fetch/url.hpp"

namespace geo {
namespace {

/// So many files in a row that a server did not answer for, and it is given up.
constexpr int kGivenUp = 2;

/// Counts, and tells the listener now and then.
class ProgressCount {
 public:
  ProgressCount(std::size_t files, const FetchListeners& listeners)
      : listener_(listeners.on_progress), progress_{.files = files} {}

  void came(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    progress_.bytes += bytes;
    tell(false);
  }
  void ended(bool well) {
    const std::lock_guard lock(mutex_);
    ++(well ? progress_.done : progress_.failed);
    tell(progress_.done + progress_.failed == progress_.files);
  }

 private:
  using Clock = std::chrono::steady_clock;
  void tell(bool at_once) {
    constexpr std::chrono::milliseconds kBetween{100};
    const auto now = Clock::now();
    if (!listener_ || (!at_once && now < told_ + kBetween)) return;
    told_ = now;
    listener_(progress_);
  }

  const std::function<void(const FetchProgress&)>& listener_;
  std::mutex mutex_;
  FetchProgress progress_;
  Clock::time_point told_{};
};

/// The files of one server, in the order in which they were asked for.
struct HostQueue {
  std::vector<std::size_t> files;
  std::size_t threads = 1;
  std::atomic<std::size_t> next{0};
  std::atomic<int> unanswered{0};  ///< files in a row
};

bool is_no_answer(const FetchFailure& failure) {
  return failure.passes || failure.kind == FailureKind::data_overloaded;
}

/// Renames survive a power cut only once their folder is on disk.
void sync_folders(const std::vector<FileRequest>& requests) {
  std::set<std::filesystem::path> folders;
  for (const FileRequest& request : requests)
    folders.insert(request.target.has_parent_path() ? request.target.parent_path() : ".");
  for (const auto& folder : folders) {
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) continue;
    ::fsync(file);
    ::close(file);
  }
}

}  // namespace

Fetcher::Fetcher(Network& network, FetchPatience patience) : network_(network), patience_(patience) {}

FetchResult<FetchedFile> Fetcher::file(const FileRequest& request, const RunControl& control) {
  return files({request}, {}, control).front();
}

std::vector<FetchResult<FetchedFile>> Fetcher::files(const std::vector<FileRequest>& requests,
                                                     const FetchListeners& listeners,
                                                     const RunControl& control) {
  std::vector<FetchResult<FetchedFile>> results(requests.size());
  std::map<std::string, HostQueue> hosts;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto url = parse_url(requests[i].url);
    HostQueue& queue = hosts[url ? url->place : std::string()];
    queue.files.push_back(i);
    const auto allowed = static_cast<std::size_t>(network_.rules_for(requests[i].url).connections);
    queue.threads = std::clamp<std::size_t>(allowed, 1, queue.files.size());
  }
  ProgressCount progress(requests.size(), listeners);

  const auto fetch_one = [&](std::size_t i, HostQueue& queue) -> FetchResult<FetchedFile> {
    FileDownload download(network_, requests[i], [&](std::size_t bytes) { progress.came(bytes); });
    if (const auto there = download.already_there()) return *there;
    if (queue.unanswered >= kGivenUp || (listeners.is_worth_asking && !listeners.is_worth_asking(i)))
      return tl::make_unexpected(
          fetch_failure(FailureKind::data_unreachable,
                        shown_url(requests[i].url) +
                            " was not tried, because its server failed before: start again later"));
    return download.run(Tries(patience_, control, &listeners.on_wait), patience_.longest_wait, control);
  };
  const auto work = [&](HostQueue& queue) {
    for (std::size_t n = queue.next++; n < queue.files.size(); n = queue.next++) {
      const std::size_t i = queue.files[n];
      results[i] = fetch_one(i, queue);
      if (results[i] && !results[i]->was_there) queue.unanswered = 0;
      if (!results[i] && is_no_answer(results[i].error())) ++queue.unanswered;
      progress.ended(results[i].has_value());
      if (listeners.on_file) listeners.on_file(i, results[i]);
    }
  };
  std::vector<std::thread> threads;
  for (auto& [place, queue] : hosts)
    for (std::size_t i = 0; i < queue.threads; ++i) threads.emplace_back([&work, &q = queue] { work(q); });
  for (std::thread& thread : threads) thread.join();
  sync_folders(requests);
  return results;
}

FetchResult<FetchedText> Fetcher::text(const TextRequest& request, const RunControl& control) {
  const std::string shown = shown_url(request.url);
  for (Tries tries(patience_, control);;) {
    FetchedText fetched;
    const auto answer = network_.get(
        {.url = request.url,
         .compressed = true,
         .lists_folder = request.lists_folder,
         .named_by = request.named_by,
         .limit = request.limit,
         .patience = patience_.longest_wait,
         .longest_pause = patience_.longest_wait},
        [&](const HttpAnswer&, std::string_view piece) -> std::optional<FetchFailure> {
          if (fetched.text.size() + piece.size() > request.most_bytes)
            return fetch_failure(FailureKind::data_unreachable, shown + " is longer than a listing may be (" +
                                                                    std::to_string(request.most_bytes) +
                                                                    " bytes)");
          fetched.text.append(piece);
          return {};
        },
        control);
    if (!answer) {
      if (tries.again(answer.error())) continue;
      return tl::make_unexpected(answer.error());
    }
    if (!looks_like(request.content, std::string_view(fetched.text).substr(0, kContentBytes)))
      return tl::make_unexpected(fetch_failure(FailureKind::data_unreachable,
                                               shown + " is not " + name_of(request.content) +
                                                   ": open it in a browser and see what the office says"));
    fetched.url = answer->url;
    fetched.etag = answer->etag;
    fetched.last_modified = answer->last_modified;
    return fetched;
  }
}

FetchResult<std::string> Fetcher::bytes(const std::string& url, ByteRange range, const RunControl& control,
                                        const std::string& named_by) {
  const std::string shown = shown_url(url);
  for (Tries tries(patience_, control);;) {
    std::string bytes;
    const auto answer = network_.get(
        {.url = url,
         .range = range,
         .named_by = named_by,
         .patience = patience_.longest_wait,
         .longest_pause = patience_.longest_wait},
        [&](const HttpAnswer& head, std::string_view piece) -> std::optional<FetchFailure> {
          if (head.status != 206)
            return fetch_failure(FailureKind::data_unreachable,
                                 shown + " cannot be had in parts from its server: fetch the whole file");
          if (head.first != range.first || bytes.size() + piece.size() > range.count)
            return fetch_failure(FailureKind::data_unreachable,
                                 shown + " answers with another part of the file than was asked for");
          bytes.append(piece);
          return {};
        },
        control);
    if (!answer) {
      if (tries.again(answer.error())) continue;
      return tl::make_unexpected(answer.error());
    }
    if (bytes.size() == range.count) return bytes;
    return tl::make_unexpected(
        fetch_failure(FailureKind::data_unreachable, shown + " is shorter than it was: read it anew"));
  }
}

FetchResult<RemoteFile> Fetcher::probe(const std::string& url, const RunControl& control,
                                       const std::string& named_by, std::uint64_t beginning) {
  for (Tries tries(patience_, control);;) {
    std::optional<HttpAnswer> head;
    std::string first;
    auto answer = network_.get(
        {.url = url,
         .range = ByteRange{0, beginning},
         .named_by = named_by,
         .patience = patience_.longest_wait,
         .longest_pause = patience_.longest_wait},
        [&](const HttpAnswer& told, std::string_view piece) -> std::optional<FetchFailure> {
          head = told;
          first.append(piece.substr(0, beginning - first.size()));
          // Of a server that sends all of it, nothing more is wanted.
          if (told.status != 206 && first.size() >= beginning)
            return fetch_failure(FailureKind::cancelled, {});
          return {};
        },
        control);
    if (answer && !head) head = *answer;
    if (head && !control.cancelled()) {
      const bool ranges = head->status == 206;
      return RemoteFile{ranges ? head->whole : head->length,
                        ranges,
                        head->url,
                        head->etag,
                        head->last_modified,
                        std::move(first)};
    }
    if (tries.again(answer.error())) continue;
    return tl::make_unexpected(answer.error());
  }
}

}  // namespace geo
