// Names whose capitals do not matter: of files, columns, hosts, checksums.
#pragma once

#include <string>
#include <string_view>

namespace geo {

/// With ASCII's capitals made small. All other bytes stay, so UTF-8 does too.
inline std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

}  // namespace geo
