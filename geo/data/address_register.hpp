// The embedded geocoder: houses from the catalogue's address data sets, found by whatever spelling. A house
// answers when it alone explains every word of the address: street, number, postcode, town, country, door.
// What no house explains, a typing error above all, is never resolved silently: the nearest are only
// proposed.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geo/data/catalogue.hpp"
#include "geo/data/house.hpp"
#include "geo/data/street_names.hpp"
#include "geo/data/towns.hpp"
#include "geo/failure.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

struct AddressMatch {
  enum class Kind { house, ambiguous, unknown };
  Kind kind = Kind::unknown;
  House house;
  std::vector<std::string> candidates;  ///< spellings that resolve, the likeliest first; at most ten
  std::size_t looked_at = 0;            ///< streets, towns and houses: what the search cost
};

/// Immutable after loading, so any number of threads may ask.
class AddressRegister {
 public:
  /// Reads every address data set (address_file.hpp).
  static Result<AddressRegister> load(const Catalogue& catalogue);
  explicit AddressRegister(std::vector<House> houses);

  /// The house, or proposals. Its work is bounded whatever the text and however large the register: some
  /// milliseconds.
  AddressMatch find(std::string_view text) const;
  /// The same for a text that means one house, within microseconds; nothing: find() may have proposals.
  std::optional<AddressMatch> look_up(std::string_view text) const;
  /// Houses within `radius_deg` of latitude (longitude widened accordingly) around a place.
  std::vector<LonLat> near(LonLat place, double radius_deg) const;
  /// Whether `holds` is true for the place of at least one house; stops at the first.
  bool any(const std::function<bool(LonLat)>& holds) const;
  std::size_t size() const { return houses_.size(); }
  /// What an operator should know about the data read, one sentence each.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  /// A house on its street.
  struct Entry {
    std::uint32_t town = 0, value = 0;  // value: the number's first digits
    std::uint32_t house = 0;
    std::string number;  // as joined_text() has it
  };
  /// A name like "Hauptstraße" has houses in a thousand towns: sorted by town, then by number.
  using Street = std::vector<Entry>;
  using Entries = std::span<const Entry>;
  struct ByTown;
  struct ByNumber;
  /// An address text, and what each town explains of it.
  struct Question;
  /// One way to read it: the street, and how much it leaves unexplained.
  struct Option;

  void tell_apart_what_is_spelled_alike();
  void index_streets();
  void index_spellings();
  std::optional<std::uint32_t> by_own_spelling(std::string_view text) const;

  std::vector<std::uint32_t> explaining(const Question& question,
                                        std::span<const StreetNames::Reading> readings,
                                        std::size_t most_towns) const;
  const Entry* entry(const Question& question, Entries in_town, std::uint64_t left) const;
  std::optional<AddressMatch> match(std::vector<std::uint32_t> houses) const;
  AddressMatch propose(const Question& question, std::vector<StreetNames::Reading> readings) const;
  std::vector<Option> best_options(const Question& question,
                                   std::span<const StreetNames::Reading> readings) const;
  std::vector<std::uint32_t> nearest(const Question& question, std::span<const Option> options) const;
  std::vector<std::string> spellings(std::span<const std::uint32_t> houses) const;

  std::vector<House> houses_;  // by place's latitude
  Towns towns_;
  StreetNames names_;
  std::vector<Street> streets_;                                     // by the number of their name
  std::vector<std::pair<std::uint64_t, std::uint32_t>> spellings_;  // a spelling's hash, the house; ascending
  std::vector<std::string> notes_;
};

}  // namespace geo
