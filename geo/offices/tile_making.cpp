#include "geo/offices/tile_making.hpp"

#include <gdal_priv.h>
#include <gdal_utils.h>
#include <ogr_spatialref.h>

#include <algorithm>
#include <cmath>

#include "geo/data/coordinate_system.hpp"
#include "geo/data/gdal.hpp"
#include "geo/data/raster_values.hpp"
#include "geo/grid/grid.hpp"
#include "geo/grid/resampling.hpp"
#include "geo/lower_case.hpp"
#include "geo/offices/disk.hpp"
#include "geo/offices/xyz_text.hpp"
#include "geo/offices/zip_reading.hpp"

namespace geo::offices {
namespace {

constexpr double kNoHeight = -9999;
constexpr double kNear = 1.01;  // of a cell: how far a tile's edge may lie from its square's
constexpr double kSameGrid = 1e-3;
constexpr double kTooCoarse = 1.5;  // times what the recipe says

bool holds_heights_of(DataKind kind) {
  return kind == DataKind::dsm || kind == DataKind::dtm || kind == DataKind::relief;
}

tl::unexpected<Failure> refused_tile(const std::string& path, const std::string& why) {
  return fail(FailureKind::invalid_input, path + ": " + why);
}

std::string text_of_box(const Box& b) {
  return std::to_string(std::llround(b.min_x)) + "," + std::to_string(std::llround(b.min_y)) + " to " +
         std::to_string(std::llround(b.max_x)) + "," + std::to_string(std::llround(b.max_y));
}

/// Whether the raster says where it lies, and says what the recipe says. Systems are compared by where they
/// put the tile, not by their texts: offices write one system in many ways.
Result<void> check_system(GDALDataset& data, double cell, const Source& source, const Box& square,
                          const std::string& path) {
  const std::string own = data.GetProjectionRef();
  const std::string& expected = source.crs;
  if (own.empty() || same_positions(own, expected)) return {};
  const auto between = transformation_between(own, expected);
  const Point middle{(square.min_x + square.max_x) / 2, (square.min_y + square.max_y) / 2};
  Point moved = middle;
  const bool known = between && between->Transform(1, &moved.x, &moved.y);
  if (known && std::hypot(moved.x - middle.x, moved.y - middle.y) <= cell / 2) return {};
  OGRSpatialReference system;
  const bool named = system.importFromWkt(own.c_str()) == OGRERR_NONE && system.GetName();
  return refused_tile(path, "has the coordinate reference system " +
                                std::string(named ? system.GetName() : "of its own") + " where " + expected +
                                " is expected");
}

/// A tile at the region's border may be smaller than its square.
Result<void> check_within(const Box& bounds, const Box& square, double cell, const std::string& path) {
  const Box room = square.grown(kNear * cell);
  if (room.contains({bounds.min_x, bounds.min_y}) && room.contains({bounds.max_x, bounds.max_y})) return {};
  return refused_tile(path, "lies at " + text_of_box(bounds) + " where its name says " + text_of_box(square));
}

/// Reads the last row, which a file that was cut off lacks.
Result<void> check_end(GDALDataset& data, const std::string& path) {
  std::vector<float> row(static_cast<std::size_t>(data.GetRasterXSize()));
  for (GDALRasterBand* band : data.GetBands())
    if (band->RasterIO(GF_Read, 0, data.GetRasterYSize() - 1, data.GetRasterXSize(), 1, row.data(),
                       data.GetRasterXSize(), 1, GDT_Float32, 0, 0, nullptr) != CE_None)
      return refused_tile(path, "is damaged, its last row cannot be read");
  return {};
}

Result<Raster> checked_raster(const Source& source, const Box& square, const std::string& path) {
  auto raster = Raster::open(path, source.crs);
  if (!raster) return raster;
  if (holds_heights_of(source.kind))
    if (const auto values = RasterValues::heights(*raster->dataset().GetRasterBand(1), 1); !values)
      return refused_tile(path, values.error().text);
  const double cell = raster->cell_m();
  if (const auto fit = check_system(raster->dataset(), cell, source, square, path); !fit)
    return tl::make_unexpected(fit.error());
  const double coarsest =
      std::max({source.cell_m, source.stored_cell_m, is_projected(source.crs) ? 1.0 : 0.0});
  if (cell > kTooCoarse * coarsest)
    return refused_tile(path, "has cells of " + std::to_string(cell) + " where " +
                                  std::to_string(source.cell_m) + " is expected");
  const auto place = check_within(raster->bounds(), square, cell, path);
  if (!place) return tl::make_unexpected(place.error());
  if (const auto end = check_end(raster->dataset(), path); !end) return tl::make_unexpected(end.error());
  return raster;
}

/// What is warped may have cells that are not square: far from the equator degrees are cut finer from south
/// to north than from west to east.
Result<void> check_before_warping(const Source& source, const Box& square, const std::string& path) {
  const DatasetHandle data = open_dataset(path, GDAL_OF_RASTER);
  if (!data) return refused_tile(path, "cannot be opened as a raster");
  double t[6];
  if (data->GetGeoTransform(t) != CE_None || t[2] != 0 || t[4] != 0 || !(t[1] > 0) || !(t[5] < 0))
    return refused_tile(path, "is not a north-up raster");
  const double cell = std::max(t[1], -t[5]);
  const Box bounds{t[0], t[3] + t[5] * data->GetRasterYSize(), t[0] + t[1] * data->GetRasterXSize(), t[3]};
  if (auto fit = check_system(*data, cell, source, square, path); !fit) return fit;
  if (auto place = check_within(bounds, square, cell, path); !place) return place;
  return check_end(*data, path);
}

bool is_text(const Source& source, const std::string& path) {
  const std::string small = lower_case(path);
  return small.ends_with(".xyz") || small.ends_with(".txt") ||
         (!source.zipped && source.form == FileForm::xyz);
}

/// What one file of heights gives, in its own cells; finer ones may be averaged already.
Result<Grid<float>> heights_as_they_come(const Source& source, const Box& square, const std::string& path) {
  if (is_text(source, path))
    return read_xyz(path, square, source.cell_m, source.quirks.html_end ? XyzEnd::page : XyzEnd::any);
  const auto raster = checked_raster(source, square, path);
  if (!raster) return tl::make_unexpected(raster.error());
  return raster->read(raster->bounds(), source.no_height ? raster->cell_m() : source.stored_cell_m);
}

/// In cells of the stored size. What stands for no height is left out before it is averaged.
Result<Grid<float>> heights_of(const Source& source, const Box& square, const std::string& path) {
  constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
  auto grid = heights_as_they_come(source, square, path);
  if (!grid) return grid;
  if (source.no_height)
    std::replace(grid->values.begin(), grid->values.end(), static_cast<float>(*source.no_height), kNothing);
  const double cell = grid->cell_m, stored = source.stored_cell_m;
  if (stored <= cell * (1 + kSameGrid)) return grid;
  Grid<float> coarse(static_cast<int>(std::ceil(grid->width * cell / stored - kSameGrid)),
                     static_cast<int>(std::ceil(grid->height * cell / stored - kSameGrid)), grid->west,
                     grid->north, stored, kNothing);
  average_into(coarse, 0, coarse.height, *grid);
  return coarse;
}

/// Grids of one size of cells and one lattice, as one.
Result<Grid<float>> joined(std::vector<Grid<float>> parts, const std::string& path) {
  if (parts.size() == 1) return std::move(parts.front());
  const double cell = parts.front().cell_m;
  Box box;
  for (const Grid<float>& part : parts) {
    const double dx = (part.west - parts.front().west) / cell, dy = (part.north - parts.front().north) / cell;
    if (std::abs(part.cell_m - cell) > kSameGrid * cell || std::abs(dx - std::round(dx)) > kSameGrid ||
        std::abs(dy - std::round(dy)) > kSameGrid)
      return refused_tile(path, "holds parts whose cells do not fit together");
    box = box.united({part.west, part.north - part.height * cell, part.west + part.width * cell, part.north});
  }
  Grid<float> all(static_cast<int>(std::lround((box.max_x - box.min_x) / cell)),
                  static_cast<int>(std::lround((box.max_y - box.min_y) / cell)), box.min_x, box.max_y, cell,
                  std::numeric_limits<float>::quiet_NaN());
  for (const Grid<float>& part : parts) {
    const int left = static_cast<int>(std::lround((part.west - all.west) / cell));
    const int top = static_cast<int>(std::lround((all.north - part.north) / cell));
    for (int row = 0; row < part.height; ++row)
      for (int col = 0; col < part.width; ++col)
        if (!std::isnan(part.at(col, row))) all.at(left + col, top + row) = part.at(col, row);
  }
  return all;
}

CPLStringList tile_options() {
  CPLStringList options;
  for (const char* option : {"COMPRESS=DEFLATE", "PREDICTOR=3", "TILED=YES", "BLOCKXSIZE=256",
                             "BLOCKYSIZE=256", "BIGTIFF=IF_SAFER"})
    options.AddString(option);
  return options;
}

/// Tiled, deflated, floating-point predictor, blocks of 256.
Result<void> write_heights(Grid<float> grid, const std::string& crs, const std::filesystem::path& part) {
  const auto unwritten = [&] {
    return not_written(part, error_of_writing(part.parent_path(), grid.values.size() * sizeof(float)));
  };
  for (float& value : grid.values)
    if (std::isnan(value)) value = static_cast<float>(kNoHeight);
  OGRSpatialReference system;
  if (system.SetFromUserInput(crs.c_str()) != OGRERR_NONE) return refused_tile(crs, "is not known");
  system.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  DatasetHandle data(
      driver ? driver->Create(part.c_str(), grid.width, grid.height, 1, GDT_Float32, tile_options().List())
             : nullptr);
  if (!data) return unwritten();
  double transform[6] = {grid.west, grid.cell_m, 0, grid.north, 0, -grid.cell_m};
  data->SetGeoTransform(transform);
  data->SetSpatialRef(&system);
  GDALRasterBand* band = data->GetRasterBand(1);
  band->SetNoDataValue(kNoHeight);
  const bool written = band->RasterIO(GF_Write, 0, 0, grid.width, grid.height, grid.values.data(), grid.width,
                                      grid.height, GDT_Float32, 0, 0, nullptr) == CE_None;
  CPLErrorReset();
  data.reset();  // the rest is written now
  if (!written || CPLGetLastErrorType() == CE_Failure) return unwritten();
  return {};
}

/// By gdalwarp: to the stored system, in cells of the stored size on whole multiples of it.
Result<void> warp(const std::string& path, const Source& source, const std::filesystem::path& part) {
  const DatasetHandle data = open_dataset(path, GDAL_OF_RASTER);
  if (!data) return refused_tile(path, "cannot be opened as a raster");
  CPLStringList words;
  const std::string cell = std::to_string(source.stored_cell_m), none = std::to_string(kNoHeight);
  for (const std::string& word :
       {std::string("-of"), std::string("GTiff"), std::string("-t_srs"), source.stored_crs,
        std::string("-tr"), cell, cell, std::string("-tap"), std::string("-r"), std::string("average"),
        std::string("-ot"), std::string("Float32"), std::string("-dstnodata"), none})
    words.AddString(word.c_str());
  if (data->GetSpatialRef() == nullptr) words.AddString("-s_srs"), words.AddString(source.crs.c_str());
  const CPLStringList creation = tile_options();
  for (int i = 0; i < creation.Count(); ++i) words.AddString("-co"), words.AddString(creation[i]);
  GDALWarpAppOptions* options = GDALWarpAppOptionsNew(words.List(), nullptr);
  GDALDatasetH from = data.get();
  int misused = 0;
  CPLErrorReset();
  DatasetHandle made(GDALDataset::FromHandle(GDALWarp(part.c_str(), nullptr, 1, &from, options, &misused)));
  GDALWarpAppOptionsFree(options);
  const bool well = made != nullptr;
  made.reset();
  if (well && CPLGetLastErrorType() != CE_Failure) return {};
  const std::string why = CPLGetLastErrorMsg();
  const auto bytes =
      static_cast<std::uint64_t>(data->GetRasterXSize()) * data->GetRasterYSize() * sizeof(float);
  if (const int error = error_of_writing(part.parent_path(), bytes); error != 0)
    return not_written(part, error);
  return refused_tile(path, "cannot be brought to " + source.stored_crs + " (" + why + ")");
}

bool stays_as_it_is(const Source& source, const Raster& raster) {
  const std::string own = raster.dataset().GetProjectionRef();
  const bool fine = source.stored_cell_m > raster.cell_m() * (1 + kSameGrid);
  return !own.empty() && !source.no_height && !(fine && holds_heights_of(source.kind)) &&
         source.stored_crs.empty();
}

/// The rasters of a file: itself, or those in the ZIP.
Result<std::vector<std::string>> parts_of(const Source& source, const std::filesystem::path& fetched) {
  if (!source.zipped) return std::vector<std::string>{fetched.string()};
  if (!holds_heights_of(source.kind)) return members_ending(fetched, {".tif", ".tiff", ".jp2"});
  // The same heights may lie there in several forms: the first is the most exact.
  for (const std::vector<std::string>& endings :
       {std::vector<std::string>{".tif", ".tiff"}, std::vector<std::string>{".xyz"}})
    if (auto parts = members_ending(fetched, endings)) return parts;
  return members_ending(fetched, {".tif", ".tiff", ".xyz", ".txt"});
}

Result<void> make_part(const Source& source, const Box& square, const std::filesystem::path& fetched,
                       const std::filesystem::path& part) {
  const auto parts = parts_of(source, fetched);
  if (!parts) return tl::make_unexpected(parts.error());
  if (!source.stored_crs.empty()) {
    if (auto sound = check_before_warping(source, square, parts->front()); !sound) return sound;
    return warp(parts->front(), source, part);
  }
  if (!holds_heights_of(source.kind)) {
    if (parts->size() != 1) return refused_tile(fetched.string(), "holds more than one picture");
    const auto raster = checked_raster(source, square, parts->front());
    if (!raster) return tl::make_unexpected(raster.error());
    return copy_out(parts->front(), part);
  }
  std::vector<Grid<float>> grids;
  for (const std::string& path : *parts) {
    auto grid = heights_of(source, square, path);
    if (!grid) return tl::make_unexpected(grid.error());
    grids.push_back(std::move(*grid));
  }
  auto grid = joined(std::move(grids), fetched.string());
  if (!grid) return tl::make_unexpected(grid.error());
  return write_heights(std::move(*grid), source.crs, part);
}

/// Whether what was made is what was meant.
Result<MadeTile> check_tile(const Source& source, const Box& square, const std::filesystem::path& tile) {
  const std::string path = tile.string();
  if (!source.stored_crs.empty()) {
    const auto raster = Raster::open(path);
    if (!raster) return tl::make_unexpected(raster.error());
    if (const auto end = check_end(raster->dataset(), path); !end) return tl::make_unexpected(end.error());
    return MadeTile{raster->bounds(), raster->cell_m()};
  }
  const auto raster = checked_raster(source, square, path);
  if (!raster) return tl::make_unexpected(raster.error());
  return MadeTile{raster->bounds(), raster->cell_m()};
}

/// Where a tile serves already, a row names it: what takes its name must be on the disk before.
Result<void> put_in_place(const std::filesystem::path& made, const std::filesystem::path& target) {
  std::error_code error;
  if (std::filesystem::exists(target, error))
    if (auto there = bring_to_disk({made}); !there) return there;
  std::filesystem::rename(made, target, error);
  return error ? Result<void>(not_written(target, error.value())) : Result<void>();
}

}  // namespace

Result<MadeTile> make_tile(const Source& source, const Box& square, const std::filesystem::path& fetched,
                           const std::filesystem::path& target) {
  const GdalErrors unheard;
  std::error_code error;
  std::filesystem::create_directories(target.parent_path(), error);
  if (error) return not_written(target, error.value());
  if (!source.zipped && source.form != FileForm::xyz && source.stored_crs.empty()) {
    const auto raster = checked_raster(source, square, fetched.string());
    if (!raster) return tl::make_unexpected(raster.error());
    if (stays_as_it_is(source, *raster) || !holds_heights_of(source.kind)) {
      const MadeTile tile{raster->bounds(), raster->cell_m()};
      if (const auto put = put_in_place(fetched, target); !put) return tl::make_unexpected(put.error());
      return tile;
    }
  }
  const std::filesystem::path part = target.string() + ".part";
  auto made = make_part(source, square, fetched, part);
  if (made) {
    if (const auto sound = check_tile(source, square, part); sound) {
      made = put_in_place(part, target);
      if (made) return *sound;
    } else {
      made = tl::make_unexpected(sound.error());
    }
  }
  std::filesystem::remove(part, error);
  return tl::make_unexpected(made.error());
}

}  // namespace geo::offices
