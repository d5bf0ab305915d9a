#include "geo/offices/outline_joining.hpp"

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <memory>

#include "geo/data/coordinate_system.hpp"
#include "geo/data/gdal.hpp"
#include "geo/data/vector_layers.hpp"
#include "geo/lower_case.hpp"
#include "geo/offices/disk.hpp"
#include "geo/offices/outline_writer.hpp"
#include "geo/offices/unpacking.hpp"

namespace geo::offices {
namespace {

/// The layers of a file that are meant: the named one, else all of polygons.
std::vector<OGRLayer*> layers_of(GDALDataset& data, const std::string& wanted, bool is_shape) {
  std::vector<OGRLayer*> layers;
  for (OGRLayer* layer : data.GetLayers()) {
    const std::string name = layer->GetName();
    const OGRwkbGeometryType type = wkbFlatten(layer->GetGeomType());
    const bool polygons = type == wkbPolygon || type == wkbMultiPolygon || type == wkbCurvePolygon ||
                          type == wkbMultiSurface || type == wkbUnknown;
    if (polygons && (wanted.empty() || is_shape || lower_case(name) == lower_case(wanted)))
      layers.push_back(layer);
  }
  return layers;
}

using OutlineShape = std::unique_ptr<OGRGeometry>;

/// Of straight edges in the plane, a multi-polygon unless it is mixed with others; null for what has no area.
OutlineShape as_outline(OutlineShape shape) {
  if (!shape || shape->IsEmpty()) return nullptr;
  if (shape->hasCurveGeometry()) shape.reset(shape->getLinearGeometry());
  shape->flattenTo2D();
  shape.reset(OGRGeometryFactory::forceToMultiPolygon(shape.release()));
  return shape->getDimension() == 2 ? std::move(shape) : nullptr;
}

struct Joining {
  const Source& source;
  const Box* window_deg;
  const RunControl& control;
  OutlineWriter& writer;
  std::size_t unplaced = 0;  ///< shapes that have no place in the set's system
};

/// Of the layer only what is wanted: where the condition holds, in the window. `crs`: the layer's.
Result<void> narrow_layer(const Joining& joining, OGRLayer& layer, const std::string& crs,
                          const std::string& packet) {
  if (!keep_only(layer, joining.source.where))
    return fail(FailureKind::invalid_input,
                packet + ": layer " + layer.GetName() + " cannot be asked for \"" + joining.source.where +
                    "\" (" + CPLGetLastErrorMsg() + "); the office may have renamed its columns");
  if (!joining.window_deg) return {};
  const auto from_degrees = transformation_from_wgs84(crs);
  const auto window = from_degrees ? transformed(*joining.window_deg, *from_degrees) : std::nullopt;
  if (!window)
    return fail(FailureKind::invalid_input, packet + ": layer " + layer.GetName() +
                                                " has a coordinate reference system that is not known");
  layer.SetSpatialFilterRect(window->min_x, window->min_y, window->max_x, window->max_y);
  return {};
}

/// Shapes that have no place in the set's system are left out; a packet that ends before its end, and a file
/// that cannot be written, are failures.
Result<void> copy_outlines(Joining& joining, OGRLayer& layer, OGRCoordinateTransformation* way,
                           const std::string& packet) {
  for (;;) {
    if (joining.control.cancelled()) return fail(FailureKind::cancelled, packet + ": was stopped");
    CPLErrorReset();
    const OGRFeatureUniquePtr feature(layer.GetNextFeature());
    if (!feature) break;
    OutlineShape shape(feature->StealGeometry());
    if (shape && way && shape->transform(way) != OGRERR_NONE) {
      ++joining.unplaced;
      continue;
    }
    shape = as_outline(std::move(shape));
    if (!shape) continue;
    if (auto added = joining.writer.add(*shape); !added) return added;
  }
  if (CPLGetLastErrorType() != CE_Failure) return {};
  return fail(FailureKind::invalid_input, packet + ": is damaged (" + CPLGetLastErrorMsg() + ")");
}

Result<void> append_layer(Joining& joining, OGRLayer& layer, const std::string& packet) {
  const std::string& wanted = joining.source.crs;
  const std::string crs = layer.GetSpatialRef() ? wkt_of(*layer.GetSpatialRef()) : wanted;
  const auto way = same_positions(crs, wanted) ? nullptr : transformation_between(crs, wanted);
  if (!way && !same_positions(crs, wanted))
    return fail(FailureKind::invalid_input,
                packet + ": layer " + layer.GetName() + " cannot be brought to " + wanted);
  if (auto narrowed = narrow_layer(joining, layer, crs, packet); !narrowed) return narrowed;
  return copy_outlines(joining, layer, way.get(), packet);
}

Result<void> append_file(Joining& joining, const std::string& file, const std::string& packet) {
  const DatasetHandle data = open_dataset(file, GDAL_OF_VECTOR);
  if (!data) return fail(FailureKind::invalid_input, packet + ": cannot be opened as outlines");
  const auto layers = layers_of(*data, joining.source.layer, lower_case(file).ends_with(".shp"));
  if (layers.empty())
    return fail(FailureKind::invalid_input,
                packet + ": has no layer of polygons" +
                    (joining.source.layer.empty() ? "" : " called " + joining.source.layer));
  for (OGRLayer* layer : layers)
    if (auto appended = append_layer(joining, *layer, packet); !appended) return appended;
  return {};
}

Result<void> append_packet(Joining& joining, const std::filesystem::path& packet,
                           const std::filesystem::path& workplace) {
  if (!joining.source.zipped) return append_file(joining, packet.string(), packet.string());
  const std::string& layer = joining.source.layer;
  const auto files =
      unpacked(packet, layer.empty() ? std::vector<std::string>() : std::vector{layer}, workplace);
  if (!files) return tl::make_unexpected(files.error());
  for (const std::string& file : *files)
    if (auto appended = append_file(joining, file, packet.string()); !appended) return appended;
  return {};
}

tl::unexpected<JoiningFailure> not_joined(const Failure& why, const std::filesystem::path& packet = {}) {
  JoiningFailure failure;
  static_cast<Failure&>(failure) = why;
  failure.packet = packet;
  return tl::make_unexpected(failure);
}

/// And on the disk: a record of what it holds follows.
Result<void> given_its_name(const std::filesystem::path& part, const std::filesystem::path& target) {
  std::error_code error;
  std::filesystem::rename(part, target, error);
  if (error) return not_written(target, error.value());
  return bring_to_disk({target});
}

/// How many outlines lie in `part` then.
tl::expected<std::size_t, JoiningFailure> joined_into(const std::filesystem::path& part, const Source& source,
                                                      const std::vector<std::filesystem::path>& packets,
                                                      const Box* window_deg,
                                                      const std::filesystem::path& workplace,
                                                      const RunControl& control) {
  auto writer = OutlineWriter::create(part, source.crs);
  if (!writer) return not_joined(writer.error());
  Joining joining{source, window_deg, control, *writer};
  for (const auto& packet : packets)
    if (const auto appended = append_packet(joining, packet, workplace); !appended)
      return not_joined(appended.error(), writer->failed() ? std::filesystem::path() : packet);
  const auto count = writer->close();
  if (!count) return not_joined(count.error());
  if (*count == 0)
    return not_joined(
        {FailureKind::invalid_input,
         source.id + ": no outline lies in the area" +
             (joining.unplaced == 0 ? ""
                                    : "; " + std::to_string(joining.unplaced) + " have no place in " +
                                          source.crs + ": the files may not say in which system they are")});
  return *count;
}

}  // namespace

tl::expected<std::size_t, JoiningFailure> join_outlines(
    const Source& source, const std::vector<std::filesystem::path>& packets, const Box* window_deg,
    const std::filesystem::path& workplace, const std::filesystem::path& target, const RunControl& control) {
  register_gdal_drivers();
  const GdalErrors unheard;
  std::error_code error;
  const std::filesystem::path part = target.string() + ".part.gpkg";
  const auto clear = [&] {
    std::filesystem::remove(part, error);
    std::filesystem::remove(part.string() + "-journal", error);
    std::filesystem::remove_all(workplace, error);
  };
  clear();
  auto joined = joined_into(part, source, packets, window_deg, workplace, control);
  if (joined) {
    if (const auto named = given_its_name(part, target); !named) joined = not_joined(named.error());
  }
  clear();
  return joined;
}

}  // namespace geo::offices
