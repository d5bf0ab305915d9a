// The one place that owns GDAL handles: after this file nobody writes GDALClose. A Dataset is used by one
// thread at a time (GDAL 3.6 shares none); every run opens its own.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/shapes/shapes.hpp"

class GDALDataset;
class OGRCoordinateTransformation;

namespace geo {

struct Bounds {
  double west = 0, south = 0, east = 0, north = 0;
  bool contains(Point p) const { return p.x >= west && p.x < east && p.y >= south && p.y < north; }
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

struct TransformationDeleter {
  void operator()(OGRCoordinateTransformation* transformation) const;
};
using TransformationHandle = std::unique_ptr<OGRCoordinateTransformation, TransformationDeleter>;
/// From WGS84 (longitude, latitude) to a system; null for an unknown one.
TransformationHandle transformation_from_wgs84(const std::string& crs);
TransformationHandle transformation_to_wgs84(const std::string& crs);

struct DatasetCloser {
  void operator()(GDALDataset* dataset) const;
};
using DatasetHandle = std::unique_ptr<GDALDataset, DatasetCloser>;

/// Registers the drivers once per process; called by the open functions. Data over HTTP (/vsicurl/) get
/// time-outs, unless the operator has set GDAL's own options.
void register_gdal_drivers();

/// Opens a data set for reading; null when it cannot be opened.
DatasetHandle open_dataset(const std::string& path, unsigned int kind);

/// Hears what GDAL says in this thread while it lives, and says why a call failed.
class GdalErrors {
 public:
  GdalErrors();
  ~GdalErrors();
  GdalErrors(const GdalErrors&) = delete;
  GdalErrors& operator=(const GdalErrors&) = delete;
  /// data_overloaded when a server answered 429 or 503, else data_unreachable. What GDAL remembers of servers
  /// is forgotten, so that the next run asks them again.
  tl::unexpected<Failure> failure(const std::string& path, const std::string& what) const;
  void hear(const char* message) { heard_ += std::string(message) + "\n"; }

 private:
  bool busy_server() const;
  std::string heard_;
};

/// One band of a north-up raster.
class Raster {
 public:
  /// data_unreachable when it cannot be opened, invalid_input when it is not a north-up raster with square
  /// cells and a known coordinate system.
  static Result<Raster> open(const std::string& path);
  /// The same raster as seen in another system (`crs` as WKT), warped bilinearly where it has one of its own.
  static Result<Raster> open(const std::string& path, const std::string& crs);

  const std::string& crs_wkt() const { return crs_wkt_; }
  double cell_m() const { return cell_m_; }
  const Bounds& bounds() const { return bounds_; }
  int bands() const;
  GDALDataset& dataset() const { return *dataset_; }

  /// The cells that touch `window`, clipped to the raster, nodata and implausible heights (beyond
  /// -500..9000 m) as NaN. data_unreachable when reading fails; an empty grid when nothing overlaps.
  Result<Grid<float>> read(const Bounds& window) const;

  /// Every band's value in the cell that holds the place; NaN for no data. Empty outside the raster.
  Result<std::vector<double>> values_at(LonLat place) const;

 private:
  static Result<Raster> of(DatasetHandle dataset, const std::string& path);
  Raster() = default;
  DatasetHandle dataset_;
  std::string crs_wkt_;
  Bounds bounds_;
  double cell_m_ = 1;
};

}  // namespace geo
