// Which format a file of building models has is told by its first bytes: offices call CityGML .gml, .xml and
// .citygml, and CityJSON .json, .city.json, .jsonl and .city.jsonl.
#include <zlib.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string_view>

#include "benchmarks/geo/accuracy_models.hpp"
#include "benchmarks/geo/city_builder.hpp"
#include "benchmarks/geo/city_geopackage.hpp"
#include "benchmarks/geo/city_gml.hpp"
#include "benchmarks/geo/city_json.hpp"

namespace bench {
namespace {

struct CloseGzip {
  void operator()(gzFile_s* file) const { gzclose(file); }
};
using GzipFile = std::unique_ptr<gzFile_s, CloseGzip>;

/// Also of a file that is not compressed. 3DBAG's tiles are.
geo::Result<std::string> unpacked_bytes(const std::string& path) {
  constexpr unsigned kBlock_bytes = 1U << 20U;
  const GzipFile file(gzopen(path.c_str(), "rb"));
  if (!file) return geo::fail(geo::FailureKind::data_unreachable, path + " cannot be opened");
  std::string bytes;
  int read = 0;
  do {
    const std::size_t before = bytes.size();
    bytes.resize(before + kBlock_bytes);
    read = gzread(file.get(), bytes.data() + before, kBlock_bytes);
    bytes.resize(before + static_cast<std::size_t>(read > 0 ? read : 0));
  } while (read > 0);
  int error = Z_OK;
  gzerror(file.get(), &error);
  if (error != Z_OK && error != Z_STREAM_END) return city_refusal(path, "cannot be read to its end");
  return bytes;
}

std::string name_without_endings(const std::string& path) {
  constexpr std::array<std::string_view, 8> kEndings{".gz",   ".jsonl", ".json",    ".city",
                                                     ".gpkg", ".gml",   ".citygml", ".xml"};
  std::string name = std::filesystem::path(path).filename().string();
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view ending : kEndings)
      if (name.size() > ending.size() && name.ends_with(ending))
        name.resize(name.size() - ending.size()), cut = true;
  }
  return name;
}

geo::Result<BuildingModel> read_by_content(const std::string& path) {
  auto bytes = unpacked_bytes(path);
  if (!bytes) return tl::make_unexpected(bytes.error());
  constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
  if (bytes->starts_with(kUtf8Mark)) bytes->erase(0, kUtf8Mark.size());
  const std::size_t begin = bytes->find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return city_refusal(path, "is empty");
  if (bytes->starts_with("SQLite format 3")) return read_city_geopackage(path);
  if (bytes->starts_with("PK\x03\x04")) return city_refusal(path, "is a ZIP; unpack it first");
  const bool is_utf16 = bytes->starts_with("\xFF\xFE") || bytes->starts_with("\xFE\xFF");
  if ((*bytes)[begin] == '{') return read_city_json(path, *bytes);
  if ((*bytes)[begin] == '<' || is_utf16) return read_city_gml(path, std::move(*bytes));
  return city_refusal(path, "is neither a GeoPackage nor CityJSON nor CityGML");
}

}  // namespace

geo::Result<BuildingModel> read_building_model(const std::string& path) {
  auto model = read_by_content(path);
  if (model) model->name = name_without_endings(path);
  return model;
}

}  // namespace bench
