#include "geo/data/kept_open.hpp"

#include <cpl_string.h>
#include <gdal_priv.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "geo/data/gdal.hpp"
#include "geo/data/kept_relief.hpp"
#include "geo/fetch/office_file_system.hpp"
#include "geo/recent_cache.hpp"

namespace geo {
namespace {

constexpr std::size_t kMostFiles = kMostKeptOpen / 2;  // of a data set: each may have a descriptor
// What a thread's rasters, and its layers, may take in MB of memory, roughly.
constexpr std::size_t kEach_mb = 4, kRoom_mb = kEach_mb * kMostKeptOpen / 2;
constexpr double kMb = 1e6;

/// Formats of which GDAL holds little more in memory than what was read last. Of any other it may hold the
/// whole file.
constexpr std::array<std::string_view, 6> kReadInParts{"GTiff", "COG",        "VRT",
                                                       "GPKG",  "FlatGeobuf", "ESRI Shapefile"};
/// Formats whose file names others.
constexpr std::array<std::string_view, 2> kCollections{"VRT", "OGR_VRT"};
/// Formats whose file describes a server.
constexpr std::array<std::string_view, 3> kServers{"WCS", "WMS", "WMTS"};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// What tells one state of a file from another.
struct FileState {
  std::string path;
  dev_t device;
  ino_t number;
  off_t size;
  timespec written, changed;
  std::string office_state{};  ///< of a file on an office's server, in place of the others
};

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool operator==(const FileState& a, const FileState& b) {
  return a.path == b.path && a.device == b.device && a.number == b.number && a.size == b.size &&
         same_time(a.written, b.written) && same_time(a.changed, b.changed) &&
         a.office_state == b.office_state;
}

/// None for what is no file on this machine, nor one that is read through the cache of offices' files.
std::optional<FileState> state_of(const std::string& path) {
  if (auto office = office_file_state(path))
    return FileState{.path = path, .office_state = *std::move(office)};
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
  return FileState{path, found.st_dev, found.st_ino, found.st_size, found.st_mtim, found.st_ctim};
}

/// What a collection holds besides files of its own: GDAL does not list what lies below it.
bool names_others(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return EQUAL(ending.c_str(), ".vrt") || EQUAL(ending.c_str(), ".xml");
}

/// SQLite writes beside the file first. GDAL would not notice all of it.
bool is_being_written(const std::string& path) {
  const auto beside = state_of(path + "-wal");
  return beside && beside->size > 0;
}

/// Of all files of a data set; empty when it cannot be kept.
std::vector<FileState> states_of(GDALDataset& dataset) {
  const std::string_view driver = dataset.GetDriver()->GetDescription();
  if (among(kServers, driver)) return {};
  const CPLStringList files(dataset.GetFileList());
  if (static_cast<std::size_t>(files.size()) > kMostFiles) return {};
  std::vector<FileState> states;
  for (int i = 0; i < files.size(); ++i) {
    if (i > 0 && among(kCollections, driver) && names_others(files[i])) return {};
    auto state = state_of(files[i]);
    if (!state || is_being_written(files[i])) return {};
    states.push_back(std::move(*state));
  }
  return states;
}

bool unchanged(const std::vector<FileState>& states) {
  return std::all_of(states.begin(), states.end(), [](const FileState& state) {
    return state_of(state.path) == state && !is_being_written(state.path);
  });
}

std::size_t room_mb(GDALDataset& dataset, const std::vector<FileState>& states) {
  if (among(kReadInParts, dataset.GetDriver()->GetDescription())) return kEach_mb * states.size();
  double bytes = 0;
  for (const FileState& state : states) bytes += static_cast<double>(state.size);
  constexpr double kInMemory = 4;  // times as large as in the file
  return kEach_mb + static_cast<std::size_t>(kInMemory * bytes / kMb);
}

template <class Set>
struct KeptSet {
  std::shared_ptr<Set> set;
  std::string stated_crs;
  std::vector<FileState> states;
};
template <class Set>
using KeptSets = RecentCache<std::string, KeptSet<Set>>;

struct KeptOpen : AfterGdalsContext {
  KeptSets<const Raster> rasters{kRoom_mb};
  KeptSets<PolygonLayers> layers{kRoom_mb};
};
KeptOpen& kept_open() {
  thread_local KeptOpen of_this_thread;
  return of_this_thread;
}

bool changed_since(const std::optional<FileState>& before, const std::vector<FileState>& states) {
  return before && std::find(states.begin(), states.end(), *before) == states.end();
}

template <class Set, class Open>
Result<std::shared_ptr<Set>> kept_or_opened(KeptSets<Set>& sets, const std::string& path,
                                            const std::string& stated_crs, const Open& open) {
  if (const auto* known = sets.find(path);
      known && known->stated_crs == stated_crs && unchanged(known->states))
    return known->set;
  sets.erase(path);
  const auto before = state_of(path);
  auto opened = open();
  if (!opened) return tl::make_unexpected(opened.error());
  const auto set = std::make_shared<Set>(std::move(*opened));
  auto states = states_of(set->dataset());
  const std::size_t room = room_mb(set->dataset(), states);
  if (!states.empty() && room <= kRoom_mb && !changed_since(before, states))
    sets.put(path, {set, stated_crs, std::move(states)}, room);
  return set;
}

}  // namespace

Result<std::shared_ptr<const Raster>> kept_raster(const std::string& path, const std::string& stated_crs) {
  return kept_or_opened(kept_open().rasters, path, stated_crs,
                        [&] { return Raster::open(path, stated_crs); });
}

Result<std::shared_ptr<PolygonLayers>> kept_polygon_layers(const VectorFile& file) {
  return kept_or_opened(kept_open().layers, file.path, file.stated_crs,
                        [&] { return PolygonLayers::open(file); });
}

void close_all_kept() {
  forget_relief();
  kept_open().rasters = KeptSets<const Raster>(kRoom_mb);
  kept_open().layers = KeptSets<PolygonLayers>(kRoom_mb);
  forget_coordinate_systems();
}

void close_kept(const std::string& path) {
  kept_open().rasters.erase(path);
  kept_open().layers.erase(path);
}

}  // namespace geo
