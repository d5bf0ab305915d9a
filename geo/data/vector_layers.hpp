// Reads polygons (footprints, parcels) from anything OGR opens, in a window of the elevation model's own
// coordinate system. Map metres.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "geo/data/gdal.hpp"
#include "geo/failure.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/shapes.hpp"

class OGRLayer;

namespace geo {

/// Lets through only the features for which a condition holds, in the grammar of OGR's own SQL; all for an
/// empty one. False when the layer has not the condition's columns, or the condition is none;
/// CPLGetLastErrorMsg() has which.
bool keep_only(OGRLayer& layer, const std::string& where);

/// A data set of polygons, and which of it counts.
struct VectorFile {
  std::string path;
  std::string stated_crs = {};  ///< as the catalogue states it, instead of the file's own
  std::string layer = {};       ///< the only one that counts; empty: all
  std::string where = {};       ///< a condition on its columns, as OGR's SQL has it; empty: none
  friend bool operator==(const VectorFile&, const VectorFile&) = default;
};

/// An open data set's layers of polygons.
class PolygonLayers {
 public:
  /// What makes every read fail: data_unreachable when it cannot be opened, invalid_input when it has no
  /// layer of polygons or one whose coordinate system nobody states, or when the layer or the columns of the
  /// condition are not there.
  static Result<PolygonLayers> open(const VectorFile& file);
  PolygonLayers(PolygonLayers&&) noexcept;
  PolygonLayers& operator=(PolygonLayers&&) noexcept;
  ~PolygonLayers();

  GDALDataset& dataset() const { return *dataset_; }
  /// The box around all polygons in WGS84; none when the data do not tell.
  std::optional<Box> outline_deg() const;

  /// The polygons of all layers that touch `window`, reprojected to `crs` (anything OGR understands; the
  /// window is in it too), multi-polygons taken apart, valid, in the data set's order. data_unreachable when
  /// it cannot be read, invalid_input for a system that is not understood.
  Result<std::vector<Polygon>> read(const Box& window, const std::string& crs, const RunControl& control);

 private:
  struct Layer;
  PolygonLayers(const VectorFile& file, DatasetHandle dataset);
  Result<void> append(Layer& layer, const Box& window, const std::string& crs, const RunControl& control,
                      std::vector<Polygon>& out) const;
  VectorFile file_;
  DatasetHandle dataset_;
  std::vector<Layer> layers_;
};

/// Reads from the data set as this thread keeps it open (kept_open.hpp). Fails as opening and reading do.
Result<std::vector<Polygon>> read_polygons(const VectorFile& file, const Box& window, const std::string& crs,
                                           const RunControl& control);

}  // namespace geo
