// Names whose capitals do not matter: of files, columns, hosts, checksums.
#pragma once

#include <boost/algorithm/string/case_conv.hpp>
#include <locale>
#include <string>
#include <string_view>

namespace geo {

/// Changes ASCII's letters only, whatever the program's locale: the bytes of UTF-8 stay.
inline std::string lower_case(std::string_view text) {
  return boost::to_lower_copy(std::string(text), std::locale::classic());
}

}  // namespace geo
