#include "geo/data/catalogue.hpp"

#include <gdal_priv.h>
#include <ogr_spatialref.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
namespace geo {
namespace {

constexpr std::array<const char*, kDataKinds> kKindNames = {
    "dsm", "dtm", "buildings", "parcels", "addresses", "orthophoto", "relief", "irradiance"};

/// A path relative to the catalogue when such a file exists, else as it stands (a URL, a connection string).
std::string resolved(const std::string& catalogue, const std::string& path) {
  const auto beside = std::filesystem::path(catalogue).parent_path() / path;
  std::error_code error;
  return std::filesystem::exists(beside, error) ? beside.string() : path;
}

Result<void> open_raster(DataSet& set) {
  const auto raster = Raster::open(set.path);
  if (!raster) return tl::make_unexpected(raster.error());
  set.crs_wkt = raster->crs_wkt();
  set.bounds = raster->bounds();
  set.cell_m = raster->cell_m();
  return {};
}

Result<void> open_vector(const DataSet& set) {
  const DatasetHandle data = open_dataset(set.path, GDAL_OF_VECTOR);
  if (!data) return fail(FailureKind::data_unreachable, set.path + ": cannot be opened as a vector data set");
  if (data->GetLayerCount() == 0) return fail(FailureKind::invalid_input, set.path + ": has no layer");
  return {};
}

Result<std::string> text_field(simdjson::dom::object entry, const char* field, const std::string& where,
                               bool required) {
  simdjson::dom::element value;
  if (entry[field].get(value) != simdjson::SUCCESS)
    return required ? Result<std::string>(fail(FailureKind::invalid_input, where + field + " is missing"))
                    : Result<std::string>(std::string());
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS)
    return fail(FailureKind::invalid_input, where + field + " is not a string");
  return std::string(text);
}

Result<DataSet> read_entry(simdjson::dom::object entry, const std::string& catalogue,
                           const std::string& where) {
  DataSet set;
  const auto kind = text_field(entry, "kind", where, true);
  const auto path = text_field(entry, "path", where, true);
  if (!kind) return tl::make_unexpected(kind.error());
  if (!path) return tl::make_unexpected(path.error());
  const auto* const known = std::find(kKindNames.begin(), kKindNames.end(), *kind);
  if (known == kKindNames.end())
    return fail(FailureKind::invalid_input, where + "kind \"" + *kind + "\" is unknown");
  set.kind = static_cast<DataKind>(known - kKindNames.begin());
  set.path = resolved(catalogue, *path);
  for (auto [field, target] : {std::pair{"name", &set.name},
                               {"provider", &set.provider},
                               {"licence", &set.licence},
                               {"attribution", &set.attribution},
                               {"url", &set.url}}) {
    auto text = text_field(entry, field, where, false);
    if (!text) return tl::make_unexpected(text.error());
    *target = std::move(*text);
  }
  simdjson::dom::element year;
  if (entry["year"].get(year) == simdjson::SUCCESS) {
    std::int64_t number = 0;
    if (year.get(number) != simdjson::SUCCESS || number < 1900 || number > 2200)
      return fail(FailureKind::invalid_input, where + "year is not a year");
    set.year = static_cast<int>(number);
  }
  const auto opened = is_raster(set.kind) ? open_raster(set) : open_vector(set);
  if (!opened) return fail(FailureKind::invalid_input, where + "path: " + opened.error().text);
  return set;
}

/// Whether a raster's extent holds the place. Unlike PlaceFrame it also serves geographic grids (irradiance).
bool covers(const DataSet& set, LonLat place) {
  const auto to_map = transformation_from_wgs84(set.crs_wkt);
  double x = place.lon_deg;
  double y = place.lat_deg;
  return to_map && to_map->Transform(1, &x, &y) && set.bounds.contains({x, y});
}

}  // namespace

bool is_raster(DataKind kind) {
  return kind != DataKind::buildings && kind != DataKind::parcels && kind != DataKind::addresses;
}
const char* name_of(DataKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

Result<Catalogue> Catalogue::load(const std::string& path) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (const auto error = parser.load(path).get(root); error == simdjson::IO_ERROR)
    return fail(FailureKind::invalid_input, path + ": cannot be read");
  else if (error != simdjson::SUCCESS)
    return fail(FailureKind::invalid_input, path + ": is not JSON (" + simdjson::error_message(error) + ")");
  simdjson::dom::array entries;
  if (root["datasets"].get(entries) != simdjson::SUCCESS)
    return fail(FailureKind::invalid_input, path + ": the field datasets is missing or not a list");
  Catalogue catalogue;
  std::size_t index = 0;
  for (const simdjson::dom::element element : entries) {
    const std::string where = path + ": datasets[" + std::to_string(index++) + "].";
    simdjson::dom::object entry;
    if (element.get(entry) != simdjson::SUCCESS)
      return fail(FailureKind::invalid_input, where.substr(0, where.size() - 1) + " is not an object");
    auto set = read_entry(entry, path, where);
    if (!set) return tl::make_unexpected(set.error());
    catalogue.sets_[static_cast<std::size_t>(set->kind)].push_back(std::move(*set));
  }
  if (catalogue.of(DataKind::dsm).empty())
    return fail(FailureKind::invalid_input, path + ": datasets names no surface model (kind \"dsm\")");
  return catalogue;
}

const DataSet* Catalogue::finest(DataKind kind, LonLat place) const {
  const DataSet* best = nullptr;
  for (const DataSet& set : of(kind))
    if ((!best || set.cell_m < best->cell_m) && covers(set, place)) best = &set;
  return best;
}

}  // namespace geo
