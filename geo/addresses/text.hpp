// Address texts in one form, so that spellings can be compared: case, accents, umlauts (ä = ae), "ß", "Str."
// and spacing no longer matter. Unicode by utf8proc (NFKC case folding).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace geo {

/// Letters and digits without anything between them, in lower case; "str" is spelled out.
struct AddressToken {
  std::string text;
  /// What stands before it; of several things the first in this order: ',' (and other ends of a phrase) '/'
  /// '+' '-' (any dash), '^' (it is raised, as in "2²"), '.' (that and nothing else), ' '.
  char before = ' ';
  bool tight = false;       ///< `before` is a single character
  bool dot_behind = false;  ///< "17." in "17. Juni"
};

/// Bytes that are no UTF-8 yield no tokens.
std::vector<AddressToken> address_tokens(std::string_view text);

/// Their texts alone. "Hauptstr. 5a" -> {"hauptstrasse", "5a"}.
std::vector<std::string> address_words(std::string_view text);

bool starts_with_digit(std::string_view text);
bool ends_with_digit(std::string_view text);
bool all_digits(std::string_view text);

/// Appends every three letters (bytes) of a word; its beginning and its end count as letters.
void append_trigrams(std::string_view word, std::vector<std::uint32_t>& trigrams);

/// Edits that turn one word into the other: insertions, deletions, replacements, swaps of neighbours (optimal
/// string alignment; Damerau 1964, Levenshtein 1966). More than `most` are not counted: the answer is then
/// most + 1.
int edit_distance(std::string_view a, std::string_view b, int most = 1'000'000);

}  // namespace geo
