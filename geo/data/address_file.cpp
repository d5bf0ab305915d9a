#include "geo/data/address_file.hpp"

#include <cpl_string.h>
#include <gdal_priv.h>
#include <ogrsf_frmts.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <charconv>
#include <memory>
#include <optional>
#include <variant>

#include "geo/addresses/countries.hpp"
#include "geo/addresses/text.hpp"
#include "geo/data/gdal.hpp"

namespace geo {
namespace {

constexpr std::size_t kRowsForOneBad = 100;

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_utf8(std::string_view text) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (auto left = static_cast<utf8proc_ssize_t>(text.size()); left > 0;) {
    utf8proc_int32_t c = 0;
    const auto length = utf8proc_iterate(bytes, left, &c);
    if (length <= 0) return false;
    bytes += length;
    left -= length;
  }
  return true;
}

/// Nothing for the five bytes that Windows-1252 does not have.
std::optional<std::string> from_windows_1252(const std::string& text) {
  if (text.find_first_of("\x81\x8D\x8F\x90\x9D") != std::string::npos) return {};
  const std::unique_ptr<char, decltype(&CPLFree)> utf8(CPLRecode(text.c_str(), "CP1252", CPL_ENC_UTF8),
                                                       CPLFree);
  return utf8 ? std::optional<std::string>(utf8.get()) : std::nullopt;
}

std::string trimmed(const std::string& text) { return boost::trim_copy_if(text, boost::is_any_of(" \t")); }

/// The whole text as a number, with a point or a comma.
std::optional<double> number_in(std::string text) {
  text = trimmed(text);
  if (text.find('.') == std::string::npos) std::replace(text.begin(), text.end(), ',', '.');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

/// Reads one OGR layer's houses.
class LayerReader {
 public:
  LayerReader(OGRLayer& layer, std::string path, bool has_header)
      : layer_(layer), path_(std::move(path)), has_header_(has_header) {}

  Result<AddressFile> read() {
    if (const auto ready = prepare(); !ready) return tl::make_unexpected(ready.error());
    layer_.ResetReading();
    while (const OGRFeatureUniquePtr feature{layer_.GetNextFeature()}) {
      ++rows_;
      notice_encoding(*feature);
      take(*feature);
    }
    return finish();
  }

 private:
  static constexpr std::array<const char*, 5> kTexts = {"strasse", "hausnummer", "plz", "ort", "land"};

  tl::unexpected<Failure> refuse(const std::string& why) const {
    return fail(FailureKind::invalid_input, path_ + ": " + why);
  }

  Result<void> prepare() {
    OGRFeatureDefn* fields = layer_.GetLayerDefn();
    for (const char* field : {"strasse", "hausnummer", "plz", "ort"})
      if (fields->GetFieldIndex(field) < 0) return refuse(std::string("the column ") + field + " is missing");
    columns_ = fields->GetFieldIndex("lon") >= 0 && fields->GetFieldIndex("lat") >= 0;
    if (!columns_ && !prepare_transformation())
      return refuse("has neither the columns lon and lat nor points");
    return {};
  }
  bool prepare_transformation() {
    const OGRSpatialReference* source = layer_.GetSpatialRef();
    const auto type = wkbFlatten(layer_.GetGeomType());
    if (!source || (type != wkbPoint && type != wkbMultiPoint && type != wkbUnknown)) return false;
    char* text = nullptr;
    source->exportToWkt(&text);
    to_lonlat_ = transformation_to_wgs84(text);
    CPLFree(text);
    return to_lonlat_ != nullptr;
  }

  std::string line() const {
    return has_header_ ? "line " + std::to_string(rows_ + 1) : "row " + std::to_string(rows_);
  }
  static std::string text(const OGRFeature& feature, const char* field) {
    const int index = feature.GetFieldIndex(field);
    return index < 0 ? std::string() : trimmed(feature.GetFieldAsString(index));
  }
  /// Notes the encoding that the row's bytes beyond ASCII show: a file has only one.
  void notice_encoding(const OGRFeature& feature) {
    for (const char* field : kTexts) {
      const std::string value = text(feature, field);
      if (is_ascii(value)) continue;
      std::string& first = is_utf8(value) ? first_utf8_ : first_other_;
      if (first.empty()) first = line();
      if (!is_utf8(value) && !from_windows_1252(value) && first_neither_.empty()) first_neither_ = line();
    }
  }

  std::optional<LonLat> place_of(const OGRFeature& feature) const {
    return columns_ ? from_columns(feature) : from_point(feature);
  }
  static std::optional<LonLat> from_columns(const OGRFeature& feature) {
    const auto lon = number_in(feature.GetFieldAsString("lon"));
    const auto lat = number_in(feature.GetFieldAsString("lat"));
    return lon && lat ? std::optional(LonLat{*lon, *lat}) : std::nullopt;
  }
  std::optional<LonLat> from_point(const OGRFeature& feature) const {
    const OGRGeometry* geometry = feature.GetGeometryRef();
    // Some programs write a house as a set of one point.
    if (geometry && wkbFlatten(geometry->getGeometryType()) == wkbMultiPoint &&
        geometry->toMultiPoint()->getNumGeometries() == 1)
      geometry = geometry->toMultiPoint()->getGeometryRef(0);
    if (!geometry || geometry->IsEmpty() || wkbFlatten(geometry->getGeometryType()) != wkbPoint) return {};
    double x = geometry->toPoint()->getX();
    double y = geometry->toPoint()->getY();
    if (!to_lonlat_->Transform(1, &x, &y)) return {};
    return LonLat{x, y};
  }

  void take(const OGRFeature& feature) {
    House house{text(feature, "strasse"), text(feature, "hausnummer"), text(feature, "plz"),
                text(feature, "ort"),     text(feature, "land"),       {}};
    if (auto fault = fault_of(feature, house)) {
      if (bad_++ == 0) first_bad_ = line() + " " + *fault;
      return;
    }
    house.postcode = whole_postcode(house);
    houses_.push_back(std::move(house));
  }
  /// Fills in the place and the country's code; or says what is wrong with the row.
  std::optional<std::string> fault_of(const OGRFeature& feature, House& house) const {
    const auto place = place_of(feature);
    if (!place) return "has no valid lon and lat";
    house.place = *place;
    if (!is_covered(*place)) return "lies in none of Austria, Germany and Switzerland";
    if (!house.country.empty()) {
      const auto words = address_words(house.country);
      const auto country = words.size() == 1 ? country_of(words[0]) : std::nullopt;
      if (!country) return "has another land than AT, DE and CH";
      if (!may_lie_in(*country, *place)) return "does not lie in its land";
      house.country = code_of(*country);
    }
    if (house.street.empty() && house.town.empty()) return "has neither strasse nor ort";
    return {};
  }
  static std::optional<Country> country_of(const std::string& word) {
    return word == "a" ? Country::at : word == "d" ? std::optional(Country::de) : country_named(word);
  }

  Result<AddressFile> finish() {
    if (!first_neither_.empty()) return refuse(first_neither_ + " is neither UTF-8 nor Windows-1252");
    if (!first_other_.empty() && !first_utf8_.empty())
      return refuse(first_utf8_ + " is UTF-8 and " + first_other_ + " is not: a file has one encoding");
    const std::string count = std::to_string(bad_) + " of " + std::to_string(rows_) + " rows";
    if (rows_ == 0) return refuse("has no rows");
    if (bad_ * kRowsForOneBad > rows_) return refuse(first_bad_ + "; so it is with " + count);
    if (!first_other_.empty()) recode();
    std::string note = path_ + ": " + std::to_string(houses_.size()) + " addresses, read as " +
                       (first_other_.empty() ? "UTF-8" : "Windows-1252");
    if (bad_ > 0) note += "; " + count + " are left out, the first because " + first_bad_;
    return AddressFile{std::move(houses_), std::move(note)};
  }
  void recode() {
    for (House& house : houses_)
      for (std::string* value : {&house.street, &house.number, &house.postcode, &house.town})
        if (!is_ascii(*value)) *value = from_windows_1252(*value).value_or(std::string());
  }

  OGRLayer& layer_;
  std::string path_;
  bool has_header_;
  bool columns_ = false;
  TransformationHandle to_lonlat_;
  std::vector<House> houses_;
  std::size_t rows_ = 0, bad_ = 0;
  std::string first_bad_;                                 // with what is wrong
  std::string first_utf8_, first_other_, first_neither_;  // the first line of each
};

}  // namespace

Result<AddressFile> read_address_file(const std::string& path) {
  const DatasetHandle data = open_dataset(path, GDAL_OF_VECTOR);
  OGRLayer* const layer = data ? data->GetLayer(0) : nullptr;
  if (!layer) return fail(FailureKind::invalid_input, path + ": cannot be opened");
  const GDALDriver* driver = data->GetDriver();
  const bool has_header = driver && EQUAL(GDALGetDriverShortName(const_cast<GDALDriver*>(driver)), "CSV");
  return LayerReader(*layer, path, has_header).read();
}

}  // namespace geo
