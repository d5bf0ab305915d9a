#include "geo/data/data_set_check.hpp"

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <algorithm>

#include "geo/addresses/index_file.hpp"
#include "geo/data/height_models.hpp"
#include "geo/data/kept_open.hpp"
#include "geo/data/raster_values.hpp"
#include "geo/data/set_heights.hpp"
#include "geo/data/tile_index.hpp"
#include "geo/data/vector_layers.hpp"

namespace geo {
namespace {

constexpr int kMostCells = 16;  // each way, of the window that is read at a raster's middle

bool middle_is_readable(const Raster& raster) {
  GDALDataset& data = raster.dataset();
  const int width = data.GetRasterXSize(), height = data.GetRasterYSize();
  std::vector<double> cells;
  for (GDALRasterBand* band : data.GetBands())
    if (!RasterValues::numbers(*band).read(width / 2, height / 2, std::min(kMostCells, width - width / 2),
                                           std::min(kMostCells, height - height / 2), cells))
      return false;
  return true;
}

Result<void> check_raster(const std::string& path, const std::string& crs) {
  const auto raster = Raster::open(path, crs);
  if (!raster) return tl::make_unexpected(raster.error());
  const GdalErrors errors;
  if (!middle_is_readable(*raster)) return errors.failure(path, "cannot be read");
  return {};
}

/// Reads the middle of one tile that is here as a run does. Where none is, its office is not asked: it may be
/// down while runs elsewhere go on.
Result<void> check_tiles(const DataSet& set) {
  const auto index = TileIndex::open(set.path, set.crs);
  if (!index) return tl::make_unexpected(index.error());
  const auto tile = index->sample();
  if (!tile) return tl::make_unexpected(tile.error());
  const std::string path = index->path_of(*tile, false);
  if (path.empty()) return {};
  if (set.kind == DataKind::orthophoto) return check_raster(path, set.crs.empty() ? set.crs_wkt : set.crs);
  const Point middle{(tile->bounds.min_x + tile->bounds.max_x) / 2,
                     (tile->bounds.min_y + tile->bounds.max_y) / 2};
  const auto heights = heights_of(set, bounding_box({middle}), kMostCells * set.cell_m, 0, RunControl());
  close_all_kept();
  return heights ? Result<void>() : tl::make_unexpected(heights.error());
}

/// Whether the first feature of every layer can be read.
Result<void> check_layers(const DataSet& set) {
  const GdalErrors errors;
  const DatasetHandle data = open_dataset(set.path, GDAL_OF_VECTOR);
  if (!data)
    return errors.failure(set.path,
                          "cannot be opened as a vector data set" + what_may_help(set.path, GDAL_OF_VECTOR));
  for (OGRLayer* layer : data->GetLayers()) {
    CPLErrorReset();
    layer->ResetReading();
    const OGRFeatureUniquePtr first(layer->GetNextFeature());
    if (!first && CPLGetLastErrorType() == CE_Failure) return errors.failure(set.path, CPLGetLastErrorMsg());
  }
  return {};
}

/// What a run also needs: that polygons can be brought into another coordinate system.
Result<void> check_polygons(const DataSet& set) {
  const Box anywhere{10, 50, 10.001, 50.001};
  const auto polygons = read_polygons(vector_file(set), anywhere, "EPSG:4326", RunControl());
  close_kept(set.path);  // nobody reads it in this thread again
  if (!polygons) return tl::make_unexpected(polygons.error());
  return {};
}

}  // namespace

Result<void> check_data_set(const DataSet& set) {
  if (set.kind == DataKind::dsm && set.cell_m >= kTooCoarse_m)
    return fail(FailureKind::invalid_input,
                set.path + ": is too coarse for roofs, which need cells of 1 m or finer");
  if (set.tiled) return check_tiles(set);
  if (is_raster(set.kind)) return check_raster(set.path, set.crs);
  if (set.kind == DataKind::addresses && is_address_index(set.path)) return {};  // the register opens it
  const auto layers = check_layers(set);
  return layers && set.kind != DataKind::addresses ? check_polygons(set) : layers;
}

Result<void> check_houses(const Geodata& geodata) {
  const auto served = [&](LonLat place) { return geodata.catalogue.finest(DataKind::dsm, place) != nullptr; };
  const AddressRegister& addresses = geodata.addresses;
  if (addresses.size() == 0) return {};
  for (const DataSet& set : geodata.catalogue.of(DataKind::dsm))
    if (addresses.any(set.outline_deg, served)) return {};
  return fail(FailureKind::invalid_input,
              "datasets: no house of the addresses lies in a surface model (dsm)");
}

}  // namespace geo
