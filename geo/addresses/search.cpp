#include "geo/addresses/search.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "geo/addresses/text.hpp"

namespace geo {
namespace {

constexpr std::size_t kManyFound = 64;     // more need not be looked for
constexpr std::size_t kMostNames = 2'000;  // of towns that are compared with misspelt words
constexpr std::size_t kShortestMisspelt = 4;

/// Calls `visit` with the index of every set bit, the lowest first.
template <class Visit>
void for_each_piece(PieceSet set, const Visit& visit) {
  for (; set; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

PieceSet run_of(const StreetReading& reading) {
  PieceSet set = 0;
  for (std::size_t i = reading.from; i < reading.to; ++i) set |= PieceSet{1} << i;
  return set;
}

/// A house's number that leaves nothing unexplained.
struct PossibleNumber {
  std::string_view text;
  bool assumes_postcode = false;
};

/// The group's house with the number, and of an Austrian or a named door the stairway's or the house's.
class NumberFinder {
 public:
  NumberFinder(const AddressIndex::Group& group, const std::vector<std::string>& doors, bool in_austria)
      : group_(group), doors_(doors), in_austria_(in_austria) {}

  const AddressIndex::Entry* find(std::string_view number) const {
    std::string full(number);
    for (const std::string& door : doors_) full += "/" + door;
    if (const auto* found = exactly(full)) return found;
    // Stairway and door are cut off where words name them, and in Austria after any slash. They are kept
    // where the register has other stairways of the house: then the one asked for is missing.
    const auto stated = number.size();
    for (auto slash = full.rfind('/'); slash != full.npos; slash = full.rfind('/')) {
      if (slash < stated && !in_austria_) break;
      full.resize(slash);
      if (has_stairways(full)) break;
      if (const auto* found = exactly(full)) return found;
    }
    return nullptr;
  }

 private:
  std::vector<AddressIndex::Entry>::const_iterator from(std::string_view number) const {
    const auto value = first_number(number);
    return std::lower_bound(group_.entries.begin(), group_.entries.end(), number,
                            [value](const AddressIndex::Entry& e, std::string_view wanted) {
                              return e.value() != value ? e.value() < value : e.number < wanted;
                            });
  }
  const AddressIndex::Entry* exactly(std::string_view number) const {
    const auto it = from(number);
    return it != group_.entries.end() && it->number == number ? &*it : nullptr;
  }
  bool has_stairways(const std::string& number) const {
    const auto it = from(number + "/");
    return it != group_.entries.end() && it->number.starts_with(number + "/");
  }

  const AddressIndex::Group& group_;
  const std::vector<std::string>& doors_;
  bool in_austria_;
};

}  // namespace

AddressQuestion::AddressQuestion(std::string_view text) {
  AddressPieces cut = address_pieces(text);
  pieces = std::move(cut.all);
  doors = std::move(cut.doors);
  pieces.resize(std::min(pieces.size(), kMostPieces));
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const PieceSet bit = PieceSet{1} << i;
    const AddressPiece& piece = pieces[i];
    if (!piece.needless) needed |= bit;
    if (piece.is_number) numbers |= bit;
    if (like_postcode(piece.text)) postcodes |= bit;
    if (piece.country) countries |= bit;
    if (piece.abbreviated && !piece.is_number) abbreviated |= bit;
  }
}

AddressSearch::AddressSearch(const AddressIndex& index, const AddressQuestion& question)
    : index_(index),
      question_(question),
      towns_(index, question.pieces),
      readings_(streets_named_in(index, question.pieces)),
      names_left_(kMostNames) {}

const AddressIndex::Street& AddressSearch::street(std::uint32_t number) {
  const auto known = streets_.find(number);
  return known != streets_.end() ? known->second
                                 : streets_.emplace(number, index_.street(number)).first->second;
}

void AddressSearch::read_abbreviated_streets() {
  first_to_explain_ = readings_.size();
  const auto abbreviated = streets_abbreviated_in(index_, question_.pieces, question_.looked_at);
  readings_.insert(readings_.end(), abbreviated.begin(), abbreviated.end());
}

void AddressSearch::read_similar_streets() {
  const auto similar = streets_similar_to(index_, question_.pieces, question_.looked_at);
  readings_.insert(readings_.end(), similar.begin(), similar.end());
}

/// The towns of the street that may explain all that stands beside it: those that have every word. Where no
/// word names a town, those that have one of several numbers as their postcode; else any.
std::vector<std::uint32_t> AddressSearch::possible_towns(const StreetReading& reading, PieceSet beside) {
  const std::vector<std::uint32_t>& all = street(reading.street).towns;
  const PieceSet numbers = beside & question_.numbers;
  const PieceSet words = beside & ~question_.numbers & ~question_.countries & ~question_.abbreviated;
  if (!words && std::popcount(numbers) <= 1) return all;
  const auto named = words ? towns_.having_all(words) : towns_.having_any(numbers);
  std::vector<std::uint32_t> possible;
  std::set_intersection(all.begin(), all.end(), named.begin(), named.end(), std::back_inserter(possible));
  return possible;
}

void AddressSearch::explain(std::size_t& groups_left, std::vector<FoundHouse>& found) {
  for (const StreetReading& reading : std::span(readings_).subspan(first_to_explain_)) {
    const auto towns = possible_towns(reading, question_.needed & ~run_of(reading));
    const AddressIndex::Street& in = street(reading.street);
    question_.looked_at += towns.size();
    for (const std::uint32_t town : towns) {
      if (found.size() >= kManyFound) return;
      if (groups_left == 0) return;
      --groups_left;
      const auto place = std::lower_bound(in.towns.begin(), in.towns.end(), town) - in.towns.begin();
      explain_in_town(town, in.first_group + static_cast<std::uint32_t>(place), reading, found);
    }
  }
}

/// Whether the piece may be the town's postcode, which the register does not have.
bool AddressSearch::assumes_postcode(std::uint32_t town, std::size_t piece) const {
  if (index_.has_postcode(town) || !(question_.postcodes >> piece & 1U)) return false;
  const bool german = question_.pieces[piece].text.size() == 5;
  return german ? index_.may_lie_in(town, Country::de)
                : index_.may_lie_in(town, Country::at) || index_.may_lie_in(town, Country::ch);
}

void AddressSearch::explain_in_town(std::uint32_t town, std::uint32_t group, const StreetReading& reading,
                                    std::vector<FoundHouse>& found) {
  const PieceSet run = run_of(reading), beside = question_.needed & ~run;
  const PieceSet explained = towns_.explained_by(town);
  const PieceSet left = beside & ~explained;
  if (left & ~question_.numbers) return;
  // A number in the town's name, as the 9 of "Wien 9", may as well be the house's.
  const PieceSet either = beside & explained & question_.numbers & ~question_.postcodes;
  const bool named =
      (beside & explained & ~question_.numbers & ~question_.countries) || (run & ~explained) == 0;
  std::vector<PossibleNumber> possible;
  const auto try_number = [&](PieceSet others, std::string_view number) {
    const auto other = static_cast<std::size_t>(std::countr_zero(others));
    if (!others)
      possible.push_back({number});
    else if (std::popcount(others) == 1 && named && assumes_postcode(town, other))
      possible.push_back({number, true});
  };
  for (const PieceSet numbers : {left, either})
    for_each_piece(numbers,
                   [&](std::size_t i) { try_number(left & ~(PieceSet{1} << i), question_.pieces[i].text); });
  try_number(left, {});
  if (possible.empty()) return;
  index_.read_group(group, group_);
  const NumberFinder finder(group_, question_.doors, index_.lies_in(town, Country::at));
  for (const PossibleNumber& number : possible)
    if (const auto* entry = finder.find(number.text)) {
      found.push_back({index_.house(group_, *entry, index_.town(town)), number.assumes_postcode});
      return;
    }
}

int AddressSearch::cost_of_words(std::uint32_t town, PieceSet words) {
  int cost = 2 * std::popcount(words);
  for_each_piece(words, [&](std::size_t i) {
    const std::string& word = question_.pieces[i].text;
    if (word.size() < kShortestMisspelt || names_left_ == 0) return;
    --names_left_;
    if (towns_.has_nearly(town, word)) --cost;
  });
  return cost;
}

void AddressSearch::nearly(std::size_t number, std::size_t& towns_left, std::size_t most,
                           std::vector<NearlyFound>& best) {
  towns_.prepare_for_many();
  for (const StreetReading& reading : readings_) {
    const PieceSet beside = question_.needed & ~run_of(reading);
    const AddressIndex::Street& in = street(reading.street);
    for (std::size_t i = 0; i < in.towns.size() && towns_left > 0; ++i, --towns_left) {
      ++question_.looked_at;
      const std::uint32_t town = in.towns[i];
      const PieceSet explained = towns_.explained_by_one_of_many(town);
      const PieceSet left = beside & ~explained;
      const int explicable = index_.has_postcode(town) ? 1 : 2;  // the house number, and any postcode
      const int numbers = std::max(0, std::popcount(left & question_.numbers) - explicable);
      const int cost = cost_of_words(town, left & ~question_.numbers) + 2 * numbers + reading.edits;
      if (!best.empty() && cost > best.front().cost) continue;
      if (!best.empty() && cost < best.front().cost) best.clear();
      const PieceSet either = beside & explained & question_.numbers & ~question_.postcodes;
      if (best.size() < most)
        best.push_back({number, in.first_group + static_cast<std::uint32_t>(i), left | either, cost});
    }
  }
}

}  // namespace geo
