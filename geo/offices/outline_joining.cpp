#include "geo/offices/outline_joining.hpp"

#include <gdal_priv.h>
#include <gdal_utils.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <cctype>

#include "geo/data/gdal.hpp"
#include "geo/offices/zip_reading.hpp"

namespace geo::offices {
namespace {

constexpr const char* kOutlines = "outlines";

std::string small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// "/vsizip/{a.zip}/de/Bo_BoFlaeche_A.shp" -> "bo_boflaeche_a"
std::string stem_of(const std::string& path) {
  return small_letters(std::filesystem::path(path).stem().string());
}

/// Whether a shapefile, whose name is its layer's, may be the layer that is wanted: "flurstueck" and
/// "3438-000_flurstueck" are, "nutzungflurstueck" is another.
bool may_hold_layer(const std::string& path, const std::string& layer) {
  if (layer.empty() || !small_letters(path).ends_with(".shp")) return true;
  const std::string stem = stem_of(path), wanted = small_letters(layer);
  return stem == wanted || stem.ends_with("_" + wanted);
}

/// What lies in a ZIP, unpacked: GeoPackages and shapes are read at random, which a ZIP is slow at. Files get
/// names of ours.
Result<std::vector<std::string>> unpacked(const std::filesystem::path& packet, const std::string& layer,
                                          const std::filesystem::path& workplace) {
  const auto members = members_ending(packet, {".gpkg", ".shp", ".gml", ".geojson", ".fgb"});
  if (!members) return tl::make_unexpected(members.error());
  std::vector<std::string> files;
  for (const std::string& member : *members) {
    if (!may_hold_layer(member, layer)) continue;
    const std::string ending = small_letters(std::filesystem::path(member).extension().string());
    const std::filesystem::path base = workplace / ("part" + std::to_string(files.size()));
    if (const auto copied = copy_out(member, base.string() + ending); !copied)
      return tl::make_unexpected(copied.error());
    files.push_back(base.string() + ending);
    if (ending != ".shp") continue;
    const std::string stem = member.substr(0, member.size() - ending.size());
    for (const char* beside : {".shx", ".dbf", ".prj", ".cpg", ".SHX", ".DBF", ".PRJ", ".CPG"}) {
      VSIStatBufL stat{};
      if (VSIStatL((stem + beside).c_str(), &stat) != 0) continue;
      if (const auto copied = copy_out(stem + beside, base.string() + small_letters(beside)); !copied)
        return tl::make_unexpected(copied.error());
    }
  }
  if (files.empty()) return fail(FailureKind::invalid_input, packet.string() + ": holds no layer " + layer);
  return files;
}

/// The layers of a file that are meant: the named one, else all of polygons.
std::vector<std::string> layers_of(GDALDataset& data, const std::string& wanted, bool is_shape) {
  std::vector<std::string> names;
  for (OGRLayer* layer : data.GetLayers()) {
    const std::string name = layer->GetName();
    const OGRwkbGeometryType type = wkbFlatten(layer->GetGeomType());
    const bool polygons = type == wkbPolygon || type == wkbMultiPolygon || type == wkbCurvePolygon ||
                          type == wkbMultiSurface || type == wkbUnknown;
    if (polygons && (wanted.empty() || is_shape || small_letters(name) == small_letters(wanted)))
      names.push_back(name);
  }
  return names;
}

int tell_whether_to_go_on(double, const char*, void* control) {
  return static_cast<const RunControl*>(control)->cancelled() ? 0 : 1;
}

struct Joining {
  const Source& source;
  const Box* window_deg;
  const std::filesystem::path& part;
  const RunControl& control;
  bool begun = false;
};

CPLStringList words_for(const Joining& joining, OGRLayer& layer) {
  CPLStringList words;
  const auto add = [&](std::initializer_list<std::string> more) {
    for (const std::string& word : more) words.AddString(word.c_str());
  };
  add({"-f", "GPKG", "-nln", kOutlines, "-nlt", "PROMOTE_TO_MULTI", "-nlt", "CONVERT_TO_LINEAR", "-dim", "XY",
       "-select", "", "-skipfailures", "-gt", "65536"});
  if (joining.begun) add({"-update", "-append"});
  if (!joining.source.where.empty()) add({"-where", joining.source.where});
  if (const Box* box = joining.window_deg)
    add({"-spat", std::to_string(box->min_x), std::to_string(box->min_y), std::to_string(box->max_x),
         std::to_string(box->max_y), "-spat_srs", "EPSG:4326"});
  if (layer.GetSpatialRef())
    add({"-t_srs", joining.source.crs});
  else
    add({"-a_srs", joining.source.crs, "-s_srs", joining.source.crs, "-t_srs", joining.source.crs});
  add({layer.GetName()});
  return words;
}

Result<void> append_layer(Joining& joining, GDALDataset& data, const std::string& name,
                          const std::string& packet) {
  OGRLayer* layer = data.GetLayerByName(name.c_str());
  const GdalErrors unheard;
  if (!joining.source.where.empty()) {
    // By OGR's own grammar: a GeoPackage takes any condition, and fails when it is read.
    OGRFeatureQuery query;
    const bool fits = query.Compile(layer->GetLayerDefn(), joining.source.where.c_str()) == OGRERR_NONE;
    if (!fits)
      return fail(FailureKind::invalid_input, packet + ": layer " + name + " has no columns for \"" +
                                                  joining.source.where +
                                                  "\"; the office may have renamed them");
  }
  GDALVectorTranslateOptions* options =
      GDALVectorTranslateOptionsNew(words_for(joining, *layer).List(), nullptr);
  if (!options) return fail(FailureKind::internal, packet + ": cannot be joined");
  GDALVectorTranslateOptionsSetProgress(options, tell_whether_to_go_on,
                                        const_cast<RunControl*>(&joining.control));
  DatasetHandle into;
  GDALDatasetH existing = nullptr;
  if (joining.begun) {
    into = DatasetHandle(GDALDataset::Open(joining.part.c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE));
    existing = into.get();
  }
  GDALDatasetH from = &data;
  int misused = 0;
  CPLErrorReset();
  GDALDatasetH made =
      GDALVectorTranslate(existing ? nullptr : joining.part.c_str(), existing, 1, &from, options, &misused);
  const std::string said = CPLGetLastErrorMsg();
  GDALVectorTranslateOptionsFree(options);
  if (made && !existing) GDALClose(made);
  into.reset();
  if (joining.control.cancelled()) return fail(FailureKind::cancelled, packet + ": was stopped");
  if (!made) return fail(FailureKind::invalid_input, packet + ": cannot be joined (" + said + ")");
  joining.begun = true;
  return {};
}

Result<void> append_file(Joining& joining, const std::string& file, const std::string& packet) {
  const DatasetHandle data = open_dataset(file, GDAL_OF_VECTOR);
  if (!data) return fail(FailureKind::invalid_input, packet + ": cannot be opened as outlines");
  const auto layers = layers_of(*data, joining.source.layer, small_letters(file).ends_with(".shp"));
  if (layers.empty())
    return fail(FailureKind::invalid_input,
                packet + ": has no layer of polygons" +
                    (joining.source.layer.empty() ? "" : " called " + joining.source.layer));
  for (const std::string& layer : layers)
    if (const auto appended = append_layer(joining, *data, layer, packet); !appended) return appended;
  return {};
}

std::size_t features_in_file(const std::filesystem::path& file) {
  const DatasetHandle data = open_dataset(file.string(), GDAL_OF_VECTOR);
  OGRLayer* layer = data ? data->GetLayerByName(kOutlines) : nullptr;
  return layer ? static_cast<std::size_t>(std::max<GIntBig>(0, layer->GetFeatureCount())) : 0;
}

tl::unexpected<JoiningFailure> not_joined(const Failure& why, const std::filesystem::path& packet = {}) {
  JoiningFailure failure;
  static_cast<Failure&>(failure) = why;
  failure.packet = packet;
  return tl::make_unexpected(failure);
}

}  // namespace

tl::expected<std::size_t, JoiningFailure> join_outlines(
    const Source& source, const std::vector<std::filesystem::path>& packets, const Box* window_deg,
    const std::filesystem::path& workplace, const std::filesystem::path& target, const RunControl& control) {
  register_gdal_drivers();
  std::error_code error;
  const std::filesystem::path part = target.string() + ".part.gpkg";
  const auto clear = [&] {
    std::filesystem::remove(part, error);
    std::filesystem::remove(part.string() + "-journal", error);
    std::filesystem::remove_all(workplace, error);
  };
  clear();
  Joining joining{source, window_deg, part, control};
  for (const auto& packet : packets) {
    std::filesystem::remove_all(workplace, error);
    std::filesystem::create_directories(workplace, error);
    auto files = source.zipped ? unpacked(packet, source.layer, workplace)
                               : Result<std::vector<std::string>>(std::vector<std::string>{packet.string()});
    Result<void> appended;
    if (!files) appended = tl::make_unexpected(files.error());
    for (std::size_t i = 0; files && appended && i < files->size(); ++i)
      appended = append_file(joining, (*files)[i], packet.string());
    if (appended) continue;
    clear();
    return not_joined(appended.error(), packet);
  }
  const std::size_t count = features_in_file(part);
  if (count > 0) std::filesystem::rename(part, target, error);
  const bool renamed = count > 0 && !error;
  clear();
  if (count == 0)
    return not_joined({FailureKind::invalid_input, source.id + ": no outline lies in the area"});
  if (!renamed)
    return not_joined(
        {FailureKind::invalid_input, target.string() + ": cannot be written; is the disk full?"});
  return count;
}

}  // namespace geo::offices
