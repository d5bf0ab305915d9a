// Makes an address index of an office's register.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "geo/failure.hpp"

namespace geo {

struct AddressImport {
  std::vector<std::string> files;  ///< each a table, a ZIP, a folder (BEV, vector), a vector data set
  std::string as;                  ///< hk-de, gebref, bev, swisstopo, csv:..., vector:...; see row_format.hpp
  std::string out;                 ///< the index
  /// Called for each of the files when its turn has come; what it gives back is read in its place.
  std::function<Result<std::string>(const std::string& file)> made_ready{};
};

struct ImportProgress {
  const char* step = "";           ///< "reading", "writing"
  std::uint64_t done = 0, of = 0;  ///< bytes or features read of this table, pages written of none
  std::uint64_t rows = 0;
};

/// Reads the register and puts the index where it is wanted, in one step; what was there is read on by
/// whoever has it open. Returns a sentence: how many houses, what was left out. invalid_input, with a
/// sentence that names the file and what to do, when it cannot be done; cancelled when `go_on` is false. Then
/// nothing is changed.
Result<std::string> import_addresses(const AddressImport& import,
                                     const std::function<bool(const ImportProgress&)>& go_on);

}  // namespace geo
