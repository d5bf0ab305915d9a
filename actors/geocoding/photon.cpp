// Photon (komoot), a geocoder with OpenStreetMap's data that answers in GeoJSON.
#include "actors/geocoding/dialect.hpp"
#include "actors/geocoding/http_get.hpp"
#include "actors/geocoding/json_fields.hpp"

namespace actors {
namespace {

std::string photon_request(const std::string& base_url, const std::string& address) {
  return with_query(base_url, {{"q", address}, {"lang", "de"}, {"limit", "10"}});
}

std::optional<geo::House> photon_house(simdjson::dom::element feature) {
  simdjson::dom::element properties;
  simdjson::dom::array coordinates;
  if (feature["properties"].get(properties) != simdjson::SUCCESS ||
      feature["geometry"]["coordinates"].get(coordinates) != simdjson::SUCCESS)
    return {};
  double lon = 0, lat = 0;
  if (coordinates.at(0).get(lon) != simdjson::SUCCESS || coordinates.at(1).get(lat) != simdjson::SUCCESS ||
      !on_earth(lon, lat))
    return {};
  geo::House house{first_text_of(properties, {"street", "locality", "district"}),
                   text_of(properties, "housenumber"),
                   text_of(properties, "postcode"),
                   first_text_of(properties, {"city", "town", "village"}),
                   upper_case(text_of(properties, "countrycode")),
                   {lon, lat}};
  if (house.street.empty() || house.number.empty() || !covered(house.country)) return {};
  return house;
}

std::optional<Houses> photon_houses(std::string_view body) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::array features;
  if (parser.parse(body.data(), body.size()).get(root) != simdjson::SUCCESS ||
      root["features"].get(features) != simdjson::SUCCESS)
    return {};
  Houses found;
  for (const simdjson::dom::element feature : features)
    if (auto one = photon_house(feature)) found.push_back(std::move(*one));
  return found;
}

}  // namespace

const GeocodingDialect kPhoton{.name = "photon",
                               .url = "https://photon.komoot.io/api",
                               .pace = std::chrono::seconds(1),
                               .request = photon_request,
                               .houses = photon_houses,
                               .title = "Photon",
                               .provider = "OpenStreetMap",
                               .licence = "ODbL 1.0",
                               .attribution = "© OpenStreetMap-Mitwirkende",
                               .licence_url = "https://www.openstreetmap.org/copyright"};

}  // namespace actors
