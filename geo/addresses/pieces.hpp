// An address text cut into the pieces that a local sees in it: words, and whole house numbers. An uncertain
// part stays a piece that some house must explain (register.hpp).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geo/addresses/countries.hpp"

namespace geo {

struct AddressPiece {
  /// A word in lower case, or a number in one form: "12a", "12-14", "12a-c", "10/2/14", "3.1", "5 1/2",
  /// "5bis". Digits that were written apart stay apart.
  std::string text;
  bool is_number = false;    ///< it begins with a digit; also a postcode, also the 17 of "17. Juni"
  bool needless = false;     ///< says nothing about which house: "Nr.", "Tür 14", "3. Stock", "c/o ..."
  bool abbreviated = false;  ///< a dot follows, as in "i. Br."
  std::optional<Country> country{};  ///< that it names
};

struct AddressPieces {
  std::vector<AddressPiece> all;
  std::vector<std::string> doors;  ///< "Stiege 2, Tür 14" -> 2, 14; the words stand among the pieces
};

AddressPieces address_pieces(std::string_view text);

/// The pieces joined by single spaces: equal for all spellings of an address that differ in case, accents and
/// spacing alone, and different for different houses.
std::string normal_address_text(std::string_view text);

/// An address as it was sent, with its normal form: whoever asks for it more than once makes that only once.
struct AddressText {
  AddressText() = default;
  explicit AddressText(std::string text) : sent(std::move(text)), normal(normal_address_text(sent)) {}
  std::string sent;
  std::string normal;  ///< normal_address_text(sent)
};

/// A street's name or a house number as one word: "Q 1" and "Q1" are the same, and digits that are written
/// apart stay apart.
std::string joined_text(const std::vector<AddressPiece>& pieces);
void append_joined(std::string& joined, const AddressPiece& piece);

/// The word for comparing: "St." and "Saint" are "sankt".
std::string_view plain_word(std::string_view word);

/// Whether the text is all digits, as many as a postcode has.
bool like_postcode(std::string_view text);

}  // namespace geo
