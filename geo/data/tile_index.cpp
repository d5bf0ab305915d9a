#include "geo/data/tile_index.hpp"

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <utility>

namespace geo {
namespace {

constexpr const char* kLayer = "tiles";
constexpr std::array<const char*, 3> kStates{"known", "held", "missing"};
/// Every column with the type that it is made with.
constexpr std::array<std::pair<const char*, OGRFieldType>, 8> kFields{{{"location", OFTString},
                                                                       {"url", OFTString},
                                                                       {"year", OFTInteger},
                                                                       {"cell_m", OFTReal},
                                                                       {"bytes", OFTInteger64},
                                                                       {"sha256", OFTString},
                                                                       {"etag", OFTString},
                                                                       {"state", OFTString}}};

tl::unexpected<Failure> refuse(const std::string& path, const std::string& why) {
  return fail(FailureKind::invalid_input, path + ": " + why);
}

std::string text_in(const OGRFeature& feature, const char* field) {
  const int index = feature.GetFieldIndex(field);
  return index >= 0 && feature.IsFieldSetAndNotNull(index) ? feature.GetFieldAsString(index) : std::string();
}

/// A table that somebody else made may lack all columns but the location.
Tile tile_of(const OGRFeature& feature) {
  Tile tile;
  if (const OGRGeometry* shape = feature.GetGeometryRef()) {
    OGREnvelope box;
    shape->getEnvelope(&box);
    tile.bounds = {box.MinX, box.MinY, box.MaxX, box.MaxY};
  }
  tile.location = text_in(feature, "location");
  tile.url = text_in(feature, "url");
  if (const std::string year = text_in(feature, "year"); !year.empty())
    tile.year = feature.GetFieldAsInteger("year");
  if (feature.GetFieldIndex("cell_m") >= 0) tile.cell_m = feature.GetFieldAsDouble("cell_m");
  if (feature.GetFieldIndex("bytes") >= 0)
    tile.bytes = static_cast<std::uint64_t>(feature.GetFieldAsInteger64("bytes"));
  tile.sha256 = text_in(feature, "sha256");
  tile.etag = text_in(feature, "etag");
  const std::string state = text_in(feature, "state");
  const auto* const known = std::find(kStates.begin(), kStates.end(), state);
  tile.state = known != kStates.end()  ? static_cast<TileState>(known - kStates.begin())
               : tile.location.empty() ? TileState::known
                                       : TileState::held;
  return tile;
}

const std::string& key_of(const Tile& tile) { return tile.url.empty() ? tile.location : tile.url; }

std::unique_ptr<OGRPolygon> polygon_of(const Box& box) {
  auto polygon = std::make_unique<OGRPolygon>();
  auto* ring = new OGRLinearRing;  // the polygon's from here on
  for (const auto& [x, y] : {std::pair{box.min_x, box.min_y},
                             {box.max_x, box.min_y},
                             {box.max_x, box.max_y},
                             {box.min_x, box.max_y},
                             {box.min_x, box.min_y}})
    ring->addPoint(x, y);
  polygon->addRingDirectly(ring);
  return polygon;
}

void fill(OGRFeature& row, const Tile& tile) {
  row.SetGeometryDirectly(polygon_of(tile.bounds).release());
  const auto text = [&row](const char* field, const std::string& value) {
    value.empty() ? row.SetFieldNull(row.GetFieldIndex(field)) : row.SetField(field, value.c_str());
  };
  text("location", tile.location);
  text("url", tile.url);
  tile.year ? row.SetField("year", *tile.year) : row.SetFieldNull(row.GetFieldIndex("year"));
  row.SetField("cell_m", tile.cell_m);
  row.SetField("bytes", static_cast<GIntBig>(tile.bytes));
  text("sha256", tile.sha256);
  text("etag", tile.etag);
  row.SetField("state", kStates[static_cast<std::size_t>(tile.state)]);
}

/// The newest first; one without a year is the oldest.
bool newer(const Tile& a, const Tile& b) {
  if (a.year != b.year) return a.year.value_or(0) > b.year.value_or(0);
  return std::tie(a.location, a.url) > std::tie(b.location, b.url);  // names tell years, too
}

/// The layer "tiles", else the only one: gdaltindex and the offices name it after the file.
OGRLayer* layer_of_tiles(GDALDataset& dataset) {
  if (OGRLayer* const tiles = dataset.GetLayerByName(kLayer)) return tiles;
  return dataset.GetLayerCount() == 1 ? dataset.GetLayer(0) : nullptr;
}

/// The size that most of the first rows state, for counting all takes longer than opening; 0 when none states
/// one.
double usual_cell(OGRLayer& layer) {
  constexpr int kFirst = 100;
  const int field = layer.GetLayerDefn()->GetFieldIndex("cell_m");
  if (field < 0) return 0;
  std::map<double, int> rows;
  int count = 0;
  layer.ResetReading();
  for (OGRFeatureUniquePtr row; count < kFirst && (row = OGRFeatureUniquePtr(layer.GetNextFeature()));
       ++count)
    if (const double cell = row->GetFieldAsDouble(field); cell > 0) ++rows[cell];
  layer.ResetReading();
  const auto most = std::max_element(rows.begin(), rows.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == rows.end() ? 0 : most->first;
}

/// The width of a cell as the tile itself has it, in units of the index's system; 0 when it cannot be read.
double cell_of(const Tile& tile, const std::string& file) {
  const DatasetHandle raster = file.empty() ? nullptr : open_dataset(file, GDAL_OF_RASTER);
  return raster ? (tile.bounds.max_x - tile.bounds.min_x) / raster->GetRasterXSize() : 0;
}

}  // namespace

Result<TileIndex> TileIndex::open(const std::string& path, const std::string& stated_crs) {
  const GdalErrors errors;
  TileIndex index;
  index.path_ = path;
  index.dataset_ = open_dataset(path, GDAL_OF_VECTOR);
  if (!index.dataset_) return errors.failure(path, "cannot be opened as a tile index");
  index.layer_ = layer_of_tiles(*index.dataset_);
  if (!index.layer_)
    return refuse(path, "is no tile index: none of its layers is called \"tiles\"; gdaltindex makes one");
  if (index.layer_->GetLayerDefn()->GetFieldIndex("location") < 0)
    return refuse(path, "is no tile index: the column location is missing");
  const GIntBig rows = index.layer_->GetFeatureCount();
  OGREnvelope box;
  if (rows <= 0 || index.layer_->GetExtent(&box) != OGRERR_NONE) return refuse(path, "holds no tiles");
  index.size_ = static_cast<std::size_t>(rows);
  index.bounds_ = {box.MinX, box.MinY, box.MaxX, box.MaxY};
  const OGRSpatialReference* own = index.layer_->GetSpatialRef();
  const std::string system = stated_crs.empty() && own ? wkt_of(*own) : stated_crs;
  auto crs = coordinate_system(system);
  if (!crs) return refuse(path, crs.error().text);
  index.crs_ = std::move(*crs);
  index.cell_m_ = usual_cell(*index.layer_);
  if (index.cell_m_ > 0) return index;
  const auto tile = index.sample();
  if (!tile) return tl::make_unexpected(tile.error());
  const std::string file = index.path_of(*tile, false);
  index.cell_m_ = cell_of(*tile, file);
  if (!(index.cell_m_ > 0))
    return refuse(path, "no row states cell_m, the width of a cell, and the tile " +
                            (file.empty() ? tile->url : file) + " cannot be opened to see it");
  return index;
}

Result<std::vector<Tile>> TileIndex::touching(const Box& window, std::size_t most) const {
  const GdalErrors errors;
  CPLErrorReset();
  std::vector<Tile> tiles;
  layer_->SetSpatialFilterRect(window.min_x, window.min_y, window.max_x, window.max_y);
  layer_->ResetReading();
  while (const OGRFeatureUniquePtr feature{layer_->GetNextFeature()}) {
    Tile tile = tile_of(*feature);
    if (!tile.bounds.shares_area_with(window)) continue;
    tiles.push_back(std::move(tile));
    if (tiles.size() > most) break;
  }
  layer_->ResetReading();  // lets go of the lock
  if (CPLGetLastErrorType() == CE_Failure) return errors.failure(path_, CPLGetLastErrorMsg());
  if (tiles.size() > most)
    return refuse(path_,
                  "a window of it touches more than " + std::to_string(most) + " tiles; use larger ones");
  std::sort(tiles.begin(), tiles.end(), newer);
  return tiles;
}

Result<Tile> TileIndex::sample() const {
  const GdalErrors errors;
  layer_->SetSpatialFilter(nullptr);
  for (const char* filter : {"location <> ''", static_cast<const char*>(nullptr)}) {
    layer_->SetAttributeFilter(filter);
    layer_->ResetReading();
    const OGRFeatureUniquePtr feature(layer_->GetNextFeature());
    layer_->SetAttributeFilter(nullptr);
    layer_->ResetReading();
    if (feature) return tile_of(*feature);
  }
  return errors.failure(path_, "cannot be read");
}

std::string TileIndex::path_of(const Tile& tile, bool remote) const {
  if (tile.state == TileState::missing) return {};
  if (!tile.location.empty()) {
    const bool as_it_stands = tile.location.starts_with("/");  // also GDAL's own /vsi...
    return as_it_stands ? tile.location
                        : (std::filesystem::path(path_).parent_path() / tile.location).string();
  }
  return remote && !tile.url.empty() ? "/vsioffice/" + tile.url : std::string();
}

Result<TileIndexWriter> TileIndexWriter::open(const std::string& path, const std::string& crs) {
  register_gdal_drivers();
  const GdalErrors errors;
  OGRSpatialReference system;
  if (system.SetFromUserInput(crs.c_str()) != OGRERR_NONE)
    return refuse(path, "the coordinate reference system \"" + crs + "\" is not known");
  system.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  TileIndexWriter writer;
  writer.path_ = path;
  if (std::filesystem::exists(path)) {
    writer.dataset_ = DatasetHandle(
        GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE | GDAL_OF_VERBOSE_ERROR));
    if (!writer.dataset_) return errors.failure(path, "cannot be opened for changes");
    writer.layer_ = writer.dataset_->GetLayerByName(kLayer);
    if (!writer.layer_) return refuse(path, "is no tile index: it has no layer \"tiles\"");
    const OGRSpatialReference* own = writer.layer_->GetSpatialRef();
    if (!own || !own->IsSame(&system)) return refuse(path, "has another coordinate reference system");
  } else {
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GPKG");
    writer.dataset_ =
        DatasetHandle(driver ? driver->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr) : nullptr);
    if (!writer.dataset_) return errors.failure(path, "cannot be made");
    writer.layer_ = writer.dataset_->CreateLayer(kLayer, &system, wkbPolygon, nullptr);
    if (!writer.layer_) return errors.failure(path, "cannot be made");
    for (const auto& [name, type] : kFields) {
      OGRFieldDefn field(name, type);
      if (writer.layer_->CreateField(&field) != OGRERR_NONE) return errors.failure(path, "cannot be made");
    }
  }
  CPLErrorReset();
  // Lets sample() find a tile that is here at once. Where a country's tiles are all at the office, it would
  // otherwise read every row.
  if (OGRLayer* const answer = writer.dataset_->ExecuteSQL(
          "CREATE INDEX IF NOT EXISTS tiles_here ON tiles (location) WHERE location <> ''", nullptr, nullptr))
    writer.dataset_->ReleaseResultSet(answer);
  if (CPLGetLastErrorType() == CE_Failure) return errors.failure(path, "cannot be written");
  for (const auto& feature : *writer.layer_)
    writer.rows_.emplace(key_of(tile_of(*feature)), feature->GetFID());
  if (writer.dataset_->StartTransaction() != OGRERR_NONE) return errors.failure(path, "cannot be changed");
  writer.changing_ = true;
  return writer;
}

TileIndexWriter::~TileIndexWriter() {
  if (dataset_ && changing_) dataset_->RollbackTransaction();
}

Result<std::vector<Tile>> TileIndexWriter::all() const {
  const GdalErrors errors;
  CPLErrorReset();
  std::vector<Tile> tiles;
  for (const auto& feature : *layer_) tiles.push_back(tile_of(*feature));
  if (CPLGetLastErrorType() == CE_Failure) return errors.failure(path_, CPLGetLastErrorMsg());
  return tiles;
}

Result<void> TileIndexWriter::put(const Tile& tile) {
  const GdalErrors errors;
  OGRFeature row(layer_->GetLayerDefn());
  fill(row, tile);
  const auto known = rows_.find(key_of(tile));
  if (known != rows_.end()) row.SetFID(known->second);
  const OGRErr error = known != rows_.end() ? layer_->SetFeature(&row) : layer_->CreateFeature(&row);
  if (error != OGRERR_NONE) return errors.failure(path_, "cannot be written");
  rows_[key_of(tile)] = row.GetFID();
  return {};
}

Result<void> TileIndexWriter::remove(const Tile& tile) {
  const auto known = rows_.find(key_of(tile));
  if (known == rows_.end()) return {};
  const GdalErrors errors;
  if (layer_->DeleteFeature(known->second) != OGRERR_NONE) return errors.failure(path_, "cannot be written");
  rows_.erase(known);
  return {};
}

Result<void> TileIndexWriter::commit() {
  const GdalErrors errors;
  layer_->ResetReading();
  // GDAL writes the number of rows and their extent, too. Without them, opening the index counts all rows.
  if (layer_->SyncToDisk() != OGRERR_NONE || dataset_->CommitTransaction() != OGRERR_NONE)
    return errors.failure(path_, "cannot be written");
  changing_ = dataset_->StartTransaction() == OGRERR_NONE;
  return {};
}

}  // namespace geo
