#include "geo/offices/listing_forms.hpp"

namespace geo::offices {

Result<Listing> read_listing(std::string_view text, const std::string& url, const FindRule& rule) {
  switch (rule.method) {
    case FindMethod::listing:
      return read_link_list(text, url);
    case FindMethod::index:
      return read_feature_index(text, url, rule);
    case FindMethod::stac:
      return read_stac_items(text, url, rule);
    case FindMethod::atom:
      return read_feed(text, url);
    case FindMethod::metalink:
      return read_metalink(text, url);
    case FindMethod::zip_members:
      return read_zip_directory(text, url);
    case FindMethod::webdav:
      return read_webdav_folder(text, url);
    case FindMethod::features:
      return read_feature_count(text, url, rule);
    case FindMethod::tile_numbers:
    case FindMethod::file:
      break;
  }
  return fail(FailureKind::internal, url + ": is no listing");
}

}  // namespace geo::offices
