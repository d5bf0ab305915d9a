// From what a listing says to the files that are ours: their squares and years by their names, the newest of
// each square.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "geo/offices/area.hpp"
#include "geo/offices/listed.hpp"
#include "geo/offices/recipe.hpp"

namespace geo::offices {

struct FoundFile {
  ListedFile listed;
  Box square;            ///< rasters: in the source's system
  NameFields fields;     ///< with the date that counts
  bool is_here = false;  ///< fetched before, under this URL
};

struct FoundFiles {
  std::vector<FoundFile> files;  ///< by square, from the south-west; vectors and tables as they are listed
  std::size_t older = 0;         ///< of a square that has a newer file
  std::size_t others = 0;        ///< names that are not of the recipe's forms
  std::size_t outside = 0;       ///< squares far outside the region
};

/// `today`: YYYYMMDD, for URLs that hold it.
FoundFiles found_files(const Source& source, std::vector<ListedFile> listed, std::string_view today);

/// Every square of the grid that touches the area, whether or not the office has it. invalid_input when they
/// are more than a million.
Result<FoundFiles> files_by_number(const Source& source, const AreaOnMap& area, std::string_view today);

/// The sentence about a listing in which nothing is the source's.
tl::unexpected<Failure> nothing_listed(const Source& source, const std::string& url);

}  // namespace geo::offices
