// A tile index: the files of which a raster data set of many files consists, and the box of each. It is a
// GeoPackage with one layer of polygons, "tiles", and an R-tree, so a window's few tiles among a country's
// 70,000 are found in a fraction of a millisecond. GDAL 3.9 and later opens the same file as a raster (its
// GTI driver).
//
// An index that another program made may be in any format that GDAL reads, its only layer may have any name,
// and it may lack all columns but the location.
//
//   location  the file, relative to the index's folder; empty while it is not on this machine
//   url       where the office offers it; empty for an operator's own files
//   year      of the survey         cell_m    a cell's width in units of the system
//   bytes     of the office's file  sha256    of the office's file, lower-case hexadecimal; empty: not told
//   etag      the office's name of this version
//   state     "known": the office has it; "held": it is here; "missing": the office has nothing there
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "geo/data/gdal.hpp"
#include "geo/failure.hpp"
#include "geo/shapes/box.hpp"

class OGRLayer;

namespace geo {

enum class TileState { known, held, missing };

struct Tile {
  Box bounds;  ///< in the index's system
  std::string location, url;
  std::optional<int> year;
  double cell_m = 0;
  std::uint64_t bytes = 0;
  std::string sha256, etag;
  TileState state = TileState::known;
};

/// For reading. Used by one thread at a time; kept_open.hpp keeps each thread's own.
class TileIndex {
 public:
  /// data_unreachable when it cannot be opened; invalid_input, with a sentence that names the file and the
  /// field, when it is no tile index, holds no tile or names no coordinate system.
  static Result<TileIndex> open(const std::string& path, const std::string& stated_crs = {});

  const CoordinateSystem& crs() const { return crs_; }
  const Box& bounds() const { return bounds_; }  ///< of all tiles
  double cell_m() const {
    return cell_m_;
  }  ///< in units of the system; the size that most of the first tiles have
  std::size_t size() const { return size_; }
  GDALDataset& dataset() const { return *dataset_; }

  /// Tiles that share area with a window, the newest first; of one year in the order of their names. Fails
  /// when the file cannot be read, or when there are more than `most` of them (invalid_input).
  Result<std::vector<Tile>> touching(const Box& window, std::size_t most) const;
  /// One that is here, else any.
  Result<Tile> sample() const;

  /// A tile's file for GDAL: beside the index, or through /vsioffice/ where it is only at the office and
  /// `remote`. Empty when it cannot be read.
  std::string path_of(const Tile& tile, bool remote) const;

 private:
  TileIndex() = default;
  std::string path_;
  DatasetHandle dataset_;
  OGRLayer* layer_ = nullptr;
  CoordinateSystem crs_;
  Box bounds_;
  double cell_m_ = 0;
  std::size_t size_ = 0;
};

/// For making an index and changing it. Readers see all of a commit() or nothing of it.
class TileIndexWriter {
 public:
  /// Creates the file where there is none. `crs`: anything that OGR understands. Fails with invalid_input for
  /// a system that is not known or another one than the file's.
  static Result<TileIndexWriter> open(const std::string& path, const std::string& crs);
  TileIndexWriter(TileIndexWriter&&) noexcept = default;
  TileIndexWriter& operator=(TileIndexWriter&&) noexcept = default;
  ~TileIndexWriter();  ///< what was not committed is lost

  /// All rows as they will be.
  Result<std::vector<Tile>> all() const;
  /// Adds a tile, or replaces the one of the same url; where it has none, of the same location.
  Result<void> put(const Tile& tile);
  Result<void> remove(const Tile& tile);
  Result<void> commit();

 private:
  TileIndexWriter() = default;
  std::string path_;
  DatasetHandle dataset_;
  OGRLayer* layer_ = nullptr;
  std::map<std::string, long long> rows_;  ///< by url or location
  bool changing_ = false;
};

}  // namespace geo
