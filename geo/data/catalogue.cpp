#include "geo/data/catalogue.hpp"

#include <gdal_priv.h>
#include <ogr_geometry.h>
#include <ogr_spatialref.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "geo/addresses/index_file.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/data/raster_values.hpp"
#include "geo/data/tile_index.hpp"
#include "geo/data/vector_layers.hpp"
#include "geo/shapes/ogr_shapes.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

constexpr std::array<const char*, kDataKinds> kKindNames = {
    "dsm", "dtm", "buildings", "parcels", "addresses", "orthophoto", "relief", "irradiance"};

constexpr double kFinestRelief_m = 4.9;
constexpr std::int64_t kMostPriority = 1000;
constexpr double kAroundOutlines_deg = 0.01;  // a file may grow a little while the service runs

/// A path relative to the catalogue when such a file exists, else as it stands (a URL, a connection string).
std::string resolved(const std::string& catalogue, const std::string& path) {
  const auto beside = std::filesystem::path(catalogue).parent_path() / path;
  std::error_code error;
  return std::filesystem::exists(beside, error) ? beside.string() : path;
}

/// What a raster's place on the earth is made of: of one file, or of all tiles of an index.
struct Extent {
  const CoordinateSystem& crs;
  Box bounds;
  double cell;  ///< in units of the system
};

/// True metres along a cell in the middle of the extent: the mean of its width and its height.
std::optional<double> true_cell_m(const Extent& extent, OGRCoordinateTransformation& to_wgs84) {
  const Box& b = extent.bounds;
  const Point middle{(b.min_x + b.max_x) / 2, (b.min_y + b.max_y) / 2};
  std::array<double, 3> lon{middle.x, middle.x + extent.cell, middle.x};
  std::array<double, 3> lat{middle.y, middle.y, middle.y + extent.cell};
  if (!to_wgs84.Transform(3, lon.data(), lat.data())) return {};
  const Eigen::Vector2d metres = metres_per_degree(lat[0]);
  const auto along = [&](std::size_t i) {
    return std::hypot((lon[i] - lon[0]) * metres.x(), (lat[i] - lat[0]) * metres.y());
  };
  const double cell = std::sqrt(along(1) * along(2));
  if (!(cell > 0)) return {};
  constexpr double kProjectionScale = 0.01;  // a map metre this close to a true metre counts as one
  const bool as_named = extent.crs.in_map_metres && std::abs(cell / extent.cell - 1) < kProjectionScale;
  return as_named ? extent.cell : cell;
}

bool on_earth(const Box& outline_deg) {
  constexpr double kRim_deg = 1;  // global rasters reach half a cell farther
  return Box{-180, -90, 180, 90}.grown(kRim_deg).contains({outline_deg.min_x, outline_deg.min_y}) &&
         Box{-180, -90, 180, 90}.grown(kRim_deg).contains({outline_deg.max_x, outline_deg.max_y});
}

bool holds_heights(DataKind kind) {
  return kind == DataKind::dsm || kind == DataKind::dtm || kind == DataKind::relief;
}

/// Finds, without reading a cell, what would make a run useless or endless.
Result<void> check_fitness(const DataSet& set) {
  if (set.kind == DataKind::relief && set.cell_m < kFinestRelief_m)
    return fail(FailureKind::invalid_input, "a relief has cells of 5 m or more");
  return {};
}

/// The same of what only an open raster tells.
Result<void> check_values(const DataSet& set, const Raster& raster) {
  if (set.kind == DataKind::irradiance && raster.bands() != 12)
    return fail(FailureKind::invalid_input, "an irradiance raster has twelve bands");
  if (!holds_heights(set.kind)) return {};
  const auto values = RasterValues::heights(*raster.dataset().GetRasterBand(1), raster.crs().height_unit_m);
  if (!values) return tl::make_unexpected(values.error());
  return {};
}

/// Notes where the cells lie and how large they are.
Result<void> place(DataSet& set, const Extent& extent) {
  const auto to_wgs84 = transformation_to_wgs84(extent.crs.wkt);
  const auto outline = to_wgs84 ? transformed(extent.bounds, *to_wgs84) : std::nullopt;
  const auto cell_m = outline && on_earth(*outline) ? true_cell_m(extent, *to_wgs84) : std::nullopt;
  if (!cell_m)
    return fail(FailureKind::invalid_input, "does not lie where its coordinate reference system holds");
  set.crs_wkt = extent.crs.wkt;
  set.height_system =
      comparable_height_system(set.height_system.empty() ? extent.crs.heights : set.height_system);
  set.bounds = extent.bounds;
  set.outline_deg = *outline;
  set.cell = extent.cell;
  set.cell_m = *cell_m;
  // Mercator's metres do not count: at 50 degrees of latitude they are two thirds of a metre.
  set.in_map_metres = extent.crs.in_map_metres && set.cell_m == extent.cell;
  return check_fitness(set);
}

Result<void> named(Result<void> done, const DataSet& set) {
  return done ? done : fail(done.error().kind, set.path + ": " + done.error().text);
}

Result<void> open_raster(DataSet& set) {
  const auto raster = Raster::open(set.path, set.crs);
  if (!raster) return tl::make_unexpected(raster.error());
  const auto placed = place(set, {raster->crs(), raster->bounds(), raster->cell_m()});
  return named(placed ? check_values(set, *raster) : placed, set);
}

/// No tile is opened: there may be 70,000, and none of them here.
Result<void> open_index(DataSet& set) {
  const auto index = TileIndex::open(set.path, set.crs);
  if (!index) return tl::make_unexpected(index.error());
  return named(place(set, {index->crs(), index->bounds(), index->cell_m()}), set);
}

Result<void> open_vector(DataSet& set) {
  if (set.kind != DataKind::addresses) {
    const auto layers = PolygonLayers::open(vector_file(set));
    if (!layers) return tl::make_unexpected(layers.error());
    const auto box = layers->outline_deg();
    // A single broken shape may reach anywhere; metres taken for degrees all lie beyond.
    if (box && !box->shares_area_with({-180, -90, 180, 90}) && box->min_x <= box->max_x)
      return fail(FailureKind::invalid_input,
                  set.path +
                      ": lies nowhere on the earth in its coordinate reference system; GeoJSON in metres "
                      "needs \"crs\"");
    if (box) set.outline_deg = box->grown(kAroundOutlines_deg);
    return {};
  }
  if (is_address_index(set.path)) return {};  // the register opens it
  const DatasetHandle data = open_dataset(set.path, GDAL_OF_VECTOR);
  if (!data)
    return fail(FailureKind::data_unreachable, set.path + ": cannot be opened as a vector data set" +
                                                   what_may_help(set.path, GDAL_OF_VECTOR));
  if (data->GetLayerCount() == 0) return fail(FailureKind::invalid_input, set.path + ": has no layer");
  return {};
}

Result<void> open_set(DataSet& set) {
  if (set.tiled) return open_index(set);
  return is_raster(set.kind) ? open_raster(set) : open_vector(set);
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

Result<std::int64_t> whole_number(simdjson::dom::object entry, const char* field, const std::string& where,
                                  std::int64_t lowest, std::int64_t highest, std::int64_t otherwise) {
  simdjson::dom::element value;
  if (entry[field].get(value) != simdjson::SUCCESS) return otherwise;
  std::int64_t number = 0;
  if (value.get(number) != simdjson::SUCCESS || number < lowest || number > highest)
    return fail(FailureKind::invalid_input, where + field + " is not a whole number from " +
                                                std::to_string(lowest) + " to " + std::to_string(highest));
  return number;
}

Result<bool> yes_or_no(simdjson::dom::object entry, const char* field, const std::string& where) {
  simdjson::dom::element value;
  if (entry[field].get(value) != simdjson::SUCCESS) return false;
  bool said = false;
  if (value.get(said) != simdjson::SUCCESS)
    return fail(FailureKind::invalid_input, where + field + " is neither true nor false");
  return said;
}

/// A GeoJSON geometry in WGS84 (RFC 7946).
Result<std::vector<Polygon>> outline_field(simdjson::dom::object entry, const std::string& where) {
  simdjson::dom::element value;
  if (entry["outline"].get(value) != simdjson::SUCCESS) return std::vector<Polygon>();
  const GdalErrors unheard;
  const std::unique_ptr<OGRGeometry> shape(
      OGRGeometryFactory::createFromGeoJson(simdjson::minify(value).c_str()));
  std::vector<Polygon> outline;
  append_polygons(shape.get(), outline);
  if (outline.empty())
    return fail(FailureKind::invalid_input, where + "outline is no polygon of GeoJSON in WGS84");
  return outline;
}

Result<void> read_texts(simdjson::dom::object entry, const std::string& where, DataSet& set) {
  for (auto [field, target] : {std::pair{"name", &set.name},
                               {"provider", &set.provider},
                               {"licence", &set.licence},
                               {"attribution", &set.attribution},
                               {"url", &set.url},
                               {"crs", &set.crs},
                               {"heights", &set.height_system},
                               {"layer", &set.layer},
                               {"where", &set.where}}) {
    auto text = text_field(entry, field, where, false);
    if (!text) return tl::make_unexpected(text.error());
    *target = std::move(*text);
  }
  return {};
}

Result<void> read_rest(simdjson::dom::object entry, const std::string& where, DataSet& set) {
  const auto year = whole_number(entry, "year", where, 1900, 2200, 0);
  if (!year) return tl::make_unexpected(year.error());
  if (*year != 0) set.year = static_cast<int>(*year);
  const auto priority = whole_number(entry, "priority", where, -kMostPriority, kMostPriority, 0);
  if (!priority) return tl::make_unexpected(priority.error());
  set.priority = static_cast<int>(*priority);
  const auto remote = yes_or_no(entry, "remote", where);
  if (!remote) return tl::make_unexpected(remote.error());
  set.remote = *remote;
  auto outline = outline_field(entry, where);
  if (!outline) return tl::make_unexpected(outline.error());
  set.outline = std::move(*outline);
  if (!set.crs.empty())
    if (const auto stated = coordinate_system(set.crs); !stated)
      return fail(FailureKind::invalid_input, where + "crs: " + stated.error().text);
  if (set.remote && !set.tiled)
    return fail(FailureKind::invalid_input, where + "remote is said of an index only");
  const bool polygons = set.kind == DataKind::buildings || set.kind == DataKind::parcels;
  if (!polygons && !(set.layer.empty() && set.where.empty()))
    return fail(FailureKind::invalid_input, where + "layer and where are said of buildings and parcels only");
  return {};
}

/// What a cell's height is made of. Only the highest return changes how roofs are measured.
Result<void> read_cell_height(simdjson::dom::object entry, const std::string& where, DataSet& set) {
  constexpr double kUsual_m2 = 6, kFewest_m2 = 0.5, kMost_m2 = 500;
  const auto stated = text_field(entry, "cell_height", where, false);
  if (!stated) return tl::make_unexpected(stated.error());
  simdjson::dom::element returns;
  const bool counted = entry["returns_per_m2"].get(returns) == simdjson::SUCCESS;
  if (counted && *stated != "highest")
    return fail(FailureKind::invalid_input, where + "returns_per_m2 goes with \"cell_height\": \"highest\"");
  if (stated->empty()) return {};
  if (*stated != "highest" && *stated != "nearest" && *stated != "mean")
    return fail(FailureKind::invalid_input,
                where + "cell_height \"" + *stated + "\" is not \"highest\", \"nearest\" or \"mean\"");
  if (set.kind != DataKind::dsm)
    return fail(FailureKind::invalid_input, where + "cell_height is said of surface models only");
  set.cell_height_stated = true;
  if (*stated != "highest") return {};
  set.highest_of_m2 = kUsual_m2;
  if (counted && (returns.get(set.highest_of_m2) != simdjson::SUCCESS ||
                  !(set.highest_of_m2 >= kFewest_m2 && set.highest_of_m2 <= kMost_m2)))
    return fail(FailureKind::invalid_input, where + "returns_per_m2 is not a number from 0.5 to 500");
  return {};
}

std::vector<FileState> files_at(const std::string& path) {
  std::vector<FileState> files;
  const auto add = [&](const std::string& file) {
    if (auto state = state_of(file)) files.push_back(*std::move(state));
  };
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    add(path);
    return files;
  }
  for (std::filesystem::recursive_directory_iterator it(path, error), end; !error && it != end;
       it.increment(error))
    add(it->path().string());
  std::sort(files.begin(), files.end(),
            [](const FileState& a, const FileState& b) { return a.path < b.path; });
  return files;
}

Result<DataSet> read_entry(simdjson::dom::object entry, const std::string& catalogue,
                           const std::string& where, std::vector<Catalogue::AsRead>& as_read) {
  DataSet set;
  const auto kind = text_field(entry, "kind", where, true);
  const auto index = text_field(entry, "index", where, false);
  if (!kind) return tl::make_unexpected(kind.error());
  if (!index) return tl::make_unexpected(index.error());
  set.tiled = !index->empty();
  const auto path = set.tiled ? index : text_field(entry, "path", where, true);
  if (!path) return tl::make_unexpected(path.error());
  const auto* const known = std::find(kKindNames.begin(), kKindNames.end(), *kind);
  if (known == kKindNames.end())
    return fail(FailureKind::invalid_input, where + "kind \"" + *kind + "\" is unknown");
  set.kind = static_cast<DataKind>(known - kKindNames.begin());
  if (set.tiled && (!is_raster(set.kind) || set.kind == DataKind::irradiance))
    return fail(FailureKind::invalid_input, where + "index: only heights and aerial images have tiles");
  set.path = resolved(catalogue, *path);
  if (const auto read = read_texts(entry, where, set); !read) return tl::make_unexpected(read.error());
  if (const auto read = read_rest(entry, where, set); !read) return tl::make_unexpected(read.error());
  if (const auto read = read_cell_height(entry, where, set); !read) return tl::make_unexpected(read.error());
  as_read.push_back({set.path, files_at(set.path)});  // before it is opened: a later change is noticed
  if (const auto opened = open_set(set); !opened)
    return fail(FailureKind::invalid_input, where + (set.tiled ? "index: " : "path: ") + opened.error().text);
  return set;
}

/// Whether a raster's extent holds the place. Unlike PlaceFrame it also serves geographic grids (irradiance).
bool covers(const DataSet& set, LonLat place) {
  const Box& box = set.outline_deg;
  if (place.lon_deg < box.min_x || place.lon_deg > box.max_x || place.lat_deg < box.min_y ||
      place.lat_deg > box.max_y)
    return false;
  if (!set.outline.empty())
    return std::any_of(set.outline.begin(), set.outline.end(), [place](const Polygon& part) {
      return contains(part, {place.lon_deg, place.lat_deg});
    });
  const auto to_map = transformation_from_wgs84(set.crs_wkt);
  double x = place.lon_deg;
  double y = place.lat_deg;
  return to_map && to_map->Transform(1, &x, &y) && set.bounds.contains({x, y});
}

/// The entries of one file, appended to the catalogue's.
Result<void> read_file(const std::string& path, std::vector<DataSet>& sets,
                       std::vector<Catalogue::AsRead>& as_read) {
  as_read.push_back({path, files_at(path)});
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (const auto error = parser.load(path).get(root); error == simdjson::IO_ERROR)
    return fail(FailureKind::invalid_input, path + ": cannot be read");
  else if (error != simdjson::SUCCESS)
    return fail(FailureKind::invalid_input, path + ": is not JSON (" + simdjson::error_message(error) + ")");
  simdjson::dom::array entries;
  if (root["datasets"].get(entries) != simdjson::SUCCESS)
    return fail(FailureKind::invalid_input, path + ": the field datasets is missing or not a list");
  std::size_t index = 0;
  for (const simdjson::dom::element element : entries) {
    const std::string where = path + ": datasets[" + std::to_string(index++) + "].";
    simdjson::dom::object entry;
    if (element.get(entry) != simdjson::SUCCESS)
      return fail(FailureKind::invalid_input, where.substr(0, where.size() - 1) + " is not an object");
    auto set = read_entry(entry, path, where, as_read);
    if (!set) return tl::make_unexpected(set.error());
    sets.push_back(std::move(*set));
  }
  return {};
}

/// "geodata.d/*.json" beside "geodata.json", in the order of their names.
std::vector<std::string> files_beside(const std::string& catalogue) {
  std::filesystem::path folder(catalogue);
  folder.replace_extension(".d");
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".json") files.push_back(it->path().string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

bool is_raster(DataKind kind) {
  return kind != DataKind::buildings && kind != DataKind::parcels && kind != DataKind::addresses;
}
const char* name_of(DataKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

VectorFile vector_file(const DataSet& set) { return {set.path, set.crs, set.layer, set.where}; }

Result<Catalogue> Catalogue::load(const std::string& path) {
  Catalogue catalogue;
  catalogue.files_.push_back(path);
  catalogue.beside_ = files_beside(path);
  for (const std::string& file : catalogue.beside_) catalogue.files_.push_back(file);
  std::vector<DataSet> all;
  for (const std::string& file : catalogue.files_)
    if (const auto read = read_file(file, all, catalogue.as_read_); !read)
      return tl::make_unexpected(read.error());
  std::error_code error;
  for (DataSet& set : all) {
    if (std::filesystem::exists(set.path, error)) catalogue.files_.push_back(set.path);
    catalogue.sets_[static_cast<std::size_t>(set.kind)].push_back(std::move(set));
  }
  for (auto& sets : catalogue.sets_)
    std::stable_sort(sets.begin(), sets.end(), [](const DataSet& a, const DataSet& b) {
      if (a.priority != b.priority) return a.priority > b.priority;
      return a.cell_m != b.cell_m ? a.cell_m < b.cell_m : a.year.value_or(0) > b.year.value_or(0);
    });
  if (catalogue.of(DataKind::dsm).empty())
    return fail(FailureKind::invalid_input, path + ": datasets names no surface model (kind \"dsm\")");
  return catalogue;
}

bool Catalogue::changed() const {
  return !files_.empty() && (files_beside(files_.front()) != beside_ ||
                             std::any_of(as_read_.begin(), as_read_.end(),
                                         [](const AsRead& one) { return files_at(one.path) != one.files; }));
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
