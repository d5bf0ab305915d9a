#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <unordered_map>

#include "geo/addresses/bytes.hpp"
#include "geo/addresses/index.hpp"
#include "geo/addresses/pieces.hpp"
#include "geo/addresses/towns.hpp"

namespace geo {
namespace {

/// Numbers texts in the order in which they come. Registers repeat a street and a town for many rows.
class Numbered {
 public:
  /// The text's number, and whether it is new.
  std::pair<std::uint32_t, bool> add(std::string_view text) {
    if (last_ && *last_->text == text) return {last_->number, false};
    const auto [it, is_new] =
        known_.try_emplace(std::string(text), static_cast<std::uint32_t>(known_.size()));
    last_ = Last{&it->first, it->second};
    return {it->second, is_new};
  }
  std::size_t size() const { return known_.size(); }

 private:
  struct Last {
    const std::string* text;
    std::uint32_t number;
  };
  std::unordered_map<std::string, std::uint32_t> known_;
  std::optional<Last> last_;
};

unsigned countries_of(const House& house) {
  unsigned countries = 0;
  for (const Country country : kCountries)
    if (house.country.empty() ? may_lie_in(country, house.place) : house.country == code_of(country))
      countries |= AddressIndex::bit_of(country);
  return countries;
}

constexpr std::size_t kHousesInSpellingPage = 64;

}  // namespace

struct AddressIndexBuilder::Houses {
  struct Row {
    std::uint32_t street, town, number, written_street;
    std::uint64_t spelling;
    IndexPlace place;
  };
  /// A street's name as the register writes it.
  struct WrittenStreet {
    std::string text;
    std::uint32_t street;
  };
  struct Number {
    std::string joined, written;
    std::uint32_t value;
    std::uint32_t rank = 0;  ///< equal for all that are equal once they are joined
  };
  struct Town {
    House names;  ///< postcode, town, country, also_in
    unsigned countries;
    std::uint32_t houses = 0;
  };
  struct Spelling {
    std::uint64_t hash;
    std::uint32_t group, entry;
  };
  struct Street {
    std::uint32_t first_group = 0;
    std::vector<std::uint32_t> towns;
  };

  std::vector<Row> rows;
  Numbered street_texts, street_names, town_texts, number_texts;
  std::vector<WrittenStreet> written_streets;
  std::vector<std::string> names;  // joined, by the street's number
  std::vector<Town> towns;
  std::vector<Number> numbers;
  std::string key;

  void add(const House& house);
  std::uint32_t add_street(const House& house);
  std::uint32_t add_town(const House& house);
  std::uint32_t add_number(const House& house);

  void order_towns_by_size();
  void rank_numbers();
  void sort_by_street();
  void write_groups(const PageSink& sink);
  void write_group(const PageSink& sink, std::uint32_t number, std::span<const Row> houses);
  void write_cells(const PageSink& sink);
  void write_spellings(const PageSink& sink);
  void write_streets(const PageSink& sink);
  void write_trigrams(const PageSink& sink);
  void write_towns(const PageSink& sink);
  void write_summary(const PageSink& sink);

  std::vector<Street> streets;
  std::vector<Spelling> spellings;
  std::string trigrams_by_street;
  ByteWriter trigrams, page;
  AddressIndex::Counts counts;
};

AddressIndexBuilder::AddressIndexBuilder() : houses_(std::make_unique<Houses>()) {}
AddressIndexBuilder::~AddressIndexBuilder() = default;
std::size_t AddressIndexBuilder::houses() const { return houses_->rows.size(); }

bool AddressIndexBuilder::add(const House& house) {
  const auto within = [](double degrees, double most) { return degrees >= -most && degrees <= most; };
  if (!within(house.place.lon_deg, 180) || !within(house.place.lat_deg, 90)) return false;
  houses_->add(house);
  return true;
}

void AddressIndexBuilder::Houses::add(const House& house) {
  const std::uint32_t written = add_street(house);
  rows.push_back({written_streets[written].street, add_town(house), add_number(house), written,
                  index_hash(normal_address_text(spelling_of(house))), IndexPlace::of(house.place)});
}

std::uint32_t AddressIndexBuilder::Houses::add_street(const House& house) {
  key.assign(house.street.empty() ? "\n" : "").append(street_of(house));
  const auto [number, is_new] = street_texts.add(key);
  if (!is_new) return number;
  std::string name = joined_text(address_pieces(street_of(house)).all);
  const auto [street, is_new_name] = street_names.add(name);
  if (is_new_name) names.push_back(std::move(name));
  written_streets.push_back({house.street, street});
  return number;
}

std::uint32_t AddressIndexBuilder::Houses::add_town(const House& house) {
  const unsigned countries = countries_of(house);
  key.assign(1, static_cast<char>('0' + countries)).append(house.country);
  for (const std::string* part : {&house.postcode, &house.town}) (key += '\n') += *part;
  for (const std::string& name : house.also_in) (key += '\n') += name;
  const auto [number, is_new] = town_texts.add(key);
  if (is_new)
    towns.push_back({{{}, {}, house.postcode, house.town, house.country, {}, house.also_in}, countries});
  ++towns[number].houses;
  return number;
}

std::uint32_t AddressIndexBuilder::Houses::add_number(const House& house) {
  const auto [number, is_new] = number_texts.add(house.number);
  if (!is_new) return number;
  std::string joined = joined_number(house.number);
  const std::uint32_t value = first_number(joined);
  numbers.push_back({std::move(joined), house.number, value});
  return number;
}

void AddressIndexBuilder::Houses::order_towns_by_size() {
  std::vector<std::uint32_t> order(towns.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return towns[a].houses > towns[b].houses; });
  std::vector<std::uint32_t> new_number(towns.size());
  std::vector<Town> sorted;
  sorted.reserve(towns.size());
  for (const std::uint32_t old : order) {
    new_number[old] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(std::move(towns[old]));
  }
  towns = std::move(sorted);
  for (Row& row : rows) row.town = new_number[row.town];
}

void AddressIndexBuilder::Houses::rank_numbers() {
  std::vector<Number*> order;
  for (Number& number : numbers) order.push_back(&number);
  const auto key_of = [](const Number* number) { return std::tie(number->value, number->joined); };
  std::sort(order.begin(), order.end(),
            [&](const Number* a, const Number* b) { return key_of(a) < key_of(b); });
  for (std::size_t i = 1; i < order.size(); ++i)
    order[i]->rank = order[i - 1]->rank + (key_of(order[i - 1]) < key_of(order[i]) ? 1 : 0);
}

void AddressIndexBuilder::Houses::sort_by_street() {
  std::vector<std::uint32_t> ranks(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) ranks[i] = numbers[i].rank;
  const auto key_of = [&ranks](const Row& row) {
    return std::tuple(row.street, row.town, ranks[row.number], row.place.lat, row.place.lon, row.number,
                      row.written_street);
  };
  std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    return a.street != b.street ? a.street < b.street : key_of(a) < key_of(b);
  });
}

void AddressIndexBuilder::Houses::write_groups(const PageSink& sink) {
  streets.resize(names.size());
  spellings.reserve(rows.size());
  std::uint32_t group = 0;
  for (auto begin = rows.begin(); begin != rows.end(); ++group) {
    const auto end = std::find_if(begin, rows.end(), [begin](const Row& row) {
      return row.street != begin->street || row.town != begin->town;
    });
    Street& street = streets[begin->street];
    if (street.towns.empty()) street.first_group = group;
    street.towns.push_back(begin->town);
    write_group(sink, group, {begin, end});
    begin = end;
  }
}

void AddressIndexBuilder::Houses::write_group(const PageSink& sink, std::uint32_t number,
                                              std::span<const Row> houses) {
  std::vector<std::uint32_t> written;
  const auto place_of = [&written](std::uint32_t street) {
    return static_cast<std::size_t>(std::find(written.begin(), written.end(), street) - written.begin());
  };
  for (const Row& row : houses)
    if (place_of(row.written_street) == written.size()) written.push_back(row.written_street);
  page.clear();
  page.number(houses.front().street);
  page.number(houses.front().town);
  page.number(written.size());
  for (const std::uint32_t street : written) page.text(written_streets[street].text);
  page.number(houses.size());
  IndexPlace last;
  std::uint32_t entry = 0;
  for (const Row& row : houses) {
    const Number& has = numbers[row.number];
    const bool differs = has.written != has.joined;
    page.number(place_of(row.written_street) << 1U | (differs ? 1 : 0));
    page.text(has.joined);
    if (differs) page.text(has.written);
    page.difference(static_cast<std::int64_t>(row.place.lon - last.lon));
    page.difference(static_cast<std::int64_t>(row.place.lat - last.lat));
    last = row.place;
    spellings.push_back({row.spelling, number, entry++});
  }
  sink(page_id(PageKind::group, number), page.bytes());
}

void AddressIndexBuilder::Houses::write_cells(const PageSink& sink) {
  const auto cell_of = [](const Row& row) {
    return row.place.lat / kCellLat * kCellColumns + row.place.lon / kCellLon;
  };
  std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    const std::uint64_t in_a = cell_of(a), in_b = cell_of(b);
    return in_a != in_b                 ? in_a < in_b
           : a.place.lat != b.place.lat ? a.place.lat < b.place.lat
                                        : a.place.lon < b.place.lon;
  });
  if (!rows.empty()) {
    counts.first_row = rows.front().place.lat / kCellLat;
    counts.last_row = rows.back().place.lat / kCellLat;
  }
  for (auto row = rows.begin(); row != rows.end();) {
    page.clear();
    const std::uint64_t cell = cell_of(*row);
    for (; row != rows.end() && cell_of(*row) == cell; ++row)
      page.fixed(row->place.lon % kCellLon << 18U | row->place.lat % kCellLat, 5);
    sink(page_id(PageKind::cell, cell), page.bytes());
  }
  rows = {};
}

void AddressIndexBuilder::Houses::write_spellings(const PageSink& sink) {
  std::sort(spellings.begin(), spellings.end(), [](const Spelling& a, const Spelling& b) {
    return std::tie(a.hash, a.group, a.entry) < std::tie(b.hash, b.group, b.entry);
  });
  counts.houses = spellings.size();
  const unsigned bits = static_cast<unsigned>(std::bit_width(spellings.size() / kHousesInSpellingPage));
  counts.spelling_bits = bits;
  const auto page_of = [bits](const Spelling& s) { return bits ? s.hash >> (64 - bits) : 0; };
  for (auto spelling = spellings.begin(); spelling != spellings.end();) {
    page.clear();
    const std::uint64_t number = page_of(*spelling);
    for (; spelling != spellings.end() && page_of(*spelling) == number; ++spelling) {
      page.fixed((bits ? spelling->hash << bits : spelling->hash) >> 40U, 3);
      page.fixed(spelling->group, 4);
      page.number(spelling->entry);
    }
    sink(page_id(PageKind::spelling, number), page.bytes());
  }
  spellings = {};
}

namespace {

/// Writes pages that are found by a text's hash: each holds the texts of that hash.
template <class Write>
void write_by_hash(const PageSink& sink, PageKind kind, const std::vector<std::string_view>& texts,
                   const Write& write) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  order.reserve(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) order.emplace_back(index_hash(texts[i]) & kKeyBits, i);
  std::sort(order.begin(), order.end());
  ByteWriter page;
  for (auto text = order.begin(); text != order.end();) {
    page.clear();
    const std::uint64_t hash = text->first;
    for (; text != order.end() && text->first == hash; ++text) {
      page.text(texts[text->second]);
      write(page, text->second);
    }
    sink(page_id(kind, hash), page.bytes());
  }
}

}  // namespace

void AddressIndexBuilder::Houses::write_streets(const PageSink& sink) {
  for (std::uint32_t street = 0; street < names.size(); ++street) {
    counts.longest_name = std::max<std::uint64_t>(counts.longest_name, names[street].size());
    page.clear();
    page.text(names[street]);
    page.number(streets[street].first_group);
    page.ascending(streets[street].towns);
    sink(page_id(PageKind::street, street), page.bytes());
  }
  write_by_hash(sink, PageKind::street_name, {names.begin(), names.end()},
                [](ByteWriter& out, std::size_t street) { out.number(street); });
}

void AddressIndexBuilder::Houses::write_trigrams(const PageSink& sink) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_trigram;
  for (std::uint32_t street = 0; street < names.size(); ++street) {
    const auto has = trigrams_of(names[street]);
    trigrams_by_street += static_cast<char>(std::min<std::size_t>(has.size(), 255));
    for (const std::uint32_t trigram : has) by_trigram[trigram].push_back(street);
  }
  std::uint32_t last = 0;
  for (const auto& [trigram, with] : by_trigram) {
    page.clear();
    page.ascending(with);
    sink(page_id(PageKind::trigram, trigram), page.bytes());
    trigrams.number(trigram - last);
    trigrams.number(with.size());
    last = trigram;
  }
}

void AddressIndexBuilder::Houses::write_towns(const PageSink& sink) {
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> by_word;
  for (std::uint32_t number = 0; number < towns.size(); ++number) {
    const House& names_of = towns[number].names;
    page.clear();
    for (const std::string* text : {&names_of.postcode, &names_of.town, &names_of.country}) page.text(*text);
    for (const std::string& name : names_of.also_in) page.text(name);
    sink(page_id(PageKind::town, number), page.bytes());
    for (const std::string& word : town_words(names_of)) {
      auto& with = by_word[word];
      if (with.empty() || with.back() != number) with.push_back(number);
    }
  }
  std::vector<std::string_view> words;
  std::vector<const std::vector<std::uint32_t>*> lists;
  for (const auto& [word, with] : by_word) {
    words.push_back(word);
    lists.push_back(&with);
  }
  write_by_hash(sink, PageKind::town_word, words,
                [&](ByteWriter& out, std::size_t word) { out.ascending(*lists[word]); });
}

void AddressIndexBuilder::Houses::write_summary(const PageSink& sink) {
  page.clear();
  for (const std::uint64_t count :
       {counts.houses, counts.longest_name, counts.spelling_bits, counts.first_row, counts.last_row})
    page.number(count);
  sink(page_id(PageKind::summary, 0), page.bytes());
  std::string marks;
  for (const Town& town : towns)
    marks +=
        static_cast<char>(town.countries | (town.names.postcode.empty() ? 0 : AddressIndex::kHasPostcode));
  sink(page_id(PageKind::summary, 1), marks);
  sink(page_id(PageKind::summary, 2), trigrams_by_street);
  sink(page_id(PageKind::summary, 3), trigrams.bytes());
}

void AddressIndexBuilder::write(const PageSink& sink) {
  Houses& all = *houses_;
  all.order_towns_by_size();
  all.rank_numbers();
  all.sort_by_street();
  all.write_groups(sink);
  all.write_cells(sink);
  all.write_spellings(sink);
  all.write_streets(sink);
  all.write_trigrams(sink);
  all.write_towns(sink);
  all.write_summary(sink);
}

}  // namespace geo
