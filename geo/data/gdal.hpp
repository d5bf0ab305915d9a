// The one place that owns GDAL handles: after this file nobody writes GDALClose. A Dataset is used by one
// thread at a time (GDAL 3.6 shares none); kept_open.hpp keeps each thread's own.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geo/data/coordinate_system.hpp"
#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/box.hpp"
#include "geo/shapes/shapes.hpp"

class GDALDataset;

namespace geo {

class RasterValues;

/// Base of what a thread keeps of GDAL's. Destroying that uses GDAL's own context of the thread, which is
/// destroyed last only if it was made first; otherwise a new one is made that nobody frees.
struct AfterGdalsContext {
  AfterGdalsContext();
};

/// A data set lives as long as any other that reads through it.
struct DatasetCloser {
  void operator()(GDALDataset* dataset) const;
};
using DatasetHandle = std::unique_ptr<GDALDataset, DatasetCloser>;

/// Registers the drivers once per process; called by the open functions. Data over HTTP (/vsicurl/) get
/// time-outs, unless the operator has set GDAL's own options.
void register_gdal_drivers();

/// Opens a data set for reading; null when it cannot be opened.
DatasetHandle open_dataset(const std::string& path, unsigned int kind);

/// What may help where a data set on this machine cannot be opened: the rest of a sentence, or nothing.
std::string what_may_help(const std::string& path, unsigned int kind);

/// How often this thread has called open_dataset().
std::size_t openings_of_this_thread();

/// Collects GDAL's messages in this thread while it lives, and says why a call failed.
class GdalErrors {
 public:
  GdalErrors();
  ~GdalErrors();
  GdalErrors(const GdalErrors&) = delete;
  GdalErrors& operator=(const GdalErrors&) = delete;
  /// data_overloaded when a server answered 429 or 503, else data_unreachable. GDAL's cache of server answers
  /// is cleared, so that the next run asks them again.
  tl::unexpected<Failure> failure(const std::string& path, const std::string& what) const;
  void hear(const char* message) { heard_ += std::string(message) + "\n"; }

 private:
  bool busy_server() const;
  std::string heard_;
};

/// A raster whose cells are squares along the axes of its system, in whichever direction its rows go.
class Raster {
 public:
  /// `stated_crs`: the system that the catalogue states for it, instead of the file's own. data_unreachable
  /// when it cannot be opened, invalid_input when its cells are no such squares or their system is not known.
  static Result<Raster> open(const std::string& path, const std::string& stated_crs = {});

  const std::string& crs_wkt() const { return crs_.wkt; }
  const CoordinateSystem& crs() const { return crs_; }
  double cell_m() const { return cell_m_; }  ///< in units of its system
  const Box& bounds() const { return bounds_; }
  int bands() const;
  GDALDataset& dataset() const { return *dataset_; }

  /// The first band's cells that touch `window`, clipped to the raster, as heights in metres; nodata and
  /// implausible heights (beyond -500..9000 m) as NaN. Cells smaller than `smallest_cell` are averaged to
  /// that size while they are read. An empty grid when nothing overlaps; data_unreachable when reading fails,
  /// invalid_input for heights in an unknown unit.
  Result<Grid<float>> read(const Box& window, double smallest_cell = 0,
                           const RunControl& control = RunControl()) const;

  /// Every band's value in the cell that holds the place; NaN for no data. Empty outside the raster.
  Result<std::vector<double>> values_at(LonLat place) const;

 private:
  Raster() = default;
  /// Rows as they lie from north to south.
  bool read_rows(const RasterValues& values, Grid<float>& rows, int first_col, int first_row) const;
  DatasetHandle dataset_;
  CoordinateSystem crs_;
  Box bounds_;
  double cell_m_ = 1;
  bool south_up_ = false;
};

}  // namespace geo
