// AdV's "Hauskoordinaten" (Datenformatbeschreibung HK-DE 5.2) and what the Länder make of it.
#include <array>

#include "geo/address_import/row_format.hpp"
#include "geo/addresses/text.hpp"

namespace geo {
namespace {

/// Where a row has what; past the row's end where the table does not have it.
struct HkColumns {
  static constexpr std::size_t kNone = 1'000;
  std::size_t quality = 2, municipality = 10, district = 12, street = 14, number = 15, addition = 16,
              zone = 17, east = 18, north = 19, postcode = 20, town = 21, town_addition = 22, town_part = 23;
};
constexpr std::size_t kFewestColumns = 20;

constexpr std::array<std::pair<std::size_t HkColumns::*, std::array<const char*, 5>>, 13> kHkNames = {{
    {&HkColumns::quality, {"qua", "qualitaet", "hkqua", "quali"}},
    {&HkColumns::municipality, {"gmd", "gemeinde", "gmdname", "gemeindename"}},
    {&HkColumns::district, {"ott", "ortsteil", "ottname", "ortsteilname"}},
    {&HkColumns::street, {"str", "stn", "strasse", "strname"}},
    {&HkColumns::number, {"hnr", "hausnr", "hausnummer", "hsnr"}},
    {&HkColumns::addition, {"adz", "hnrzus", "zusatz", "hausnummernzusatz"}},
    {&HkColumns::zone, {"zone", "epsg"}},
    {&HkColumns::east, {"ostwert", "east", "ost", "x", "xcoord"}},
    {&HkColumns::north, {"nordwert", "north", "nord", "y", "ycoord"}},
    {&HkColumns::postcode, {"postplz", "plz", "postleitzahl"}},
    {&HkColumns::town, {"postonm", "onm", "ort", "postort"}},
    {&HkColumns::town_addition, {"postonmzus", "onmzus", "zus", "ortzusatz"}},
    {&HkColumns::town_part, {"postott", "postortsteil"}},
}};

/// "Freiburg im Breisgau, Stadt" without what it is.
std::string_view plain_municipality(std::string_view name) { return name.substr(0, name.find(", ")); }

class HkFormat : public RowFormat {
 public:
  explicit HkFormat(std::string crs) : crs_(std::move(crs)) {}

  Result<bool> read_header(const TextTable& table) override {
    columns_ = {};
    if (!column_named(table.first_row, "hnr") && !column_named(table.first_row, "hausnr") &&
        !column_named(table.first_row, "hausnummer")) {
      if (table.first_row.size() >= kFewestColumns) return false;
      return fail(FailureKind::invalid_input,
                  table.path + ": has " + std::to_string(table.first_row.size()) +
                      " columns, and a table of house coordinates has twenty or names them (hnr, str, ...)");
    }
    for (const auto& [member, names] : kHkNames) {
      columns_.*member = HkColumns::kNone;
      for (const char* name : names)
        if (name && columns_.*member == HkColumns::kNone)
          columns_.*member = column_named(table.first_row, name).value_or(HkColumns::kNone);
    }
    for (const auto& [member, name] : {std::pair{&HkColumns::street, "str"},
                                       {&HkColumns::east, "ostwert"},
                                       {&HkColumns::north, "nordwert"}})
      if (columns_.*member == HkColumns::kNone)
        return fail(FailureKind::invalid_input, table.path + ": the column " + name + " is missing");
    return true;
  }

  void read(const TextRow& row, GatheredHouses& houses) override {
    if (row.size() <= std::max(columns_.east, columns_.north))
      return houses.add_wrong(row.line(), "has only " + std::to_string(row.size()) + " columns");
    if (row[columns_.quality] == "C") return houses.leave_out("interpolated houses (quality C)");
    double east = 0, north = 0;
    if (!read_coordinate(row[columns_.east], east) || !read_coordinate(row[columns_.north], north))
      return houses.add_wrong(row.line(), "has no easting and northing that are numbers");
    const std::string* crs = crs_of(row[columns_.zone], east);
    if (!crs) return houses.add_wrong(row.line(), "does not say its zone: state it as hk-de:crs=25832");
    houses.add(house_of(row), east, north, *crs, row.line());
  }

 private:
  /// By the zone's column, the easting's millions, or as stated; takes the zone off the easting.
  const std::string* crs_of(std::string_view zone, double& east) const {
    static const std::string utm32 = "EPSG:25832", utm33 = "EPSG:25833";
    constexpr double kMillion = 1e6;
    const auto prefix = static_cast<int>(east / kMillion);
    if (prefix == 32 || prefix == 33) {
      east -= prefix * kMillion;
      return prefix == 32 ? &utm32 : &utm33;
    }
    if (!crs_.empty()) return &crs_;
    if (zone.find("33") != zone.npos) return &utm33;
    if (zone.find("32") != zone.npos) return &utm32;
    return nullptr;
  }

  /// Saarland has the places' official numbers in the columns of their names.
  static std::string_view name_in(std::string_view cell) {
    return all_digits(cell) ? std::string_view() : cell;
  }

  House house_of(const TextRow& row) const {
    const std::string_view municipality = name_in(row[columns_.municipality]),
                           district = name_in(row[columns_.district]);
    House house{
        std::string(row[columns_.street]),
        whole_number(row[columns_.number], row[columns_.addition]),
        all_digits(row[columns_.postcode]) ? std::string(row[columns_.postcode]) : std::string(),
        std::string(row[columns_.town].empty() ? plain_municipality(municipality) : row[columns_.town]),
        "DE",
        {}};
    for (const std::string_view name : {plain_municipality(municipality), municipality, district,
                                        row[columns_.town_addition], row[columns_.town_part]})
      add_name(house, name);
    if (house.street.empty()) house.street = district;
    return house;
  }

  std::string crs_;
  HkColumns columns_;
};

}  // namespace

std::unique_ptr<RowFormat> hk_de_format(std::string crs) {
  return std::make_unique<HkFormat>(std::move(crs));
}

}  // namespace geo
