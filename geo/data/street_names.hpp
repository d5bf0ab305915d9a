// Street names to be found in an address: spelled exactly, or nearly so. Similar names are found by trigrams,
// the rarest first (as PostgreSQL's pg_trgm does it), so that a search costs much the same in a village's
// register and in a country's.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "geo/data/address_pieces.hpp"

namespace geo {

class StreetNames {
 public:
  /// The number of a street's name; equal names share it.
  std::uint32_t add(std::string_view name);
  /// Call it once, after the last add() and before similar_to().
  void prepare();
  std::size_t size() const { return names_.size(); }

  /// The pieces from `from` up to, but not including, `to` name a street.
  struct Reading {
    std::uint32_t street = 0;
    std::size_t from = 0, to = 0;
    int edits = 0;
  };
  std::vector<Reading> named_in(std::span<const AddressPiece> pieces) const;
  /// For each similar street, the reading with the fewest edits; every reading has at least one. A name of
  /// four letters may differ by one, of eight by two, of twelve by three. `looked_at` grows by the work it
  /// took.
  std::vector<Reading> similar_to(std::span<const AddressPiece> pieces, std::size_t& looked_at) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::vector<std::uint32_t> likely(std::span<const AddressPiece> pieces, std::size_t& looked_at) const;

  std::vector<std::string> names_;  // joined, see append_joined()
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_trigram_;  // the streets, ascending
  std::vector<std::uint16_t> trigrams_;                                       // how many each street has
  std::size_t longest_ = 0;
};

}  // namespace geo
