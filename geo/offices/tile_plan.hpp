// What of a set's planned tiles is here, and what is still wanted: the plan beside the set's index.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "geo/data/tile_index.hpp"
#include "geo/offices/data_folder.hpp"
#include "geo/offices/plan.hpp"
#include "geo/offices/tile_rows.hpp"

namespace geo::offices {

/// Marks tiles and addresses that are here already; they no longer count as what is to be fetched.
Result<void> count_what_is_here(SetPlan& set, const DataFolder& folder);

/// Leaves those files of the plan whose squares the set's index knows: what an update looks at. Nothing is
/// left when there is no index.
Result<void> keep_known_squares(SetPlan& set, const DataFolder& folder);

/// How it stands with a planned file.
enum class Standing {
  here,      ///< and the office's, as far as the listing tells
  replaced,  ///< here, but the office has another file under its URL now
  missing,   ///< the office had nothing there
  wanted,    ///< none of these: its row is to be written as the listing has it
};

struct TilePlan {
  std::vector<Standing> standings;               ///< of the set's files, in their order
  std::map<std::size_t, std::string> locations;  ///< of the files' tiles that are here, replaced or not
  std::map<std::size_t, std::string> etags;  ///< of what is here and may be another file at the office now
  std::multimap<GridPlace, Tile> older;      ///< rows whose square the set has another file for
  std::string witness;                       ///< a URL of the set whose file is here (denials.hpp)
};

/// `rows`: all of the set's index. What lies in a wanted tile's place counts for nothing: a killed call left
/// it there, and nobody knows which of the office's files it was made of.
TilePlan plan_tiles(const SetPlan& set, const std::vector<Tile>& rows, const DataFolder& folder);

/// The plan's witness; where it has none, any row's whose tile is here.
std::string witness_of(const TilePlan& plan, const std::vector<Tile>& rows, const DataFolder& folder);

}  // namespace geo::offices
