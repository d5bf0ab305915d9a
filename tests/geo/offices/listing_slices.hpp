// Slices of listings in the offices' own forms, as far as public sources tell them; made here.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace test {

struct ZipEntry {
  std::string name, content;
  bool deflated = true;
};

/// A ZIP as offices make them; `zip64`: with the large ends and extra fields although it is small.
std::string zip_of(const std::vector<ZipEntry>& entries, bool zip64 = false);

/// What an office answers for a listing of this recipe's kind of data ("de-nw", "dsm"): the listing's URL as
/// the recipe has it, and its text. For ZIPs the whole file.
struct Slice {
  std::string region, kind, url, text;
  double square_x = 0, square_y = 0;  ///< lower-left corner of a square that must be found
  std::string found_url;              ///< and its URL
  int year = 0;
  std::string area;  ///< lon,lat,km around that square
};
std::vector<Slice> listing_slices();

}  // namespace test
