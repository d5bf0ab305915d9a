#include "geo/data/gdal.hpp"

#include <cpl_vsi.h>
#include <gdal_priv.h>
#include <gdalwarper.h>
#include <ogr_spatialref.h>

#include <algorithm>
#include <mutex>
#include <string_view>

#include "geo/data/gdal_drivers.hpp"

namespace geo {

void DatasetCloser::operator()(GDALDataset* dataset) const { GDALClose(dataset); }

namespace {

/// A driver that is not registered opens nothing, also not from within a VRT.
void keep_drivers_of_catalogues() {
  GDALDriverManager* drivers = GetGDALDriverManager();
  for (int i = drivers->GetDriverCount() - 1; i >= 0; --i) {
    GDALDriver* driver = drivers->GetDriver(i);
    const std::string_view name = driver->GetDescription();
    // It makes data sets in memory for us; it must not take any address there for one.
    if (name == "MEM") driver->pfnOpen = nullptr;
    if (std::find(kGdalDrivers.begin(), kGdalDrivers.end(), name) != kGdalDrivers.end()) continue;
    drivers->DeregisterDriver(driver);
    delete driver;  // GDAL's manager has let go of it
  }
}

}  // namespace

void register_gdal_drivers() {
  static std::once_flag once;
  std::call_once(once, [] {
    CPLSetErrorHandler(CPLQuietErrorHandler);  // failures are returned, not printed
    for (const auto& [option, value] : {std::pair{"GDAL_HTTP_CONNECTTIMEOUT", "5"},
                                        {"GDAL_HTTP_TIMEOUT", "20"},
                                        {"GDAL_HTTP_MAX_RETRY", "0"},
                                        // A data set stands alone: no looking around in its server's folder.
                                        {"GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR"}})
      if (!CPLGetConfigOption(option, nullptr)) CPLSetConfigOption(option, value);
    GDALAllRegister();
    keep_drivers_of_catalogues();
  });
}

DatasetHandle open_dataset(const std::string& path, unsigned int kind) {
  register_gdal_drivers();
  return DatasetHandle(GDALDataset::Open(path.c_str(), kind | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR));
}

GdalErrors::GdalErrors() {
  CPLPushErrorHandlerEx(
      [](CPLErr, CPLErrorNum, const char* message) {
        static_cast<GdalErrors*>(CPLGetErrorHandlerUserData())->hear(message);
      },
      this);
}
GdalErrors::~GdalErrors() { CPLPopErrorHandler(); }

bool GdalErrors::busy_server() const {
  return heard_.find("HTTP response code: 429") != std::string::npos ||
         heard_.find("HTTP response code: 503") != std::string::npos;
}

tl::unexpected<Failure> GdalErrors::failure(const std::string& path, const std::string& what) const {
  bool busy = busy_server();
  VSICurlClearCache();
  // Of a failed read GDAL tells no status, of a failed opening it does.
  if (!busy && path.find("/vsicurl/") != std::string::npos) {
    const GdalErrors why;
    open_dataset(path, GDAL_OF_RASTER | GDAL_OF_VECTOR);
    busy = why.busy_server();
    VSICurlClearCache();
  }
  return fail(busy ? FailureKind::data_overloaded : FailureKind::data_unreachable, path + ": " + what);
}

void TransformationDeleter::operator()(OGRCoordinateTransformation* transformation) const {
  OGRCoordinateTransformation::DestroyCT(transformation);
}

namespace {

enum class Direction { from_wgs84, to_wgs84 };

TransformationHandle transformation(const std::string& crs, Direction direction) {
  OGRSpatialReference other, wgs84;
  if (other.SetFromUserInput(crs.c_str()) != OGRERR_NONE) return nullptr;
  wgs84.SetWellKnownGeogCS("WGS84");
  other.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  wgs84.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  const bool from = direction == Direction::from_wgs84;
  return TransformationHandle(from ? OGRCreateCoordinateTransformation(&wgs84, &other)
                                   : OGRCreateCoordinateTransformation(&other, &wgs84));
}

}  // namespace

TransformationHandle transformation_from_wgs84(const std::string& crs) {
  return transformation(crs, Direction::from_wgs84);
}
TransformationHandle transformation_to_wgs84(const std::string& crs) {
  return transformation(crs, Direction::to_wgs84);
}

Result<Raster> Raster::open(const std::string& path) {
  register_gdal_drivers();
  const GdalErrors errors;
  auto dataset = open_dataset(path, GDAL_OF_RASTER);
  if (!dataset) return errors.failure(path, "cannot be opened as a raster");
  return of(std::move(dataset), path);
}

Result<Raster> Raster::open(const std::string& path, const std::string& crs) {
  auto raster = open(path);
  if (!raster) return raster;
  OGRSpatialReference own, wanted;
  if (own.importFromWkt(raster->crs_wkt_.c_str()) == OGRERR_NONE &&
      wanted.importFromWkt(crs.c_str()) == OGRERR_NONE && own.IsSame(&wanted))
    return raster;
  constexpr double kMaxError_cells = 0.125;
  // The warped view keeps its source open for as long as it lives.
  auto* view = GDALAutoCreateWarpedVRT(raster->dataset_.get(), nullptr, crs.c_str(), GRA_Bilinear,
                                       kMaxError_cells, nullptr);
  return of(DatasetHandle(GDALDataset::FromHandle(view)), path);
}

Result<Raster> Raster::of(DatasetHandle dataset, const std::string& path) {
  if (!dataset) return fail(FailureKind::data_unreachable, path + ": cannot be opened as a raster");
  Raster raster;
  raster.dataset_ = std::move(dataset);
  double t[6];
  if (raster.dataset_->GetGeoTransform(t) != CE_None || t[2] != 0 || t[4] != 0 || t[1] <= 0 ||
      std::abs(t[1] + t[5]) > 1e-6 * t[1])
    return fail(FailureKind::invalid_input, path + ": is not a north-up raster with square cells");
  raster.crs_wkt_ = raster.dataset_->GetProjectionRef();
  if (raster.crs_wkt_.empty())
    return fail(FailureKind::invalid_input, path + ": has no coordinate reference system");
  raster.cell_m_ = t[1];
  raster.bounds_ = {t[0], t[3] + t[5] * raster.dataset_->GetRasterYSize(),
                    t[0] + t[1] * raster.dataset_->GetRasterXSize(), t[3]};
  return raster;
}

Result<std::vector<double>> Raster::values_at(LonLat place) const {
  const auto to_map = transformation_from_wgs84(crs_wkt_);
  double x = place.lon_deg;
  double y = place.lat_deg;
  if (!to_map || !to_map->Transform(1, &x, &y) || !bounds_.contains({x, y})) return std::vector<double>{};
  const int col = static_cast<int>((x - bounds_.west) / cell_m_);
  const int row = static_cast<int>((bounds_.north - y) / cell_m_);
  std::vector<double> values;
  for (int i = 1; i <= bands(); ++i) {
    GDALRasterBand* band = dataset_->GetRasterBand(i);
    double value = 0;
    const GdalErrors errors;
    if (band->RasterIO(GF_Read, col, row, 1, 1, &value, 1, 1, GDT_Float64, 0, 0, nullptr) != CE_None)
      return errors.failure(dataset_->GetDescription(), "cannot be read");
    int has_nodata = 0;
    const double nodata = band->GetNoDataValue(&has_nodata);
    values.push_back(has_nodata && value == nodata ? std::numeric_limits<double>::quiet_NaN() : value);
  }
  return values;
}

int Raster::bands() const { return dataset_->GetRasterCount(); }

Result<Grid<float>> Raster::read(const Bounds& window) const {
  const int width = dataset_->GetRasterXSize();
  const int height = dataset_->GetRasterYSize();
  auto cells = [this](double metres) { return metres / cell_m_; };
  const int col0 = std::clamp(static_cast<int>(std::floor(cells(window.west - bounds_.west))), 0, width);
  const int col1 = std::clamp(static_cast<int>(std::ceil(cells(window.east - bounds_.west))), 0, width);
  const int row0 = std::clamp(static_cast<int>(std::floor(cells(bounds_.north - window.north))), 0, height);
  const int row1 = std::clamp(static_cast<int>(std::ceil(cells(bounds_.north - window.south))), 0, height);
  if (col0 >= col1 || row0 >= row1) return Grid<float>{};
  Grid<float> grid(col1 - col0, row1 - row0, bounds_.west + col0 * cell_m_, bounds_.north - row0 * cell_m_,
                   cell_m_);
  GDALRasterBand* band = dataset_->GetRasterBand(1);
  const GdalErrors errors;
  if (band->RasterIO(GF_Read, col0, row0, grid.width, grid.height, grid.values.data(), grid.width,
                     grid.height, GDT_Float32, 0, 0, nullptr) != CE_None)
    return errors.failure(dataset_->GetDescription(), "cannot be read");
  int has_nodata = 0;
  const auto nodata = static_cast<float>(band->GetNoDataValue(&has_nodata));
  for (float& z : grid.values)
    if ((has_nodata && z == nodata) || !(z > -500 && z < 9000)) z = kNoData;
  return grid;
}

}  // namespace geo
