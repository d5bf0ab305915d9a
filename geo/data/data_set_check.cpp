#include "geo/data/data_set_check.hpp"

#include <ogrsf_frmts.h>

#include "geo/data/height_models.hpp"

namespace geo {
namespace {

constexpr double kCells = 16;  // the window that is read of a raster, at its middle

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

}  // namespace

Result<void> check_data_set(const DataSet& set) {
  return is_raster(set.kind) ? check_raster(set) : check_layers(set);
}

}  // namespace geo
