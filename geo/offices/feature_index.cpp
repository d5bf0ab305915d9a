// Indexes with a feature for each file: GeoJSON and what ArcGIS servers answer, and STAC items.
#include <cmath>

#include "geo/offices/feature_collection.hpp"
#include "geo/offices/listing_forms.hpp"

namespace geo::offices {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

/// All numbers in it taken by pairs, whatever the nesting: rings of polygons, parts of them.
void add_positions(element coordinates, Box& box) {
  array list;
  if (coordinates.get(list)) return;
  double x = 0, y = 0;
  if (list.size() >= 2 && !list.at(0).get(x) && !list.at(1).get(y)) {
    if (std::isfinite(x) && std::isfinite(y)) box.add({x, y});
    return;
  }
  for (const element one : list) add_positions(one, box);
}

std::optional<Box> place_of(object feature) {
  Box box;
  element shape;
  if (!feature["geometry"]["coordinates"].get(shape) || !feature["geometry"]["rings"].get(shape))
    add_positions(shape, box);
  if (box.min_x >= box.max_x || box.min_y >= box.max_y) return {};
  return box;
}

int date_in(object properties, const std::string& field) {
  element value;
  std::string_view text;
  std::int64_t number = 0;
  if (field.empty() || properties[field].get(value)) return 0;
  if (!value.get(text)) return date_of(text);
  return value.get(number) ? 0 : date_of(std::to_string(number));
}

std::optional<ListedFile> file_of_feature(object feature, const std::string& url, const FindRule& rule) {
  object properties;
  if (feature["properties"].get(properties) && feature["attributes"].get(properties)) return {};
  std::string_view link;
  ListedFile file;
  if (!rule.url_field.empty()) {
    if (properties[rule.url_field].get(link)) return {};
    file.url = resolved_url(link, url);
    if (file.url.empty()) return {};
  }
  file.date = date_in(properties, rule.date_field);
  file.place = place_of(feature);
  return file;
}

std::string link_called(object root, std::string_view relation, const std::string& url) {
  array links;
  if (root["links"].get(links)) return {};
  for (const element one : links) {
    std::string_view rel, href;
    if (!one["rel"].get(rel) && rel == relation && !one["href"].get(href)) return resolved_url(href, url);
  }
  return {};
}

/// The item's files that end as the rule wants.
void add_assets(object item, const std::string& url, const FindRule& rule, Listing& listing) {
  object assets;
  if (item["assets"].get(assets)) return;
  std::string_view when;
  const int date = item["properties"]["datetime"].get(when) ? 0 : date_of(when);
  for (const auto asset : assets) {
    std::string_view href, sum;
    if (asset.value["href"].get(href)) continue;
    ListedFile file;
    file.url = resolved_url(href, url);
    if (file.url.empty() || !file.url.ends_with(rule.asset)) continue;
    std::uint64_t bytes = 0;
    if (!asset.value["file:size"].get(bytes)) file.bytes = bytes;
    if (!asset.value["checksum:multihash"].get(sum) || !asset.value["file:checksum"].get(sum))
      file.sha256 = sha256_of(sum);
    file.date = date;
    listing.files.push_back(std::move(file));
  }
}

/// Where an ArcGIS layer did not send all: the same query from where it ended.
std::string following_query(object root, const std::string& url, std::size_t sent) {
  bool more = false;
  if ((root["exceededTransferLimit"].get(more) && root["properties"]["exceededTransferLimit"].get(more)) ||
      !more || sent == 0)
    return {};
  constexpr std::string_view kOffset = "resultOffset=";
  const std::size_t at = url.find(kOffset);
  if (at == std::string::npos) return url + "&" + std::string(kOffset) + std::to_string(sent);
  const std::size_t digits = at + kOffset.size();
  const std::size_t end = std::min(url.find('&', digits), url.size());
  const auto before = std::strtoull(url.substr(digits, end - digits).c_str(), nullptr, 10);
  return url.substr(0, digits) + std::to_string(before + sent) + url.substr(end);
}

}  // namespace

Result<Listing> read_feature_index(std::string_view text, const std::string& url, const FindRule& rule) {
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(text);
  object root;
  const auto features = features_in(parser, padded, root, url);
  if (!features) return tl::make_unexpected(features.error());
  Listing listing;
  std::size_t sent = 0;
  for (const element one : *features) {
    object feature;
    ++sent;
    if (one.get(feature)) continue;
    if (auto file = file_of_feature(feature, url, rule)) listing.files.push_back(std::move(*file));
  }
  listing.next = following_query(root, url, sent);
  return listing;
}

Result<Listing> read_stac_items(std::string_view text, const std::string& url, const FindRule& rule) {
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(text);
  object root;
  const auto features = features_in(parser, padded, root, url);
  if (!features) return tl::make_unexpected(features.error());
  Listing listing;
  for (const element one : *features) {
    object item;
    if (!one.get(item)) add_assets(item, url, rule, listing);
  }
  listing.next = link_called(root, "next", url);
  return listing;
}

}  // namespace geo::offices
