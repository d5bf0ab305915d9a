// Reads an address data set as surveying offices and statistics offices write them: points or the columns lon
// and lat (WGS84), with strasse, hausnummer, plz, ort and, where there is one, land (AT, DE, CH or the
// country's name). Texts are UTF-8 with or without BOM, or Windows-1252, of which Latin-1 is a part.
#pragma once
#include <string>
#include <vector>

#include "geo/addresses/house.hpp"
#include "geo/failure.hpp"

namespace geo {

struct AddressFile {
  std::vector<House> houses;
  std::string note;  ///< what was read, and what was left out, in one sentence
};

/// A row in a hundred may be wrong (no place in Austria, Germany or Switzerland, no street); these are left
/// out and the note says so. With more, or where neither encoding fits, it fails with invalid_input and a
/// sentence that names the file and the first such line.
Result<AddressFile> read_address_file(const std::string& path);

}  // namespace geo
