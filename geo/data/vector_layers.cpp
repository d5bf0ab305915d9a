#include "geo/data/vector_layers.hpp"

#include <ogrsf_frmts.h>

#include <array>
#include <string_view>

#include "geo/data/kept_open.hpp"
#include "geo/shapes/ogr_shapes.hpp"

namespace geo {
namespace {

constexpr int kPointsPerEdge = 21;  // a window's edge is a curve in the other system

/// nullptr when a system is not understood or no transformation between them is known.
TransformationHandle between(const OGRSpatialReference& from, const OGRSpatialReference& to) {
  return TransformationHandle(OGRCreateCoordinateTransformation(&from, &to));
}

bool touches(const OGREnvelope& box, const Box& window) {
  return box.MinX <= window.max_x && box.MaxX >= window.min_x && box.MinY <= window.max_y &&
         box.MaxY >= window.min_y;
}

bool has_polygons(OGRLayer& layer) {
  const auto type = wkbFlatten(layer.GetGeomType());
  return type == wkbUnknown || OGR_GT_IsSurface(type) || OGR_GT_IsSubClassOf(type, wkbMultiSurface) ||
         type == wkbGeometryCollection;
}

/// A layer that is being read. A GeoPackage's stays locked against writers until its reading has ended.
class Reading {
 public:
  explicit Reading(OGRLayer& layer) : layer_(layer) {}
  ~Reading() { layer_.ResetReading(); }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

 private:
  OGRLayer& layer_;
};

std::string name_of(OGRLayer& layer, const std::string& path) { return path + ": layer " + layer.GetName(); }

/// The stated system, else the layer's own.
Result<OGRSpatialReference> system_of(OGRLayer& layer, const std::string& path,
                                      const std::string& stated_crs) {
  OGRSpatialReference system;
  if (!stated_crs.empty())
    system.SetFromUserInput(stated_crs.c_str());
  else if (layer.GetSpatialRef() != nullptr)
    system = *layer.GetSpatialRef();
  const char* name = system.GetName();  // a GeoPackage without one has "Undefined geographic SRS"
  if (system.IsEmpty() || (name != nullptr && std::string_view(name).starts_with("Undefined")))
    return fail(FailureKind::invalid_input,
                name_of(layer, path) + " has no coordinate reference system; state it as \"crs\"");
  if (!states_its_datum(system))
    return fail(FailureKind::invalid_input, name_of(layer, path) + ": " + kNoDatum);
  system.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return system;
}

}  // namespace

struct PolygonLayers::Layer {
  OGRLayer* layer;
  OGRSpatialReference system;
  std::optional<Box> box = {};  ///< around its polygons, in its system
  std::string target = {};      ///< the system of the last window, and the ways between the two
  TransformationHandle there = nullptr, back = nullptr;

  Result<void> aim_at(const std::string& crs) {
    if (there && crs == target) return {};
    OGRSpatialReference other;
    if (other.SetFromUserInput(crs.c_str()) != OGRERR_NONE)
      return fail(FailureKind::invalid_input, "the elevation model's coordinate system is not understood");
    other.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    target = crs;
    there = between(other, system), back = between(system, other);
    return {};
  }
};

PolygonLayers::PolygonLayers(const VectorFile& file, DatasetHandle dataset)
    : file_(file), dataset_(std::move(dataset)) {}
PolygonLayers::PolygonLayers(PolygonLayers&&) noexcept = default;
PolygonLayers& PolygonLayers::operator=(PolygonLayers&&) noexcept = default;
PolygonLayers::~PolygonLayers() = default;

bool keep_only(OGRLayer& layer, const std::string& where) {
  if (where.empty()) return true;
  // By OGR's own grammar first: a GeoPackage takes any condition, and fails when it is read.
  OGRFeatureQuery query;
  return query.Compile(layer.GetLayerDefn(), where.c_str()) == OGRERR_NONE &&
         layer.SetAttributeFilter(where.c_str()) == OGRERR_NONE;
}

Result<PolygonLayers> PolygonLayers::open(const VectorFile& file) {
  const GdalErrors errors;
  PolygonLayers open(file, open_dataset(file.path, GDAL_OF_VECTOR));
  if (!open.dataset_)
    return errors.failure(file.path,
                          "cannot be opened as a vector data set" + what_may_help(file.path, GDAL_OF_VECTOR));
  for (OGRLayer* layer : open.dataset_->GetLayers()) {
    if (!file.layer.empty() && file.layer != layer->GetName()) continue;
    if (!has_polygons(*layer)) continue;
    auto system = system_of(*layer, file.path, file.stated_crs);
    if (!system) return tl::make_unexpected(system.error());
    open.layers_.push_back({layer, std::move(*system)});
    OGREnvelope box;
    if (layer->GetExtent(&box) == OGRERR_NONE)
      open.layers_.back().box = Box{box.MinX, box.MinY, box.MaxX, box.MaxY};
    if (!file.where.empty() && layer->SetAttributeFilter(file.where.c_str()) != OGRERR_NONE)
      return fail(FailureKind::invalid_input, name_of(*layer, file.path) + " cannot be asked for \"" +
                                                  file.where + "\": " + CPLGetLastErrorMsg());
  }
  if (open.layers_.empty())
    return fail(FailureKind::invalid_input,
                file.path + ": has no layer of polygons" +
                    (file.layer.empty() ? std::string() : " that is called \"" + file.layer + "\""));
  return open;
}

std::optional<Box> PolygonLayers::outline_deg() const {
  Box all;
  for (const Layer& layer : layers_) {
    const auto to_wgs84 = layer.box ? transformation_to_wgs84(wkt_of(layer.system)) : nullptr;
    const auto box = to_wgs84 ? transformed(*layer.box, *to_wgs84) : std::nullopt;
    if (!box) return {};
    all = all.united(*box);
  }
  return all;
}

Result<void> PolygonLayers::append(Layer& layer, const Box& window, const std::string& crs,
                                   const RunControl& control, std::vector<Polygon>& out) const {
  if (auto aimed = layer.aim_at(crs); !aimed) return aimed;
  std::array<double, 4> box{};  // xmin, ymin, xmax, ymax
  if (!layer.there || !layer.back ||
      !layer.there->TransformBounds(window.min_x, window.min_y, window.max_x, window.max_y, &box[0], &box[1],
                                    &box[2], &box[3], kPointsPerEdge))
    return fail(FailureKind::invalid_input,
                name_of(*layer.layer, file_.path) + " cannot be brought to the elevation model's system");
  layer.layer->SetSpatialFilterRect(box[0], box[1], box[2], box[3]);
  const Reading reading(*layer.layer);
  const GdalErrors errors;
  CPLErrorReset();
  for (const auto& feature : *layer.layer) {
    control.checkpoint();
    OGRGeometry* geometry = feature->GetGeometryRef();
    if (geometry == nullptr || geometry->transform(layer.back.get()) != OGRERR_NONE) continue;
    geometry->flattenTo2D();
    OGREnvelope envelope;
    geometry->getEnvelope(&envelope);
    if (touches(envelope, window)) append_polygons(geometry, out);
  }
  if (CPLGetLastErrorType() == CE_Failure) return errors.failure(file_.path, CPLGetLastErrorMsg());
  return {};
}

Result<std::vector<Polygon>> PolygonLayers::read(const Box& window, const std::string& crs,
                                                 const RunControl& control) {
  std::vector<Polygon> out;
  for (Layer& layer : layers_)
    if (auto appended = append(layer, window, crs, control, out); !appended)
      return tl::make_unexpected(appended.error());
  return out;
}

Result<std::vector<Polygon>> read_polygons(const VectorFile& file, const Box& window, const std::string& crs,
                                           const RunControl& control) {
  std::vector<Polygon> polygons;
  const auto done = read_kept_polygon_layers(file, [&](PolygonLayers& layers) -> Result<void> {
    auto read = layers.read(window, crs, control);
    if (!read) return tl::make_unexpected(read.error());
    polygons = std::move(*read);
    return {};
  });
  if (!done) return tl::make_unexpected(done.error());
  return polygons;
}

}  // namespace geo
