#include "geo/sample_region/ground_cover.hpp"

#include <cmath>

#include <gdal_alg.h>
#include <gdal_priv.h>
#include <ogr_geometry.h>

#include <memory>

namespace geo::sample {
namespace {

/// Polygons in the order in which they are drawn over one another.
struct Drawing {
  std::vector<std::unique_ptr<OGRPolygon>> shapes;
  std::vector<double> values;

  void add(const Ring& region, const PlaceFrame& frame, double value) {
    OGRLinearRing ring;
    for (const Point& p : region) {
      const Point map = frame.from_true({p.x, p.y});
      ring.addPoint(map.x, map.y);
    }
    ring.closeRings();
    auto polygon = std::make_unique<OGRPolygon>();
    polygon->addRing(&ring);
    shapes.push_back(std::move(polygon));
    values.push_back(value);
  }
};

Drawing draw(const Settlement& s, const PlaceFrame& frame) {
  Drawing drawing;
  for (std::size_t i = 0; i < s.parcels.size(); ++i)
    drawing.add(s.parcels[i].outline.outer, frame, static_cast<double>(kGarden + i));
  for (const Ring& ring : s.paving) drawing.add(ring, frame, kPaving);
  for (const Ring& ring : s.pools) drawing.add(ring, frame, kPool);
  for (const Ring& ring : s.pavements) drawing.add(ring, frame, kPavement);
  for (const Ring& ring : s.roads) drawing.add(ring, frame, kRoad);
  return drawing;
}

}  // namespace

Result<Grid<std::uint16_t>> ground_cover(const Settlement& settlement, const PlaceFrame& frame,
                                         const Box& area, double cell_m) {
  Grid<std::uint16_t> out(static_cast<int>(std::lround((area.max_x - area.min_x) / cell_m)),
                          static_cast<int>(std::lround((area.max_y - area.min_y) / cell_m)), area.min_x,
                          area.max_y, cell_m, kField);
  register_gdal_drivers();
  GDALDriver* memory = GetGDALDriverManager()->GetDriverByName("MEM");
  if (!memory) return fail(FailureKind::internal, "GDAL has no MEM driver");
  DatasetHandle work(memory->Create("", out.width, out.height, 1, GDT_UInt16, nullptr));
  if (!work) return fail(FailureKind::internal, "no memory for the orthophoto");
  double transform[6] = {area.min_x, cell_m, 0, area.max_y, 0, -cell_m};
  work->SetGeoTransform(transform);
  const Drawing drawing = draw(settlement, frame);
  std::vector<OGRGeometryH> handles;
  for (const auto& shape : drawing.shapes) handles.push_back(OGRGeometry::ToHandle(shape.get()));
  int band = 1;
  if (GDALRasterizeGeometries(work.get(), 1, &band, static_cast<int>(handles.size()), handles.data(), nullptr,
                              nullptr, drawing.values.data(), nullptr, nullptr, nullptr) != CE_None ||
      work->GetRasterBand(1)->RasterIO(GF_Read, 0, 0, out.width, out.height, out.values.data(), out.width,
                                       out.height, GDT_UInt16, 0, 0, nullptr) != CE_None)
    return fail(FailureKind::internal, "the ground's uses cannot be drawn");
  return out;
}

}  // namespace geo::sample
