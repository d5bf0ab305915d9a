// The three countries that are covered: their names as people write them, and roughly where they lie.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "geo/shapes/shapes.hpp"

namespace geo {

enum class Country { at, de, ch };
inline constexpr Country kCountries[] = {Country::at, Country::de, Country::ch};

/// "AT"
std::string code_of(Country country);

/// By a word of address_words(): "oesterreich" and "at", not the lone "a" and "d", which are letters as well.
std::optional<Country> country_named(std::string_view word);

/// Whether the place lies in the box around the country, some kilometres wider than it.
bool may_lie_in(Country country, LonLat place);

/// Whether it may lie in any of them.
bool is_covered(LonLat place);

}  // namespace geo
