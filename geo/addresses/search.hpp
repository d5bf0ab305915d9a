// An address text put to one register: the houses that explain every piece of it, and the streets in towns
// that explain most.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "geo/addresses/index.hpp"
#include "geo/addresses/pieces.hpp"
#include "geo/addresses/street_names.hpp"
#include "geo/addresses/towns.hpp"

namespace geo {

struct AddressQuestion {
  explicit AddressQuestion(std::string_view text);

  std::vector<AddressPiece> pieces;
  std::vector<std::string> doors;
  PieceSet needed = 0;  ///< without those that say nothing about the house
  PieceSet numbers = 0, postcodes = 0, countries = 0, abbreviated = 0;
  mutable std::size_t looked_at = 0;  ///< what the searches cost
};

/// A house that explains every piece.
struct FoundHouse {
  House house;
  bool assumes_postcode = false;  ///< the register does not say its town's
};

/// A street in a town, as an answer to the question.
struct NearlyFound {
  std::size_t search = 0;  ///< which register's
  std::uint32_t group = 0;
  PieceSet left = 0;  ///< unexplained pieces, and numbers that may be the house's
  int cost = 0;       ///< what it leaves unexplained
};

class AddressSearch {
 public:
  /// Both must outlive it.
  AddressSearch(const AddressIndex& index, const AddressQuestion& question);

  const AddressIndex& index() const { return index_; }
  /// Appends the houses that explain every piece, those of large towns first. It stops when there are many,
  /// or when it has read `groups_left` streets in towns, which then are none.
  void explain(std::size_t& groups_left, std::vector<FoundHouse>& found);
  /// From now on explain() and nearly() know the streets that are abbreviated in the question; explain() asks
  /// these alone, for it is called when those that are written out explain nothing.
  void read_abbreviated_streets();
  void read_similar_streets();
  /// Keeps in `best` the streets in towns that leave the least unexplained: the cheapest of them and those
  /// that were there, no more than `most`. An unexplained word counts as much as two edits,
  /// and as one where the town has it but for one edit.
  void nearly(std::size_t number, std::size_t& towns_left, std::size_t most, std::vector<NearlyFound>& best);

 private:
  const AddressIndex::Street& street(std::uint32_t number);
  std::vector<std::uint32_t> possible_towns(const StreetReading& reading, PieceSet beside);
  int cost_of_words(std::uint32_t town, PieceSet words);
  bool assumes_postcode(std::uint32_t town, std::size_t piece) const;
  void explain_in_town(std::uint32_t town, std::uint32_t group, const StreetReading& reading,
                       std::vector<FoundHouse>& found);

  const AddressIndex& index_;
  const AddressQuestion& question_;
  TownsNamed towns_;
  std::vector<StreetReading> readings_;
  std::size_t first_to_explain_ = 0;                                 // of the readings
  std::unordered_map<std::uint32_t, AddressIndex::Street> streets_;  // that were read
  AddressIndex::Group group_;
  std::size_t names_left_;  // of towns that may still be compared letter by letter
};

}  // namespace geo
