// swisstopo's official directory of building addresses ("amtliches Gebäudeadressverzeichnis"), columns of
// March 2025.
#include <array>

#include "geo/address_import/row_format.hpp"
#include "geo/addresses/text.hpp"

namespace geo {
namespace {

class SwisstopoFormat : public RowFormat {
 public:
  Result<bool> read_header(const TextTable& table) override {
    for (const auto& [name, column] : {std::pair{"STN_LABEL", &street_},
                                       {"ADR_NUMBER", &number_},
                                       {"ZIP_LABEL", &postal_},
                                       {"COM_NAME", &municipality_},
                                       {"COM_CANTON", &canton_},
                                       {"ADR_STATUS", &status_},
                                       {"ADR_EASTING", &east_},
                                       {"ADR_NORTHING", &north_}}) {
      const auto at = column_named(table.first_row, name);
      if (!at) return fail(FailureKind::invalid_input, table.path + ": the column " + name + " is missing");
      *column = *at;
    }
    return true;
  }

  void read(const TextRow& row, GatheredHouses& houses) override {
    if (row.size() <= std::max({east_, north_, status_}))
      return houses.add_wrong(row.line(), "has only " + std::to_string(row.size()) + " columns");
    if (row[status_] != "real") return houses.leave_out("addresses that are not real yet or any more");
    double east = 0, north = 0;
    if (!read_coordinate(row[east_], east) || !read_coordinate(row[north_], north))
      return houses.add_wrong(row.line(), "has no easting and northing that are numbers");
    houses.add(house_of(row), east, north, crs_, row.line());
  }

 private:
  House house_of(const TextRow& row) const {
    // "4052 Basel"
    const std::string_view postal = row[postal_];
    const auto space = std::min(postal.find(' '), postal.size());
    const std::string_view code = postal.substr(0, space);
    const bool has_code = all_digits(code);
    const std::string_view place = has_code ? postal.substr(std::min(space + 1, postal.size())) : postal;
    const std::string_view municipality = row[municipality_];
    House house{std::string(row[street_]),
                std::string(row[number_]),
                has_code ? std::string(code) : std::string(),
                std::string(place.empty() ? municipality : place),
                "CH",
                {}};
    add_name(house, municipality);
    add_name(house, row[canton_]);
    return house;
  }

  std::size_t street_ = 0, number_ = 0, postal_ = 0, municipality_ = 0, canton_ = 0, status_ = 0, east_ = 0,
              north_ = 0;
  std::string crs_ = "EPSG:2056";
};

}  // namespace

std::unique_ptr<RowFormat> swisstopo_format() { return std::make_unique<SwisstopoFormat>(); }

}  // namespace geo
