// What a file's first bytes must look like. A server's error page often comes with status 200.
#pragma once
#include <string>
#include <string_view>

namespace geo {

enum class Content {
  any,
  tiff,     ///< TIFF or BigTIFF, of either byte order
  zip,      ///< PK
  sqlite,   ///< also GeoPackage
  json,     ///< { or [
  xml,      ///< <, but no HTML
  html,     ///< a listing in HTML
  numbers,  ///< lines of numbers, as in XYZ
  text,     ///< anything but HTML: CSV, lists
  jpeg2000,
};

/// So many bytes suffice to tell.
inline constexpr std::size_t kContentBytes = 512;

/// Of the file's first bytes, at least kContentBytes unless the file is shorter.
bool looks_like(Content content, std::string_view first_bytes);

/// "a TIFF file"
std::string name_of(Content content);

}  // namespace geo
