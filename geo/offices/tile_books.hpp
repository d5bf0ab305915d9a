// The books of one call for a set of tiles: the rows of the set's index, and what the caller is told of the
// work. A row says that its tile is here once the tile is on the disk in its place, and a tile goes once no
// row says so: whoever reads the index at any moment, also after a power cut, finds what its rows name.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "geo/data/tile_index.hpp"
#include "geo/offices/acquisition.hpp"
#include "geo/offices/tile_changes.hpp"
#include "geo/offices/tile_making.hpp"
#include "geo/offices/tile_plan.hpp"

namespace geo::offices {

/// The set's index. Where there is none it is made beside its place, so that a process that is killed leaves
/// none or a whole one.
Result<TileIndexWriter> open_tile_index(const Source& source, const DataFolder& folder);

class TileBooks {
 public:
  TileBooks(const SetPlan& set, const DataFolder& folder, TileIndexWriter index, const Listening& listening,
            RunControl& control);

  /// All files of the plan become rows; those that are here already stay as they are. Gives back what is to
  /// be fetched.
  Result<std::vector<std::size_t>> enter(const TilePlan& plan);
  /// What is here and has changed is to be fetched.
  void enter_changes(const TileChanges& changes);

  // What becomes of the files that are fetched, and by several threads at once. `at`: a file's place among
  // the set's.

  void add_bytes(std::uint64_t received);
  /// The tile lies in its place: its row says so, and older tiles of its square go.
  void add_made(std::size_t at, const MadeTile& made, const std::string& etag);
  void add_missing(std::size_t at);
  void add_refused(const std::string& sentence);
  void add_failed(std::size_t files = 1);
  /// Why files failed.
  void add_trouble(const std::string& sentence);
  /// Before another server is asked for the files that failed.
  void forget_failures();
  void add_cancelled();
  /// The disk is full: all work ends.
  void stop_for_room(const std::string& sentence);
  /// To whoever listens: how far it is.
  void tell_progress();

  /// Writes what is not written yet. Fails when the index could not be written, now or before.
  Result<SetOutcome> close();

 private:
  using Older = std::multimap<GridPlace, Tile>;
  Result<void> enter_file(std::size_t at, const TilePlan& plan, std::vector<std::size_t>& wanted);
  void hold(std::size_t at, const MadeTile& made, const std::string& etag);
  Result<void> write_held(std::size_t at, const MadeTile& made, const std::string& etag);
  Result<void> drop_older(std::size_t at);
  Result<void> drop(Older::iterator older);
  void let_go(const std::string& location);
  bool is_time_to_commit() const;
  Result<void> commit();
  void blame(const std::string& sentence);

  const SetPlan& set_;
  const DataFolder& folder_;
  const Listening& listening_;
  RunControl& control_;
  std::mutex mutex_;  ///< of all below
  TileIndexWriter index_;
  Older older_;                              ///< rows that go once their square's successor is here
  std::map<std::size_t, std::string> here_;  ///< the files whose tiles serve, and where these lie
  SetOutcome outcome_;
  std::vector<std::string> troubles_;  ///< sentences about files that a mirror may yet have
  std::string unlooked_;               ///< why not all was looked at for changes
  std::uint64_t bytes_ = 0;
  std::size_t done_ = 0;
  std::set<std::string> gone_;  ///< locations of tiles that no row names once it is committed
  std::vector<std::filesystem::path> uncommitted_;  ///< tiles
  std::uint64_t uncommitted_bytes_ = 0;
  std::chrono::steady_clock::time_point committed_{};
  std::optional<Failure> index_failure_;
};

}  // namespace geo::offices
