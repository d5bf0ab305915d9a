#include "geo/offices/tile_books.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "geo/offices/disk.hpp"

namespace geo::offices {
namespace {

constexpr std::size_t kMostProblems = 20;
// What a killed call has not committed is fetched again, and older tiles take room until then.
constexpr std::size_t kTilesACommit = 25;
constexpr std::uint64_t kBytesACommit = 256ULL << 20U;
constexpr std::chrono::seconds kBetweenCommits{10};

}  // namespace

Result<TileIndexWriter> open_tile_index(const Source& source, const DataFolder& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder.root(), error);
  const std::filesystem::path path = folder.index_of(source), part = path.string() + ".part.gpkg";
  if (!std::filesystem::exists(path, error)) {
    std::filesystem::remove(part, error);
    std::filesystem::remove(part.string() + "-journal", error);
    {
      auto fresh = TileIndexWriter::open(part.string(), crs_of_tiles(source));
      if (!fresh) return fresh;
      if (const auto made = fresh->commit(); !made) return tl::make_unexpected(made.error());
    }
    std::filesystem::rename(part, path, error);
    if (error) return not_written(path, error.value());
    if (const auto there = bring_to_disk({path}); !there) return tl::make_unexpected(there.error());
  }
  return TileIndexWriter::open(path.string(), crs_of_tiles(source));
}

TileBooks::TileBooks(const SetPlan& set, const DataFolder& folder, TileIndexWriter index,
                     const Listening& listening, RunControl& control)
    : set_(set), folder_(folder), listening_(listening), control_(control), index_(std::move(index)) {}

Result<std::vector<std::size_t>> TileBooks::enter(const TilePlan& plan) {
  older_ = plan.older;
  here_ = plan.locations;
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < plan.standings.size(); ++i) {
    outcome_.newest_date = std::max(outcome_.newest_date, set_.found.files[i].fields.date);
    if (const auto entered = enter_file(i, plan, wanted); !entered)
      return tl::make_unexpected(entered.error());
  }
  if (set_.remote)  // nothing is waited for
    while (!older_.empty())
      if (const auto gone = drop(older_.begin()); !gone) return tl::make_unexpected(gone.error());
  done_ = set_.found.files.size() - wanted.size();
  if (const auto written = commit(); !written) return tl::make_unexpected(written.error());
  return wanted;
}

Result<void> TileBooks::enter_file(std::size_t at, const TilePlan& plan, std::vector<std::size_t>& wanted) {
  switch (plan.standings[at]) {
    case Standing::here:
      return drop_older(at);
    case Standing::missing:
      ++outcome_.missing;
      return {};
    case Standing::replaced:  // the older file serves until this one has come
      wanted.push_back(at);
      return {};
    case Standing::wanted:
      break;
  }
  if (const auto here = here_.find(at); here != here_.end()) {  // the set is read at the office again
    let_go(here->second);
    here_.erase(here);
  }
  if (!set_.remote) wanted.push_back(at);
  return index_.put(row_as_listed(set_, set_.found.files[at]));
}

void TileBooks::enter_changes(const TileChanges& changes) {
  done_ -= changes.files.size();
  unlooked_ = changes.failure;
}

void TileBooks::add_bytes(std::uint64_t received) {
  const std::lock_guard guard(mutex_);
  bytes_ += received;
}

void TileBooks::add_made(std::size_t at, const MadeTile& made, const std::string& etag) {
  const std::lock_guard guard(mutex_);
  ++outcome_.fetched;
  hold(at, made, etag);
}

void TileBooks::add_missing(std::size_t at) {
  const std::lock_guard guard(mutex_);
  Tile row = row_as_listed(set_, set_.found.files[at]);
  row.state = TileState::missing;
  if (const auto put = index_.put(row); !put) index_failure_ = put.error();
  ++outcome_.missing;
  ++done_;
}

void TileBooks::add_refused(const std::string& sentence) {
  const std::lock_guard guard(mutex_);
  ++outcome_.refused;
  ++done_;
  blame(sentence);
}

void TileBooks::add_failed(std::size_t files) {
  const std::lock_guard guard(mutex_);
  outcome_.failed += files;
}

void TileBooks::add_trouble(const std::string& sentence) {
  const std::lock_guard guard(mutex_);
  if (troubles_.size() < kMostProblems) troubles_.push_back(sentence);
}

void TileBooks::add_cancelled() {
  const std::lock_guard guard(mutex_);
  outcome_.cancelled = true;
}

void TileBooks::forget_failures() {
  const std::lock_guard guard(mutex_);
  outcome_.failed = 0;
  troubles_.clear();
}

void TileBooks::stop_for_room(const std::string& sentence) {
  const std::lock_guard guard(mutex_);
  outcome_.no_room = true;
  blame(sentence);
  control_.cancel();
}

void TileBooks::tell_progress() {
  const std::lock_guard guard(mutex_);
  if (listening_.progress) listening_.progress({set_.source->id, set_.found.files.size(), done_, bytes_});
}

Result<SetOutcome> TileBooks::close() {
  const std::lock_guard guard(mutex_);
  outcome_.cancelled = outcome_.cancelled || (control_.cancelled() && !outcome_.no_room);
  if (const auto written = commit(); !written) return tl::make_unexpected(written.error());
  if (index_failure_) return tl::make_unexpected(*index_failure_);
  for (const std::string& sentence : troubles_) blame(sentence);
  if (!unlooked_.empty()) {
    ++outcome_.failed;
    blame(unlooked_ + "; whether other files have changed is not known");
  }
  outcome_.held = here_.size();
  outcome_.file = set_.source->id + ".gpkg";
  return outcome_;
}

void TileBooks::hold(std::size_t at, const MadeTile& made, const std::string& etag) {
  const auto written = write_held(at, made, etag);
  ++done_;
  if (written) return;
  index_failure_ = written.error();
  control_.cancel();
}

Result<void> TileBooks::write_held(std::size_t at, const MadeTile& made, const std::string& etag) {
  const FoundFile& file = set_.found.files[at];
  Tile row = row_as_listed(set_, file);
  row.bounds = made.bounds;
  row.cell_m = made.cell_m;
  row.etag = etag;
  row.location = location_of_tile(*set_.source, file);
  row.state = TileState::held;
  if (auto put = index_.put(row); !put) return put;
  std::string& location = here_[at];
  if (location != row.location) let_go(location);
  location = row.location;
  if (auto dropped = drop_older(at); !dropped) return dropped;
  uncommitted_.push_back(folder_.root() / location);
  std::error_code error;
  if (const auto bytes = std::filesystem::file_size(uncommitted_.back(), error); !error)
    uncommitted_bytes_ += bytes;
  return is_time_to_commit() ? commit() : Result<void>();
}

/// Older rows of the square of a file that is here. Where its own tile lies, nothing goes.
Result<void> TileBooks::drop_older(std::size_t at) {
  const GridPlace place = place_in_grid(*set_.source, set_.found.files[at].square);
  for (auto older = older_.find(place); older != older_.end(); older = older_.find(place))
    if (auto dropped = drop(older); !dropped) return dropped;
  gone_.erase(here_[at]);
  return {};
}

/// Takes an older row out of the index.
Result<void> TileBooks::drop(Older::iterator older) {
  const Tile row = older->second;
  older_.erase(older);
  if (auto removed = index_.remove(row); !removed) return removed;
  if (row.state == TileState::held) let_go(row.location);
  return {};
}

/// Only tiles of our own making ever go.
void TileBooks::let_go(const std::string& location) {
  if (location.starts_with("tiles/")) gone_.insert(location);
}

bool TileBooks::is_time_to_commit() const {
  return uncommitted_.size() >= kTilesACommit || uncommitted_bytes_ >= kBytesACommit ||
         std::chrono::steady_clock::now() - committed_ >= kBetweenCommits;
}

/// First the tiles, then the rows that name them; then what no row names any more goes.
Result<void> TileBooks::commit() {
  if (auto there = bring_to_disk(uncommitted_); !there) return there;
  if (auto written = index_.commit(); !written) return written;
  uncommitted_.clear();
  uncommitted_bytes_ = 0;
  committed_ = std::chrono::steady_clock::now();
  std::error_code error;
  for (const std::string& location : std::exchange(gone_, {}))
    std::filesystem::remove(folder_.root() / location, error);
  return {};
}

void TileBooks::blame(const std::string& sentence) {
  if (outcome_.problems.size() < kMostProblems) outcome_.problems.push_back(sentence);
}

}  // namespace geo::offices
