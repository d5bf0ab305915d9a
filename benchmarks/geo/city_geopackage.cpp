#include "benchmarks/geo/city_geopackage.hpp"

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include "benchmarks/geo/city_builder.hpp"
#include "geo/data/coordinate_system.hpp"
#include "geo/data/gdal.hpp"

namespace bench {
namespace {

CityRing corners_of_line(const OGRLinearRing& line) {
  CityRing ring;
  for (int i = 0; i + 1 < line.getNumPoints(); ++i)
    ring.push_back({line.getX(i), line.getY(i), line.getZ(i)});
  return ring;
}

CityPolygon rings_of_shape(const OGRPolygon& shape) {
  CityPolygon polygon;
  for (const OGRLinearRing* line : shape) polygon.rings.push_back(corners_of_line(*line));
  return polygon;
}

/// False when there is no such layer.
bool add_layer(GDALDataset& file, const char* name, CitySurface surface, CityModelBuilder& builder) {
  OGRLayer* layer = file.GetLayerByName(name);
  if (!layer || layer->GetLayerDefn()->GetFieldIndex("building") < 0) return false;
  for (const auto& feature : *layer) {
    const OGRGeometry* geometry = feature->GetGeometryRef();
    if (!geometry || wkbFlatten(geometry->getGeometryType()) != wkbPolygon) continue;
    const int building = builder.building(feature->GetFieldAsString("building"));
    builder.add(building, surface, rings_of_shape(*geometry->toPolygon()));
  }
  return true;
}

}  // namespace

geo::Result<BuildingModel> read_city_geopackage(const std::string& path) {
  const geo::DatasetHandle file = geo::open_dataset(path, GDAL_OF_VECTOR);
  if (!file) return geo::fail(geo::FailureKind::data_unreachable, path + " cannot be opened");
  CityModelBuilder builder;
  if (!add_layer(*file, "grounds", CitySurface::ground, builder) ||
      !add_layer(*file, "roofs", CitySurface::roof, builder))
    return city_refusal(path,
                        "needs the layers roofs and grounds, of polygons with heights and a column building");
  const OGRSpatialReference* system = file->GetLayerByName("roofs")->GetSpatialRef();
  return builder.finished(path, system ? geo::wkt_of(*system) : std::string());
}

}  // namespace bench
