#include "geo/offices/set_check.hpp"

#include <fcntl.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>
#include <ogrsf_frmts.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "geo/data/tile_index.hpp"
#include "geo/fetch/sha256.hpp"

namespace geo::offices {
namespace {

constexpr std::size_t kSampled = 12;     // tiles that are opened without --deep
constexpr std::size_t kMostFaults = 10;  // of one kind are told
constexpr double kAbove = 0.99, kTolerance_m = 0.5;
constexpr double kWindow = 200;  // cells each way that are compared
constexpr double kPoint = 0.01;  // of a place, in units of a system
constexpr std::size_t kMostBelow = 64;

std::filesystem::path index_path(const NamedSet& set, const DataFolder& folder) {
  return folder.root() / set.index;
}

Result<std::vector<Tile>> rows_of(const NamedSet& set, const DataFolder& folder) {
  const auto index = TileIndex::open(index_path(set, folder).string());
  if (!index) return tl::make_unexpected(index.error());
  constexpr std::size_t kAll = 10'000'000;
  return index->touching(index->bounds(), kAll);
}

std::uint64_t size_on_disk(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

/// Every cell of a tile, row by row; false when one cannot be read.
bool reads_whole(const Raster& raster, const RunControl& control) {
  GDALDataset& data = raster.dataset();
  std::vector<float> row(static_cast<std::size_t>(data.GetRasterXSize()));
  for (int y = 0; y < data.GetRasterYSize() && !control.cancelled(); ++y)
    if (data.GetRasterBand(1)->RasterIO(GF_Read, 0, y, data.GetRasterXSize(), 1, row.data(),
                                        data.GetRasterXSize(), 1, GDT_Float32, 0, 0, nullptr) != CE_None)
      return false;
  return true;
}

/// The office's sum, where the file still is the office's.
bool has_its_sum(const Tile& row, const std::filesystem::path& file) {
  if (row.sha256.empty() || row.bytes == 0 || size_on_disk(file) != row.bytes) return true;
  const int open = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (open < 0) return false;
  const std::string sum = sha256_of_file(open);
  ::close(open);
  return sum == row.sha256;
}

/// A sentence about what is wrong with a tile that should be here; empty when nothing is.
std::string fault_of(const Tile& row, const DataFolder& folder, const std::string& crs, bool deep,
                     const RunControl& control) {
  const std::filesystem::path file = folder.root() / row.location;
  if (size_on_disk(file) == 0) return file.string() + " is gone";
  const auto raster = Raster::open(file.string(), crs);
  if (!raster) return raster.error().text;
  const double off = std::max(std::abs(raster->bounds().min_x - row.bounds.min_x),
                              std::abs(raster->bounds().max_y - row.bounds.max_y));
  if (off > raster->cell_m()) return file.string() + " lies elsewhere than its index says";
  if (!deep) return {};
  if (!has_its_sum(row, file)) return file.string() + " is not what the office sent: its sum is another";
  if (!reads_whole(*raster, control)) return file.string() + " is damaged";
  return {};
}

void add_faults(const std::vector<std::string>& faults, const std::string& id,
                std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < std::min(faults.size(), kMostFaults); ++i)
    findings.push_back({true, id + ": " + faults[i]});
  if (faults.size() > kMostFaults)
    findings.push_back(
        {true, id + ": and " + std::to_string(faults.size() - kMostFaults) + " more like these"});
}

std::vector<Finding> check_tiles(const NamedSet& set, const DataFolder& folder, bool deep,
                                 const RunControl& control) {
  std::vector<Finding> findings;
  const auto index = TileIndex::open(index_path(set, folder).string());
  const auto rows = index ? rows_of(set, folder) : tl::make_unexpected(index.error());
  if (!rows) return {{true, set.id + ": " + rows.error().text}};
  std::vector<const Tile*> held;
  std::size_t known = 0;
  for (const Tile& row : *rows) {
    if (row.state == TileState::held) held.push_back(&row);
    if (row.state == TileState::known) ++known;
  }
  const std::size_t step = deep ? 1 : std::max<std::size_t>(1, held.size() / kSampled);
  std::vector<std::string> faults;
  std::size_t looked_at = 0;
  for (std::size_t i = 0; i < held.size() && !control.cancelled(); i += step, ++looked_at)
    if (std::string fault = fault_of(*held[i], folder, index->crs().wkt, deep, control); !fault.empty())
      faults.push_back(std::move(fault));
  add_faults(faults, set.id, findings);
  if (known > 0 && !set.remote)
    findings.push_back(
        {true, set.id + ": " + std::to_string(known) +
                   " tiles that were planned are not here; roofd geodata add goes on with them"});
  findings.push_back({false, set.id + ": " + std::to_string(held.size()) + " tiles here, " +
                                 std::to_string(known) + " at the office, " + std::to_string(looked_at) +
                                 (deep ? " read" : " opened")});
  return findings;
}

std::vector<Finding> check_file(const NamedSet& set, const DataFolder& folder) {
  const std::filesystem::path path = folder.root() / set.path;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return {{true, set.id + ": " + path.string() + " is gone"}};
  if (set.kind == "addresses") return {{false, set.id + ": " + path.string()}};
  const DatasetHandle data = open_dataset(path.string(), GDAL_OF_VECTOR);
  if (!data || data->GetLayerCount() == 0)
    return {{true, set.id + ": " + path.string() + ": cannot be opened as outlines"}};
  OGRLayer* layer = data->GetLayer(0);
  if (!layer->GetSpatialRef())
    return {{true, set.id + ": " + path.string() + ": has no coordinate reference system"}};
  if (!layer->TestCapability(OLCFastSpatialFilter))
    return {{true, set.id + ": " + path.string() + ": has no spatial index; each run would read all of it"}};
  return {{false, set.id + ": " + std::to_string(layer->GetFeatureCount()) + " outlines"}};
}

struct Comparison {
  std::size_t tiles = 0, cells = 0, above = 0;
};

/// Cells of the surface beside those of a piece of terrain.
void count_above(const Grid<float>& surface, const Grid<float>& terrain, Comparison& comparison) {
  for (int row = 0; row < surface.height; ++row)
    for (int col = 0; col < surface.width; ++col) {
      const Point p = surface.centre(col, row);
      const int c = terrain.col_of(p.x), r = terrain.row_of(p.y);
      if (!terrain.contains(c, r) || std::isnan(terrain.at(c, r)) || std::isnan(surface.at(col, row)))
        continue;
      ++comparison.cells;
      if (surface.at(col, row) >= terrain.at(c, r) - kTolerance_m) ++comparison.above;
    }
}

/// A window in the middle of a tile of the surface.
void compare_tile(const Tile& tile, const TileIndex& ground, const DataFolder& folder,
                  Comparison& comparison) {
  const double half = kWindow / 2 * tile.cell_m;
  const Point middle{(tile.bounds.min_x + tile.bounds.max_x) / 2,
                     (tile.bounds.min_y + tile.bounds.max_y) / 2};
  const Box window{middle.x - half, middle.y - half, middle.x + half, middle.y + half};
  const std::string& crs = ground.crs().wkt;
  const auto top = Raster::open((folder.root() / tile.location).string(), crs);
  const auto below = ground.touching(window, kMostBelow);
  if (!top || !below) return;
  const auto heights = top->read(window);
  if (!heights) return;
  for (const Tile& row : *below) {
    if (row.state != TileState::held) continue;
    const auto bottom = Raster::open((folder.root() / row.location).string(), crs);
    if (!bottom) continue;
    if (const auto terrain = bottom->read(window); terrain && !terrain->values.empty())
      count_above(*heights, *terrain, comparison);
  }
  ++comparison.tiles;
}

/// The file of the tile that would give a place's heights; empty where the set has none there.
std::string tile_at(const DataSet& set, LonLat place) {
  const auto index = TileIndex::open(set.path, set.crs);
  const auto to_map = index ? transformation_from_wgs84(index->crs().wkt) : nullptr;
  double x = place.lon_deg, y = place.lat_deg;
  if (!to_map || !to_map->Transform(1, &x, &y)) return {};
  const auto tiles = index->touching({x - kPoint, y - kPoint, x + kPoint, y + kPoint}, kMostBelow);
  for (const Tile& tile : tiles ? *tiles : std::vector<Tile>())
    if (const std::string path = index->path_of(tile, set.remote); !path.empty())
      return path + (tile.year ? ", " + std::to_string(*tile.year) : "");
  return {};
}

}  // namespace

Result<SetStatus> status_of(const NamedSet& set, const DataFolder& folder) {
  SetStatus status;
  if (set.index.empty()) {
    status.bytes = size_on_disk(folder.root() / set.path);
    (status.bytes > 0 ? status.held : status.known) = 1;
    return status;
  }
  const auto rows = rows_of(set, folder);
  if (!rows) return tl::make_unexpected(rows.error());
  status.bytes = size_on_disk(index_path(set, folder));
  for (const Tile& row : *rows) {
    ++(row.state == TileState::held      ? status.held
       : row.state == TileState::missing ? status.missing
                                         : status.known);
    if (row.state == TileState::held) status.bytes += size_on_disk(folder.root() / row.location);
    if (row.year && row.state != TileState::missing) {
      status.oldest_year = status.oldest_year == 0 ? *row.year : std::min(status.oldest_year, *row.year);
      status.newest_year = std::max(status.newest_year, *row.year);
    }
  }
  return status;
}

std::vector<Finding> check_set(const NamedSet& set, const DataFolder& folder, bool deep,
                               const RunControl& control) {
  const GdalErrors unheard;
  auto findings = set.index.empty() ? check_file(set, folder) : check_tiles(set, folder, deep, control);
  if (set.attribution.empty() || set.licence.empty())
    findings.push_back(
        {true, set.id + ": its entry in " + folder.entries_of(set.region).string() +
                   " names no licence or no attribution, which whoever shows results must show"});
  return findings;
}

Finding compare_heights(const NamedSet& dsm, const NamedSet& dtm, const DataFolder& folder,
                        std::size_t tiles) {
  const GdalErrors unheard;
  const auto surface = rows_of(dsm, folder);
  const auto ground = TileIndex::open(index_path(dtm, folder).string());
  if (!surface || !ground) return {true, dsm.id + ": cannot be compared with " + dtm.id};
  Comparison comparison;
  const std::size_t step = std::max<std::size_t>(1, surface->size() / std::max<std::size_t>(1, tiles));
  for (std::size_t i = 0; i < surface->size() && comparison.tiles < tiles; i += step)
    if ((*surface)[i].state == TileState::held) compare_tile((*surface)[i], *ground, folder, comparison);
  if (comparison.cells == 0)
    return {false, dsm.id + " and " + dtm.id + ": no tile of both is here to be compared"};
  const double share = static_cast<double>(comparison.above) / static_cast<double>(comparison.cells);
  std::array<char, 120> text{};
  std::snprintf(text.data(), text.size(), ": the surface lies above the terrain in %.2f %% of %zu cells",
                100 * share, comparison.cells);
  const std::string says = dsm.id + " and " + dtm.id + text.data();
  return {share < kAbove, share < kAbove ? says + "; the two do not belong together" : says};
}

Result<std::vector<std::string>> served_by(const DataFolder& folder, LonLat place) {
  const auto catalogue = Catalogue::load(folder.catalogue.string());
  if (!catalogue) return tl::make_unexpected(catalogue.error());
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < kDataKinds; ++k) {
    const DataKind kind = static_cast<DataKind>(k);
    for (const DataSet* set : catalogue->covering(kind, place)) {
      std::string line = std::string(geo::name_of(kind)) + ": " +
                         (set->name.empty() ? set->path : set->name) + " (" + set->path + ")";
      if (set->tiled) {
        const std::string tile = tile_at(*set, place);
        line += "\n  " + (tile.empty() ? "no tile that can be read; the next set is asked" : tile);
      }
      lines.push_back(std::move(line));
    }
  }
  if (lines.empty()) lines.emplace_back("nothing serves this place");
  return lines;
}

}  // namespace geo::offices
