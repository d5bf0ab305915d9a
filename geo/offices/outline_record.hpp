// Of what a set's outlines, or its register, were made: listings/ID.made, beside the listings that named it.
//
//   west south east north            degrees (WGS84), what of the packets was kept; or "all"
//   URL <tab> KEY <tab> ID <tab> DATE <tab> PLACE
//                                    a packet, as its listing told of it: the numbers by which the office
//                                    calls it from issue to issue, its date, YYYYMMDD or 0, and where it
//                                    lies, as the window, or nothing
//
// Older records have a packet's URL alone, or no place.
#pragma once
#include <optional>
#include <vector>

#include "geo/failure.hpp"
#include "geo/offices/data_folder.hpp"
#include "geo/offices/found_files.hpp"
#include "geo/offices/recipe.hpp"
#include "geo/shapes/box.hpp"

namespace geo::offices {

struct OutlineRecord {
  std::vector<FoundFile> packets;
  std::optional<Box> window_deg;  ///< nothing: all of them
};

/// Nothing when there are no outlines, and when nobody knows any more of what they were made.
std::optional<OutlineRecord> read_outline_record(const Source& source, const DataFolder& folder);
Result<void> write_outline_record(const OutlineRecord& record, const Source& source,
                                  const DataFolder& folder);

/// Whether the same outlines would be made of both.
bool same_outlines(const OutlineRecord& a, const OutlineRecord& b);

/// Whether two issues of an office's listing mean the same packet: its URL may change from one to the other.
bool is_same_packet(const FoundFile& a, const FoundFile& b);

}  // namespace geo::offices
