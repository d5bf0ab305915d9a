#include "geo/offices/tile_fetching.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <utility>

#include "geo/fetch/url.hpp"
#include "geo/offices/denials.hpp"
#include "geo/offices/office_network.hpp"
#include "geo/offices/tile_making.hpp"
#include "geo/offices/tile_rows.hpp"
#include "geo/offices/zip_fetching.hpp"

namespace geo::offices {
namespace {

bool comes_in_members(const Source& source) { return source.find.method == FindMethod::zip_members; }
bool asks_by_number(const Source& source) { return source.find.method == FindMethod::tile_numbers; }

/// A member's URL is its ZIP's and, behind #, its name.
std::string url_of_zip(const std::string& url) { return url.substr(0, url.find('#')); }

/// Of a huge ZIP's member the ZIP is asked for.
Content content_asked_for(const Source& source) {
  return comes_in_members(source) ? Content::any : content_of(source);
}

class TileFetching {
 public:
  TileFetching(const SetPlan& set, const DataFolder& folder, Fetcher& fetcher, const Listening& listening,
               RunControl& control, TileBooks& books, const std::string& witness)
      : files_(set.found.files),
        source_(*set.source),
        folder_(folder),
        fetcher_(fetcher),
        listening_(listening),
        control_(control),
        books_(books),
        denials_(fetcher, content_asked_for(source_), control) {
    denials_.take_witness(witness);
  }

  void fetch_files(std::vector<std::size_t> wanted);
  void fetch_members(const std::vector<std::size_t>& wanted);
  void settle_denials();

 private:
  void fetch_from_server(const std::vector<std::size_t>& wanted);
  std::string at_server(const std::string& url) const;
  std::vector<std::size_t> not_had_here();
  void take_member(std::size_t at, const FetchedMember& member);

  void take_file(std::size_t at, const std::filesystem::path& fetched, const std::string& etag);
  void take_failure(std::size_t at, const FetchFailure& failure);
  void take_trouble(std::size_t at, const std::string& sentence);
  void take_denial(std::size_t at, const FetchFailure& failure);
  std::string url_of_witness() const;
  void believe(const std::vector<Denial>& denials);

  const std::vector<FoundFile>& files_;
  const Source& source_;
  const DataFolder& folder_;
  Fetcher& fetcher_;
  const Listening& listening_;
  RunControl& control_;
  TileBooks& books_;
  std::size_t server_ = 0;                  ///< which of the mirrors is asked
  std::atomic<bool> is_distrusted_{false};  ///< it says no to files that it has
  std::mutex doubt_;                        ///< held while it is asked whether that is so; taken before:
  std::mutex mutex_;                        ///< of what follows
  Denials denials_;
  std::vector<std::size_t> failed_;
};

// How the files come.

/// What the office's server does not give its mirrors are asked for, one after the other.
void TileFetching::fetch_files(std::vector<std::size_t> wanted) {
  const std::size_t servers = std::max<std::size_t>(1, source_.mirrors.size());
  for (server_ = 0; server_ < servers && !wanted.empty() && !control_.cancelled(); ++server_) {
    if (server_ > 0) books_.forget_failures();
    is_distrusted_ = false;
    fetch_from_server(wanted);
    if (server_ + 1 == servers) break;
    wanted = not_had_here();
  }
}

void TileFetching::fetch_from_server(const std::vector<std::size_t>& wanted) {
  std::vector<FileRequest> requests;
  for (const std::size_t at : wanted) {
    requests.push_back(request_of(source_, files_[at].listed, folder_));
    requests.back().url = at_server(requests.back().url);
    // A killed call may have left the file as the office had it then: only its sum tells whether it still is.
    requests.back().replace = requests.back().sha256.empty();
  }
  FetchListeners listeners;
  listeners.is_worth_asking = [&](std::size_t) { return !is_distrusted_; };
  listeners.on_file = [&](std::size_t n, const FetchResult<FetchedFile>& result) {
    result ? take_file(wanted[n], requests[n].target, result->etag) : take_failure(wanted[n], result.error());
  };
  listeners.on_progress = [&, before = std::uint64_t{0}](const FetchProgress& progress) mutable {
    books_.add_bytes(progress.bytes - std::exchange(before, progress.bytes));
    books_.tell_progress();
  };
  listeners.on_wait = listening_.note;
  fetcher_.files(requests, listeners, control_);
}

/// The same file at that of the office's servers which is asked now.
std::string TileFetching::at_server(const std::string& url) const {
  if (source_.mirrors.empty() || !url.starts_with(source_.mirrors.front())) return url;
  return source_.mirrors[server_] + url.substr(source_.mirrors.front().size());
}

std::vector<std::size_t> TileFetching::not_had_here() {
  const std::lock_guard guard(mutex_);
  std::vector<std::size_t> files = std::exchange(failed_, {});
  for (const Denial& denial : denials_.take()) files.push_back(denial.file);
  return files;
}

void TileFetching::fetch_members(const std::vector<std::size_t>& wanted) {
  each_at_once(source_, wanted, control_, [&](std::size_t at) {
    if (is_distrusted_) return books_.add_failed();
    const ListedFile& listed = files_[at].listed;
    const auto bytes = [&](ByteRange range) {
      return fetcher_.bytes(url_of_zip(listed.url), range, control_);
    };
    const auto member = fetch_member(*listed.member, bytes, control_);
    member ? take_member(at, *member) : take_failure(at, member.error());
  });
}

void TileFetching::take_member(std::size_t at, const FetchedMember& member) {
  const std::string& url = files_[at].listed.url;
  books_.add_bytes(member.bytes);
  if (!member.content)
    return books_.add_refused(shown_url(url_of_zip(url)) + ": " + member.content.error().text);
  const std::filesystem::path fetched = folder_.download_of(url);
  if (const auto written = write_whole(fetched, *member.content); !written)
    return written.error().no_room ? books_.stop_for_room(written.error().text)
                                   : take_trouble(at, written.error().text);
  take_file(at, fetched, {});
}

// What comes of them. By several threads at once; only what they share is changed by one at a time.

void TileFetching::take_file(std::size_t at, const std::filesystem::path& fetched, const std::string& etag) {
  const FoundFile& file = files_[at];
  {
    const std::lock_guard guard(mutex_);
    denials_.take_witness(file.listed.url);
  }
  const auto path = folder_.root() / location_of_tile(source_, file);
  const auto made = make_tile(source_, file.square, fetched, path);
  std::error_code error;
  std::filesystem::remove(fetched, error);
  if (made)
    books_.add_made(at, *made, etag);
  else if (made.error().no_room)
    books_.stop_for_room(made.error().text);
  else if (made.error().kind == FailureKind::internal)  // it cannot be written, which is no fault of the file
    take_trouble(at, made.error().text);
  else
    books_.add_refused(shown_url(file.listed.url) + ": refused, because " + made.error().text);
  books_.tell_progress();
}

void TileFetching::take_failure(std::size_t at, const FetchFailure& failure) {
  if (failure.kind == FailureKind::cancelled) return books_.add_cancelled();
  if (failure.no_room) return books_.stop_for_room(failure.text);
  if (failure.missing() || failure.other_content) return take_denial(at, failure);
  take_trouble(at, failure.text);
}

/// Another try may bring the file.
void TileFetching::take_trouble(std::size_t at, const std::string& sentence) {
  {
    const std::lock_guard guard(mutex_);
    failed_.push_back(at);
  }
  books_.add_failed();
  if (!is_distrusted_) books_.add_trouble(sentence);  // else one sentence at the end tells of all
}

/// Of many in a row it is asked whether the office still sends what it sent before. Whoever hears a no
/// meanwhile waits for the answer, after which nothing more may be worth asking; files that come do not wait.
void TileFetching::take_denial(std::size_t at, const FetchFailure& failure) {
  const std::lock_guard doubting(doubt_);
  std::unique_lock lock(mutex_);
  denials_.add({at, failure.missing(), failure.text});
  if (!denials_.are_suspicious() || is_distrusted_) return;
  std::vector<Denial> doubted = denials_.take();
  const std::string witness = url_of_witness();
  lock.unlock();
  const bool are_true = denials_.are_true(witness);
  if (are_true && asks_by_number(source_)) return believe(doubted);
  if (!are_true) is_distrusted_ = true;
  lock.lock();
  denials_.put_back(std::move(doubted));  // a listed file may yet be had from a mirror
}

/// At the server that is asked now.
std::string TileFetching::url_of_witness() const { return at_server(url_of_zip(denials_.witness())); }

/// Another call would hear the same: nothing is there, or nothing that is what it should be.
void TileFetching::believe(const std::vector<Denial>& denials) {
  for (const Denial& denial : denials)
    if (asks_by_number(source_) && denial.missing)
      books_.add_missing(denial.file);
    else
      books_.add_refused(denial.text);
  books_.tell_progress();
}

/// At the end, when nobody else works any more: the denials are true, or they are failures that another call
/// should try again.
void TileFetching::settle_denials() {
  if (denials_.empty() || control_.cancelled()) return;
  const std::vector<Denial> denials = denials_.take();
  if (!is_distrusted_ && denials_.are_true(url_of_witness())) return believe(denials);
  books_.add_failed(denials.size());
  books_.add_trouble(denials.front().text);
  const std::string& witness = denials_.witness();
  books_.add_trouble(source_.id + ": its office says no to " + std::to_string(denials.size()) +
                     " files, and " +
                     (witness.empty() ? "none has come yet that would show whether it answers as it should"
                                      : "to " + shown_url(witness) + " too, which came before") +
                     ": this is not taken for an answer, start again later");
}

}  // namespace

void fetch_tiles(const SetPlan& set, const WantedTiles& wanted, const DataFolder& folder, Fetcher& fetcher,
                 const Listening& listening, RunControl& control, TileBooks& books) {
  TileFetching fetching(set, folder, fetcher, listening, control, books, wanted.witness);
  if (comes_in_members(*set.source))
    fetching.fetch_members(wanted.files);
  else
    fetching.fetch_files(wanted.files);
  fetching.settle_denials();
}

}  // namespace geo::offices
