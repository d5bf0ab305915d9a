// The catalogue geodata.json: which data sets there are, what must be named when they are used, and which of
// them serves a place. A `path` is anything that GDAL or OGR opens; an `index` names a raster of many files
// (tile_index.hpp). Files may be named relative to the catalogue. Entries of "geodata.d/*.json" beside
// "geodata.json" count as if they stood in it: one file a region, which a program may add and take away.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "geo/data/file_state.hpp"
#include "geo/data/gdal.hpp"
#include "geo/data/vector_layers.hpp"
#include "geo/failure.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

enum class DataKind { dsm, dtm, buildings, parcels, addresses, orthophoto, relief, irradiance };
inline constexpr std::size_t kDataKinds = 8;
/// As the catalogue spells it.
const char* name_of(DataKind kind);
bool is_raster(DataKind kind);

struct DataSet {
  DataKind kind = DataKind::dsm;
  std::string path;     ///< ready for GDAL; of the tile index where `tiled`
  bool tiled = false;   ///< the entry names an index
  bool remote = false;  ///< tiles that are not here are read at the office
  std::string name, provider, licence, attribution, url;
  std::optional<int> year;
  int priority = 0;               ///< of several sets of a kind, the highest priority comes first
  std::string crs;                ///< stated by the catalogue; empty: the file says it
  std::vector<Polygon> outline;   ///< stated by the catalogue, WGS84; empty: the data's own box holds
  Box outline_deg = kEverywhere;  ///< the box around the data, WGS84
  // Outlines of buildings and parcels only:
  std::string layer, where;  ///< one layer, and a condition on its columns as OGR's SQL has it; empty: all
  // Rasters only:
  std::string crs_wkt;        ///< of the positions alone
  std::string height_system;  ///< as it is compared; empty: not stated
  /// Cells hold the highest of so many first returns a square metre; 0: they do not, or nobody said so.
  double highest_of_m2 = 0;
  bool cell_height_stated = false;  ///< the entry says what a cell's height is made of
  bool in_map_metres = false;       ///< projected, in metres
  Box bounds;
  double cell = 0;    ///< in units of its system
  double cell_m = 0;  ///< true metres, also of cells in degrees or feet

  friend bool operator==(const DataSet&, const DataSet&) = default;
};

/// Buildings or parcels, as they are opened.
VectorFile vector_file(const DataSet& set);

class Catalogue {
 public:
  /// A path, and the file there just before it was read. Of a folder, which some formats are, all its files.
  struct AsRead {
    std::string path;
    std::vector<FileState> files;
  };
  /// Reads the catalogue and opens every data set once; of a tile index no tile. Fails with invalid_input;
  /// the text is one sentence that names the file and the field.
  static Result<Catalogue> load(const std::string& path);

  /// The files on this machine that the data sets are made of, the catalogue's own first; of a tile index the
  /// index.
  const std::vector<std::string>& files() const { return files_; }
  /// Whether one of them is not any more as it was just before it was read, or whether "geodata.d" holds
  /// other files than then. Looks at the files' times and reads none.
  bool changed() const;

  /// The raster of a kind that covers the place: the first by priority, then the finest; null when none does.
  const DataSet* finest(DataKind kind, LonLat place) const;
  /// All that cover it, in this order.
  std::vector<const DataSet*> covering(DataKind kind, LonLat place) const;
  /// Every set of a kind; rasters in the order of covering().
  const std::vector<DataSet>& of(DataKind kind) const { return sets_[static_cast<std::size_t>(kind)]; }

 private:
  std::array<std::vector<DataSet>, kDataKinds> sets_;
  std::vector<std::string> files_;
  std::vector<std::string> beside_;  // the files of "geodata.d"
  std::vector<AsRead> as_read_;
};

}  // namespace geo
