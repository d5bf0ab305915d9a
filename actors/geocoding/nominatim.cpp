// Nominatim (OpenStreetMap). Its usage policy asks for at most one request a second for the whole
// application, an identifying User-Agent, and caching (operations.osmfoundation.org/policies/nominatim).
#include <charconv>

#include "actors/geocoding/dialect.hpp"
#include "actors/geocoding/http_get.hpp"
#include "actors/geocoding/json_fields.hpp"

namespace actors {
namespace {

constexpr std::int64_t kHouseRank = 30;

std::string nominatim_request(const std::string& base_url, const std::string& address) {
  return with_query(base_url, {{"q", address},
                               {"format", "jsonv2"},
                               {"addressdetails", "1"},
                               {"countrycodes", "at,de,ch"},
                               {"accept-language", "de"},
                               {"limit", "10"}});
}

/// Nominatim writes coordinates as strings.
std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<geo::House> nominatim_house(simdjson::dom::element place) {
  std::int64_t rank = 0;
  simdjson::dom::element address;
  if (place["place_rank"].get(rank) != simdjson::SUCCESS || rank < kHouseRank) return {};
  if (place["address"].get(address) != simdjson::SUCCESS) return {};
  const auto lon = number_in(text_of(place, "lon"));
  const auto lat = number_in(text_of(place, "lat"));
  geo::House house{// Villages without street names number their houses by village.
                   first_text_of(address, {"road", "pedestrian", "square", "place", "hamlet", "village"}),
                   text_of(address, "house_number"),
                   text_of(address, "postcode"),
                   first_text_of(address, {"city", "town", "village", "municipality", "hamlet"}),
                   upper_case(text_of(address, "country_code")),
                   {}};
  if (!lon || !lat || !on_earth(*lon, *lat)) return {};
  if (house.street.empty() || house.number.empty() || !covered(house.country)) return {};
  house.place = {*lon, *lat};
  return house;
}

std::optional<Houses> nominatim_houses(std::string_view body) {
  simdjson::dom::parser parser;
  simdjson::dom::array places;
  if (parser.parse(body.data(), body.size()).get(places) != simdjson::SUCCESS) return {};
  Houses found;
  for (const simdjson::dom::element place : places)
    if (auto one = nominatim_house(place)) found.push_back(std::move(*one));
  return found;
}

}  // namespace

const GeocodingDialect kNominatim{.name = "nominatim",
                                  .url = "https://nominatim.openstreetmap.org/search",
                                  .pace = std::chrono::seconds(1),
                                  .request = nominatim_request,
                                  .houses = nominatim_houses,
                                  .title = "Nominatim",
                                  .provider = "OpenStreetMap",
                                  .licence = "ODbL 1.0",
                                  .attribution = "© OpenStreetMap-Mitwirkende",
                                  .licence_url = "https://www.openstreetmap.org/copyright"};

}  // namespace actors
