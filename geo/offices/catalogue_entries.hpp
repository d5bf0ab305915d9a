// A region's entries in the catalogue: geodata.d/REGION.json, written whole or not at all. What the operator
// wrote into geodata.json stays as it is; a file that is not there is made, empty.
#pragma once
#include <string>
#include <vector>

#include "geo/failure.hpp"
#include "geo/offices/data_folder.hpp"
#include "geo/offices/plan.hpp"
#include "geo/offices/recipe.hpp"

namespace geo::offices {

/// What is to be named in the catalogue.
struct ReadySet {
  const Source* source = nullptr;
  std::string file;     ///< relative to the data folder's root
  bool remote = false;  ///< tiles that are not here are read at the office
  int newest_date = 0;  ///< YYYYMMDD, of all that the set holds; 0: not told
  int fetched = 0;      ///< the day; 0: nothing was fetched now
};

/// Of the tiles that a set holds, and with `remote` of those that it knows: the newest date that the listing
/// tells of those in the plan, and the index of the others. 0: none is told.
int newest_date_of_tiles(const SetPlan& set, const DataFolder& folder, bool remote);

/// Adds the sets to the region's entries, in the place of those with their ids. Entries of other ids, and
/// fields that somebody added to ours, stay; so does the day of the fetch where nothing was fetched.
/// invalid_input when the file there is broken.
Result<void> name_in_catalogue(const DataFolder& folder, const Recipe& recipe,
                               const std::vector<ReadySet>& sets);

/// A set's entry as it stands.
struct NamedSet {
  std::string region, id, kind, index, path, attribution, licence;  ///< index and path relative to the root
  bool remote = false;
};
/// All entries that were made here.
Result<std::vector<NamedSet>> named_sets(const DataFolder& folder);

}  // namespace geo::offices
