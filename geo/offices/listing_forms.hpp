// The forms in which offices list their files, each a function from the text (or bytes) to what it says. None
// asks the network, none trusts the text: what is broken is refused with one sentence (invalid_input) that
// begins with the listing's URL; what is no file is left out.
#pragma once
#include <string>
#include <string_view>

#include "geo/offices/listed.hpp"
#include "geo/offices/recipe.hpp"

namespace geo::offices {

/// Links of an HTML page; of JSON any object with a name (and size), of XML any element with one (and size);
/// lines of URLs and days.
Result<Listing> read_link_list(std::string_view text, const std::string& url);
/// GeoJSON features, or the answer of an ArcGIS layer's query.
Result<Listing> read_feature_index(std::string_view text, const std::string& url, const FindRule& rule);
/// A page of STAC items.
Result<Listing> read_stac_items(std::string_view text, const std::string& url, const FindRule& rule);
/// An Atom feed's links, each with the title of its entry.
Result<Listing> read_feed(std::string_view text, const std::string& url);
/// Metalink 4 (RFC 5854).
Result<Listing> read_metalink(std::string_view text, const std::string& url);

/// The files of a folder in the answer to PROPFIND (RFC 4918).
Result<Listing> read_webdav_folder(std::string_view text, const std::string& url);
/// How many features a service has, as the pages in which it sends them: "numberMatched" of a WFS 2.0 (asked
/// with resultType=hits) or of an OGC API, "numberOfFeatures" of a WFS 1.1.
Result<Listing> read_feature_count(std::string_view text, const std::string& url, const FindRule& rule);

/// Where a ZIP's table of contents lies.
struct ZipDirectory {
  std::uint64_t offset = 0, bytes = 0, members = 0;
};
/// By the last bytes of a ZIP (64 KiB and some suffice), also of a ZIP64. `size`: of the whole file.
Result<ZipDirectory> find_zip_directory(std::string_view tail, std::uint64_t size, const std::string& url);
/// The table of contents itself. Members become URLs of the form ZIP#NAME.
Result<Listing> read_zip_directory(std::string_view directory, const std::string& url);

/// A listing of the form that the rule names.
Result<Listing> read_listing(std::string_view text, const std::string& url, const FindRule& rule);

}  // namespace geo::offices
