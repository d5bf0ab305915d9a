#include "geo/data/data_set_check.hpp"

#include <ogrsf_frmts.h>

#include "geo/data/height_models.hpp"
#include "geo/data/vector_layers.hpp"

namespace geo {
namespace {

constexpr double kCells = 16;  // the window that is read of a raster, at its middle
constexpr int kMonths = 12;

Bounds middle_of(const Raster& raster) {
  const Bounds& all = raster.bounds();
  const Point centre{(all.west + all.east) / 2, (all.south + all.north) / 2};
  const double reach = kCells / 2 * raster.cell_m();
  return {centre.x - reach, centre.y - reach, centre.x + reach, centre.y + reach};
}

Result<void> check_raster(const DataSet& set) {
  if (set.kind == DataKind::dsm && set.cell_m >= kTooCoarse_m)
    return fail(FailureKind::invalid_input,
                set.path + ": is too coarse for roofs, which need cells of 1 m or finer");
  const auto raster = Raster::open(set.path, set.crs);
  if (!raster) return tl::make_unexpected(raster.error());
  if (set.kind == DataKind::irradiance && raster->bands() != kMonths)
    return fail(FailureKind::invalid_input, set.path + ": an irradiance raster has twelve bands");
  const auto cells = raster->read(middle_of(*raster));
  if (!cells) return tl::make_unexpected(cells.error());
  return {};
}

Result<void> check_layers(const DataSet& set) {
  const GdalErrors errors;
  const DatasetHandle data = open_dataset(set.path, GDAL_OF_VECTOR);
  if (!data) return errors.failure(set.path, "cannot be opened as a vector data set");
  for (OGRLayer* layer : data->GetLayers()) {
    CPLErrorReset();
    layer->ResetReading();
    const OGRFeatureUniquePtr first(layer->GetNextFeature());
    if (!first && CPLGetLastErrorType() == CE_Failure) return errors.failure(set.path, CPLGetLastErrorMsg());
  }
  return {};
}

/// What a run asks of them beside that: that they can be brought into another coordinate system.
Result<void> check_polygons(const DataSet& set) {
  const Bounds anywhere{10, 50, 10.001, 50.001};
  const auto polygons = read_polygons(set.path, anywhere, "EPSG:4326", RunControl());
  if (!polygons) return tl::make_unexpected(polygons.error());
  return {};
}

}  // namespace

Result<void> check_data_set(const DataSet& set) {
  if (is_raster(set.kind)) return check_raster(set);
  const auto layers = check_layers(set);
  return layers && set.kind != DataKind::addresses ? check_polygons(set) : layers;
}

}  // namespace geo
