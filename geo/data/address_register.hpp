// The embedded geocoder: houses from the catalogue's address data sets, found by whatever spelling. It never
// resolves a typing error silently: a street that is not written as the register has it is only proposed.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geo/data/catalogue.hpp"
#include "geo/failure.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

struct House {
  std::string street, number, postcode, town, country;
  LonLat place;
};

/// "Hauptstraße 5, 4020 Linz"
std::string spelling_of(const House& house);

struct AddressMatch {
  enum class Kind { house, ambiguous, unknown };
  Kind kind = Kind::unknown;
  House house;
  std::vector<std::string> candidates;  ///< spellings that resolve, the likeliest first; at most ten
};

/// Immutable after loading, so any number of threads may ask.
class AddressRegister {
 public:
  /// Reads every address data set: points or the columns lon and lat (WGS84), with strasse, hausnummer, plz,
  /// ort and, where there is one, land. Fails with invalid_input and a sentence that names the file and the
  /// field.
  static Result<AddressRegister> load(const Catalogue& catalogue);
  explicit AddressRegister(std::vector<House> houses);

  AddressMatch find(std::string_view text) const;
  /// The same for a text that names one of the streets, within microseconds. Nothing when it names none:
  /// find() then goes through all streets for similar ones, which takes a while in a country's register.
  std::optional<AddressMatch> look_up(std::string_view text) const;
  /// Houses within `radius_deg` of latitude (longitude widened accordingly) around a place.
  std::vector<LonLat> near(LonLat place, double radius_deg) const;
  std::size_t size() const { return houses_.size(); }

 private:
  /// Its house numbers' words joined, and the houses: by number, then by latitude. A name like "Hauptstraße"
  /// has those of a thousand towns.
  using Street = std::vector<std::pair<std::string, std::size_t>>;

  std::optional<AddressMatch> look_up(const std::vector<std::string>& words) const;
  const Street* on_street(const std::vector<std::string>& words, std::vector<std::string>& rest) const;
  std::vector<std::string> similar(const std::vector<std::string>& words) const;

  std::vector<House> houses_;  // by place's latitude
  std::map<std::string, Street, std::less<>>
      streets_;  // the street's words joined -> its houses, of all towns
};

}  // namespace geo
