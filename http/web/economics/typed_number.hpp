// Numbers as people type them: "6000", "6.000,50", "6 000", "6'000", "7,86", "7.86", "−1", with blanks around
// them. Nothing else is a number here: no exponent, no hexadecimal, no word.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace http {

/// With `grouped`, "6.000" is six thousand and not six.
std::optional<double> typed_number(std::string_view text, bool grouped);

/// As a field holds it: "0,5", no groups.
std::string typable(double value);

std::string trimmed(std::string_view text);
/// At most some forty bytes, whole characters.
std::string shortened(std::string text);

}  // namespace http
