#include "geo/data/catalogue.hpp"

#include <gdal_priv.h>
#include <ogr_spatialref.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "geo/addresses/index_file.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/data/raster_values.hpp"
#include "geo/data/vector_layers.hpp"

namespace geo {
namespace {

constexpr std::array<const char*, kDataKinds> kKindNames = {
    "dsm", "dtm", "buildings", "parcels", "addresses", "orthophoto", "relief", "irradiance"};

constexpr double kFinestRelief_m = 4.9;
constexpr std::int64_t kMostPriority = 1000;

/// A path relative to the catalogue when such a file exists, else as it stands (a URL, a connection string).
std::string resolved(const std::string& catalogue, const std::string& path) {
  const auto beside = std::filesystem::path(catalogue).parent_path() / path;
  std::error_code error;
  return std::filesystem::exists(beside, error) ? beside.string() : path;
}

/// True metres along a cell in the middle of the raster: the mean of its width and its height.
std::optional<double> true_cell_m(const Raster& raster, OGRCoordinateTransformation& to_wgs84) {
  const Box& b = raster.bounds();
  const Point middle{(b.min_x + b.max_x) / 2, (b.min_y + b.max_y) / 2};
  std::array<double, 3> lon{middle.x, middle.x + raster.cell_m(), middle.x};
  std::array<double, 3> lat{middle.y, middle.y, middle.y + raster.cell_m()};
  if (!to_wgs84.Transform(3, lon.data(), lat.data())) return {};
  const Eigen::Vector2d metres = metres_per_degree(lat[0]);
  const auto along = [&](std::size_t i) {
    return std::hypot((lon[i] - lon[0]) * metres.x(), (lat[i] - lat[0]) * metres.y());
  };
  const double cell = std::sqrt(along(1) * along(2));
  if (!(cell > 0)) return {};
  constexpr double kProjectionScale = 0.01;  // a map metre this close to a true metre counts as one
  const bool as_named = raster.crs().in_map_metres && std::abs(cell / raster.cell_m() - 1) < kProjectionScale;
  return as_named ? raster.cell_m() : cell;
}

bool on_earth(const Box& outline_deg) {
  constexpr double kRim_deg = 1;  // global rasters reach half a cell farther
  return Box{-180, -90, 180, 90}.grown(kRim_deg).contains({outline_deg.min_x, outline_deg.min_y}) &&
         Box{-180, -90, 180, 90}.grown(kRim_deg).contains({outline_deg.max_x, outline_deg.max_y});
}

bool holds_heights(DataKind kind) {
  return kind == DataKind::dsm || kind == DataKind::dtm || kind == DataKind::relief;
}

/// Finds, without reading a cell, what would make a run fail, useless or endless.
Result<void> check_fitness(const DataSet& set, const Raster& raster) {
  if (set.kind == DataKind::irradiance && raster.bands() != 12)
    return fail(FailureKind::invalid_input, "an irradiance raster has twelve bands");
  if (set.kind == DataKind::relief && set.cell_m < kFinestRelief_m)
    return fail(FailureKind::invalid_input, "a relief has cells of 5 m or more");
  if (!holds_heights(set.kind)) return {};
  const auto values = RasterValues::heights(*raster.dataset().GetRasterBand(1), raster.crs().height_unit_m);
  if (!values) return tl::make_unexpected(values.error());
  return {};
}

Result<void> open_raster(DataSet& set) {
  const auto raster = Raster::open(set.path, set.crs);
  if (!raster) return tl::make_unexpected(raster.error());
  const auto to_wgs84 = transformation_to_wgs84(raster->crs_wkt());
  const auto outline = to_wgs84 ? transformed(raster->bounds(), *to_wgs84) : std::nullopt;
  const auto cell_m = outline && on_earth(*outline) ? true_cell_m(*raster, *to_wgs84) : std::nullopt;
  if (!cell_m)
    return fail(FailureKind::invalid_input,
                set.path + ": does not lie where its coordinate reference system holds");
  set.crs_wkt = raster->crs_wkt();
  set.height_system = raster->crs().heights;
  set.bounds = raster->bounds();
  set.outline_deg = *outline;
  set.cell_m = *cell_m;
  // Mercator's metres do not count: at 50 degrees of latitude they are two thirds of a metre.
  set.in_map_metres = raster->crs().in_map_metres && set.cell_m == raster->cell_m();
  if (const auto fit = check_fitness(set, *raster); !fit)
    return fail(fit.error().kind, set.path + ": " + fit.error().text);
  return {};
}

Result<void> open_vector(const DataSet& set) {
  if (set.kind != DataKind::addresses) {
    const auto layers = PolygonLayers::open({set.path, set.crs});
    return layers ? Result<void>() : tl::make_unexpected(layers.error());
  }
  if (is_address_index(set.path)) return {};  // the register opens it
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
                               {"url", &set.url},
                               {"crs", &set.crs}}) {
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
  simdjson::dom::element priority;
  if (entry["priority"].get(priority) == simdjson::SUCCESS) {
    std::int64_t number = 0;
    if (priority.get(number) != simdjson::SUCCESS || std::abs(number) > kMostPriority)
      return fail(FailureKind::invalid_input, where + "priority is not a whole number up to 1000");
    set.priority = static_cast<int>(number);
  }
  if (!set.crs.empty())
    if (const auto stated = coordinate_system(set.crs); !stated)
      return fail(FailureKind::invalid_input, where + "crs: " + stated.error().text);
  const auto opened = is_raster(set.kind) ? open_raster(set) : open_vector(set);
  if (!opened) return fail(FailureKind::invalid_input, where + "path: " + opened.error().text);
  return set;
}

/// Whether a raster's extent holds the place. Unlike PlaceFrame it also serves geographic grids (irradiance).
bool covers(const DataSet& set, LonLat place) {
  const Box& box = set.outline_deg;
  if (place.lon_deg < box.min_x || place.lon_deg > box.max_x || place.lat_deg < box.min_y ||
      place.lat_deg > box.max_y)
    return false;
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
  for (auto& sets : catalogue.sets_)
    std::stable_sort(sets.begin(), sets.end(), [](const DataSet& a, const DataSet& b) {
      return a.priority != b.priority ? a.priority > b.priority : a.cell_m < b.cell_m;
    });
  if (catalogue.of(DataKind::dsm).empty())
    return fail(FailureKind::invalid_input, path + ": datasets names no surface model (kind \"dsm\")");
  return catalogue;
}

const DataSet* Catalogue::finest(DataKind kind, LonLat place) const {
  const auto sets = covering(kind, place);
  return sets.empty() ? nullptr : sets.front();
}

std::vector<const DataSet*> Catalogue::covering(DataKind kind, LonLat place) const {
  std::vector<const DataSet*> sets;
  for (const DataSet& set : of(kind))
    if (covers(set, place)) sets.push_back(&set);
  return sets;
}

}  // namespace geo
