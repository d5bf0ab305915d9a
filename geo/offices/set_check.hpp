// What is in a data folder, and whether it is sound.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "geo/failure.hpp"
#include "geo/offices/catalogue_entries.hpp"
#include "geo/offices/data_folder.hpp"

namespace geo::offices {

struct SetStatus {
  std::size_t held = 0, known = 0, missing = 0;  ///< files; outlines and addresses are one file
  std::uint64_t bytes = 0;                       ///< on this disk
  int oldest_year = 0, newest_year = 0;
};
/// invalid_input or data_unreachable when the set cannot be opened.
Result<SetStatus> status_of(const NamedSet& set, const DataFolder& folder);

/// A sentence about a set, and whether it is a fault.
struct Finding {
  bool is_fault = false;
  std::string text;
};

/// Opens the set and some of its tiles, or with `deep` every tile to its last cell: system, place, damage,
/// files that are gone, sums, a notice. Stops when `control` says so.
std::vector<Finding> check_set(const NamedSet& set, const DataFolder& folder, bool deep,
                               const RunControl& control);

/// Whether the surface lies above the terrain in 99 of 100 cells (half a metre of tolerance), of up to
/// `tiles` tiles that both hold.
Finding compare_heights(const NamedSet& dsm, const NamedSet& dtm, const DataFolder& folder,
                        std::size_t tiles);

/// Which set and which tile would serve a place, a line for each kind of data.
Result<std::vector<std::string>> served_by(const DataFolder& folder, LonLat place);

}  // namespace geo::offices
