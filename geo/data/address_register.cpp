#include "geo/data/address_register.hpp"

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>

#include "geo/data/address_text.hpp"

namespace geo {
namespace {

constexpr std::size_t kCandidates = 10;

/// Words without the spaces between them.
class Joined {
 public:
  explicit Joined(const std::vector<std::string>& words) : starts_{0} {
    starts_.reserve(words.size() + 1);
    for (const std::string& word : words) starts_.push_back((text_ += word).size());
  }
  /// Those from one word up to, but without, another; as long as this lives.
  std::string_view run(std::size_t from, std::size_t to) const {
    return std::string_view(text_).substr(starts_[from], starts_[to] - starts_[from]);
  }

 private:
  std::string text_;
  std::vector<std::size_t> starts_;
};

/// A street's name or a house number as one word.
std::string one_word(std::string_view text) {
  std::string one;
  for (const std::string& word : address_words(text)) one += word;
  return one;
}

struct ByNumber {
  bool operator()(const auto& a, const auto& b) const { return number(a) < number(b); }
  static std::string_view number(const std::pair<std::string, std::size_t>& house) { return house.first; }
  static std::string_view number(std::string_view text) { return text; }
};

bool starts_with_digit(const std::string& word) { return !word.empty() && word[0] >= '0' && word[0] <= '9'; }

/// What a request says beside the street: "12 a, 4020 linz" is number 12a, postcode 4020, town words {linz}.
struct Rest {
  std::string number;
  std::string postcode;
  std::vector<std::string> town;
};

/// `is_number`: whether the street has a house with this number.
template <class IsNumber>
Rest read_rest(const std::vector<std::string>& words, const IsNumber& is_number) {
  Rest rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool digits = std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (rest.number.empty() && starts_with_digit(word) && !(digits && word.size() >= 4 && !is_number(word))) {
      rest.number = word;
      // "12 a" and "12/3" arrive as two words.
      if (i + 1 < words.size() && is_number(word + words[i + 1])) rest.number += words[++i];
    } else if (digits && rest.postcode.empty()) {
      rest.postcode = word;
    } else {
      rest.town.push_back(word);
    }
  }
  return rest;
}

bool town_agrees(const House& house, const std::vector<std::string>& asked) {
  static const std::set<std::string> countries = {"at",          "de",          "ch",      "oesterreich",
                                                  "austria",     "deutschland", "germany", "schweiz",
                                                  "switzerland", "a",           "d"};
  const auto words = address_words(house.town);
  return std::all_of(asked.begin(), asked.end(), [&](const std::string& word) {
    return countries.contains(word) || std::find(words.begin(), words.end(), word) != words.end();
  });
}

std::vector<std::string> spellings(const std::vector<House>& houses, const std::vector<std::size_t>& which) {
  std::vector<std::string> out;
  for (const std::size_t i : which) {
    std::string text = spelling_of(houses[i]);
    if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(std::move(text));
    if (out.size() == kCandidates) break;
  }
  return out;
}

/// Reads one OGR layer's houses.
class LayerReader {
 public:
  LayerReader(OGRLayer& layer, std::string path) : layer_(layer), path_(std::move(path)) {}

  Result<void> read(std::vector<House>& houses) {
    OGRFeatureDefn* fields = layer_.GetLayerDefn();
    for (const char* field : {"strasse", "hausnummer", "plz", "ort"})
      if (fields->GetFieldIndex(field) < 0)
        return fail(FailureKind::invalid_input, path_ + ": the column " + field + " is missing");
    const bool columns = fields->GetFieldIndex("lon") >= 0 && fields->GetFieldIndex("lat") >= 0;
    if (!columns && !prepare_transformation())
      return fail(FailureKind::invalid_input, path_ + ": has neither the columns lon and lat nor points");
    layer_.ResetReading();
    while (const OGRFeatureUniquePtr feature{layer_.GetNextFeature()}) {
      const auto place = columns ? from_columns(*feature) : from_point(*feature);
      if (!place)
        return fail(FailureKind::invalid_input,
                    path_ + ": the row " + std::to_string(houses.size() + 1) + " has no valid lon and lat");
      houses.push_back({text(*feature, "strasse"), text(*feature, "hausnummer"), text(*feature, "plz"),
                        text(*feature, "ort"), text(*feature, "land"), *place});
    }
    return {};
  }

 private:
  bool prepare_transformation() {
    const OGRSpatialReference* source = layer_.GetSpatialRef();
    if (!source || wkbFlatten(layer_.GetGeomType()) != wkbPoint) return false;
    char* text = nullptr;
    source->exportToWkt(&text);
    to_lonlat_ = transformation_to_wgs84(text);
    CPLFree(text);
    return to_lonlat_ != nullptr;
  }
  static std::string text(const OGRFeature& feature, const char* field) {
    const int index = feature.GetFieldIndex(field);
    return index < 0 ? std::string() : feature.GetFieldAsString(index);
  }
  static std::optional<LonLat> valid(double lon, double lat) {
    const bool on_earth = std::abs(lon) <= 180 && std::abs(lat) <= 90 && (lon != 0 || lat != 0);
    return on_earth ? std::optional(LonLat{lon, lat}) : std::nullopt;
  }
  static std::optional<LonLat> from_columns(const OGRFeature& feature) {
    return valid(feature.GetFieldAsDouble("lon"), feature.GetFieldAsDouble("lat"));
  }
  std::optional<LonLat> from_point(const OGRFeature& feature) const {
    const OGRGeometry* geometry = feature.GetGeometryRef();
    if (!geometry || wkbFlatten(geometry->getGeometryType()) != wkbPoint) return {};
    double x = geometry->toPoint()->getX();
    double y = geometry->toPoint()->getY();
    if (!to_lonlat_->Transform(1, &x, &y)) return {};
    return valid(x, y);
  }

  OGRLayer& layer_;
  std::string path_;
  TransformationHandle to_lonlat_;
};

}  // namespace

std::string spelling_of(const House& house) {
  return house.street + " " + house.number + ", " + house.postcode + " " + house.town;
}

Result<AddressRegister> AddressRegister::load(const Catalogue& catalogue) {
  std::vector<House> houses;
  for (const DataSet& set : catalogue.of(DataKind::addresses)) {
    const DatasetHandle data = open_dataset(set.path, GDAL_OF_VECTOR);
    if (!data) return fail(FailureKind::invalid_input, set.path + ": cannot be opened");
    const auto read = LayerReader(*data->GetLayer(0), set.path).read(houses);
    if (!read) return tl::make_unexpected(read.error());
  }
  return AddressRegister(std::move(houses));
}

AddressRegister::AddressRegister(std::vector<House> houses) : houses_(std::move(houses)) {
  std::stable_sort(houses_.begin(), houses_.end(),
                   [](const House& a, const House& b) { return a.place.lat_deg < b.place.lat_deg; });
  for (std::size_t i = 0; i < houses_.size(); ++i)
    streets_[one_word(houses_[i].street)].emplace_back(one_word(houses_[i].number), i);
  for (auto& [name, street] : streets_) std::stable_sort(street.begin(), street.end(), ByNumber());
}

AddressMatch AddressRegister::find(std::string_view text) const {
  const auto words = address_words(text);
  if (auto match = look_up(words)) return std::move(*match);
  auto candidates = similar(words);
  const auto kind = candidates.empty() ? AddressMatch::Kind::unknown : AddressMatch::Kind::ambiguous;
  return {kind, {}, std::move(candidates)};
}

std::optional<AddressMatch> AddressRegister::look_up(std::string_view text) const {
  return look_up(address_words(text));
}

std::optional<AddressMatch> AddressRegister::look_up(const std::vector<std::string>& words) const {
  std::vector<std::string> rest_words;
  const Street* street = on_street(words, rest_words);
  if (!street) return {};
  const Rest rest = read_rest(rest_words, [street](std::string_view word) {
    return std::binary_search(street->begin(), street->end(), word, ByNumber());
  });
  std::vector<std::size_t> same_number, agreeing;
  const auto [first, last] =
      std::equal_range(street->begin(), street->end(), std::string_view(rest.number), ByNumber());
  for (auto it = first; it != last; ++it) {
    const House& house = houses_[it->second];
    same_number.push_back(it->second);
    if ((rest.postcode.empty() || rest.postcode == house.postcode) && town_agrees(house, rest.town))
      agreeing.push_back(it->second);
  }
  if (same_number.empty()) return AddressMatch{};
  if (agreeing.size() == 1) return AddressMatch{AddressMatch::Kind::house, houses_[agreeing[0]], {}};
  auto candidates = spellings(houses_, agreeing.empty() ? same_number : agreeing);
  // Registers list a house with several entrances more than once: the same spelling is the same house.
  if (!agreeing.empty() && candidates.size() == 1)
    return AddressMatch{AddressMatch::Kind::house, houses_[agreeing[0]], {}};
  return AddressMatch{AddressMatch::Kind::ambiguous, {}, std::move(candidates)};
}

/// The street that the longest run of words names, or null; the other words go to `rest`.
const AddressRegister::Street* AddressRegister::on_street(const std::vector<std::string>& words,
                                                          std::vector<std::string>& rest) const {
  const Joined joined(words);
  for (std::size_t length = words.size(); length > 0; --length)
    for (std::size_t from = 0; from + length <= words.size(); ++from) {
      const auto it = streets_.find(joined.run(from, from + length));
      if (it == streets_.end()) continue;
      rest.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(from));
      rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(from + length), words.end());
      return &it->second;
    }
  return nullptr;
}

/// Spellings with a street that is nearly one of the words, the nearest first.
std::vector<std::string> AddressRegister::similar(const std::vector<std::string>& words) const {
  std::vector<std::pair<int, std::size_t>> found;  // edits, house
  const Joined joined(words);
  for (const auto& [name, street] : streets_) {
    int edits = 3;  // more is another street
    for (std::size_t from = 0; from < words.size(); ++from)
      for (std::size_t to = from + 1; to <= words.size() && to <= from + 5; ++to) {
        const std::string_view asked = joined.run(from, to);
        const auto difference = static_cast<int>(asked.size()) - static_cast<int>(name.size());
        if (std::abs(difference) < edits && asked.size() >= 4)
          edits = std::min(edits, edit_distance(asked, name));
      }
    if (edits >= 3) continue;
    for (const auto& [number, house] : street)
      if (std::find(words.begin(), words.end(), number) != words.end()) found.emplace_back(edits, house);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::size_t> which;
  which.reserve(found.size());
  for (const auto& [edits, house] : found) which.push_back(house);
  return spellings(houses_, which);
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
