// What an office's listing says of the files it offers, before anyone has looked at their names.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geo/failure.hpp"
#include "geo/shapes/box.hpp"

namespace geo::offices {

/// Where a file lies in a ZIP at the office.
struct ZipMember {
  std::string name;
  std::uint64_t offset = 0;  ///< of its local header
  std::uint64_t stored = 0;  ///< bytes as they are packed
  std::uint64_t size = 0;    ///< bytes unpacked
  int method = 0;            ///< 0 as it is, 8 deflated
  std::uint32_t crc = 0;
};

/// Which of a service's features a page of them holds.
struct FeaturePage {
  std::uint64_t first = 0;  ///< features before it
  std::uint64_t count = 0;  ///< features on it
  std::uint64_t most = 0;   ///< that are asked for; the last page holds fewer
  std::uint64_t all = 0;    ///< features that the service has
};

struct ListedFile {
  std::string url;           ///< absolute
  std::string title;         ///< what a feed calls it
  std::uint64_t bytes = 0;   ///< 0: not told
  std::string sha256;        ///< hexadecimal; empty: not told
  int date = 0;              ///< YYYYMMDD; month and day may be 00; 0: not told
  std::optional<Box> place;  ///< an index's box, in degrees or in the units of the recipe's system
  std::optional<ZipMember> member;
  std::optional<FeaturePage> page;
};

/// A page of a listing.
struct Listing {
  std::vector<ListedFile> files;
  std::string next;  ///< the following page's URL; empty: this is the last
};

/// More files than any office of a country has on one page: whoever sends more means no good.
inline constexpr std::size_t kMostListed = 1'000'000;

/// A link in a listing as an absolute URL. Empty for what is no http or https address, and for an http
/// address in a listing that came by https.
std::string resolved_url(std::string_view link, std::string_view listing_url);
/// What a URL's file may be called: the last part of its path, and the values of its query, decoded.
std::vector<std::string> names_in_url(std::string_view url);
/// "2020", "2020-04-24", "20200424", "24.04.2020" and what follows them; milliseconds since 1970 as ArcGIS
/// writes them. 0 for anything else.
int date_of(std::string_view text);
/// Hexadecimal digits of a SHA-256, also of a multihash (1220...). Empty for anything else.
std::string sha256_of(std::string_view text);

}  // namespace geo::offices
