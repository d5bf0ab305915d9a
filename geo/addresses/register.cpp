#include "geo/addresses/register.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>
#include <tuple>

#include "geo/addresses/pieces.hpp"
#include "geo/addresses/search.hpp"

namespace geo {
namespace {

constexpr std::size_t kCandidates = 10;
// Limits of one search: streets in towns whose houses are read, the towns that are weighed, and the streets
// in towns whose houses are proposed.
constexpr std::size_t kMostGroups = 3'000;
constexpr std::size_t kMostGroupsAtOnce = 100;  // in look_up(), which keeps nobody waiting
constexpr std::size_t kMostTowns = 50'000;
constexpr std::size_t kMostOptions = 300;
constexpr std::size_t kOptionsWithoutNumber = 3 * kCandidates;
constexpr std::size_t kMostAlike = 200;  // houses of one spelling that are told apart
constexpr double kOneHouse_m = 250;      // entrances of one house are nearer to each other

bool southern(const House& a, const House& b) {
  return std::tie(a.place.lat_deg, a.place.lon_deg) < std::tie(b.place.lat_deg, b.place.lon_deg);
}

/// One place of each house among entrances, which come from south to north.
std::vector<LonLat> places_apart(const std::vector<House>& entrances) {
  std::vector<LonLat> apart;
  for (const House& entrance : entrances)
    if (std::none_of(apart.begin(), apart.end(),
                     [&](LonLat place) { return metres_between(place, entrance.place) < kOneHouse_m; }))
      apart.push_back(entrance.place);
  return apart;
}

/// The numbers that a house number spans: 12 to 14 of "12-14".
struct NumberSpan {
  std::int64_t from = 0, to = 0;
};
NumberSpan span_of(std::string_view number) {
  NumberSpan span{first_number(number), first_number(number)};
  if (const auto dash = number.find('-'); dash != number.npos)
    span.to = std::max<std::int64_t>(span.from, first_number(number.substr(dash + 1)));
  return span;
}

/// "Gasse 1, Neustadt (Altdorf)": what told_apart() puts behind a spelling.
struct TextWithPlace {
  std::string_view text;
  std::string_view name;        ///< "Altdorf", or the place as it was written
  std::optional<LonLat> place;  ///< of "(48.00000, 10.00000)"
};
std::optional<LonLat> place_written(std::string_view text) {
  LonLat place;
  const char* const end = text.data() + text.size();
  const auto [comma, wrong_lat] = std::from_chars(text.data(), end, place.lat_deg);
  if (wrong_lat != std::errc() || end - comma < 2 || std::string_view(comma, 2) != ", ") return {};
  const auto [behind, wrong_lon] = std::from_chars(comma + 2, end, place.lon_deg);
  return wrong_lon == std::errc() && behind == end ? std::optional(place) : std::nullopt;
}
std::optional<TextWithPlace> text_with_place(std::string_view text) {
  const auto open = text.rfind(" (");
  if (open == text.npos || !text.ends_with(')')) return {};
  const std::string_view name = text.substr(open + 2, text.size() - open - 3);
  return TextWithPlace{text.substr(0, open), name, place_written(name)};
}

/// The number whose neighbours are proposed. What looks like a postcode is skipped: it may be a wrong one.
std::string_view asked_number(const AddressQuestion& question, PieceSet left) {
  const PieceSet numbers = left & question.numbers & ~question.postcodes;
  return numbers ? std::string_view(question.pieces[static_cast<std::size_t>(std::countr_zero(numbers))].text)
                 : std::string_view();
}

bool is_also_in(const House& house, std::string_view name) {
  return std::find(house.also_in.begin(), house.also_in.end(), name) != house.also_in.end();
}

/// The house with a name of its place that only it has among those of its spelling; where there is none, with
/// the place of its entrances.
House with_place(House house, const std::vector<House>& alike, const std::vector<LonLat>& apart) {
  const auto number_of = [&apart](LonLat place) {
    return std::find_if(apart.begin(), apart.end(),
                        [place](LonLat one) { return metres_between(one, place) < kOneHouse_m; });
  };
  const auto own = number_of(house.place);
  const auto only_here = [&](const std::string& name) {
    return name.find_first_of("()") == name.npos &&
           std::all_of(alike.begin(), alike.end(), [&](const House& other) {
             return is_also_in(other, name) == (number_of(other.place) == own);
           });
  };
  const auto name = std::find_if(house.also_in.begin(), house.also_in.end(), only_here);
  char where[64];
  const LonLat place = own == apart.end() ? house.place : *own;
  std::snprintf(where, sizeof where, "%.5f, %.5f", place.lat_deg, place.lon_deg);
  house.street = street_of(house);
  house.town += " (" + (name == house.also_in.end() ? std::string(where) : *name) + ")";
  return house;
}

/// Whether the spelling's normal form is that of `text`. Clients often send what the register says.
bool has_normal_form_of(const AddressText& text, const std::string& spelling) {
  return spelling == text.sent || normal_address_text(spelling) == text.normal;
}

bool contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

struct BoxAround {
  LonLat south_west, north_east;
  BoxAround(LonLat place, double radius_deg) {
    const double lon_radius = radius_deg / std::max(0.1, std::cos(place.lat_deg * std::numbers::pi / 180));
    south_west = {place.lon_deg - lon_radius, place.lat_deg - radius_deg};
    north_east = {place.lon_deg + lon_radius, place.lat_deg + radius_deg};
  }
};

}  // namespace

AddressRegister::AddressRegister(const std::vector<House>& houses) {
  registers_.push_back(AddressIndex::of(houses));
}

std::size_t AddressRegister::size() const {
  std::size_t houses = 0;
  for (const AddressIndex& part : registers_) houses += part.houses();
  return houses;
}

AddressMatch AddressRegister::find(std::string_view text) const {
  if (auto match = by_own_spelling(AddressText(std::string(text)))) return std::move(*match);
  const AddressQuestion question(text);
  auto asked = searches(question);
  std::size_t groups_left = kMostGroups;
  if (auto match = one_of(explained(asked, groups_left))) return std::move(*match);
  for (AddressSearch& search : asked) search.read_abbreviated_streets();
  if (auto match = one_of(explained(asked, groups_left))) return std::move(*match);
  return propose(question, asked);
}

std::optional<AddressMatch> AddressRegister::look_up(const AddressText& text) const {
  auto match = by_own_spelling(text);
  if (!match) {
    const AddressQuestion question(text.sent);
    auto asked = searches(question);
    std::size_t groups_left = kMostGroupsAtOnce;
    match = one_of(explained(asked, groups_left));
  }
  return match && match->kind == AddressMatch::Kind::house ? std::move(match) : std::nullopt;
}

/// The houses whose spelling has the normal form of this text, from south to north.
std::vector<House> AddressRegister::spelled_like(const AddressText& text) const {
  std::vector<House> alike;
  if (text.normal.empty()) return alike;
  const std::uint64_t hash = index_hash(text.normal);
  AddressIndex::Group group;
  for (const AddressIndex& part : registers_) {
    std::optional<std::uint32_t> read;
    AddressIndex::Town town;
    const AddressIndex::Entry* last = nullptr;  // that is spelled so
    for (const auto& [number, place_in_group] : part.spelled(hash)) {
      if (alike.size() >= kMostAlike) break;
      if (read != number) {
        part.read_group(number, group);
        town = part.town(group.town);
        read = number;
        last = nullptr;
      }
      const AddressIndex::Entry& entry = group.entries.at(place_in_group);
      House house = part.house(group, entry, town);
      const bool same = last && last->written == entry.written && last->street == entry.street;
      if (!same && !has_normal_form_of(text, spelling_of(house))) continue;
      alike.push_back(std::move(house));
      last = &entry;
    }
  }
  std::stable_sort(alike.begin(), alike.end(), southern);
  return alike;
}

/// A register without postcodes has a "Hauptstraße 5" in each of a town's villages, and so have two
/// registers. Only their places tell them apart. So the place becomes a part of the town's name, which
/// clients read and may send again.
House AddressRegister::told_apart(House house) const {
  const auto alike = spelled_like(AddressText(spelling_of(house)));
  const auto apart = places_apart(alike);
  return apart.size() < 2 && rivals_of(house).empty() ? house : with_place(std::move(house), alike, apart);
}

/// Houses that a house without a postcode is taken for: what it is called is also said of them, who have one.
std::vector<House> AddressRegister::rivals_of(const House& house) const {
  if (!house.postcode.empty()) return {};
  const AddressQuestion question(spelling_of(house));
  auto asked = searches(question);
  std::size_t groups_left = kMostGroupsAtOnce;
  auto rivals = explained(asked, groups_left);
  const std::string town = normal_address_text(house.town);
  const auto called_so = [&town](const std::string& name) { return normal_address_text(name) == town; };
  std::erase_if(rivals, [&](const House& other) {
    const bool named =
        called_so(other.town) || std::any_of(other.also_in.begin(), other.also_in.end(), called_so);
    return !named || metres_between(other.place, house.place) < kOneHouse_m;
  });
  return rivals;
}

/// An address in the register's own words means exactly that house, whatever else could be read in it. So a
/// proposal that is sent again always resolves.
std::optional<AddressMatch> AddressRegister::by_own_spelling(const AddressText& text) const {
  if (auto alike = spelled_like(text); !alike.empty()) {
    const auto apart = places_apart(alike);
    auto rivals = rivals_of(alike.front());
    if (apart.size() == 1 && rivals.empty())
      return AddressMatch{AddressMatch::Kind::house, std::move(alike.front()), {}};
    AddressMatch several{AddressMatch::Kind::ambiguous, {}, {}};
    const auto propose_one = [&](const House& house) {
      auto own = spelling_of(house);
      if (several.candidates.size() < kCandidates && !contains(several.candidates, own))
        several.candidates.push_back(std::move(own));
    };
    for (const House& house : alike) propose_one(with_place(house, alike, apart));
    for (House& rival : rivals) propose_one(told_apart(std::move(rival)));
    return several;
  }
  const auto placed = text_with_place(text.sent);
  if (!placed) return {};
  auto alike = spelled_like(AddressText(std::string(placed->text)));
  std::erase_if(alike, [&](const House& house) {
    return placed->place ? metres_between(house.place, *placed->place) >= kOneHouse_m
                         : !is_also_in(house, placed->name);
  });
  if (alike.empty() || places_apart(alike).size() > 1) return {};
  return AddressMatch{AddressMatch::Kind::house, told_apart(std::move(alike.front())), {}};
}

/// The one house, or all of them to choose from; nothing when there are none. The likeliest come first.
std::optional<AddressMatch> AddressRegister::one_of(std::vector<House> houses) const {
  if (houses.empty()) return {};
  const auto likeliest = houses.begin() + static_cast<std::ptrdiff_t>(std::min(kCandidates, houses.size()));
  std::stable_sort(houses.begin(), likeliest, southern);
  auto candidates = spellings(houses);
  // Registers list a house with several entrances more than once: the same spelling is the same house.
  if (candidates.size() == 1) return AddressMatch{AddressMatch::Kind::house, told_apart(houses.front()), {}};
  return AddressMatch{AddressMatch::Kind::ambiguous, {}, std::move(candidates)};
}

std::vector<AddressSearch> AddressRegister::searches(const AddressQuestion& question) const {
  std::vector<AddressSearch> all;
  all.reserve(registers_.size());
  for (const AddressIndex& part : registers_) all.emplace_back(part, question);
  return all;
}

/// The houses that explain every piece; none when finding them would take reading all the `groups_left`
/// streets in towns, and more.
std::vector<House> AddressRegister::explained(std::vector<AddressSearch>& asked, std::size_t& groups_left) {
  std::vector<FoundHouse> found;
  for (AddressSearch& search : asked) search.explain(groups_left, found);
  if (groups_left == 0) return {};
  // A town that has the postcode is meant, not one whose postcode nobody knows.
  const auto sure = [](const FoundHouse& house) { return !house.assumes_postcode; };
  if (std::any_of(found.begin(), found.end(), sure))
    std::erase_if(found, [&](const FoundHouse& house) { return !sure(house); });
  std::vector<House> houses;
  for (FoundHouse& one : found) houses.push_back(std::move(one.house));
  return houses;
}

AddressMatch AddressRegister::propose(const AddressQuestion& question,
                                      std::vector<AddressSearch>& asked) const {
  std::vector<NearlyFound> options;
  const auto weigh = [&] {
    options.clear();
    std::size_t towns_left = kMostTowns;
    for (std::size_t i = 0; i < asked.size(); ++i) asked[i].nearly(i, towns_left, kMostOptions, options);
  };
  weigh();
  // A named street that leaves a word unexplained may be the town of a misspelt street.
  if (options.empty() || options.front().cost > 0) {
    for (AddressSearch& search : asked) search.read_similar_streets();
    weigh();
  }
  auto candidates = spellings(nearest(question, asked, options));
  const auto kind = candidates.empty() ? AddressMatch::Kind::unknown : AddressMatch::Kind::ambiguous;
  return {kind, {}, std::move(candidates), question.looked_at};
}

/// The options' houses with the number asked for; where there are none, those with the nearest numbers.
std::vector<House> AddressRegister::nearest(const AddressQuestion& question,
                                            const std::vector<AddressSearch>& asked,
                                            const std::vector<NearlyFound>& options) const {
  struct Ranked {
    std::tuple<bool, std::int64_t, std::int64_t, std::uint32_t, std::string, std::uint64_t, std::uint64_t>
        rank;
    std::size_t option;
    std::size_t entry;
  };
  std::vector<Ranked> ranks;
  std::size_t exact = 0, without_number = 0;
  AddressIndex::Group group;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string_view number = asked_number(question, options[i].left);
    if (exact >= kCandidates || (number.empty() && ++without_number > kOptionsWithoutNumber)) break;
    asked[options[i].search].index().read_group(options[i].group, group);
    const NumberSpan span = span_of(number);
    const auto before =
        std::lower_bound(group.entries.begin(), group.entries.end(), number,
                         [&](const AddressIndex::Entry& e, std::string_view n) {
                           return e.value() != span.from ? e.value() < span.from : e.number < n;
                         });
    const auto at = static_cast<std::size_t>(before - group.entries.begin());
    const std::size_t first = at - std::min(at, kCandidates);
    const std::size_t last = std::min(group.entries.size(), at + kCandidates + 1);
    question.looked_at += last - first;
    bool has_it = false;
    for (std::size_t e = first; e < last; ++e) {
      const AddressIndex::Entry& entry = group.entries[e];
      const NumberSpan has = span_of(entry.number);
      const std::int64_t gap = std::max({std::int64_t{0}, has.from - span.to, span.from - has.to});
      const bool other = number.empty() || entry.number != number;
      has_it |= !other;
      ranks.push_back({{other, number.empty() ? 0 : gap, number.empty() ? 0 : std::abs(has.from - span.from),
                        entry.value(), std::string(entry.number), entry.place.lat, entry.place.lon},
                       i,
                       e});
    }
    if (has_it) ++exact;
  }
  std::sort(ranks.begin(), ranks.end(), [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
  if (exact > 0) std::erase_if(ranks, [](const Ranked& ranked) { return std::get<0>(ranked.rank); });
  std::vector<House> houses;
  for (const Ranked& ranked : ranks) {
    if (houses.size() >= kOptionsWithoutNumber) break;  // entrances of a house are one candidate
    const NearlyFound& option = options[ranked.option];
    const AddressIndex& part = asked[option.search].index();
    part.read_group(option.group, group);
    houses.push_back(part.house(group, group.entries[ranked.entry], part.town(group.town)));
  }
  return houses;
}

/// The houses' spellings, each once, at most kCandidates.
std::vector<std::string> AddressRegister::spellings(const std::vector<House>& houses) const {
  std::vector<std::string> out;
  std::set<std::string> known;
  for (const House& house : houses) {
    std::string text = spelling_of(told_apart(house));
    if (known.insert(normal_address_text(text)).second) out.push_back(std::move(text));
    if (out.size() == kCandidates) break;
  }
  return out;
}

bool AddressRegister::any(const Box& box_deg, const std::function<bool(LonLat)>& holds) const {
  bool found = false;
  for (const AddressIndex& part : registers_)
    if (!found)
      part.visit_places({box_deg.min_x, box_deg.min_y}, {box_deg.max_x, box_deg.max_y},
                        [&](LonLat place) { return !(found = holds(place)); });
  return found;
}

std::vector<LonLat> AddressRegister::near(LonLat place, double radius_deg) const {
  const BoxAround box(place, radius_deg);
  std::vector<LonLat> found;
  for (const AddressIndex& part : registers_)
    part.visit_places(box.south_west, box.north_east, [&](LonLat house) {
      found.push_back(house);
      return true;
    });
  std::sort(found.begin(), found.end(), [](LonLat a, LonLat b) {
    return std::tie(a.lat_deg, a.lon_deg) < std::tie(b.lat_deg, b.lon_deg);
  });
  return found;
}

std::vector<std::size_t> AddressRegister::registers_near(LonLat place, double radius_deg) const {
  const BoxAround box(place, radius_deg);
  std::vector<std::size_t> near;
  for (std::size_t i = 0; i < registers_.size(); ++i) {
    bool has_one = false;
    registers_[i].visit_places(box.south_west, box.north_east, [&](LonLat) { return !(has_one = true); });
    if (has_one) near.push_back(i);
  }
  return near;
}

}  // namespace geo
