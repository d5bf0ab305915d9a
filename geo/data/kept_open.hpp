// The data sets that a thread keeps open from one read to the next, because opening one costs more than
// reading a window of it. Each thread has its own, and the least recently used is closed when there are too
// many. A data set is opened anew when one of its files has changed on disk. Kept are files on this machine
// and those read through the cache of offices' files (/vsioffice/), which knows a file's state. Of what else
// lies on a server nobody tells when it has changed.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "geo/data/gdal.hpp"
#include "geo/data/tile_index.hpp"
#include "geo/data/vector_layers.hpp"
#include "geo/failure.hpp"

namespace geo {

/// Data sets of one thread.
inline constexpr std::size_t kMostKeptRasters = 24, kMostKeptOutlines = 24, kMostKeptIndexes = 16;
inline constexpr std::size_t kMostKeptOpen = kMostKeptRasters + kMostKeptOutlines + kMostKeptIndexes;

/// Fails as Raster::open does.
Result<std::shared_ptr<const Raster>> kept_raster(const std::string& path,
                                                  const std::string& stated_crs = {});

/// Reads from a raster as this thread keeps it, and never makes one result of two states of its file: where
/// it was written meanwhile, `read` is called again with the file opened anew. data_unreachable when it goes
/// on being written; else fails as Raster::open and `read` do, after which the next read opens it anew.
Result<void> read_kept_raster(const std::string& path, const std::string& stated_crs,
                              const std::function<Result<void>(const Raster&)>& read);

/// The same of outlines. A database (GeoPackage) sees to it itself: it may be written while it is read.
Result<void> read_kept_polygon_layers(const VectorFile& file,
                                      const std::function<Result<void>(PolygonLayers&)>& read);

/// Fails as TileIndex::open does.
Result<std::shared_ptr<const TileIndex>> kept_tile_index(const std::string& path,
                                                         const std::string& stated_crs = {});

/// Lets go of what this thread keeps of a path, so that the next read opens it anew. To be called when
/// reading has failed.
void close_kept(const std::string& path);

/// Closes all that this thread keeps, the relief's cells and coordinate systems included. A thread that is
/// not joined calls this before its end: GDAL must not be torn down by the process meanwhile.
void close_all_kept();

}  // namespace geo
