#include "geo/data/towns.hpp"

#include <algorithm>

namespace geo {

unsigned Towns::countries_of(const House& house) {
  unsigned countries = 0;
  for (const Country country : kCountries)
    if (house.country.empty() ? may_lie_in(country, house.place) : house.country == code_of(country))
      countries |= bit_of(country);
  return countries;
}

std::uint32_t Towns::add(const House& house) {
  const unsigned countries = countries_of(house);
  const std::string key = std::to_string(countries) + "|" + house.postcode + "|" + house.town;
  const auto number = static_cast<std::uint32_t>(towns_.size());
  const auto [it, is_new] = numbers_.try_emplace(key, number);
  if (!is_new) return it->second;
  Town town{house.postcode, {}, countries};
  for (const AddressPiece& piece : address_pieces(house.town).all)
    town.words.emplace_back(plain_word(piece.text));
  std::vector<std::string> words = town.words;
  if (!house.postcode.empty()) words.push_back(house.postcode);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  for (std::string& word : words) by_word_[std::move(word)].push_back(number);
  towns_.push_back(std::move(town));
  return number;
}

Towns::Explained Towns::explain(std::span<const AddressPiece> pieces) const {
  Explained explained;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const AddressPiece& piece = pieces[i];
    const PieceSet bit = PieceSet{1} << i;
    if (piece.country) explained.of_countries[static_cast<std::size_t>(*piece.country)] |= bit;
    // In "Gasse 4020, 4020 Linz" one of the two is the house's number.
    const auto same = [&piece](const AddressPiece& later) {
      return piece.is_number && later.text == piece.text;
    };
    if (std::any_of(pieces.begin() + static_cast<std::ptrdiff_t>(i) + 1, pieces.end(), same)) continue;
    const auto it = by_word_.find(std::string(plain_word(piece.text)));
    if (it == by_word_.end()) continue;
    for (const std::uint32_t town : it->second) explained.by_town[town] |= bit;
  }
  explain_abbreviations(pieces, explained);
  return explained;
}

/// "Freiburg i. Br.": explained by a town that another word names, if a word of its name begins so.
void Towns::explain_abbreviations(std::span<const AddressPiece> pieces, Explained& explained) const {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!pieces[i].abbreviated || pieces[i].is_number) continue;
    for (auto& [town, set] : explained.by_town) {
      const auto& words = towns_[town].words;
      if (std::any_of(words.begin(), words.end(),
                      [&](const std::string& w) { return w.starts_with(pieces[i].text); }))
        set |= PieceSet{1} << i;
    }
  }
}

PieceSet Towns::explained_by(std::uint32_t town, const Explained& explained) const {
  const auto it = explained.by_town.find(town);
  PieceSet set = it == explained.by_town.end() ? 0 : it->second;
  for (const Country country : kCountries)
    if (towns_[town].countries & bit_of(country))
      set |= explained.of_countries[static_cast<std::size_t>(country)];
  return set;
}

}  // namespace geo
