// Reads the answers of external services with simdjson. A field that is missing or of another type is empty.
#pragma once
#include <simdjson.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <string>

namespace actors {

inline std::string text_of(simdjson::dom::element object, std::string_view field) {
  std::string_view text;
  return object[field].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

/// The first of the fields that is not empty.
inline std::string first_text_of(simdjson::dom::element object,
                                 std::initializer_list<std::string_view> fields) {
  for (const std::string_view field : fields)
    if (auto text = text_of(object, field); !text.empty()) return text;
  return {};
}

inline std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

inline bool on_earth(double lon_deg, double lat_deg) {
  return lon_deg >= -180 && lon_deg <= 180 && lat_deg >= -90 && lat_deg <= 90;
}

/// Whether the service covers the country: houses elsewhere are ignored.
inline bool covered(const std::string& country) {
  return country == "AT" || country == "DE" || country == "CH";
}

}  // namespace actors
