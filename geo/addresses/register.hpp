// The embedded geocoder: houses from address registers, found by whatever spelling. A house
// answers when it alone explains every word of the address: street, number, postcode, town, country, door.
// Where no street is called as the address says, its abbreviations are written out ("Neubaug.").
// What no house explains, a typing error above all, is never resolved silently: the nearest are only
// proposed. Several registers answer as one.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geo/addresses/house.hpp"
#include "geo/addresses/index.hpp"
#include "geo/addresses/pieces.hpp"
#include "geo/failure.hpp"
#include "geo/shapes/box.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

class AddressSearch;
struct AddressQuestion;
struct FoundHouse;
struct NearlyFound;

struct AddressMatch {
  enum class Kind { house, ambiguous, unknown };
  Kind kind = Kind::unknown;
  House house;
  std::vector<std::string> candidates;  ///< spellings that resolve, the likeliest first; at most ten
  std::size_t looked_at = 0;            ///< streets, towns and houses: what the search cost
};

/// Immutable, so any number of threads may ask. An index on disk that is damaged while it is
/// used ends a question with DamagedPages.
class AddressRegister {
 public:
  /// In memory.
  explicit AddressRegister(const std::vector<House>& houses);
  explicit AddressRegister(std::vector<AddressIndex> registers) : registers_(std::move(registers)) {}

  /// The house, or proposals. Its work is bounded whatever the text and however large the register: some
  /// milliseconds.
  AddressMatch find(std::string_view text) const;
  /// The same for a text that means one house, within microseconds; nothing: find() may have proposals, or
  /// read an abbreviation.
  std::optional<AddressMatch> look_up(const AddressText& text) const;
  /// Houses within `radius_deg` of latitude (longitude widened accordingly) around a place, from south to
  /// north.
  std::vector<LonLat> near(LonLat place, double radius_deg) const;
  /// The registers that have such houses: their places in the list given.
  std::vector<std::size_t> registers_near(LonLat place, double radius_deg) const;
  /// Whether `holds` is true for the place of at least one house in the box (longitude, latitude); stops at
  /// the first. `holds` asks the register nothing.
  bool any(const Box& box_deg, const std::function<bool(LonLat)>& holds) const;
  std::size_t size() const;

 private:
  std::vector<House> spelled_like(const AddressText& text) const;
  House told_apart(House house) const;
  std::optional<AddressMatch> by_own_spelling(const AddressText& text) const;
  std::vector<AddressSearch> searches(const AddressQuestion& question) const;
  static std::vector<House> explained(std::vector<AddressSearch>& searches, std::size_t& groups_left);
  std::vector<House> rivals_of(const House& house) const;
  std::optional<AddressMatch> one_of(std::vector<House> houses) const;
  AddressMatch propose(const AddressQuestion& question, std::vector<AddressSearch>& searches) const;
  std::vector<House> nearest(const AddressQuestion& question, const std::vector<AddressSearch>& searches,
                             const std::vector<NearlyFound>& options) const;
  std::vector<std::string> spellings(const std::vector<House>& houses) const;

  std::vector<AddressIndex> registers_;
};

}  // namespace geo
