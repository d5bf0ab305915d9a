// Fetching of tiles: whole files from the office's server and its mirrors, members of huge ZIPs by range.
// Each file that comes is made into a tile; what an office refuses is judged (denials.hpp).
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "geo/fetch/fetcher.hpp"
#include "geo/offices/acquisition.hpp"
#include "geo/offices/data_folder.hpp"
#include "geo/offices/plan.hpp"
#include "geo/offices/tile_books.hpp"
#include "geo/run_control.hpp"

namespace geo::offices {

struct WantedTiles {
  std::vector<std::size_t> files;  ///< by their place among the set's
  std::string witness;             ///< the URL of a file that came before; may be empty
};

/// What comes of each file stands in the books.
void fetch_tiles(const SetPlan& set, const WantedTiles& wanted, const DataFolder& folder, Fetcher& fetcher,
                 const Listening& listening, RunControl& control, TileBooks& books);

}  // namespace geo::offices
