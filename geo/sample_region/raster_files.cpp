#include "geo/sample_region/raster_files.hpp"

#include <gdal_priv.h>
#include <ogr_spatialref.h>

#include <cmath>

#include "geo/data/gdal.hpp"

namespace geo::sample {
namespace {

constexpr float kFileNoData = -9999;

struct RasterForm {
  int width, height, bands;
  double west, north, cell_m;
  GDALDataType type;
};

DatasetHandle create(const std::string& path, const std::string& crs, const RasterForm& form,
                     const std::vector<const char*>& options) {
  register_gdal_drivers();
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  OGRSpatialReference system;
  if (!driver || system.SetFromUserInput(crs.c_str()) != OGRERR_NONE) return nullptr;
  DatasetHandle file(driver->Create(path.c_str(), form.width, form.height, form.bands, form.type,
                                    const_cast<char**>(options.data())));
  if (!file) return nullptr;
  double transform[6] = {form.west, form.cell_m, 0, form.north, 0, -form.cell_m};
  if (file->SetGeoTransform(transform) != CE_None || file->SetSpatialRef(&system) != CE_None) return nullptr;
  return file;
}

/// Closing writes what is still in memory: only then is it known whether the disk took it.
Result<void> close(DatasetHandle file, const std::string& path, bool written) {
  CPLErrorReset();
  file.reset();
  if (!written || CPLGetLastErrorType() >= CE_Failure)
    return fail(FailureKind::invalid_input, path + ": cannot be written");
  return {};
}

}  // namespace

Result<void> write_heights(const std::string& path, const std::string& crs, const Grid<float>& heights) {
  const RasterForm form{heights.width, heights.height, 1,          heights.west,
                        heights.north, heights.cell_m, GDT_Float32};
  DatasetHandle file =
      create(path, crs, form,
             {"TILED=YES", "COMPRESS=DEFLATE", "PREDICTOR=3", "BLOCKXSIZE=256", "BLOCKYSIZE=256", nullptr});
  if (!file) return fail(FailureKind::invalid_input, path + ": cannot be created");
  std::vector<float> values = heights.values;
  for (float& z : values)
    if (std::isnan(z)) z = kFileNoData;
  GDALRasterBand* band = file->GetRasterBand(1);
  const bool written = band->SetNoDataValue(kFileNoData) == CE_None &&
                       band->RasterIO(GF_Write, 0, 0, form.width, form.height, values.data(), form.width,
                                      form.height, GDT_Float32, 0, 0, nullptr) == CE_None;
  return close(std::move(file), path, written);
}

Result<void> write_image(const std::string& path, const std::string& crs, const Grid<Rgb>& image) {
  const RasterForm form{image.width, image.height, 3, image.west, image.north, image.cell_m, GDT_Byte};
  DatasetHandle file = create(path, crs, form,
                              {"TILED=YES", "COMPRESS=JPEG", "PHOTOMETRIC=YCBCR", "JPEG_QUALITY=88",
                               "INTERLEAVE=PIXEL", "BLOCKXSIZE=256", "BLOCKYSIZE=256", nullptr});
  if (!file) return fail(FailureKind::invalid_input, path + ": cannot be created");
  static_assert(sizeof(Rgb) == 3, "GDAL is told that pixels are three bytes apart");
  const bool written =
      file->RasterIO(GF_Write, 0, 0, form.width, form.height, const_cast<Rgb*>(image.values.data()),
                     form.width, form.height, GDT_Byte, 3, nullptr, 3, static_cast<GSpacing>(3) * form.width,
                     1, nullptr) == CE_None;
  return close(std::move(file), path, written);
}

}  // namespace geo::sample
