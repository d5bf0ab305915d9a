#include "geo/offices/unpacking.hpp"

#include <cpl_vsi.h>

#include <algorithm>

#include "geo/address_import/vector_rows.hpp"
#include "geo/lower_case.hpp"
#include "geo/offices/zip_reading.hpp"

namespace geo::offices {
namespace {

constexpr int kLevels = 2;  // of ZIPs in ZIPs

/// "/vsizip/{a.zip}/de/Bo BoFlaeche_A.shp" -> "bo_boflaeche_a"; of a long name the end, which is the layer's.
std::string stem_of(const std::string& path) {
  const std::string stem = plain_layer_name(std::filesystem::path(path).stem().string());
  constexpr std::size_t kLongest = 60;
  return stem.substr(stem.size() - std::min(stem.size(), kLongest));
}

bool may_hold_one_of(const std::vector<std::string>& layers, const std::string& path) {
  if (layers.empty() || !lower_case(path).ends_with(".shp")) return true;
  const std::string stem = std::filesystem::path(path).stem().string();
  return std::any_of(layers.begin(), layers.end(),
                     [&](const std::string& layer) { return is_layer_called(stem, layer, true); });
}

bool is_zip_named(const std::string& path) { return lower_case(path).ends_with(".zip"); }

class Unpacking {
 public:
  Unpacking(const std::vector<std::string>& layers, const std::filesystem::path& folder)
      : layers_(layers), folder_(folder) {}

  /// ZIPs in it are opened where nothing else is data.
  Result<void> take(const std::filesystem::path& zip, int levels_left) {
    const auto members = members_ending(zip, {".gpkg", ".shp", ".gml", ".geojson", ".fgb", ".zip"});
    if (!members) return tl::make_unexpected(members.error());
    const bool only_zips = std::all_of(members->begin(), members->end(), is_zip_named);
    for (const std::string& member : *members) {
      if (is_zip_named(member) && (!only_zips || levels_left == 0)) continue;
      auto taken = is_zip_named(member) ? take_zip(member, levels_left - 1) : take_layer(member);
      if (!taken) return taken;
    }
    return {};
  }
  std::vector<std::string>& files() { return files_; }

 private:
  Result<void> take_layer(const std::string& member) {
    if (!may_hold_one_of(layers_, member)) return {};
    const std::string ending = lower_case(std::filesystem::path(member).extension().string());
    const std::string base =
        (folder_ / ("part" + std::to_string(files_.size()) + "_" + stem_of(member))).string();
    if (auto copied = copy_out(member, base + ending); !copied) return copied;
    files_.push_back(base + ending);
    return ending == ".shp" ? take_what_is_beside(member, base) : Result<void>();
  }
  Result<void> take_zip(const std::string& member, int levels_left) {
    const std::filesystem::path inner = folder_ / ("inner" + std::to_string(zips_++) + ".zip");
    if (auto copied = copy_out(member, inner); !copied) return copied;
    auto taken = take(inner, levels_left);
    std::error_code error;
    std::filesystem::remove(inner, error);
    return taken;
  }
  static Result<void> take_what_is_beside(const std::string& shape, const std::string& base) {
    const std::string stem = shape.substr(0, shape.size() - std::string_view(".shp").size());
    for (const char* beside : {".shx", ".dbf", ".prj", ".cpg", ".SHX", ".DBF", ".PRJ", ".CPG"}) {
      VSIStatBufL stat{};
      if (VSIStatL((stem + beside).c_str(), &stat) != 0) continue;
      if (auto copied = copy_out(stem + beside, base + lower_case(beside)); !copied) return copied;
    }
    return {};
  }

  const std::vector<std::string>& layers_;
  const std::filesystem::path& folder_;
  std::vector<std::string> files_;
  std::size_t zips_ = 0;
};

}  // namespace

Result<std::vector<std::string>> unpacked(const std::filesystem::path& packet,
                                          const std::vector<std::string>& layers,
                                          const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  std::filesystem::create_directories(folder, error);
  Unpacking unpacking(layers, folder);
  if (auto taken = unpacking.take(packet, kLevels); !taken) return tl::make_unexpected(taken.error());
  if (unpacking.files().empty())
    return fail(FailureKind::invalid_input,
                packet.string() + ": holds no layer" + (layers.empty() ? "" : " " + layers.front()));
  return std::move(unpacking.files());
}

}  // namespace geo::offices
