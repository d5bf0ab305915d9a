// Any table whose columns the operator names.
#include <algorithm>
#include <array>

#include "geo/address_import/row_format.hpp"
#include "geo/addresses/text.hpp"

namespace geo {
namespace {

using Columns = ColumnMapping::Columns;

std::vector<std::string> parts_of(const std::string& text, char between) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(between, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<Country> country_written(std::string_view text) {
  const auto words = address_words(text);
  if (words.size() != 1) return {};
  return words[0] == "a"   ? Country::at
         : words[0] == "d" ? std::optional(Country::de)
                           : country_named(words[0]);
}

class MappedFormat : public RowFormat {
 public:
  explicit MappedFormat(ColumnMapping mapping) : mapping_(std::move(mapping)) {}

  Result<bool> read_header(const TextTable& table) override {
    for (const auto& [names, places] : {std::pair{&mapping_.street, &street_},
                                        {&mapping_.number, &number_},
                                        {&mapping_.postcode, &postcode_},
                                        {&mapping_.town, &town_},
                                        {&mapping_.also_in, &also_in_},
                                        {&mapping_.country, &country_},
                                        {&mapping_.x, &x_},
                                        {&mapping_.y, &y_}}) {
      places->clear();
      for (const std::string& name : *names) {
        if (is_constant(name)) {
          places->push_back({.constant = name.substr(1, name.size() - 2)});
          continue;
        }
        const auto at = column_named(table.first_row, name);
        if (!at) return fail(FailureKind::invalid_input, missing_column(table.path, table.first_row, name));
        places->push_back({.column = *at});
      }
    }
    return true;
  }

  void read(const TextRow& row, GatheredHouses& houses) override {
    double x = 0, y = 0;
    if (!read_coordinate(x_.front().in(row), x) || !read_coordinate(y_.front().in(row), y))
      return houses.add_wrong(
          row.line(), "has no " + mapping_.x.front() + " and " + mapping_.y.front() + " that are numbers");
    House house{joined(row, street_, " "), number_of(row),        joined(row, postcode_, " "),
                joined(row, town_, " "),   mapping_.country_code, {}};
    for (const Place& place : also_in_) add_name(house, place.in(row));
    if (const std::string country = joined(row, country_, " "); !country.empty()) {
      const auto known = country_written(country);
      if (!known) return houses.add_wrong(row.line(), "has another country than AT, DE and CH");
      house.country = code_of(*known);
    }
    houses.add(std::move(house), x, y, mapping_.crs, row.line());
  }

 private:
  /// Where a row has what is wanted.
  struct Place {
    std::size_t column = 0;
    std::string constant{};
    std::string_view in(const TextRow& row) const { return constant.empty() ? row[column] : constant; }
  };
  using Places = std::vector<Place>;

  static std::string joined(const TextRow& row, const Places& places, const char* between) {
    std::string text;
    for (const Place& place : places) {
      const std::string_view cell = place.in(row);
      if (!text.empty() && !cell.empty()) text += between;
      text += cell;
    }
    return text;
  }
  /// "HNR+ADZ"
  std::string number_of(const TextRow& row) const {
    if (number_.empty()) return {};
    std::string number(number_.front().in(row));
    for (std::size_t i = 1; i < number_.size(); ++i) number = whole_number(number, number_[i].in(row));
    return number;
  }

  ColumnMapping mapping_;
  Places street_, number_, postcode_, town_, also_in_, country_, x_, y_;
};

}  // namespace

Result<ColumnMapping> column_mapping(const std::string& text) {
  if (text.empty())
    return ColumnMapping{{"strasse"}, {"hausnummer"}, {"plz"}, {"ort"}, {}, {"land"}, {"lon"},
                         {"lat"},     "EPSG:4326",    {},      {},      {}, {}};
  ColumnMapping mapping;
  for (const std::string& part : parts_of(text, ',')) {
    const auto equals = part.find('=');
    const std::string key = part.substr(0, equals);
    const std::string value = equals == part.npos ? std::string() : part.substr(equals + 1);
    if (value.empty())
      return fail(FailureKind::invalid_input,
                  "--as=csv:" + text + ": \"" + part + "\" is not of the form what=COLUMN");
    if (key == "crs") {
      mapping.crs = all_digits(value) ? "EPSG:" + value : value;
      continue;
    }
    if (key == "country" && (value == "AT" || value == "DE" || value == "CH")) {
      mapping.country_code = value;
      continue;
    }
    if (key == "layer" || key == "within" || key == "where") {
      (key == "layer" ? mapping.layer : key == "within" ? mapping.within : mapping.where) = value;
      continue;
    }
    Columns* const columns = key == "street"              ? &mapping.street
                             : key == "number"            ? &mapping.number
                             : key == "postcode"          ? &mapping.postcode
                             : key == "town"              ? &mapping.town
                             : key == "also"              ? &mapping.also_in
                             : key == "country"           ? &mapping.country
                             : key == "x" || key == "lon" ? &mapping.x
                             : key == "y" || key == "lat" ? &mapping.y
                                                          : nullptr;
    if (!columns)
      return fail(FailureKind::invalid_input,
                  "--as=csv:" + text + ": \"" + key +
                      "\" is none of street, number, postcode, town, also, country, x, y, crs, lon, lat, "
                      "layer, within, where");
    *columns = parts_of(value, '+');
    if (key == "lon" || key == "lat") mapping.crs = "EPSG:4326";
  }
  if (mapping.street.empty() && mapping.town.empty())
    return fail(FailureKind::invalid_input, "--as=csv:" + text + ": names neither a street nor a town");
  if (mapping.x.size() != mapping.y.size() || mapping.x.size() > 1)
    return fail(FailureKind::invalid_input,
                "--as=csv:" + text + ": names one of x and y, or several of them");
  if (!mapping.crs.empty())
    if (const auto system = coordinate_system(mapping.crs); !system)
      return fail(FailureKind::invalid_input, "--as=csv:" + text + ": crs: " + system.error().text);
  return mapping;
}

std::string missing_column(const std::string& path, const std::vector<std::string>& columns,
                           const std::string& name) {
  std::string has;
  for (const std::string& column : columns) has += (has.empty() ? "" : ", ") + column;
  constexpr std::size_t kEnough = 300;
  if (has.size() > kEnough) has.resize(kEnough);
  return path + ": the column " + name + " is missing; there are " + has;
}

bool is_constant(std::string_view column) {
  return column.size() > 2 && column.front() == '\'' && column.back() == '\'';
}

std::unique_ptr<RowFormat> mapped_format(ColumnMapping mapping) {
  return std::make_unique<MappedFormat>(std::move(mapping));
}

}  // namespace geo
