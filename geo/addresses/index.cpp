#include "geo/addresses/index.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "geo/addresses/bytes.hpp"
#include "geo/addresses/index_file.hpp"
#include "geo/addresses/pieces.hpp"
#include "geo/addresses/text.hpp"

namespace geo {
namespace {

constexpr double kUnitsADegree = 1e8;  // a degree
constexpr std::int64_t kWest = 18'000'000'000, kSouth = 9'000'000'000;
constexpr double kMostLat = 90, kMostLon = 180;

std::uint64_t unit_of(double degrees, double most, std::int64_t zero) {
  return static_cast<std::uint64_t>(std::llround(std::clamp(degrees, -most, most) * kUnitsADegree) + zero);
}

}  // namespace

std::uint64_t index_hash(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

IndexPlace IndexPlace::of(LonLat place) {
  return {unit_of(place.lon_deg, kMostLon, kWest), unit_of(place.lat_deg, kMostLat, kSouth)};
}
LonLat IndexPlace::place() const {
  return {static_cast<double>(static_cast<std::int64_t>(lon) - kWest) / kUnitsADegree,
          static_cast<double>(static_cast<std::int64_t>(lat) - kSouth) / kUnitsADegree};
}

std::uint32_t first_number(std::string_view number) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  return error == std::errc() ? value : 0;
}

std::string joined_number(const std::string& number) {
  if (all_digits(number)) return number;
  const AddressPieces pieces = address_pieces(number);
  if (pieces.doors.empty() || !pieces.all.front().is_number) return joined_text(pieces.all);
  std::string joined = pieces.all.front().text;
  for (const std::string& door : pieces.doors) (joined += '/') += door;
  return joined;
}

std::vector<std::uint32_t> trigrams_of(std::string_view name) {
  std::vector<std::uint32_t> trigrams;
  if (name.size() < kShortestName) return trigrams;
  append_trigrams(name, trigrams);
  std::sort(trigrams.begin(), trigrams.end());
  trigrams.erase(std::unique(trigrams.begin(), trigrams.end()), trigrams.end());
  return trigrams;
}

Result<AddressIndex> AddressIndex::open(const std::string& path) {
  auto pages = open_address_index(path);
  if (!pages) return tl::make_unexpected(pages.error());
  try {
    return on(std::move(*pages));
  } catch (const DamagedPages& damage) {
    return fail(FailureKind::invalid_input, damage.what());
  }
}

AddressIndex AddressIndex::of(const std::vector<House>& houses) {
  AddressIndexBuilder builder;
  for (const House& house : houses) builder.add(house);
  auto pages = std::make_shared<PagesInMemory>();
  builder.write([&](PageId id, std::string_view bytes) { pages->add(id, bytes); });
  return *on(std::move(pages));
}

Result<AddressIndex> AddressIndex::on(std::shared_ptr<const AddressPages> pages) {
  AddressIndex index;
  index.pages_ = std::move(pages);
  const std::string counts = index.page_that_is_there(PageKind::summary, 0);
  ByteReader reader(counts);
  for (std::uint64_t Counts::*count : {&Counts::houses, &Counts::longest_name, &Counts::spelling_bits,
                                       &Counts::first_row, &Counts::last_row})
    index.counts_.*count = reader.number();
  index.towns_ = index.page_that_is_there(PageKind::summary, 1);
  index.trigrams_by_street_ = index.page_that_is_there(PageKind::summary, 2);
  const std::string trigrams = index.page_that_is_there(PageKind::summary, 3);
  std::uint32_t last = 0;
  for (ByteReader list(trigrams); !list.at_end();) {
    last += list.small();
    index.trigrams_.emplace_back(last, list.small());
  }
  return index;
}

std::string AddressIndex::page(PageKind kind, std::uint64_t key) const {
  std::string bytes;
  if (!pages_->read(page_id(kind, key), bytes)) bytes.clear();
  return bytes;
}

std::string AddressIndex::page_that_is_there(PageKind kind, std::uint64_t key) const {
  std::string bytes;
  if (!pages_->read(page_id(kind, key), bytes)) throw DamagedPages(pages_->name());
  return bytes;
}

std::uint32_t AddressIndex::checked_number(std::uint32_t number, std::size_t all) const {
  if (number >= all) throw DamagedPages(pages_->name());
  return number;
}
void AddressIndex::check_numbers(const std::vector<std::uint32_t>& numbers, std::size_t all) const {
  if (!numbers.empty()) checked_number(*std::max_element(numbers.begin(), numbers.end()), all);
}

std::optional<std::uint32_t> AddressIndex::street_named(std::string_view name) const {
  const std::string bytes = page(PageKind::street_name, index_hash(name) & kKeyBits);
  for (ByteReader reader(bytes); !reader.at_end();) {
    const std::string_view known = reader.text();
    const std::uint32_t street = reader.small();
    if (known == name) return checked_number(street, streets());
  }
  return {};
}

AddressIndex::Street AddressIndex::street(std::uint32_t number) const {
  const std::string bytes = page_that_is_there(PageKind::street, number);
  ByteReader reader(bytes);
  reader.text();
  Street street{reader.small(), {}};
  reader.ascending(street.towns);
  check_numbers(street.towns, towns());
  return street;
}
std::string AddressIndex::street_name(std::uint32_t number) const {
  const std::string bytes = page_that_is_there(PageKind::street, number);
  return std::string(ByteReader(bytes).text());
}

std::uint32_t AddressIndex::streets_with(std::uint32_t trigram) const {
  const auto known =
      std::lower_bound(trigrams_.begin(), trigrams_.end(), std::pair{trigram, std::uint32_t{0}});
  return known != trigrams_.end() && known->first == trigram ? known->second : 0;
}
void AddressIndex::read_streets_with(std::uint32_t trigram, std::vector<std::uint32_t>& streets) const {
  const std::string bytes = page(PageKind::trigram, trigram);
  if (bytes.empty()) return streets.clear();
  ByteReader(bytes).ascending(streets);
  check_numbers(streets, this->streets());
}

AddressIndex::Town AddressIndex::town(std::uint32_t number) const {
  const std::string bytes = page_that_is_there(PageKind::town, number);
  ByteReader reader(bytes);
  Town town;
  for (std::string* text : {&town.postcode, &town.name, &town.country}) *text = reader.text();
  while (!reader.at_end()) town.also.emplace_back(reader.text());
  return town;
}

std::vector<std::uint32_t> AddressIndex::towns_with(std::string_view word) const {
  const std::string bytes = page(PageKind::town_word, index_hash(word) & kKeyBits);
  std::vector<std::uint32_t> towns;
  for (ByteReader reader(bytes); !reader.at_end();) {
    const std::string_view known = reader.text();
    reader.ascending(towns);
    if (known != word) continue;
    check_numbers(towns, this->towns());
    return towns;
  }
  return {};
}

void AddressIndex::read_group(std::uint32_t number, Group& group) const {
  group.streets.clear();
  group.entries.clear();
  if (!pages_->read(page_id(PageKind::group, number), group.bytes)) throw DamagedPages(pages_->name());
  ByteReader reader(group.bytes);
  group.street = checked_number(reader.small(), streets());
  group.town = checked_number(reader.small(), towns());
  group.streets.resize(reader.count());
  for (std::string_view& street : group.streets) street = reader.text();
  group.entries.resize(reader.count());
  IndexPlace last;
  for (Entry& entry : group.entries) {
    const std::uint64_t marks = reader.number();
    entry.number = reader.text();
    entry.written = marks & 1U ? reader.text() : entry.number;
    entry.street = static_cast<std::uint32_t>(marks >> 1U);
    if (entry.street >= group.streets.size()) throw DamagedPages(pages_->name());
    last.lon += static_cast<std::uint64_t>(reader.difference());
    last.lat += static_cast<std::uint64_t>(reader.difference());
    entry.place = last;
  }
}

House AddressIndex::house(const Group& group, const Entry& entry, const Town& town) const {
  return {std::string(group.streets[entry.street]),
          std::string(entry.written),
          town.postcode,
          town.name,
          town.country,
          entry.place.place(),
          town.also};
}

std::vector<AddressIndex::Spelled> AddressIndex::spelled(std::uint64_t hash) const {
  const unsigned bits = static_cast<unsigned>(counts_.spelling_bits);
  const std::string bytes = page(PageKind::spelling, bits ? hash >> (64 - bits) : 0);
  const std::uint64_t rest = (bits ? hash << bits : hash) >> 40U;
  std::vector<Spelled> found;
  for (ByteReader reader(bytes); !reader.at_end();) {
    const std::uint64_t has = reader.fixed(3);
    const Spelled house{static_cast<std::uint32_t>(reader.fixed(4)), reader.small()};
    if (has == rest) found.push_back(house);
    if (has > rest) break;
  }
  return found;
}

void AddressIndex::visit_places(LonLat south_west, LonLat north_east,
                                const std::function<bool(LonLat)>& take) const {
  if (counts_.houses == 0) return;
  const IndexPlace from = IndexPlace::of(south_west), to = IndexPlace::of(north_east);
  const auto holds = [&](IndexPlace p) {
    return p.lon >= from.lon && p.lon <= to.lon && p.lat >= from.lat && p.lat <= to.lat;
  };
  bool goes_on = true;
  const auto take_cell = [&](PageId id, std::string_view bytes) {
    const std::uint64_t cell = id & kKeyBits;
    const IndexPlace corner{cell % kCellColumns * kCellLon, cell / kCellColumns * kCellLat};
    for (ByteReader reader(bytes); goes_on && !reader.at_end();) {
      const std::uint64_t in_cell = reader.fixed(5);
      const IndexPlace place{corner.lon + (in_cell >> 18U), corner.lat + (in_cell & ((1U << 18U) - 1))};
      if (holds(place)) goes_on = take(place.place());
    }
    return goes_on;
  };
  const std::uint64_t first_row = std::max(from.lat / kCellLat, counts_.first_row);
  const std::uint64_t last_row = std::min(to.lat / kCellLat, counts_.last_row);
  for (std::uint64_t row = first_row; row <= last_row && goes_on; ++row)
    pages_->visit(page_id(PageKind::cell, row * kCellColumns + from.lon / kCellLon),
                  page_id(PageKind::cell, row * kCellColumns + to.lon / kCellLon), take_cell);
}

}  // namespace geo
