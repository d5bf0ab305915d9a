// A planned file as a tile of its set: which square of the grid it is, what it is called here, and its row of
// the index as the listing has it.
#pragma once
#include <string>
#include <utility>

#include "geo/data/tile_index.hpp"
#include "geo/offices/data_folder.hpp"
#include "geo/offices/plan.hpp"

namespace geo::offices {

/// Which square of a source's grid, whatever its year.
using GridPlace = std::pair<long long, long long>;
/// The square that holds the box's middle: a tile at a border or a coast may be smaller than its square.
GridPlace place_in_grid(const Source& source, const Box& box);

/// Where a tile lies, relative to the folder's root: named by its place and date, and by nothing that came
/// from a listing.
std::string location_of_tile(const Source& source, const FoundFile& file);

/// The system in which a source's tiles are kept.
const std::string& crs_of_tiles(const Source& source);

/// The row of a tile of which nothing is known but what the listing says.
Tile row_as_listed(const SetPlan& set, const FoundFile& file);

/// Whether the row says that its tile is here, and it is.
bool is_here(const Tile& row, const DataFolder& folder);

}  // namespace geo::offices
