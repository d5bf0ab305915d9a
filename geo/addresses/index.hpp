// The houses of one register in the order in which addresses ask for them: by street and town, by place, by
// their whole spelling; streets by name and by three letters of it; towns by each word of their names. All of
// it lies in pages, so that a register in memory and one on disk are the same to whoever asks.
//
// A page's number is its kind (the highest byte) and a key. Numbers are varints (LEB128), texts their length
// and their UTF-8 bytes, sorted lists of numbers their length and the differences. Places are units of 1e-8
// degrees from 180 degrees west and 90 degrees south, some millimetre.
//   group       the houses of a street in a town, by number
//   cell        the houses in 0.0025 by 0.004 degrees: their places in it, five bytes each
//   spelling    houses by the highest bits of the hash of normal_address_text(spelling_of(house))
//   street      by its number: name, first group, towns; the groups follow in the order of the towns
//   street_name by the hash of the name: the streets
//   trigram     the streets whose names have the three letters
//   town        by its number: postcode, name, country, other names. The largest towns have the lowest
//   numbers town_word   by the hash of a word or postcode: the towns summary     0 the counts; 1 a byte a
//   town; 2 a byte a street; 3 the trigrams and how many streets have each
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geo/addresses/countries.hpp"
#include "geo/addresses/house.hpp"
#include "geo/addresses/pages.hpp"
#include "geo/failure.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

enum class PageKind : std::uint8_t {
  group = 1,
  cell,
  spelling,
  street,
  street_name,
  trigram,
  town,
  town_word,
  summary
};
constexpr PageId page_id(PageKind kind, std::uint64_t key) {
  return PageId{static_cast<unsigned>(kind)} << 56U | key;
}

/// A text's hash in an index: FNV-1a (Fowler, Noll, Vo 1991). `kKeyBits` of it fit beside a page's kind.
std::uint64_t index_hash(std::string_view text);
inline constexpr std::uint64_t kKeyBits = (std::uint64_t{1} << 56U) - 1;

/// A place in an index's units.
struct IndexPlace {
  std::uint64_t lon = 0, lat = 0;
  static IndexPlace of(LonLat place);  ///< of a place on earth
  LonLat place() const;
};
inline constexpr std::uint64_t kCellLat = 250'000, kCellLon = 400'000, kCellColumns = 100'000;

/// The numbers that a house number begins with: 12 of "12a-14". 0 for none.
std::uint32_t first_number(std::string_view number);
/// A house number as it is compared (joined_text); stairways as Austria writes them: "4 Stiege 2" is "4/2".
std::string joined_number(const std::string& number);
/// The distinct trigrams of a street's name; none when it is too short to be searched by them.
std::vector<std::uint32_t> trigrams_of(std::string_view name);
inline constexpr std::size_t kShortestName = 4;

/// Immutable after opening, so any number of threads may ask. What is read may throw DamagedPages.
class AddressIndex {
 public:
  /// A register that an importer has written. invalid_input when it cannot be used.
  static Result<AddressIndex> open(const std::string& path);
  /// In memory. Houses that are nowhere on earth are left out.
  static AddressIndex of(const std::vector<House>& houses);

  std::size_t houses() const { return counts_.houses; }
  std::size_t streets() const { return trigrams_by_street_.size(); }
  std::size_t towns() const { return towns_.size(); }

  struct Street {
    std::uint32_t first_group = 0;
    std::vector<std::uint32_t> towns;  ///< ascending: the largest first
  };
  std::optional<std::uint32_t> street_named(std::string_view name) const;
  Street street(std::uint32_t street) const;
  std::string street_name(std::uint32_t street) const;  ///< joined
  std::size_t longest_name() const { return counts_.longest_name; }
  /// How many distinct trigrams the street's name has, 255 at most.
  unsigned trigrams_in(std::uint32_t street) const {
    return static_cast<unsigned char>(trigrams_by_street_[street]);
  }
  /// How many streets have the trigram.
  std::uint32_t streets_with(std::uint32_t trigram) const;
  void read_streets_with(std::uint32_t trigram, std::vector<std::uint32_t>& streets) const;

  struct Town {
    std::string postcode, name, country;
    std::vector<std::string> also;
  };
  Town town(std::uint32_t town) const;
  /// Towns that have the word (of address_pieces) in one of their names, or as their postcode; ascending.
  std::vector<std::uint32_t> towns_with(std::string_view word) const;
  bool has_postcode(std::uint32_t town) const { return towns_[town] & kHasPostcode; }
  bool may_lie_in(std::uint32_t town, Country country) const { return towns_[town] & bit_of(country); }
  bool lies_in(std::uint32_t town, Country country) const {
    return (static_cast<unsigned>(towns_[town]) & kCountryBits) == bit_of(country);
  }

  /// A house on its street in its town.
  struct Entry {
    std::string_view number;   ///< joined
    std::string_view written;  ///< as the register writes it
    std::uint32_t value() const { return first_number(number); }
    std::uint32_t street = 0;  ///< of Group::streets
    IndexPlace place;
  };
  struct Group {
    std::uint32_t street = 0, town = 0;
    std::vector<std::string_view> streets;  ///< as the register writes them; empty: the town's name
    std::vector<Entry> entries;             ///< by value, number, and from south to north
    std::string bytes;                      ///< what the views point into
  };
  /// Fills `group` anew; its views hold until the next time.
  void read_group(std::uint32_t number, Group& group) const;
  /// Its spelling and place; what the group does not say comes from the town.
  House house(const Group& group, const Entry& entry, const Town& town) const;

  /// The houses whose spelling has this hash: group and place in it.
  struct Spelled {
    std::uint32_t group = 0, entry = 0;
  };
  std::vector<Spelled> spelled(std::uint64_t hash) const;
  /// Every place in the box, in no certain order, until `take` returns false.
  void visit_places(LonLat south_west, LonLat north_east, const std::function<bool(LonLat)>& take) const;

  static constexpr unsigned bit_of(Country country) { return 1U << static_cast<unsigned>(country); }
  static constexpr unsigned kCountryBits = 7, kHasPostcode = 8;
  /// What summary page 0 holds.
  struct Counts {
    std::uint64_t houses = 0, longest_name = 0, spelling_bits = 0;
    std::uint64_t first_row = 0, last_row = 0;  ///< of cells
  };

 private:
  AddressIndex() = default;
  static Result<AddressIndex> on(std::shared_ptr<const AddressPages> pages);
  std::string page(PageKind kind, std::uint64_t key) const;  ///< empty when there is none
  std::string page_that_is_there(PageKind kind, std::uint64_t key) const;
  // Numbers of towns and streets are looked at where pages give them, so that nobody reads beyond a table.
  std::uint32_t checked_number(std::uint32_t number, std::size_t all) const;
  void check_numbers(const std::vector<std::uint32_t>& numbers, std::size_t all) const;

  std::shared_ptr<const AddressPages> pages_;
  Counts counts_;
  std::string towns_, trigrams_by_street_;  // a byte each
  std::vector<std::pair<std::uint32_t, std::uint32_t>> trigrams_;
};

/// Gathers houses and lays them out. It holds some 50 bytes a house.
class AddressIndexBuilder {
 public:
  AddressIndexBuilder();
  AddressIndexBuilder(const AddressIndexBuilder&) = delete;
  AddressIndexBuilder& operator=(const AddressIndexBuilder&) = delete;
  ~AddressIndexBuilder();

  /// False when its place is nowhere on earth: it is then left out.
  bool add(const House& house);
  std::size_t houses() const;
  /// Once: all pages, ascending.
  void write(const PageSink& sink);

 private:
  struct Houses;
  std::unique_ptr<Houses> houses_;
};

}  // namespace geo
