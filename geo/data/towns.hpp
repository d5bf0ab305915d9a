// The towns of an address register, as pairs of postcode and name, and what each of them explains of an
// address.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "geo/data/address_pieces.hpp"
#include "geo/data/house.hpp"

namespace geo {

/// A set of an address's pieces, one bit each.
using PieceSet = std::uint64_t;
inline constexpr std::size_t kMostPieces = 64;  ///< a text of more is no address

class Towns {
 public:
  /// The number of the house's town.
  std::uint32_t add(const House& house);
  std::size_t size() const { return towns_.size(); }
  bool has_postcode(std::uint32_t town) const { return !towns_[town].postcode.empty(); }
  bool in_austria(std::uint32_t town) const { return towns_[town].countries == bit_of(Country::at); }

  /// By town: the pieces that are its postcode or words of its name. By country: the pieces that name it.
  struct Explained {
    std::unordered_map<std::uint32_t, PieceSet> by_town;
    PieceSet of_countries[3] = {};
  };
  Explained explain(std::span<const AddressPiece> pieces) const;
  PieceSet explained_by(std::uint32_t town, const Explained& explained) const;

 private:
  struct Town {
    std::string postcode;
    std::vector<std::string> words;
    unsigned countries =
        0;  // of bit_of(); several when the register does not say and the place is near a border
  };
  static constexpr unsigned bit_of(Country country) { return 1U << static_cast<unsigned>(country); }
  static unsigned countries_of(const House& house);
  void explain_abbreviations(std::span<const AddressPiece> pieces, Explained& explained) const;

  std::vector<Town> towns_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;            // by all that distinguishes them
  std::unordered_map<std::string, std::vector<std::uint32_t>> by_word_;  // a word of the name, or a postcode
};

}  // namespace geo
