#include "geo/address_import/bev.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "geo/address_import/row_format.hpp"

namespace geo {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

/// The columns of one of the tables, by name.
class BevColumns {
 public:
  static Result<BevColumns> of(const TextTable& table, const std::vector<const char*>& names) {
    BevColumns columns;
    for (const char* name : names) {
      const auto at = column_named(table.first_row, name);
      if (!at) return fail(FailureKind::invalid_input, table.path + ": the column " + name + " is missing");
      columns.places_.push_back(*at);
    }
    return columns;
  }
  std::string_view operator()(const TextRow& row, std::size_t column) const { return row[places_[column]]; }

 private:
  std::vector<std::size_t> places_;
};

/// Names by their key.
using NamesByKey = std::unordered_map<std::string, std::string>;

struct BevPlace {
  double east = 0, north = 0;
  int epsg = 0;  ///< 0: no place
};
BevPlace place_in(std::string_view east, std::string_view north, std::string_view epsg) {
  BevPlace place;
  if (read_coordinate(east, place.east) && read_coordinate(north, place.north))
    std::from_chars(epsg.data(), epsg.data() + epsg.size(), place.epsg);
  return place;
}

/// What GEBAEUDE.csv says of an address.
struct BuildingsOfAddress {
  struct Named {
    std::string name;
    BevPlace place;
  };
  std::vector<Named> named;
  BevPlace only;   ///< of the one building
  BevPlace first;  ///< of the first that has one
  std::size_t count = 0;
};

class BevReader {
 public:
  BevReader(std::string place, TextEncoding& encoding, GatheredHouses& houses,
            const std::function<bool(TextProgress)>& go_on)
      : place_(std::move(place)), encoding_(encoding), houses_(houses), go_on_(go_on) {}

  Result<void> read() {
    for (const auto step :
         {&BevReader::read_streets, &BevReader::read_localities, &BevReader::read_municipalities,
          &BevReader::read_buildings, &BevReader::read_addresses})
      if (auto done = (this->*step)(); !done) return done;
    return {};
  }

 private:
  template <class Take>
  Result<void> each_row(const char* table_name, const std::vector<const char*>& columns, const Take& take) {
    const auto table = text_table_in(place_, table_name);
    if (!table) return tl::make_unexpected(table.error());
    const auto places = BevColumns::of(*table, columns);
    if (!places) return tl::make_unexpected(places.error());
    houses_.begin_file(table->path);
    return read_rows(
        *table, encoding_,
        [&](const TextRow& row) {
          if (row.line() > 1) take(row, *places);
        },
        go_on_);
  }

  Result<void> read_streets() {
    return each_row("STRASSE.csv", {"SKZ", "STRASSENNAME", "ZUSTELLORT"},
                    [this](const TextRow& row, const BevColumns& in) {
                      streets_.emplace(in(row, 0), in(row, 1));
                      if (!in(row, 2).empty()) postal_towns_.emplace(in(row, 0), in(row, 2));
                    });
  }
  Result<void> read_localities() {
    return each_row(
        "ORTSCHAFT.csv", {"GKZ", "OKZ", "ORTSNAME"}, [this](const TextRow& row, const BevColumns& in) {
          localities_.emplace(std::string(in(row, 0)) + "/" + std::string(in(row, 1)), in(row, 2));
        });
  }
  Result<void> read_municipalities() {
    return each_row("GEMEINDE.csv", {"GKZ", "GEMEINDENAME"},
                    [this](const TextRow& row, const BevColumns& in) {
                      municipalities_.emplace(in(row, 0), in(row, 1));
                    });
  }
  Result<void> read_buildings() {
    if (!text_table_in(place_, "GEBAEUDE.csv")) return {};
    return each_row("GEBAEUDE.csv", {"ADRCD", "HNR_GEB_ZUSAMMEN", "RW", "HW", "EPSG"},
                    [this](const TextRow& row, const BevColumns& in) {
                      BuildingsOfAddress& all = buildings_[std::string(in(row, 0))];
                      const BevPlace place = place_in(in(row, 2), in(row, 3), in(row, 4));
                      all.only = all.count++ == 0 ? place : BevPlace();
                      if (!all.first.epsg) all.first = place;
                      if (!in(row, 1).empty() && place.epsg)
                        all.named.push_back({std::string(in(row, 1)), place});
                    });
  }

  Result<void> read_addresses() {
    return each_row("ADRESSE.csv",
                    {"ADRCD", "GKZ", "OKZ", "PLZ", "SKZ", "HNR_ADR_ZUSAMMEN", "RW", "HW", "EPSG"},
                    [this](const TextRow& row, const BevColumns& in) { read_address(row, in); });
  }
  void read_address(const TextRow& row, const BevColumns& in) {
    static const BuildingsOfAddress kNoBuildings;
    const BevPlace own = place_in(in(row, 6), in(row, 7), in(row, 8));
    const bool says_no_place = in(row, 6).empty() && in(row, 7).empty();
    if (!own.epsg && !says_no_place)
      return houses_.add_wrong(row.line(), "has no RW, HW and EPSG that are numbers");
    const auto known = buildings_.find(std::string(in(row, 0)));
    const BuildingsOfAddress& buildings = known == buildings_.end() ? kNoBuildings : known->second;
    if (!own.epsg && !buildings.first.epsg) return houses_.leave_out("addresses without a place");
    House house = named(row, in);
    house.number = in(row, 5);
    for (const auto& building : buildings.named) {
      House stairway = house;
      stairway.number = with_building(house.number, building.name);
      if (stairway.number != house.number) add(std::move(stairway), building.place, row.line());
    }
    add(std::move(house),
        buildings.only.epsg ? buildings.only
        : own.epsg          ? own
                            : buildings.first,
        row.line());
  }

  /// Whether a building's name begins with its address's number: "10/2" with "10", but "10" not with "1".
  static bool holds_number(const std::string& building, const std::string& number) {
    if (number.empty() || building == number) return true;
    constexpr std::string_view kBetween = "/- ";
    return building.starts_with(number) && kBetween.find(building[number.size()]) != std::string_view::npos;
  }

  /// "10" and "/2" are "10/2", "10" and "Haus 3" are "10 Haus 3".
  static std::string with_building(const std::string& number, const std::string& building) {
    if (holds_number(building, number)) return building;
    const bool joins = building.front() == '/' || building.front() == '-' || building.front() == '.';
    return number + (joins ? "" : digit(building.front()) ? "/" : " ") + building;
  }

  House named(const TextRow& row, const BevColumns& in) const {
    const std::string street_key(in(row, 4));
    const std::string_view municipality = name(municipalities_, std::string(in(row, 1)));
    const std::string_view locality =
        name(localities_, std::string(in(row, 1)) + "/" + std::string(in(row, 2)));
    House house{std::string(name(streets_, street_key)), {}, std::string(in(row, 3)), {}, "AT", {}};
    for (const std::string_view place : {name(postal_towns_, street_key), municipality, locality})
      name_austrian_place(house, place);
    if (house.street.empty()) house.street = locality.substr(0, locality.find(','));
    return house;
  }
  static std::string_view name(const NamesByKey& names, const std::string& key) {
    const auto known = names.find(key);
    return known == names.end() ? std::string_view() : known->second;
  }

  void add(House house, const BevPlace& place, std::size_t line) {
    if (system_ != place.epsg) {
      system_ = place.epsg;
      crs_ = "EPSG:" + std::to_string(place.epsg);
    }
    houses_.add(std::move(house), place.east, place.north, crs_, line);
  }

  std::string place_;
  TextEncoding& encoding_;
  GatheredHouses& houses_;
  const std::function<bool(TextProgress)>& go_on_;
  NamesByKey streets_, postal_towns_, localities_, municipalities_;
  std::unordered_map<std::string, BuildingsOfAddress> buildings_;
  int system_ = 0;
  std::string crs_;
};

/// "1090" -> 9, the district of Vienna.
std::string district_of_vienna(const std::string& postcode) {
  if (postcode.size() != 4 || postcode[0] != '1' || postcode[3] != '0') return {};
  const int district = (postcode[1] - '0') * 10 + postcode[2] - '0';
  return district >= 1 && district <= 23 ? std::to_string(district) : std::string();
}

}  // namespace

void name_austrian_place(House& house, std::string_view name) {
  const auto comma = std::min(name.find(','), name.size());
  const std::string_view town = name.substr(0, comma);
  if (house.town.empty()) house.town = town;
  add_name(house, town);
  std::string district = house.town == "Wien" ? district_of_vienna(house.postcode) : std::string();
  // "Alsergrund", "06.Bez.:Jakomini"
  std::string_view part = name.substr(std::min(comma + 1, name.size()));
  if (!part.empty() && digit(part.front())) {
    int number = 0;
    std::from_chars(part.data(), part.data() + part.size(), number);
    district = std::to_string(number);
    part = part.substr(std::min(part.find_last_of(".:,") + 1, part.size()));
  }
  add_name(house, part);
  if (!district.empty()) add_name(house, district + ". Bezirk");
}

Result<void> read_bev(const std::string& place, TextEncoding& encoding, GatheredHouses& houses,
                      const std::function<bool(TextProgress)>& go_on) {
  return BevReader(place, encoding, houses, go_on).read();
}

}  // namespace geo
