// Which pieces of an address the towns of a register explain: words of their names, their postcode, their
// country.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geo/addresses/house.hpp"
#include "geo/addresses/index.hpp"
#include "geo/addresses/pieces.hpp"

namespace geo {

/// A set of an address's pieces, one bit each.
using PieceSet = std::uint64_t;
inline constexpr std::size_t kMostPieces = 64;  ///< a text of more is no address

/// The words by which the house's town is found: of all its names, and the postcode. Each once.
std::vector<std::string> town_words(const House& house);

/// What the towns of one register explain of one address.
class TownsNamed {
 public:
  TownsNamed(const AddressIndex& index, std::span<const AddressPiece> pieces);

  /// Towns that have each of the pieces in their names or as their postcode; ascending.
  std::vector<std::uint32_t> having_all(PieceSet pieces) const;
  /// Towns that have one of them; ascending.
  std::vector<std::uint32_t> having_any(PieceSet pieces) const;

  /// With abbreviated words ("Freiburg i. Br.") of a town that another word names, and with the country.
  PieceSet explained_by(std::uint32_t town) const;
  /// The same for many towns: quicker after prepare_for_many(). Abbreviations are told for the towns that
  /// have most of the pieces.
  void prepare_for_many();
  PieceSet explained_by_one_of_many(std::uint32_t town) const { return table_[town] | countries_of(town); }

  /// Whether a word of the town's names is this one but for one edit.
  bool has_nearly(std::uint32_t town, std::string_view word) const;

 private:
  void add_abbreviating(std::string_view word, std::vector<std::uint32_t>& towns) const;
  PieceSet had_by(std::uint32_t town) const;
  PieceSet abbreviated_in(std::uint32_t town) const;
  PieceSet countries_of(std::uint32_t town) const;

  const AddressIndex& index_;
  std::span<const AddressPiece> pieces_;
  std::vector<std::vector<std::uint32_t>> towns_;  // by piece
  PieceSet of_countries_[3] = {};
  PieceSet abbreviated_ = 0;
  std::vector<PieceSet> table_;  // by town
};

}  // namespace geo
