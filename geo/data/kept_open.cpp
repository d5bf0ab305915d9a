#include "geo/data/kept_open.hpp"

#include <cpl_string.h>
#include <gdal_priv.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "geo/data/file_state.hpp"
#include "geo/data/gdal.hpp"
#include "geo/data/kept_relief.hpp"
#include "geo/fetch/url.hpp"
#include "geo/recent_cache.hpp"

namespace geo {
namespace {

constexpr std::size_t kMostFiles = kMostKeptRasters;  // of a data set: each may have a descriptor
// What a thread's data sets of a kind may take in MB of memory, roughly: each of them this much or more.
constexpr std::size_t kEach_mb = 4;
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

constexpr int kMostReadings = 3;  // of a file that is written meanwhile
// Two writes in one tick of the file system's clock leave one time.
constexpr std::chrono::milliseconds kTick{10};

/// A file's state once no later write can leave the same: files are seldom so young.
std::optional<FileState> settled_state_of(const std::string& path) {
  auto state = state_of(path);
  for (int i = 0; state && state->office_state.empty() && i < kMostReadings; ++i) {
    const auto changed =
        std::chrono::seconds(state->changed.tv_sec) + std::chrono::nanoseconds(state->changed.tv_nsec);
    const auto age = std::chrono::system_clock::now().time_since_epoch() - changed;
    if (age < age.zero() || age >= kTick) break;
    std::this_thread::sleep_for(kTick - age);
    state = state_of(path);
  }
  return state;
}

template <class Set>
struct KeptSet {
  std::shared_ptr<Set> set;
  std::string path;
  std::vector<FileState> states;

  /// Whether all that was read since it was opened, or found to be unchanged, is of one state of its files.
  bool is_of_one_state() const {
    if (EQUAL(set->dataset().GetDriver()->GetDescription(), "GPKG")) return true;  // reads in transactions
    return std::all_of(states.begin(), states.end(),
                       [](const FileState& state) { return state_of(state.path) == state; });
  }
};
/// By the path and whatever else is said of how it is opened.
template <class Set>
using KeptSets = RecentCache<std::string, KeptSet<Set>>;

struct KeptOpen : AfterGdalsContext {
  KeptSets<const Raster> rasters{kMostKeptRasters * kEach_mb};
  KeptSets<PolygonLayers> layers{kMostKeptOutlines * kEach_mb};
  KeptSets<const TileIndex> indexes{kMostKeptIndexes * kEach_mb};
};
KeptOpen& kept_open() {
  thread_local KeptOpen of_this_thread;
  return of_this_thread;
}

bool changed_since(const std::optional<FileState>& before, const std::vector<FileState>& states) {
  return before && std::find(states.begin(), states.end(), *before) == states.end();
}

std::string key_of(std::initializer_list<std::string_view> words) {
  std::string key;
  for (const std::string_view word : words) key.append(word).push_back('\0');
  return key;
}

template <class Set, class Open>
Result<KeptSet<Set>> kept_or_opened(KeptSets<Set>& sets, const std::string& path, const std::string& key,
                                    const Open& open) {
  if (const auto* known = sets.find(key); known && unchanged(known->states)) return *known;
  sets.erase(key);
  const auto before = settled_state_of(path);
  auto opened = open();
  if (!opened) return tl::make_unexpected(opened.error());
  KeptSet<Set> kept{std::make_shared<Set>(std::move(*opened)), path, {}};
  kept.states = states_of(kept.set->dataset());
  const std::size_t room = room_mb(kept.set->dataset(), kept.states);
  if (changed_since(before, kept.states))
    kept.states = {*before};
  else if (!kept.states.empty() && room <= sets.capacity())
    sets.put(key, kept, room);
  return kept;
}

template <class Set, class Open>
Result<std::shared_ptr<Set>> set_of(KeptSets<Set>& sets, const std::string& path, const std::string& key,
                                    const Open& open) {
  auto kept = kept_or_opened(sets, path, key, open);
  if (!kept) return tl::make_unexpected(kept.error());
  return std::move(kept->set);
}

template <class Set, class Open, class Read>
Result<void> read_of_one_state(KeptSets<Set>& sets, const std::string& path, const std::string& key,
                               const Open& open, const Read& read) {
  for (int i = 0; i < kMostReadings; ++i) {
    const auto kept = kept_or_opened(sets, path, key, open);
    if (!kept) return tl::make_unexpected(kept.error());
    Result<void> done = read(*kept->set);
    const bool is_good = kept->is_of_one_state();
    if (!done || !is_good) close_kept(path);
    if (is_good) return done;
  }
  return fail(FailureKind::data_unreachable,
              shown_url(path) + ": is being written. New data take a file's place best by renaming");
}

template <class Set>
void close_those_of(KeptSets<Set>& sets, const std::string& path) {
  sets.erase_if([&path](const std::string&, const KeptSet<Set>& kept) { return kept.path == path; });
}

}  // namespace

Result<std::shared_ptr<const Raster>> kept_raster(const std::string& path, const std::string& stated_crs) {
  return set_of(kept_open().rasters, path, key_of({path, stated_crs}),
                [&] { return Raster::open(path, stated_crs); });
}

Result<void> read_kept_raster(const std::string& path, const std::string& stated_crs,
                              const std::function<Result<void>(const Raster&)>& read) {
  return read_of_one_state(
      kept_open().rasters, path, key_of({path, stated_crs}), [&] { return Raster::open(path, stated_crs); },
      read);
}

Result<void> read_kept_polygon_layers(const VectorFile& file,
                                      const std::function<Result<void>(PolygonLayers&)>& read) {
  return read_of_one_state(
      kept_open().layers, file.path, key_of({file.path, file.stated_crs, file.layer, file.where}),
      [&] { return PolygonLayers::open(file); }, read);
}

Result<std::shared_ptr<const TileIndex>> kept_tile_index(const std::string& path,
                                                         const std::string& stated_crs) {
  return set_of(kept_open().indexes, path, key_of({path, stated_crs}),
                [&] { return TileIndex::open(path, stated_crs); });
}

void close_all_kept() {
  forget_relief();
  const auto any = [](const auto&...) { return true; };
  kept_open().rasters.erase_if(any);
  kept_open().layers.erase_if(any);
  kept_open().indexes.erase_if(any);
  forget_coordinate_systems();
}

void close_kept(const std::string& path) {
  close_those_of(kept_open().rasters, path);
  close_those_of(kept_open().layers, path);
  close_those_of(kept_open().indexes, path);
}

}  // namespace geo
