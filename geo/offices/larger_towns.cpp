#include "geo/offices/larger_towns.hpp"

#include <simdjson.h>

#include <algorithm>

#include "geo/offices/embedded_files.hpp"

// Its old place until the branch that moves it is merged.
#if __has_include("geo/addresses/text.hpp")
#include "geo/addresses/text.hpp"
#else
#include "geo/data/address_text.hpp"
#endif

namespace geo::offices {
namespace {

std::string one_form(std::string_view name) {
  std::string form;
  for (const std::string& word : address_words(name)) form += word + " ";
  return form;
}

/// One row of larger_towns.json: country, number, name, longitude, latitude, radius in km.
Town town_of(simdjson::dom::array row) {
  Town town;
  const auto text = [&row](std::size_t at) { return std::string(row.at(at).get_string().value()); };
  town.country = text(0);
  town.key = text(1);
  town.name = text(2);
  town.centre = {row.at(3).get_double().value(), row.at(4).get_double().value()};
  town.radius_km = row.at(5).get_double().value();
  return town;
}

}  // namespace

const std::vector<Town>& towns() {
  static const std::vector<Town> kTowns = [] {
    std::vector<Town> all;
    simdjson::dom::parser parser;
    const simdjson::padded_string text(embedded_file("larger_towns.json"));
    const simdjson::dom::array rows = parser.parse(text).get_array().value();
    for (const simdjson::dom::element row : rows) all.push_back(town_of(row.get_array().value()));
    return all;
  }();
  return kTowns;
}

const Town* find_town(std::string_view name_or_key) {
  const std::string name = one_form(name_or_key);
  if (name.empty()) return nullptr;
  for (const Town& town : towns())
    if (town.key == name_or_key || one_form(town.name) == name) return &town;
  // "Frankfurt", where the table has "Frankfurt am Main" and "Frankfurt (Oder)": the larger one.
  const Town* largest = nullptr;
  for (const Town& town : towns())
    if (one_form(town.name).starts_with(name) && (!largest || town.radius_km > largest->radius_km))
      largest = &town;
  return largest;
}

}  // namespace geo::offices
