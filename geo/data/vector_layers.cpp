#include "geo/data/vector_layers.hpp"

#include <ogrsf_frmts.h>

#include <array>
#include <string_view>

#include "geo/shapes/ogr_shapes.hpp"

namespace geo {
namespace {

using TransformationHandle = std::unique_ptr<OGRCoordinateTransformation>;

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
  system.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return system;
}

Result<void> append_layer(OGRLayer& layer, const VectorFile& file, const Box& window,
                          const OGRSpatialReference& target, const RunControl& control,
                          std::vector<Polygon>& out) {
  const std::string& path = file.path;
  const auto source = system_of(layer, path, file.stated_crs);
  if (!source) return tl::make_unexpected(source.error());
  const TransformationHandle there = between(target, *source), back = between(*source, target);
  std::array<double, 4> box{};  // xmin, ymin, xmax, ymax
  if (!there || !back ||
      !there->TransformBounds(window.min_x, window.min_y, window.max_x, window.max_y, &box[0], &box[1],
                              &box[2], &box[3], kPointsPerEdge))
    return fail(FailureKind::invalid_input,
                name_of(layer, path) + " cannot be brought to the elevation model's system");
  layer.SetSpatialFilterRect(box[0], box[1], box[2], box[3]);
  const GdalErrors errors;
  CPLErrorReset();
  for (const auto& feature : layer) {
    control.checkpoint();
    OGRGeometry* geometry = feature->GetGeometryRef();
    if (geometry == nullptr || geometry->transform(back.get()) != OGRERR_NONE) continue;
    geometry->flattenTo2D();
    OGREnvelope envelope;
    geometry->getEnvelope(&envelope);
    if (touches(envelope, window)) append_polygons(geometry, out);
  }
  if (CPLGetLastErrorType() == CE_Failure) return errors.failure(path, CPLGetLastErrorMsg());
  return {};
}

}  // namespace

Result<void> check_polygon_layers(const VectorFile& file) {
  const GdalErrors errors;
  const DatasetHandle dataset = open_dataset(file.path, GDAL_OF_VECTOR);
  if (!dataset) return errors.failure(file.path, "cannot be opened as a vector data set");
  bool any = false;
  for (OGRLayer* layer : dataset->GetLayers()) {
    if (!has_polygons(*layer)) continue;
    any = true;
    if (auto system = system_of(*layer, file.path, file.stated_crs); !system)
      return tl::make_unexpected(system.error());
  }
  if (!any) return fail(FailureKind::invalid_input, file.path + ": has no layer of polygons");
  return {};
}

Result<std::vector<Polygon>> read_polygons(const VectorFile& file, const Box& window, const std::string& crs,
                                           const RunControl& control) {
  const GdalErrors errors;
  const DatasetHandle dataset = open_dataset(file.path, GDAL_OF_VECTOR);
  if (!dataset) return errors.failure(file.path, "cannot be opened as a vector data set");
  OGRSpatialReference target;
  if (target.SetFromUserInput(crs.c_str()) != OGRERR_NONE)
    return fail(FailureKind::invalid_input, "the elevation model's coordinate system is not understood");
  target.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  std::vector<Polygon> out;
  for (OGRLayer* layer : dataset->GetLayers()) {
    if (!has_polygons(*layer)) continue;
    if (auto appended = append_layer(*layer, file, window, target, control, out); !appended)
      return tl::make_unexpected(appended.error());
  }
  return out;
}

}  // namespace geo
