#include "geo/addresses/towns.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "geo/addresses/text.hpp"

namespace geo {
namespace {

constexpr std::size_t kMostAbbreviating = 300;  // towns whose names are compared with abbreviations

template <class Visit>
void for_each_bit(PieceSet set, const Visit& visit) {
  for (; set; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

void append_words(const std::string& name, std::vector<std::string>& words) {
  for (const AddressPiece& piece : address_pieces(name).all) words.emplace_back(plain_word(piece.text));
}

/// The words that a register itself abbreviates, with their dot: "br." of "Freiburg i. Br."
void append_abbreviations(const std::string& name, std::vector<std::string>& words) {
  for (const AddressPiece& piece : address_pieces(name).all)
    if (piece.abbreviated && !piece.is_number) words.push_back(piece.text + ".");
}

/// What a word may be abbreviated to in a register. A single letter stands for what joins the parts of a
/// name.
std::vector<std::string> abbreviations_of(std::string_view word) {
  static const std::set<std::string_view> joining = {"im",    "in",  "am",  "an",  "auf", "bei",
                                                     "ob",    "der", "den", "dem", "des", "vor",
                                                     "unter", "von", "vom", "zur"};
  constexpr std::size_t kLongest = 5;
  std::vector<std::string> shorter;
  for (std::size_t length = joining.contains(word) ? 1 : 2; length < std::min(word.size(), kLongest + 1);
       ++length)
    shorter.push_back(std::string(word.substr(0, length)) + ".");
  return shorter;
}

}  // namespace

std::vector<std::string> town_words(const House& house) {
  std::vector<std::string> words;
  append_words(house.town, words);
  append_abbreviations(house.town, words);
  for (const std::string& name : house.also_in) {
    append_words(name, words);
    append_abbreviations(name, words);
  }
  if (!house.postcode.empty()) words.push_back(house.postcode);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

TownsNamed::TownsNamed(const AddressIndex& index, std::span<const AddressPiece> pieces)
    : index_(index), pieces_(pieces), towns_(pieces.size()) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const AddressPiece& piece = pieces[i];
    if (piece.country) of_countries_[static_cast<std::size_t>(*piece.country)] |= PieceSet{1} << i;
    if (piece.abbreviated && !piece.is_number) abbreviated_ |= PieceSet{1} << i;
    // In "Gasse 4020, 4020 Linz" one of the two is the house's number.
    const auto same = [&piece](const AddressPiece& later) {
      return piece.is_number && later.text == piece.text;
    };
    if (std::any_of(pieces.begin() + static_cast<std::ptrdiff_t>(i) + 1, pieces.end(), same)) continue;
    towns_[i] = index.towns_with(plain_word(piece.text));
    if (!piece.is_number) add_abbreviating(piece.text, towns_[i]);
  }
}

/// The towns that abbreviate the word in one of their names.
void TownsNamed::add_abbreviating(std::string_view word, std::vector<std::uint32_t>& towns) const {
  const std::size_t had = towns.size();
  for (const std::string& abbreviation : abbreviations_of(word)) {
    const auto more = index_.towns_with(abbreviation);
    towns.insert(towns.end(), more.begin(), more.end());
  }
  if (towns.size() == had) return;
  std::sort(towns.begin(), towns.end());
  towns.erase(std::unique(towns.begin(), towns.end()), towns.end());
}

std::vector<std::uint32_t> TownsNamed::having_all(PieceSet pieces) const {
  std::vector<const std::vector<std::uint32_t>*> lists;
  for_each_bit(pieces, [&](std::size_t i) { lists.push_back(&towns_[i]); });
  if (lists.empty()) return {};
  std::sort(lists.begin(), lists.end(), [](const auto* a, const auto* b) { return a->size() < b->size(); });
  std::vector<std::uint32_t> all = *lists.front(), left;
  for (std::size_t i = 1; i < lists.size() && !all.empty(); ++i) {
    left.clear();
    for (const std::uint32_t town : all)
      if (std::binary_search(lists[i]->begin(), lists[i]->end(), town)) left.push_back(town);
    all.swap(left);
  }
  return all;
}

std::vector<std::uint32_t> TownsNamed::having_any(PieceSet pieces) const {
  std::vector<std::uint32_t> any;
  for_each_bit(pieces, [&](std::size_t i) { any.insert(any.end(), towns_[i].begin(), towns_[i].end()); });
  std::sort(any.begin(), any.end());
  any.erase(std::unique(any.begin(), any.end()), any.end());
  return any;
}

PieceSet TownsNamed::had_by(std::uint32_t town) const {
  PieceSet set = 0;
  for (std::size_t i = 0; i < towns_.size(); ++i)
    if (std::binary_search(towns_[i].begin(), towns_[i].end(), town)) set |= PieceSet{1} << i;
  return set;
}

PieceSet TownsNamed::countries_of(std::uint32_t town) const {
  PieceSet set = 0;
  for (const Country country : kCountries)
    if (index_.may_lie_in(town, country)) set |= of_countries_[static_cast<std::size_t>(country)];
  return set;
}

bool TownsNamed::has_nearly(std::uint32_t town, std::string_view word) const {
  const AddressIndex::Town names = index_.town(town);
  const auto nearly = [&](const std::string& name) {
    const auto words = address_words(name);
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& has) { return edit_distance(has, word, 1) == 1; });
  };
  return nearly(names.name) || std::any_of(names.also.begin(), names.also.end(), nearly);
}

/// The abbreviated pieces with which a word of the town's names begins.
PieceSet TownsNamed::abbreviated_in(std::uint32_t town) const {
  const AddressIndex::Town names = index_.town(town);
  std::vector<std::string> words;
  append_words(names.name, words);
  for (const std::string& name : names.also) append_words(name, words);
  PieceSet set = 0;
  for_each_bit(abbreviated_, [&](std::size_t i) {
    const auto begins = [&](const std::string& word) { return word.starts_with(pieces_[i].text); };
    if (std::any_of(words.begin(), words.end(), begins)) set |= PieceSet{1} << i;
  });
  return set;
}

PieceSet TownsNamed::explained_by(std::uint32_t town) const {
  const PieceSet had = had_by(town);
  const PieceSet abbreviated = had && (abbreviated_ & ~had) ? abbreviated_in(town) : 0;
  return had | abbreviated | countries_of(town);
}

void TownsNamed::prepare_for_many() {
  if (!table_.empty() || index_.towns() == 0) return;
  table_.resize(index_.towns());
  int most = 0;
  for (std::size_t i = 0; i < towns_.size(); ++i)
    for (const std::uint32_t town : towns_[i]) {
      table_[town] |= PieceSet{1} << i;
      most = std::max(most, std::popcount(table_[town]));
    }
  std::size_t left = abbreviated_ && most > 0 ? kMostAbbreviating : 0;
  for (std::uint32_t town = 0; left > 0 && town < table_.size(); ++town)
    if (std::popcount(table_[town]) == most) {
      table_[town] |= abbreviated_in(town);
      --left;
    }
}

}  // namespace geo
