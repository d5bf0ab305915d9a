// geo.admin.ch's SearchServer (swisstopo): the Swiss register of buildings. Its label is the address with the
// place in bold, "Bundesplatz 3 <b>3011 Bern</b>". lat and lon are WGS84; x is the northing and y the
// easting.
#include <boost/algorithm/string/trim.hpp>

#include "actors/geocoding/dialect.hpp"
#include "actors/geocoding/http_get.hpp"
#include "actors/geocoding/json_fields.hpp"

namespace actors {
namespace {

std::string request(const std::string& base_url, const std::string& address) {
  return with_query(
      base_url, {{"searchText", address}, {"type", "locations"}, {"origins", "address"}, {"limit", "10"}});
}

/// "Seftigenstrasse 264 a" -> street and number. The number begins at the last word that begins with a digit.
bool split_number(const std::string& text, geo::House& house) {
  auto space = text.rfind(' ');
  while (space != std::string::npos && !std::isdigit(static_cast<unsigned char>(text[space + 1])))
    space = space == 0 ? std::string::npos : text.rfind(' ', space - 1);
  if (space == std::string::npos) return false;
  house.street = boost::trim_copy(text.substr(0, space));
  house.number = text.substr(space + 1);
  return !house.street.empty();
}

std::optional<geo::House> house(simdjson::dom::element result) {
  simdjson::dom::element attributes;
  double lon = 0, lat = 0;
  if (result["attrs"].get(attributes) != simdjson::SUCCESS ||
      attributes["lon"].get(lon) != simdjson::SUCCESS || attributes["lat"].get(lat) != simdjson::SUCCESS ||
      !on_earth(lon, lat))
    return {};
  if (text_of(attributes, "origin") != "address") return {};
  const std::string label = text_of(attributes, "label");
  const auto bold = label.find("<b>");
  const auto end = label.find("</b>");
  if (bold == std::string::npos || end == std::string::npos || end < bold) return {};
  geo::House house{.country = "CH", .place = {lon, lat}};
  const std::string place = boost::trim_copy(label.substr(bold + 3, end - bold - 3));
  const auto space = place.find(' ');
  if (space == std::string::npos || !split_number(boost::trim_copy(label.substr(0, bold)), house)) return {};
  house.postcode = place.substr(0, space);
  house.town = boost::trim_copy(place.substr(space));
  return house;
}

std::optional<Houses> houses(std::string_view body) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::array results;
  if (parser.parse(body.data(), body.size()).get(root) != simdjson::SUCCESS ||
      root["results"].get(results) != simdjson::SUCCESS)
    return {};
  Houses found;
  for (const simdjson::dom::element result : results)
    if (auto one = house(result)) found.push_back(std::move(*one));
  return found;
}

}  // namespace

const GeocodingDialect kGeoadmin{
    .name = "geoadmin",
    .url = "https://api3.geo.admin.ch/rest/services/api/SearchServer",
    .pace = std::chrono::milliseconds(1500),  // its terms of use allow 40 requests a minute
    .request = request,
    .houses = houses,
    .title = "geo.admin.ch SearchServer",
    .provider = "swisstopo",
    .licence = "Open Government Data Schweiz",
    .attribution = "© swisstopo",
    .licence_url = "https://www.swisstopo.admin.ch/de/nutzungsbedingungen"};

}  // namespace actors
