#include "geo/data/gdal.hpp"

#include <cpl_vsi.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <string_view>

#include "geo/data/gdal_drivers.hpp"
#include "geo/data/raster_values.hpp"
#include "geo/fetch/office_file_system.hpp"
#include "geo/fetch/url.hpp"
#include "geo/grid/resampling.hpp"
#include "geo/lower_case.hpp"

namespace geo {

// GDALClose would destroy it even while a view still holds a reference.
void DatasetCloser::operator()(GDALDataset* dataset) const { dataset->ReleaseRef(); }

namespace {

/// A driver that is not registered opens nothing, also not from within a VRT.
void keep_drivers_of_catalogues() {
  GDALDriverManager* drivers = GetGDALDriverManager();
  for (int i = drivers->GetDriverCount() - 1; i >= 0; --i) {
    GDALDriver* driver = drivers->GetDriver(i);
    const std::string_view name = driver->GetDescription();
    // MEM only makes data sets in memory for us; it must not open any memory address as one.
    if (name == "MEM") driver->pfnOpen = nullptr;
    if (std::find(kGdalDrivers.begin(), kGdalDrivers.end(), name) != kGdalDrivers.end()) continue;
    drivers->DeregisterDriver(driver);
    delete driver;  // GDAL's manager has let go of it
  }
}

/// JPEG, GPKG and COG make the list of their options when it is asked for first, without a lock. Two runs
/// that write their first photo at once would end the program (OSGeo/gdal issue 12389, mended in GDAL 3.11).
void make_option_lists() {
  for (int i = 0; i < GetGDALDriverManager()->GetDriverCount(); ++i)
    GetGDALDriverManager()->GetDriver(i)->GetMetadataItem(GDAL_DMD_CREATIONOPTIONLIST);
}

}  // namespace

namespace {

constexpr const char* kSiblings = "GDAL_DISABLE_READDIR_ON_OPEN";
constexpr const char* kNoneBeside = "EMPTY_DIR";
constexpr const char* kThoseAskedFor = "TRUE";

/// Files beside a local one count: world files, overviews. Those on a server are not asked for. An operator's
/// own setting holds.
class SiblingFiles {
 public:
  explicit SiblingFiles(const std::string& path)
      : ours_(EQUAL(CPLGetConfigOption(kSiblings, ""), kNoneBeside)) {
    const bool local = path.starts_with("/") && !path.starts_with("/vsi");
    if (ours_ && local) CPLSetThreadLocalConfigOption(kSiblings, kThoseAskedFor);
  }
  ~SiblingFiles() {
    if (ours_) CPLSetThreadLocalConfigOption(kSiblings, nullptr);
  }
  SiblingFiles(const SiblingFiles&) = delete;
  SiblingFiles& operator=(const SiblingFiles&) = delete;

 private:
  bool ours_;
};

}  // namespace

AfterGdalsContext::AfterGdalsContext() { const OGRSpatialReference makes_the_context; }

void register_gdal_drivers() {
  static std::once_flag once;
  std::call_once(once, [] {
    CPLSetErrorHandler(CPLQuietErrorHandler);  // failures are returned, not printed
    for (const auto& [option, value] :
         {std::pair{"GDAL_HTTP_CONNECTTIMEOUT", "5"},
          {"GDAL_HTTP_TIMEOUT", "20"},
          {"GDAL_HTTP_MAX_RETRY", "1"},
          {"GDAL_HTTP_RETRY_DELAY", "1"},
          // MB of decoded blocks, of all open rasters together.
          {"GDAL_CACHEMAX", "256"},
          // Nor is anything fetched that it names: a WFS's answer names its schema.
          {"GML_DOWNLOAD_WFS_SCHEMA", "NO"},
          // A data set stands alone: no looking around in its server's folder.
          {"GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR"}})
      if (!CPLGetConfigOption(option, nullptr)) CPLSetConfigOption(option, value);
    GDALAllRegister();
    keep_drivers_of_catalogues();
    make_option_lists();
  });
}

namespace {
thread_local std::size_t g_openings = 0;
}

std::size_t openings_of_this_thread() { return g_openings; }

DatasetHandle open_dataset(const std::string& path, unsigned int kind) {
  register_gdal_drivers();
  ++g_openings;
  const SiblingFiles siblings(path);
  // Beside GML a .gfs with what was found in it would be written, and read for each file that is called alike
  // up to its last dot: all that came from one server. "@": other drivers do not mind.
  const std::array<const char*, 2> options{"@WRITE_GFS=NO", nullptr};
  return DatasetHandle(GDALDataset::Open(path.c_str(), kind | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                                         nullptr, options.data()));
}

std::string what_may_help(const std::string& path, unsigned int kind) {
  if (path.starts_with("/vsi") || path.find("://") != std::string::npos) return {};
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return "; there is no such file";
  const std::string ending = lower_case(std::filesystem::path(path).extension().string());
  if (ending == ".zip") return "; what lies in a ZIP is named as /vsizip/" + path + "/NAME";
  if (ending == ".csv")
    return "; a table has commas, semicolons or tabs between its columns, in UTF-8 or Windows-1252";
  if (ending == ".gpkg" && (kind & GDAL_OF_RASTER) != 0) return "; an index of tiles is named as \"index\"";
  return "; it is damaged, or in a format that is not read, which gdal_translate or ogr2ogr can change";
}

GdalErrors::GdalErrors() {
  forget_office_failure();
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

namespace {

/// What GDAL remembers of a server's answers, of this data set where it can be told.
void forget_answers_to(const std::string& path) {
  constexpr std::string_view kDescriptions[] = {".vrt", ".xml", ".VRT", ".XML"};
  if (path.starts_with("/vsicurl/"))
    VSICurlPartialClearCache(path.c_str());
  else if (path.find("://") != std::string::npos ||
           std::any_of(std::begin(kDescriptions), std::end(kDescriptions),
                       [&](std::string_view ending) { return path.ends_with(ending); }))
    VSICurlClearCache();  // it may read from any server
}

}  // namespace

tl::unexpected<Failure> GdalErrors::failure(const std::string& path, const std::string& what) const {
  if (const auto office = last_office_failure()) return fail(office->kind, office->text);
  bool busy = busy_server();
  forget_answers_to(path);
  // GDAL tells the HTTP status of a failed opening, but not of a failed read.
  if (!busy && path.find("/vsicurl/") != std::string::npos) {
    const GdalErrors why;
    open_dataset(path, GDAL_OF_RASTER | GDAL_OF_VECTOR);
    busy = why.busy_server();
    forget_answers_to(path);
  }
  return fail(busy ? FailureKind::data_overloaded : FailureKind::data_unreachable,
              shown_url(path) + ": " + what);
}

namespace {

constexpr double kRounding = 1e-6;  // of a cell
constexpr int kRowsAtOnce = 256;    // of the file: a country's finest cells are never in memory at once

/// invalid_input when the file states no system and the catalogue none for it.
Result<CoordinateSystem> system_of(const GDALDataset& dataset, const std::string& stated) {
  const std::string own = dataset.GetProjectionRef();
  if (own.empty() && stated.empty())
    return fail(FailureKind::invalid_input,
                "has no coordinate reference system; the catalogue's entry may name it as \"crs\"");
  return coordinate_system(stated.empty() ? own : stated);
}

struct CellRange {
  int begin, end;
  int count() const { return std::max(0, end - begin); }
};

/// Cells of a row or column that touch a stretch of it.
CellRange cells_between(double from, double to, int all) {
  const auto within = [all](double cell) { return static_cast<int>(std::clamp<double>(cell, 0, all)); };
  return {within(std::floor(from)), within(std::ceil(to))};
}

struct FileCells {
  Box bounds;
  double size;
  int width, height;
};

/// The cells of this size, counted from the file's north-west corner, that touch a window.
Grid<float> frame_of(const FileCells& file, const Box& window, double size) {
  const Box& b = file.bounds;
  const auto all = [&](int of_file) {
    return static_cast<int>(std::ceil(of_file * file.size / size - kRounding));
  };
  const CellRange cols =
      cells_between((window.min_x - b.min_x) / size, (window.max_x - b.min_x) / size, all(file.width));
  const CellRange rows =
      cells_between((b.max_y - window.max_y) / size, (b.max_y - window.min_y) / size, all(file.height));
  if (cols.count() == 0 || rows.count() == 0) return {};
  return Grid<float>(cols.count(), rows.count(), b.min_x + cols.begin * size, b.max_y - rows.begin * size,
                     size, kNoData);
}

/// Cells of the file and where the first of them stands in it.
struct Strip {
  Grid<float> cells;
  int col, row;
};

/// The file's cells from which some rows of a grid are made.
Strip strip_of(const FileCells& file, const Grid<float>& grid, int row, int end) {
  const Box& b = file.bounds;
  const auto range = [&file](double from_m, double to_m, int all) {
    return cells_between(from_m / file.size + kRounding, to_m / file.size - kRounding, all);
  };
  const double left = grid.west - b.min_x, top = b.max_y - grid.north;
  const CellRange cols = range(left, left + grid.width * grid.cell_m, file.width);
  const CellRange rows = range(top + row * grid.cell_m, top + end * grid.cell_m, file.height);
  return {Grid<float>(cols.count(), rows.count(), b.min_x + cols.begin * file.size,
                      b.max_y - rows.begin * file.size, file.size),
          cols.begin, rows.begin};
}

}  // namespace

Result<Raster> Raster::open(const std::string& path, const std::string& stated_crs) {
  register_gdal_drivers();
  const GdalErrors errors;
  Raster raster;
  raster.dataset_ = open_dataset(path, GDAL_OF_RASTER);
  if (!raster.dataset_)
    return errors.failure(path, "cannot be opened as a raster" + what_may_help(path, GDAL_OF_RASTER));
  if (raster.bands() == 0) return fail(FailureKind::invalid_input, path + ": has no band");
  constexpr double kUneven = 1e-6;
  double t[6];
  if (raster.dataset_->GetGeoTransform(t) != CE_None || t[2] != 0 || t[4] != 0 || !(t[1] > 0) ||
      !(std::abs(t[1] - std::abs(t[5])) <= kUneven * t[1]))
    return fail(FailureKind::invalid_input, path + ": is not a north-up raster with square cells");
  auto crs = system_of(*raster.dataset_, stated_crs);
  if (!crs) return fail(crs.error().kind, path + ": " + crs.error().text);
  raster.crs_ = std::move(*crs);
  raster.cell_m_ = t[1];
  raster.south_up_ = t[5] > 0;
  const double height = t[1] * raster.dataset_->GetRasterYSize();
  const double north = raster.south_up_ ? t[3] + height : t[3];
  raster.bounds_ = {t[0], north - height, t[0] + t[1] * raster.dataset_->GetRasterXSize(), north};
  return raster;
}

int Raster::bands() const { return dataset_->GetRasterCount(); }

Result<std::vector<double>> Raster::values_at(LonLat place) const {
  const auto to_map = transformation_from_wgs84(crs_.wkt);
  double x = place.lon_deg;
  double y = place.lat_deg;
  if (!to_map || !to_map->Transform(1, &x, &y) || !bounds_.contains({x, y})) return std::vector<double>{};
  const int rows = dataset_->GetRasterYSize();
  const int col = std::min(static_cast<int>((x - bounds_.min_x) / cell_m_), dataset_->GetRasterXSize() - 1);
  const int row = std::min(static_cast<int>((bounds_.max_y - y) / cell_m_), rows - 1);
  std::vector<double> values, cell;
  for (int i = 1; i <= bands(); ++i) {
    const GdalErrors errors;
    if (!RasterValues::numbers(*dataset_->GetRasterBand(i))
             .read(col, south_up_ ? rows - 1 - row : row, 1, 1, cell))
      return errors.failure(dataset_->GetDescription(), "cannot be read");
    values.push_back(cell.front());
  }
  return values;
}

bool Raster::read_rows(const RasterValues& values, Grid<float>& rows, int first_col, int first_row) const {
  const int file_row = south_up_ ? dataset_->GetRasterYSize() - first_row - rows.height : first_row;
  if (!values.read(first_col, file_row, rows.width, rows.height, rows.values)) return false;
  if (!south_up_) return true;
  for (int row = 0; row < rows.height / 2; ++row)
    std::swap_ranges(&rows.at(0, row), &rows.at(0, row) + rows.width, &rows.at(0, rows.height - 1 - row));
  return true;
}

Result<Grid<float>> Raster::read(const Box& window, double smallest_cell, const RunControl& control) const {
  const bool averages = cell_m_ < smallest_cell * (1 - kRounding);
  const FileCells cells{bounds_, cell_m_, dataset_->GetRasterXSize(), dataset_->GetRasterYSize()};
  Grid<float> grid = frame_of(cells, window, averages ? smallest_cell : cell_m_);
  if (grid.values.empty()) return grid;
  const std::string path = dataset_->GetDescription();
  const auto values = RasterValues::heights(*dataset_->GetRasterBand(1), crs_.height_unit_m);
  if (!values) return fail(values.error().kind, path + ": " + values.error().text);
  const int at_once = std::max(1, static_cast<int>(kRowsAtOnce * cell_m_ / grid.cell_m));
  for (int row = 0; row < grid.height; row += at_once) {
    control.checkpoint();
    const GdalErrors errors;
    const int end = std::min(grid.height, row + at_once);
    Strip strip = strip_of(cells, grid, row, end);
    if (!read_rows(*values, strip.cells, strip.col, strip.row)) return errors.failure(path, "cannot be read");
    if (averages)
      average_into(grid, row, end, strip.cells);
    else
      std::copy(strip.cells.values.begin(), strip.cells.values.end(), &grid.at(0, row));
  }
  return grid;
}

}  // namespace geo
