// Address texts in one form, so that spellings can be compared: case, accents, umlauts (ä = ae), "ß", "Str."
// and spacing no longer matter. Unicode by utf8proc (NFKC case folding).
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace geo {

/// Lower-case words of letters and digits. "Hauptstr. 5a" -> {"hauptstrasse", "5a"}. Bytes that are no UTF-8
/// yield no words.
std::vector<std::string> address_words(std::string_view text);

/// The words joined by single spaces.
std::string normal_address_text(std::string_view text);

/// Edits that turn one word into the other: insertions, deletions, replacements, swaps of neighbours (optimal
/// string alignment; Damerau 1964, Levenshtein 1966).
int edit_distance(std::string_view a, std::string_view b);

}  // namespace geo
