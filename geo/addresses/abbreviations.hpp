// Abbreviations that locals write in a street's name and registers write out: "Neubaug.", "Karlspl.",
// "Ch. des Fleurs", "P.za Grande", "Bgm.-Müller-Str.". The index knows nothing of them; they are written out
// in the question, when no street is called as it stands there.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "geo/addresses/pieces.hpp"

namespace geo {

/// Consecutive pieces of an address, joined, that may be a street's name.
struct NameRun {
  std::string text;
  std::size_t from = 0, to = 0;  ///< up to, but not including, `to`
};

/// Every run of pieces in which something is abbreviated, written out in all ways: "Joh." is Johann as well
/// as Johannes. Also those titles abbreviated that registers abbreviate themselves. Names of more than
/// `longest` letters are left out, and a text of abbreviations alone yields some hundred at most.
std::vector<NameRun> names_written_out(std::span<const AddressPiece> pieces, std::size_t longest);

}  // namespace geo
