#include "geo/address_import/gathered_houses.hpp"

#include <ogr_spatialref.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "geo/addresses/countries.hpp"

namespace geo {
namespace {

constexpr std::size_t kAtOnce = 4096;
constexpr std::size_t kRowsForOneWrong = 100;
constexpr std::size_t kEnoughRows = 10'000;

}  // namespace

bool read_coordinate(std::string_view text, double& value) {
  std::string with_point;
  if (const auto comma = text.find(','); comma != text.npos && text.find('.') == text.npos) {
    with_point = text;
    with_point[comma] = '.';
    text = with_point;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

void GatheredHouses::add(House house, double east, double north, const std::string& crs, std::size_t line) {
  ++rows_;
  auto known = waiting_.find(crs);
  if (known == waiting_.end())
    known = waiting_.emplace(crs, Waiting{transformation_to_wgs84(crs), {}, {}, {}}).first;
  Waiting& waiting = known->second;
  waiting.houses.push_back({std::move(house), line});
  waiting.east.push_back(east);
  waiting.north.push_back(north);
  if (waiting.houses.size() >= kAtOnce) transform(waiting);
}

void GatheredHouses::begin_file(const std::string& path) {
  for (auto& [crs, waiting] : waiting_) transform(waiting);  // their sentences name the file before
  path_ = path;
}

void GatheredHouses::transform(Waiting& waiting) {
  const std::size_t count = waiting.houses.size();
  std::vector<int> good(count, 0);
  if (waiting.to_wgs84 && count > 0)
    waiting.to_wgs84->Transform(static_cast<int>(count), waiting.east.data(), waiting.north.data(), nullptr,
                                nullptr, good.data());
  for (std::size_t i = 0; i < count; ++i) {
    waiting.houses[i].house.place =
        good[i] ? LonLat{waiting.east[i], waiting.north[i]} : LonLat{HUGE_VAL, HUGE_VAL};
    take(waiting.houses[i]);
  }
  waiting.houses.clear();
  waiting.east.clear();
  waiting.north.clear();
}

void GatheredHouses::take(Placed& placed) {
  House& house = placed.house;
  --rows_;  // add_wrong() counts it again
  if (!is_covered(house.place))
    return add_wrong(placed.line, "lies in none of Austria, Germany and Switzerland");
  for (const Country country : kCountries)
    if (house.country == code_of(country) && !may_lie_in(country, house.place))
      return add_wrong(placed.line, "does not lie in its country");
  if (house.street.empty() && house.town.empty())
    return add_wrong(placed.line, "has neither street nor town");
  ++rows_;
  house.postcode = whole_postcode(house);
  index_.add(house);
}

void GatheredHouses::add_wrong(std::size_t line, std::string_view why) {
  ++rows_;
  ++wrong_;
  if (first_wrong_line_ != 0 && (path_ != first_wrong_path_ || line >= first_wrong_line_)) return;
  first_wrong_line_ = line;
  first_wrong_path_ = path_;
  first_wrong_ = path_ + ": line " + std::to_string(line) + " " + std::string(why);
}

bool GatheredHouses::is_hopeless() const { return rows_ >= kEnoughRows && wrong_ > rows_ / 2; }

std::string GatheredHouses::fault() const {
  return first_wrong_ + "; " + std::to_string(wrong_) + " of " + std::to_string(rows_) + " rows are wrong";
}

Result<std::string> GatheredHouses::finish(const char* encoding) {
  for (auto& [crs, waiting] : waiting_) transform(waiting);
  if (wrong_ * kRowsForOneWrong > rows_)
    return fail(FailureKind::invalid_input, fault() +
                                                ", and no more than one in a hundred may be: do the format "
                                                "(--as) and the coordinate reference system fit?");
  if (index_.houses() == 0) return fail(FailureKind::invalid_input, path_ + ": has no houses");
  std::string note = std::to_string(index_.houses()) + " addresses, read as " + encoding;
  for (const auto& [what, count] : left_out_)
    note += "; " + std::to_string(count) + " " + what + " are left out";
  if (wrong_ > 0) note += "; left out: " + fault();
  return note;
}

}  // namespace geo
