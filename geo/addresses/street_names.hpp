// Streets of a register to be found in an address: spelled exactly, or nearly so. Similar names are found by
// trigrams, the rarest first (as PostgreSQL's pg_trgm does it), so that a search costs much the same in a
// village's register and in a country's.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geo/addresses/index.hpp"
#include "geo/addresses/pieces.hpp"

namespace geo {

/// The pieces from `from` up to, but not including, `to` name a street.
struct StreetReading {
  std::uint32_t street = 0;
  std::size_t from = 0, to = 0;
  int edits = 0;
};

std::vector<StreetReading> streets_named_in(const AddressIndex& index, std::span<const AddressPiece> pieces);

/// The streets of which something is abbreviated in the text: "Neubaug.", "Ch. des Fleurs". `looked_at` grows
/// by the names that were tried.
std::vector<StreetReading> streets_abbreviated_in(const AddressIndex& index,
                                                  std::span<const AddressPiece> pieces,
                                                  std::size_t& looked_at);

/// For each similar street, the reading with the fewest edits; every reading has at least one. A name of four
/// letters may differ by one, of eight by two, of twelve by three. `looked_at` grows by the work it took.
std::vector<StreetReading> streets_similar_to(const AddressIndex& index, std::span<const AddressPiece> pieces,
                                              std::size_t& looked_at);

}  // namespace geo
