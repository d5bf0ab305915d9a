#include "geo/data/address_register.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>
#include <tuple>
#include <unordered_map>

#include "geo/data/address_file.hpp"
#include "geo/data/address_pieces.hpp"
#include "geo/data/address_text.hpp"

namespace geo {
namespace {

constexpr std::size_t kCandidates = 10;
// Limits of one search: the towns that have the named streets, and the streets in towns whose houses are
// proposed.
constexpr std::size_t kMostTowns = 50'000;
constexpr std::size_t kMostTownsAtOnce = 500;  // in look_up(), which keeps nobody waiting
constexpr std::size_t kMostOptions = 1'000;
constexpr double kOneHouse_m = 250;  // entrances of one house are nearer to each other

std::uint32_t first_number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? value : 0;
}

/// The numbers that a house number spans: 12 to 14 of "12-14".
struct Span {
  std::int64_t from = 0, to = 0;
};
Span span_of(std::string_view number) {
  Span span{first_number(number), first_number(number)};
  if (const auto dash = number.find('-'); dash != number.npos)
    span.to = std::max<std::int64_t>(span.from, first_number(number.substr(dash + 1)));
  return span;
}

std::string joined_number(const std::string& text) {
  return all_digits(text) ? text : joined_text(address_pieces(text).all);
}

/// Calls `visit` with the index of every set bit, the lowest first.
template <class Visit>
void for_each_piece(PieceSet set, const Visit& visit) {
  for (; set; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

PieceSet run_of(std::size_t from, std::size_t to) {
  PieceSet set = 0;
  for (std::size_t i = from; i < to; ++i) set |= PieceSet{1} << i;
  return set;
}

}  // namespace

struct AddressRegister::ByTown {
  bool operator()(const Entry& a, const Entry& b) const { return a.town < b.town; }
};

struct AddressRegister::ByNumber {
  bool operator()(const Entry& a, const Entry& b) const {
    return std::tie(a.value, a.number) < std::tie(b.value, b.number);
  }
};

struct AddressRegister::Question {
  std::vector<AddressPiece> pieces;
  std::vector<std::string> doors;
  PieceSet needed = 0, numbers = 0;
  Towns::Explained explained;
  mutable std::size_t looked_at = 0;

  Question(AddressPieces&& cut, const Towns& towns)
      : pieces(std::move(cut.all)), doors(std::move(cut.doors)) {
    pieces.resize(std::min(pieces.size(), kMostPieces));
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (!pieces[i].needless) needed |= PieceSet{1} << i;
      if (pieces[i].is_number) numbers |= PieceSet{1} << i;
    }
    explained = towns.explain(pieces);
  }
  const std::string& text(std::size_t piece) const { return pieces[piece].text; }

  /// What may be the house's number: a piece that neither street nor town explains. Where the register knows
  /// no postcode, one of two such pieces may be the postcode.
  std::vector<std::string_view> possible_numbers(PieceSet left, bool knows_postcode) const {
    std::vector<std::string_view> possible;
    const int count = std::popcount(left);
    if (count == 0) possible.emplace_back();
    if (count == 1 || (count == 2 && !knows_postcode))
      for_each_piece(left, [&](std::size_t i) {
        const PieceSet others = left & ~(PieceSet{1} << i);
        if (!others || like_postcode(text(static_cast<std::size_t>(std::countr_zero(others)))))
          possible.push_back(text(i));
      });
    return possible;
  }
  /// The number whose neighbours are proposed. What looks like a postcode is skipped: it may be a wrong one.
  std::string_view asked_number(PieceSet left) const {
    std::string_view asked;
    for_each_piece(left & numbers, [&](std::size_t i) {
      if (asked.empty() && !like_postcode(text(i))) asked = text(i);
    });
    return asked;
  }
};

struct AddressRegister::Option {
  std::uint32_t town = 0;
  Entries entries;
  PieceSet left = 0;
  int cost = 0;
};

namespace {

/// Visits a street's houses town by town, until `towns_left` is used up.
template <class Street, class ByTown, class Visit>
void for_each_town(const Street& street, const ByTown& by_town, std::size_t& towns_left, const Visit& visit) {
  for (auto it = street.begin(); it != street.end() && towns_left > 0; --towns_left) {
    const auto end = std::upper_bound(it, street.end(), *it, by_town);
    visit(it->town, std::span(it, end));
    it = end;
  }
}

}  // namespace

Result<AddressRegister> AddressRegister::load(const Catalogue& catalogue) {
  std::vector<House> houses;
  std::vector<std::string> notes;
  for (const DataSet& set : catalogue.of(DataKind::addresses)) {
    auto read = read_address_file(set.path);
    if (!read) return tl::make_unexpected(read.error());
    std::move(read->houses.begin(), read->houses.end(), std::back_inserter(houses));
    notes.push_back(std::move(read->note));
  }
  AddressRegister all(std::move(houses));
  all.notes_ = std::move(notes);
  return all;
}

AddressRegister::AddressRegister(std::vector<House> houses) : houses_(std::move(houses)) {
  std::stable_sort(houses_.begin(), houses_.end(),
                   [](const House& a, const House& b) { return a.place.lat_deg < b.place.lat_deg; });
  index_spellings();
  tell_apart_what_is_spelled_alike();
  index_streets();
}

void AddressRegister::index_spellings() {
  spellings_.clear();
  spellings_.reserve(houses_.size());
  for (std::uint32_t i = 0; i < houses_.size(); ++i)
    spellings_.emplace_back(std::hash<std::string>()(normal_address_text(spelling_of(houses_[i]))), i);
  std::sort(spellings_.begin(), spellings_.end());
}

/// A register without postcodes has a "Hauptstraße 5" in each of a town's villages. Only their places tell
/// them apart. So the place becomes a part of the town's name, which clients read and may send again.
void AddressRegister::tell_apart_what_is_spelled_alike() {
  bool changed = false;
  for (auto it = spellings_.begin(); it != spellings_.end();) {
    const auto end = std::find_if(it, spellings_.end(), [it](const auto& s) { return s.first != it->first; });
    std::vector<LonLat> apart;  // one place of each house
    std::vector<std::size_t> which;
    for (auto same = it; same != end; ++same) {
      const LonLat place = houses_[same->second].place;
      const auto known = std::find_if(apart.begin(), apart.end(),
                                      [place](LonLat p) { return metres_between(p, place) < kOneHouse_m; });
      which.push_back(static_cast<std::size_t>(known - apart.begin()));
      if (known == apart.end()) apart.push_back(place);
    }
    for (std::size_t i = 0; apart.size() > 1 && i < which.size(); ++i) {
      House& house = houses_[(it + static_cast<std::ptrdiff_t>(i))->second];
      house.street = street_of(house);
      char where[64];
      std::snprintf(where, sizeof where, " (%.5f, %.5f)", apart[which[i]].lat_deg, apart[which[i]].lon_deg);
      house.town += where;
      changed = true;
    }
    it = end;
  }
  if (changed) index_spellings();
}

void AddressRegister::index_streets() {
  std::unordered_map<std::string_view, std::uint32_t> known;  // most names come many times
  for (std::uint32_t i = 0; i < houses_.size(); ++i) {
    const House& house = houses_[i];
    const auto [it, is_new] = known.try_emplace(street_of(house), 0);
    if (is_new) it->second = names_.add(street_of(house));
    if (it->second >= streets_.size()) streets_.resize(it->second + 1);
    std::string number = joined_number(house.number);
    const std::uint32_t value = first_number(number);
    streets_[it->second].push_back({towns_.add(house), value, i, std::move(number)});
  }
  names_.prepare();
  for (Street& street : streets_)
    std::stable_sort(street.begin(), street.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.town, a.value, a.number) < std::tie(b.town, b.value, b.number);
    });
}

AddressMatch AddressRegister::find(std::string_view text) const {
  if (const auto house = by_own_spelling(text)) return {AddressMatch::Kind::house, houses_[*house], {}};
  const Question question(address_pieces(text), towns_);
  auto readings = names_.named_in(question.pieces);
  if (auto found = match(explaining(question, readings, kMostTowns))) return std::move(*found);
  return propose(question, std::move(readings));
}

std::optional<AddressMatch> AddressRegister::look_up(std::string_view text) const {
  if (const auto house = by_own_spelling(text))
    return AddressMatch{AddressMatch::Kind::house, houses_[*house], {}};
  const Question question(address_pieces(text), towns_);
  auto found = match(explaining(question, names_.named_in(question.pieces), kMostTownsAtOnce));
  return found && found->kind == AddressMatch::Kind::house ? std::move(found) : std::nullopt;
}

/// An address in the register's own words means exactly that house, whatever else could be read in it. So a
/// proposal that is sent again always resolves.
std::optional<std::uint32_t> AddressRegister::by_own_spelling(std::string_view text) const {
  const std::string normal = normal_address_text(text);
  if (normal.empty()) return {};
  const std::uint64_t hash = std::hash<std::string_view>()(normal);
  auto it = std::lower_bound(spellings_.begin(), spellings_.end(), std::pair{hash, std::uint32_t{0}});
  for (; it != spellings_.end() && it->first == hash; ++it) {
    const std::string own = spelling_of(houses_[it->second]);
    if (own == text || normal_address_text(own) == normal) return it->second;
  }
  return {};
}

/// The houses that explain every piece; none when that takes looking at more than `most_towns` towns.
std::vector<std::uint32_t> AddressRegister::explaining(const Question& question,
                                                       std::span<const StreetNames::Reading> readings,
                                                       std::size_t most_towns) const {
  std::vector<std::uint32_t> houses;
  std::size_t towns_left = most_towns;
  for (const auto& reading : readings) {
    const PieceSet beside = question.needed & ~run_of(reading.from, reading.to);
    for_each_town(streets_[reading.street], ByTown(), towns_left, [&](std::uint32_t town, Entries entries) {
      const PieceSet left = beside & ~towns_.explained_by(town, question.explained);
      if (left & ~question.numbers) return;
      if (const Entry* found = entry(question, entries, left)) houses.push_back(found->house);
    });
  }
  question.looked_at += most_towns - towns_left;
  if (towns_left == 0) return {};
  std::sort(houses.begin(), houses.end());
  return houses;
}

/// The house of a street in a town with one of the numbers that are left over.
const AddressRegister::Entry* AddressRegister::entry(const Question& question, Entries in_town,
                                                     std::uint64_t left) const {
  const auto find_number = [in_town](std::string_view number) -> const Entry* {
    const Entry key{0, first_number(number), 0, std::string(number)};
    const auto it = std::lower_bound(in_town.begin(), in_town.end(), key, ByNumber());
    return it != in_town.end() && it->number == number ? &*it : nullptr;
  };
  const auto has_stairways = [in_town](const std::string& number) {
    return std::any_of(in_town.begin(), in_town.end(),
                       [&](const Entry& e) { return e.number.starts_with(number + "/"); });
  };
  const std::uint32_t town = in_town.front().town;
  for (const std::string_view number : question.possible_numbers(left, towns_.has_postcode(town))) {
    std::string full(number);
    for (const std::string& door : question.doors) full += "/" + door;
    if (const Entry* found = find_number(full)) return found;
    // Stairway and door are cut off where words name them, and in Austria after any slash. They are kept
    // where the register has other stairways of the house: then the one asked for is missing.
    const auto stated = number.size();
    for (auto slash = full.rfind('/'); slash != full.npos; slash = full.rfind('/')) {
      if (slash < stated && !towns_.in_austria(town)) break;
      full.resize(slash);
      if (has_stairways(full)) break;
      if (const Entry* found = find_number(full)) return found;
    }
  }
  return nullptr;
}

/// The one house, or all of them to choose from; nothing when there are none.
std::optional<AddressMatch> AddressRegister::match(std::vector<std::uint32_t> houses) const {
  if (houses.empty()) return {};
  // Registers list a house with several entrances more than once: the same spelling is the same house.
  auto candidates = spellings(houses);
  if (candidates.size() == 1) return AddressMatch{AddressMatch::Kind::house, houses_[houses[0]], {}};
  return AddressMatch{AddressMatch::Kind::ambiguous, {}, std::move(candidates)};
}

AddressMatch AddressRegister::propose(const Question& question,
                                      std::vector<StreetNames::Reading> readings) const {
  auto options = best_options(question, readings);
  // A named street that leaves a word unexplained may be the town of a misspelt street.
  if (options.empty() || options.front().cost > 0) {
    const auto similar = names_.similar_to(question.pieces, question.looked_at);
    readings.insert(readings.end(), similar.begin(), similar.end());
    options = best_options(question, readings);
  }
  auto candidates = spellings(nearest(question, options));
  const auto kind = candidates.empty() ? AddressMatch::Kind::unknown : AddressMatch::Kind::ambiguous;
  return {kind, {}, std::move(candidates), question.looked_at};
}

/// The streets in towns that leave the least unexplained. An unexplained word counts as much as two edits.
std::vector<AddressRegister::Option> AddressRegister::best_options(
    const Question& question, std::span<const StreetNames::Reading> readings) const {
  std::vector<Option> best;
  std::size_t towns_left = kMostTowns;
  for (const auto& reading : readings) {
    const PieceSet beside = question.needed & ~run_of(reading.from, reading.to);
    for_each_town(streets_[reading.street], ByTown(), towns_left, [&](std::uint32_t town, Entries entries) {
      const PieceSet left = beside & ~towns_.explained_by(town, question.explained);
      const int explicable = towns_.has_postcode(town) ? 1 : 2;  // the house number, and any postcode
      const int words = std::popcount(left & ~question.numbers);
      const int numbers = std::max(0, std::popcount(left & question.numbers) - explicable);
      const int cost = 2 * (words + numbers) + reading.edits;
      if (!best.empty() && cost > best.front().cost) return;
      if (!best.empty() && cost < best.front().cost) best.clear();
      if (best.size() < kMostOptions) best.push_back({town, entries, left, cost});
    });
  }
  question.looked_at += kMostTowns - towns_left;
  return best;
}

/// The options' houses with the number asked for; where there are none, those with the nearest numbers.
std::vector<std::uint32_t> AddressRegister::nearest(const Question& question,
                                                    std::span<const Option> options) const {
  using Rank = std::tuple<bool, std::int64_t, std::int64_t, std::uint32_t, std::string_view, std::uint32_t>;
  std::vector<Rank> ranks;
  for (const Option& option : options) {
    const std::string_view asked = question.asked_number(option.left);
    const Span span = span_of(asked);
    const auto rank = [&](const Entry& e) {
      const Span has = span_of(e.number);
      const std::int64_t gap = std::max({std::int64_t{0}, has.from - span.to, span.from - has.to});
      if (asked.empty()) return ranks.emplace_back(true, 0, 0, e.value, e.number, e.house);
      return ranks.emplace_back(e.number != asked, gap, std::abs(has.from - span.from), e.value, e.number,
                                e.house);
    };
    const Entries all = option.entries;
    const Entry key{0, static_cast<std::uint32_t>(span.from), 0, std::string(asked)};
    const auto at = std::lower_bound(all.begin(), all.end(), key, ByNumber());
    const auto before = std::min<std::ptrdiff_t>(at - all.begin(), kCandidates);
    const auto behind = std::min<std::ptrdiff_t>(all.end() - at, kCandidates + 1);
    std::for_each(at - before, at + behind, rank);
  }
  question.looked_at += ranks.size();
  std::sort(ranks.begin(), ranks.end());
  if (!ranks.empty() && !std::get<0>(ranks.front()))
    std::erase_if(ranks, [](const Rank& rank) { return std::get<0>(rank); });
  std::vector<std::uint32_t> houses;
  houses.reserve(ranks.size());
  for (const Rank& rank : ranks) houses.push_back(std::get<5>(rank));
  return houses;
}

/// The houses' spellings, each once, at most kCandidates.
std::vector<std::string> AddressRegister::spellings(std::span<const std::uint32_t> houses) const {
  std::vector<std::string> out;
  std::set<std::string> known;
  for (const std::uint32_t i : houses) {
    std::string text = spelling_of(houses_[i]);
    if (known.insert(normal_address_text(text)).second) out.push_back(std::move(text));
    if (out.size() == kCandidates) break;
  }
  return out;
}

bool AddressRegister::any(const std::function<bool(LonLat)>& holds) const {
  return std::any_of(houses_.begin(), houses_.end(), [&](const House& house) { return holds(house.place); });
}

std::vector<LonLat> AddressRegister::near(LonLat place, double radius_deg) const {
  const double lon_radius = radius_deg / std::max(0.1, std::cos(place.lat_deg * std::numbers::pi / 180));
  auto it = std::lower_bound(houses_.begin(), houses_.end(), place.lat_deg - radius_deg,
                             [](const House& h, double lat) { return h.place.lat_deg < lat; });
  std::vector<LonLat> found;
  for (; it != houses_.end() && it->place.lat_deg <= place.lat_deg + radius_deg; ++it)
    if (std::abs(it->place.lon_deg - place.lon_deg) <= lon_radius) found.push_back(it->place);
  return found;
}

}  // namespace geo
