// What of a set's planned tiles is here, and what is still wanted: the plan beside the set's index.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "geo/data/tile_index.hpp"
#include "geo/offices/data_folder.hpp"
#include "geo/offices/plan.hpp"
#include "geo/offices/tile_making.hpp"
#include "geo/offices/tile_rows.hpp"

namespace geo::offices {

/// Marks the files that are here already; they no longer count as what is to be fetched.
Result<void> count_what_is_here(SetPlan& set, const DataFolder& folder);

/// Leaves those files of the plan whose squares the set's index knows: what an update looks at. Nothing is
/// left when there is no index.
Result<void> keep_known_squares(SetPlan& set, const DataFolder& folder);

/// How it stands with a planned file.
enum class Standing {
  here,      ///< and the office's, as far as the listing tells
  replaced,  ///< here, but the office has another file under its URL now
  missing,   ///< the office had nothing there
  expected,  ///< not here; its row was written before
  unknown,   ///< none of these: its row is to be written
};

struct TilePlan {
  std::vector<Standing> standings;           ///< of the set's files, in their order
  std::map<std::size_t, MadeTile> finished;  ///< expected tiles that a killed call had made already
  std::map<std::size_t, std::string> etags;  ///< of what is here and may be another file at the office now
  std::multimap<GridPlace, Tile> older;      ///< rows whose square the set has another file for
  std::string witness;                       ///< a URL of the set whose file is here (denials.hpp)
};

/// `rows`: all of the set's index. Where an expected tile should lie and something else does, that is
/// removed.
TilePlan plan_tiles(const SetPlan& set, const std::vector<Tile>& rows, const DataFolder& folder);

/// The plan's witness; where it has none, any row's whose tile is here.
std::string witness_of(const TilePlan& plan, const std::vector<Tile>& rows, const DataFolder& folder);

}  // namespace geo::offices
