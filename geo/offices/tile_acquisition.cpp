#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "geo/data/coordinate_system.hpp"
#include "geo/data/tile_index.hpp"
#include "geo/fetch/url.hpp"
#include "geo/offices/acquisition.hpp"
#include "geo/offices/denials.hpp"
#include "geo/offices/office_network.hpp"
#include "geo/offices/tile_making.hpp"
#include "geo/offices/zip_reading.hpp"

namespace geo::offices {
namespace {

constexpr std::size_t kMostProblems = 20;
constexpr std::size_t kTilesACommit = 25;

/// A tile's own name, by its place and date: nothing that came from a listing.
std::string name_of_tile(const Source& source, const FoundFile& file) {
  std::array<char, 80> name{};
  std::snprintf(name.data(), name.size(), "%lld_%lld", std::llround(file.square.min_x / source.grid.unit),
                std::llround(file.square.min_y / source.grid.unit));
  std::string text = name.data();
  if (file.fields.date > 0)
    text += "_" + std::to_string(file.fields.date % 10000 ? file.fields.date : file.fields.year());
  return text + (source.form == FileForm::jpeg2000 ? ".jp2" : ".tif");
}

Box stored_box(const Source& source, const Box& square) {
  if (source.stored_crs.empty()) return square;
  const auto to = transformation_between(source.crs, source.stored_crs);
  const auto box = to ? transformed(square, *to) : std::nullopt;
  return box ? *box : square;
}

/// Which tile of the grid a box is, whatever its year.
std::pair<long long, long long> place_in_grid(const Source& source, const Box& box) {
  const double size = source.grid.size;
  return {std::llround(((box.min_x + box.max_x) / 2 - source.grid.origin.x) / size * 2),
          std::llround(((box.min_y + box.max_y) / 2 - source.grid.origin.y) / size * 2)};
}

/// The work on one set: its index, its plan, and what has come of it.
class TileWork {
 public:
  TileWork(const SetPlan& set, const DataFolder& folder, TileIndexWriter index, Fetcher& fetcher,
           const Listening& listening, RunControl& control)
      : set_(set),
        source_(*set.source),
        folder_(folder),
        index_(std::move(index)),
        fetcher_(fetcher),
        listening_(listening),
        control_(control),
        // Of a huge ZIP's member the ZIP is asked for.
        denials_(fetcher, comes_in_members() ? Content::any : content_of(source_), control) {}

  Result<void> enter_plan();
  void look_for_changes();
  void fetch();
  Result<SetOutcome> end();

 private:
  using Older = std::multimap<std::pair<long long, long long>, Tile>;
  void find_older(const std::vector<Tile>& rows);
  Result<void> drop(Older::iterator at);
  Result<void> enter_file(std::size_t at, const Tile* known);
  bool take_finished(std::size_t at);
  bool comes_in_members() const { return source_.find.method == FindMethod::zip_members; }
  bool asks_by_number() const { return source_.find.method == FindMethod::tile_numbers; }
  const FoundFile& file(std::size_t at) const { return set_.found.files[at]; }
  std::filesystem::path target(std::size_t at) const {
    return folder_.tiles_of(source_) / name_of_tile(source_, file(at));
  }
  Tile row_of(std::size_t at) const;
  bool is_here(const Tile& row) const;
  void take_fetched(std::size_t at, const std::filesystem::path& fetched, const FetchedFile& answer);
  void take_failure(std::size_t at, const FetchFailure& failure);
  void take_denial(std::size_t at, const FetchFailure& failure);
  bool denials_are_true();
  void believe_denials();
  void settle_denials();
  void look_for_change(std::size_t at);
  void take_member(std::size_t at);
  void fetch_whole();
  void fetch_members();
  void each_at_once(const std::vector<std::size_t>& files, const std::function<void(std::size_t)>& work);
  void hold(std::size_t at, const MadeTile& made, const std::string& etag);
  void blame(const std::string& sentence);
  void stop_for_room(const std::string& sentence);
  void tell();
  FileRequest request_for(std::size_t at) const;
  std::string at_mirror(const std::string& url) const;
  void fetch_from_mirror();

  const SetPlan& set_;
  const Source& source_;
  const DataFolder& folder_;
  TileIndexWriter index_;
  Fetcher& fetcher_;
  const Listening& listening_;
  RunControl& control_;
  std::size_t mirror_ = 0;
  std::mutex mutex_;  ///< of all below, and of the index
  Denials denials_;
  std::atomic<bool> is_distrusted_{false};  ///< its server says no to files that it has
  std::atomic<bool> looks_no_more_{false};  ///< its server did not answer
  Older older_;
  std::vector<std::size_t> wanted_, failed_;
  std::map<std::size_t, std::string> etags_;  ///< of what is here and may be another file at the office now
  std::string look_failure_;
  SetOutcome outcome_;
  std::uint64_t bytes_ = 0;
  std::size_t done_ = 0, uncommitted_ = 0;
  std::optional<Failure> index_failure_;
};

Tile TileWork::row_of(std::size_t at) const {
  const FoundFile& f = file(at);
  Tile row;
  row.bounds = stored_box(source_, f.square);
  row.url = f.listed.url;
  if (f.fields.year() > 0) row.year = f.fields.year();
  row.cell_m = set_.remote || source_.stored_cell_m == 0 ? source_.cell_m : source_.stored_cell_m;
  row.bytes = f.listed.bytes;
  row.sha256 = f.listed.sha256;
  return row;
}

bool TileWork::is_here(const Tile& row) const {
  std::error_code error;
  return row.state == TileState::held && !row.location.empty() &&
         std::filesystem::exists(folder_.root() / row.location, error);
}

/// Whether the office has another file under the same URL now, as far as the listing tells.
bool has_changed(const Tile& row, const Tile& listed) {
  if (!row.sha256.empty() && !listed.sha256.empty()) return row.sha256 != listed.sha256;
  return row.bytes > 0 && listed.bytes > 0 && row.bytes != listed.bytes;
}

/// Rows whose square the plan has another file for. Warped tiles lie in no grid; they come in one issue.
void TileWork::find_older(const std::vector<Tile>& rows) {
  if (!source_.stored_crs.empty()) return;
  std::map<std::pair<long long, long long>, std::string> planned;
  for (const FoundFile& f : set_.found.files) planned.emplace(place_in_grid(source_, f.square), f.listed.url);
  for (const Tile& row : rows)
    if (const auto at = planned.find(place_in_grid(source_, row.bounds));
        at != planned.end() && at->second != row.url)
      older_.emplace(at->first, row);
}

/// Takes an older row out of the index, and its file from the disk.
Result<void> TileWork::drop(Older::iterator at) {
  const Tile row = at->second;
  older_.erase(at);
  if (const auto removed = index_.remove(row); !removed) return removed;
  std::error_code error;
  if (row.state == TileState::held && row.location.starts_with("tiles/"))
    std::filesystem::remove(folder_.root() / row.location, error);
  return {};
}

/// A tile that a call made which was killed before its row was written.
bool TileWork::take_finished(std::size_t at) {
  std::error_code error;
  if (!std::filesystem::exists(target(at), error)) return false;
  const auto sound = check_tile(source_, file(at).square, target(at));
  if (sound)
    hold(at, *sound, {});
  else
    std::filesystem::remove(target(at), error);
  return sound.has_value();
}

/// A weak ETag (W/"x") is of the same file as the strong one.
std::string_view without_weakness(std::string_view etag) {
  return etag.substr(etag.starts_with("W/") ? 2 : 0);
}

/// Whether a listing's sums or sizes tell changes.
bool tells_changes(const Tile& row, const Tile& listed) {
  return (!row.sha256.empty() && !listed.sha256.empty()) || (row.bytes > 0 && listed.bytes > 0);
}

/// One file of the plan, and its row if there is one.
Result<void> TileWork::enter_file(std::size_t at, const Tile* known) {
  const Tile fresh = row_of(at);
  const bool here = known && is_here(*known), same = known && !has_changed(*known, fresh);
  if (here && !set_.remote) denials_.take_witness(fresh.url);
  if (here && same) {
    ++outcome_.held;
    const bool asks = set_.anew && !set_.remote && !file(at).listed.member;
    if (asks && !tells_changes(*known, fresh) && !known->etag.empty()) etags_.emplace(at, known->etag);
  } else if (same && known->state == TileState::missing && !set_.anew) {
    ++outcome_.missing;
  } else if (here && !set_.remote) {
    wanted_.push_back(at);  // the older file serves until this one has come
  } else if (!same || set_.remote || !take_finished(at)) {
    if (!set_.remote) wanted_.push_back(at);
    return index_.put(fresh);
  }
  return {};
}

/// All files of the plan become rows; those that are here already stay as they are.
Result<void> TileWork::enter_plan() {
  const auto rows = index_.all();
  if (!rows) return tl::make_unexpected(rows.error());
  std::map<std::string, Tile> by_url;
  for (const Tile& row : *rows) by_url.emplace(row.url, row);
  find_older(*rows);
  for (std::size_t i = 0; i < set_.found.files.size(); ++i) {
    outcome_.newest_date = std::max(outcome_.newest_date, file(i).fields.date);
    const auto known = by_url.find(file(i).listed.url);
    const auto entered = enter_file(i, known != by_url.end() ? &known->second : nullptr);
    if (!entered) return entered;
  }
  if (denials_.witness().empty())  // none of the plan's own: any that has come
    for (const Tile& row : *rows)
      if (is_here(row)) denials_.take_witness(row.url);
  if (set_.remote)  // nothing is waited for
    while (!older_.empty())
      if (const auto gone = drop(older_.begin()); !gone) return gone;
  done_ = set_.found.files.size() - wanted_.size();
  return index_.commit();
}

void TileWork::tell() {
  if (listening_.progress) listening_.progress({source_.id, set_.found.files.size(), done_, bytes_});
}

void TileWork::blame(const std::string& sentence) {
  if (outcome_.problems.size() < kMostProblems) outcome_.problems.push_back(sentence);
}

void TileWork::stop_for_room(const std::string& sentence) {
  outcome_.no_room = true;
  blame(sentence);
  control_.cancel();
}

/// The row of a tile that lies in its place; older files of its square go.
void TileWork::hold(std::size_t at, const MadeTile& made, const std::string& etag) {
  Tile row = row_of(at);
  row.bounds = made.bounds;
  row.cell_m = made.cell_m;
  row.etag = etag;
  row.location = std::filesystem::path("tiles") / source_.id / name_of_tile(source_, file(at));
  row.state = TileState::held;
  auto put = index_.put(row);
  const auto place = place_in_grid(source_, file(at).square);
  for (auto it = older_.find(place); it != older_.end() && put; it = older_.find(place))
    put = it->second.location == row.location ? (it->second.state = TileState::known, drop(it)) : drop(it);
  if (put && ++uncommitted_ >= kTilesACommit) {
    put = index_.commit();
    uncommitted_ = 0;
  }
  ++outcome_.held;
  ++done_;
  if (put) return;
  index_failure_ = put.error();
  control_.cancel();
}

void TileWork::take_fetched(std::size_t at, const std::filesystem::path& fetched, const FetchedFile& answer) {
  {
    const std::lock_guard guard(mutex_);
    denials_.take_witness(file(at).listed.url);
  }
  // Made by several threads at once; only the books are kept by one.
  const auto made = make_tile(source_, file(at).square, fetched, target(at));
  std::error_code error;
  std::filesystem::remove(fetched, error);
  const std::lock_guard guard(mutex_);
  if (made) {
    ++outcome_.fetched;
    hold(at, *made, answer.etag);
  } else if (made.error().text.find("is the disk full") != std::string::npos) {
    stop_for_room(made.error().text);
  } else {
    ++outcome_.refused;
    ++done_;
    blame(shown_url(file(at).listed.url) + ": refused, because " + made.error().text);
  }
  tell();
}

void TileWork::take_failure(std::size_t at, const FetchFailure& failure) {
  const std::lock_guard guard(mutex_);
  if (failure.kind == FailureKind::cancelled) {
    outcome_.cancelled = true;
    return;
  }
  if (failure.kind == FailureKind::invalid_input && parse_url(file(at).listed.url))
    return stop_for_room(failure.text);
  if (failure.missing() || failure.other_content) return take_denial(at, failure);
  ++outcome_.failed;
  failed_.push_back(at);
  if (!is_distrusted_) blame(failure.text);  // else one sentence at the end tells of all
}

void TileWork::take_denial(std::size_t at, const FetchFailure& failure) {
  denials_.add({at, failure.missing(), failure.text});
  if (!denials_.are_suspicious() || is_distrusted_) return;
  if (!denials_are_true())
    is_distrusted_ = true;
  else if (asks_by_number())  // a listed file may yet be had from a mirror
    believe_denials();
}

/// Whether the office still sends what it sent before.
bool TileWork::denials_are_true() {
  const std::string& witness = denials_.witness();
  return denials_.are_true(at_mirror(witness.substr(0, witness.find('#'))));
}

/// Another call would hear the same: nothing is there, or nothing that is what it should be.
void TileWork::believe_denials() {
  for (const Denial& denial : denials_.take()) {
    ++done_;
    if (!asks_by_number() || !denial.missing) {
      ++outcome_.refused;
      blame(denial.text);
      continue;
    }
    Tile row = row_of(denial.file);
    row.state = TileState::missing;
    if (const auto put = index_.put(row); !put) index_failure_ = put.error();
    ++outcome_.missing;
  }
  tell();
}

/// At the end: the denials are true, or they are failures that another call should try again.
void TileWork::settle_denials() {
  const std::lock_guard guard(mutex_);
  if (denials_.empty() || control_.cancelled()) return;
  if (!is_distrusted_ && denials_are_true()) return believe_denials();
  const std::vector<Denial> denials = denials_.take();
  outcome_.failed += denials.size();
  blame(denials.front().text);
  const std::string& witness = denials_.witness();
  blame(source_.id + ": its office says no to " + std::to_string(denials.size()) + " files, and " +
        (witness.empty() ? "none has come yet that would show whether it answers as it should"
                         : "to " + shown_url(witness) + " too, which came before") +
        ": this is not taken for an answer, start again later");
}

FileRequest TileWork::request_for(std::size_t at) const {
  const ListedFile& listed = file(at).listed;
  FileRequest request;
  request.url = listed.url;
  request.target = folder_.download_of(listed.url);
  request.content = content_of(source_);
  if (tells_exact_sizes(source_) && listed.bytes > 0) request.size = listed.bytes;
  request.sha256 = listed.sha256;
  return request;
}

/// The same file at that of the office's servers which is asked now.
std::string TileWork::at_mirror(const std::string& url) const {
  if (source_.mirrors.empty() || !url.starts_with(source_.mirrors.front())) return url;
  return source_.mirrors[mirror_ % source_.mirrors.size()] + url.substr(source_.mirrors.front().size());
}

void TileWork::fetch_whole() {
  const std::size_t servers = std::max<std::size_t>(1, source_.mirrors.size());
  for (mirror_ = 0; mirror_ < servers && !wanted_.empty() && !control_.cancelled(); ++mirror_) {
    outcome_.failed = 0;
    failed_.clear();
    is_distrusted_ = false;
    if (mirror_ > 0) outcome_.problems.clear();
    fetch_from_mirror();
    if (mirror_ + 1 == servers) break;
    wanted_ = failed_;
    for (const Denial& denial : denials_.take()) wanted_.push_back(denial.file);
  }
}

void TileWork::fetch_from_mirror() {
  std::vector<FileRequest> requests;
  for (const std::size_t at : wanted_) {
    requests.push_back(request_for(at));
    requests.back().url = at_mirror(requests.back().url);
  }
  FetchListeners listeners;
  listeners.is_worth_asking = [&](std::size_t) { return !is_distrusted_; };
  listeners.on_file = [&](std::size_t n, const FetchResult<FetchedFile>& result) {
    result ? take_fetched(wanted_[n], requests[n].target, *result) : take_failure(wanted_[n], result.error());
  };
  listeners.on_progress = [&, before = bytes_](const FetchProgress& progress) {
    const std::lock_guard guard(mutex_);
    bytes_ = before + progress.bytes;
    tell();
  };
  listeners.on_wait = listening_.note;
  fetcher_.files(requests, listeners, control_);
}

/// One range out of a huge ZIP, inflated.
void TileWork::take_member(std::size_t at) {
  const ListedFile& listed = file(at).listed;
  const ZipMember& member = *listed.member;
  const std::string zip = listed.url.substr(0, listed.url.find('#'));
  auto bytes = fetcher_.bytes(zip, {member.offset, bytes_of_member(member)}, control_);
  Result<std::string> content = fail(FailureKind::internal, "");
  if (bytes) content = member_content(member, *bytes);
  if (!content &&
      !control_.cancelled()) {  // the ZIP's end was near, or the names were long: ask for as much as there is
    const auto header = fetcher_.bytes(zip, {member.offset, 30}, control_);
    if (!header) return take_failure(at, header.error());
    bytes = fetcher_.bytes(zip, {member.offset, bytes_of_member(member, *header)}, control_);
    if (bytes) content = member_content(member, *bytes);
  }
  if (!bytes) return take_failure(at, bytes.error());
  const std::filesystem::path fetched = folder_.download_of(listed.url);
  const auto written = content ? write_whole(fetched, *content) : tl::make_unexpected(content.error());
  {
    const std::lock_guard guard(mutex_);
    bytes_ += bytes->size();
    if (!content) {
      ++outcome_.refused;
      ++done_;
      blame(shown_url(zip) + ": " + content.error().text);
      return;
    }
    if (!written) return stop_for_room(written.error().text);
  }
  take_fetched(at, fetched, {.bytes = bytes->size()});
}

/// As many at once as the office allows.
void TileWork::each_at_once(const std::vector<std::size_t>& files,
                            const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  const auto work_on = [&] {
    for (std::size_t n = next++; n < files.size() && !control_.cancelled(); n = next++) work(files[n]);
  };
  std::vector<std::thread> threads;
  const std::size_t many = std::min(files.size(), static_cast<std::size_t>(source_.connections));
  while (threads.size() < many) threads.emplace_back(work_on);
  for (std::thread& thread : threads) thread.join();
}

void TileWork::fetch_members() {
  each_at_once(wanted_, [&](std::size_t at) {
    if (!is_distrusted_) return take_member(at);
    const std::lock_guard guard(mutex_);
    ++outcome_.failed;
  });
}

void TileWork::fetch() {
  comes_in_members() ? fetch_members() : fetch_whole();
  settle_denials();
}

/// A new file under an old URL, where the listing tells neither sizes nor sums.
void TileWork::look_for_changes() {
  std::vector<std::size_t> files;
  for (const auto& [at, etag] : etags_) files.push_back(at);
  each_at_once(files, [&](std::size_t at) {
    if (!looks_no_more_) look_for_change(at);
  });
  done_ = set_.found.files.size() - wanted_.size();
}

void TileWork::look_for_change(std::size_t at) {
  const auto there = fetcher_.probe(file(at).listed.url, control_);
  const std::lock_guard guard(mutex_);
  if (there) {
    if (there->etag.empty() || without_weakness(there->etag) == without_weakness(etags_.at(at))) return;
    wanted_.push_back(at);
    --outcome_.held;
  } else if (!there.error().missing() && !control_.cancelled() && !looks_no_more_.exchange(true)) {
    look_failure_ = there.error().text;
  }
}

Result<SetOutcome> TileWork::end() {
  outcome_.cancelled = outcome_.cancelled || (control_.cancelled() && !outcome_.no_room);
  if (const auto written = index_.commit(); !written) return tl::make_unexpected(written.error());
  if (index_failure_) return tl::make_unexpected(*index_failure_);
  if (!look_failure_.empty()) {
    ++outcome_.failed;
    blame(look_failure_ + "; whether other files have changed is not known");
  }
  outcome_.file = source_.id + ".gpkg";
  return outcome_;
}

const std::string& stored_crs(const Source& source) {
  return source.stored_crs.empty() ? source.crs : source.stored_crs;
}

/// Makes it beside its place where there is none, so that a process that is killed leaves none or a whole
/// one.
Result<TileIndexWriter> open_index(const Source& source, const DataFolder& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder.root(), error);
  const std::filesystem::path path = folder.index_of(source), part = path.string() + ".part.gpkg";
  if (!std::filesystem::exists(path, error)) {
    std::filesystem::remove(part, error);
    std::filesystem::remove(part.string() + "-journal", error);
    {
      auto fresh = TileIndexWriter::open(part.string(), stored_crs(source));
      if (!fresh) return fresh;
      if (const auto made = fresh->commit(); !made) return tl::make_unexpected(made.error());
    }
    std::filesystem::rename(part, path, error);
    if (error)
      return fail(FailureKind::invalid_input,
                  path.string() + ": cannot be written (" + error.message() + ")");
  }
  return TileIndexWriter::open(path.string(), stored_crs(source));
}

}  // namespace

Result<void> count_what_is_here(SetPlan& set, const DataFolder& folder) {
  std::error_code error;
  if (!set.source->tiled() || !std::filesystem::exists(folder.index_of(*set.source), error)) return {};
  const auto index = TileIndex::open(folder.index_of(*set.source).string());
  if (!index) return {};  // an index without a tile yet
  const auto rows = index->touching(index->bounds(), kMostListed);
  if (!rows) return tl::make_unexpected(rows.error());
  std::set<std::string> here;
  for (const Tile& row : *rows)
    if (row.state == TileState::held) here.insert(row.url);
  for (FoundFile& file : set.found.files) file.is_here = here.contains(file.listed.url);
  count_files(set);
  return {};
}

Result<void> keep_known_squares(SetPlan& set, const DataFolder& folder) {
  const Source& source = *set.source;
  std::error_code error;
  if (!std::filesystem::exists(folder.index_of(source), error)) {
    set.found.files.clear();
    return {};
  }
  const auto index = TileIndexWriter::open(folder.index_of(source).string(), stored_crs(source));
  const auto rows = index ? index->all() : tl::make_unexpected(index.error());
  if (!rows) return tl::make_unexpected(rows.error());
  std::set<std::pair<long long, long long>> squares;
  std::set<std::string> urls;
  for (const Tile& row : *rows) {
    squares.insert(place_in_grid(source, row.bounds));
    urls.insert(row.url);
  }
  std::erase_if(set.found.files, [&](const FoundFile& file) {
    return !urls.contains(file.listed.url) && !squares.contains(place_in_grid(source, file.square));
  });
  count_files(set);
  return {};
}

Result<SetOutcome> acquire_tiles(const SetPlan& set, const DataFolder& folder, Fetcher& fetcher,
                                 const Listening& listening, RunControl& control) {
  const Source& source = *set.source;
  auto index = open_index(source, folder);
  if (!index) return tl::make_unexpected(index.error());
  TileWork work(set, folder, std::move(*index), fetcher, listening, control);
  if (const auto entered = work.enter_plan(); !entered) return tl::make_unexpected(entered.error());
  std::error_code error;
  std::filesystem::create_directories(folder.downloads(), error);
  work.look_for_changes();
  work.fetch();
  return work.end();
}

}  // namespace geo::offices
