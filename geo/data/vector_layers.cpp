#include "geo/data/vector_layers.hpp"

#include <ogrsf_frmts.h>

#include <array>

#include "geo/shapes/ogr_shapes.hpp"

namespace geo {
namespace {

using TransformationHandle = std::unique_ptr<OGRCoordinateTransformation>;

constexpr int kPointsPerEdge = 21;  // a window's edge is a curve in the other system

/// nullptr when the systems are not understood or have no way between them.
TransformationHandle between(const OGRSpatialReference& from, const OGRSpatialReference& to) {
  return TransformationHandle(OGRCreateCoordinateTransformation(&from, &to));
}

bool touches(const OGREnvelope& box, const Bounds& window) {
  return box.MinX <= window.east && box.MaxX >= window.west && box.MinY <= window.north &&
         box.MaxY >= window.south;
}

bool has_polygons(OGRLayer& layer) {
  const auto type = wkbFlatten(layer.GetGeomType());
  return type == wkbUnknown || OGR_GT_IsSurface(type) || OGR_GT_IsSubClassOf(type, wkbMultiSurface) ||
         type == wkbGeometryCollection;
}

Result<void> append_layer(OGRLayer& layer, const std::string& path, const Bounds& window,
                          const OGRSpatialReference& target, const RunControl& control,
                          std::vector<Polygon>& out) {
  const std::string name = path + ": layer " + layer.GetName();
  if (layer.GetSpatialRef() == nullptr)
    return fail(FailureKind::invalid_input, name + " has no coordinate reference system");
  OGRSpatialReference source = *layer.GetSpatialRef();
  source.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  const TransformationHandle there = between(target, source), back = between(source, target);
  std::array<double, 4> box{};  // xmin, ymin, xmax, ymax
  if (!there || !back ||
      !there->TransformBounds(window.west, window.south, window.east, window.north, &box[0], &box[1], &box[2],
                              &box[3], kPointsPerEdge))
    return fail(FailureKind::invalid_input, name + " cannot be brought to the elevation model's system");
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

Result<std::vector<Polygon>> read_polygons(const std::string& path, const Bounds& window,
                                           const std::string& crs, const RunControl& control) {
  const GdalErrors errors;
  const DatasetHandle dataset = open_dataset(path, GDAL_OF_VECTOR);
  if (!dataset) return errors.failure(path, "cannot be opened as a vector data set");
  OGRSpatialReference target;
  if (target.SetFromUserInput(crs.c_str()) != OGRERR_NONE)
    return fail(FailureKind::invalid_input, "the elevation model's coordinate system is not understood");
  target.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  std::vector<Polygon> out;
  for (OGRLayer* layer : dataset->GetLayers()) {
    if (!has_polygons(*layer)) continue;
    if (auto appended = append_layer(*layer, path, window, target, control, out); !appended)
      return tl::make_unexpected(appended.error());
  }
  return out;
}

}  // namespace geo
