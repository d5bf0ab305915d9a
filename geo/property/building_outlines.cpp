#include "geo/property/building_outlines.hpp"

#include <gdal_alg.h>
#include <ogrsf_frmts.h>

#include <algorithm>

#include "geo/data/gdal.hpp"
#include "geo/property/building_cells.hpp"
#include "geo/shapes/boost_shapes.hpp"
#include "geo/shapes/ogr_shapes.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace geo {
namespace {

constexpr double kSmallestCourtyard_m2 = 10;
constexpr double kSmallestCutPart_m2 =
    10;                                   // of a house cut by a garage: a smaller one is the rest of an edge
constexpr double kTolerance_cells = 0.9;  // a staircase of cells along a slanting wall becomes a line

/// Two cells that meet only at a corner would make the outline touch itself there, so one of the other two
/// cells at that corner is added.
void fill_pinches(Grid<std::uint8_t>& cells) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int row = 0; row + 1 < cells.height; ++row)
      for (int col = 0; col + 1 < cells.width; ++col) {
        const bool a = cells.at(col, row), b = cells.at(col + 1, row);
        const bool c = cells.at(col, row + 1), d = cells.at(col + 1, row + 1);
        if (a != d || b != c || a == b) continue;
        cells.at(a ? col + 1 : col, row) = 1;
        changed = true;
      }
  }
}

DatasetHandle in_memory(Grid<std::uint8_t>& cells) {
  register_gdal_drivers();
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("MEM");
  DatasetHandle raster(driver->Create("", cells.width, cells.height, 1, GDT_Byte, nullptr));
  double transform[6] = {cells.west, cells.cell_m, 0, cells.north, 0, -cells.cell_m};
  if (!raster || raster->SetGeoTransform(transform) != CE_None ||
      raster->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, cells.width, cells.height, cells.values.data(),
                                         cells.width, cells.height, GDT_Byte, 0, 0, nullptr) != CE_None)
    return nullptr;
  return raster;
}

Result<std::vector<Polygon>> traced(Grid<std::uint8_t>& cells) {
  const DatasetHandle raster = in_memory(cells);
  DatasetHandle vectors(
      GetGDALDriverManager()->GetDriverByName("Memory")->Create("", 0, 0, 0, GDT_Unknown, nullptr));
  OGRLayer* layer = vectors ? vectors->CreateLayer("outlines", nullptr, wkbPolygon) : nullptr;
  if (!raster || !layer)
    return fail(FailureKind::internal, "no memory data set for the outlines of buildings");
  GDALRasterBand* band = raster->GetRasterBand(1);
  if (GDALPolygonize(band, band, layer, -1, nullptr, nullptr, nullptr) != CE_None)
    return fail(FailureKind::internal, "the outlines of buildings cannot be traced");
  std::vector<Polygon> out;
  for (const auto& feature : *layer) append_polygons(feature->GetGeometryRef(), out);
  return out;
}

void fill_small_courtyards(BoostPolygon& polygon) {
  std::erase_if(polygon.inners(), [](const auto& hole) {
    return std::abs(boost::geometry::area(hole)) < kSmallestCourtyard_m2;
  });
}

/// The coarsest simplification that is still a valid polygon; the cells' own outline if none is.
Polygon simplified(const Polygon& outline, double cell_m) {
  BoostPolygon exact = to_boost(outline);
  fill_small_courtyards(exact);
  for (double tolerance_m = kTolerance_cells * cell_m; tolerance_m > 0.2 * cell_m; tolerance_m /= 2) {
    BoostPolygon simple;
    boost::geometry::simplify(exact, simple, tolerance_m);
    boost::geometry::correct(simple);
    Polygon candidate = from_boost(simple);
    if (is_valid_shape(candidate)) return candidate;
  }
  return from_boost(exact);
}

/// Cuts a garage's rectangle out of the houses' traced outlines. The rectangle is the more accurate one,
/// fitted to a fraction of a cell, so it stays whole.
std::vector<Polygon> without(const std::vector<Polygon>& houses, const SmallRoof& garage) {
  std::vector<Polygon> out;
  for (const Polygon& house : houses)
    for (Polygon& part : difference(house, garage.outline))
      if (part == house || (area_m2(part) >= kSmallestCutPart_m2 && is_valid_shape(part)))
        out.push_back(std::move(part));
  return out;
}

}  // namespace

Result<std::vector<Polygon>> outlines_of(Grid<std::uint8_t> cells, const RunControl& control) {
  if (cells.values.empty()) return std::vector<Polygon>{};
  fill_pinches(cells);
  auto outlines = traced(cells);
  if (!outlines) return outlines;
  for (Polygon& outline : *outlines) {
    control.checkpoint();
    outline = simplified(outline, cells.cell_m);
  }
  return outlines;
}

Result<std::vector<BuildingOutline>> building_outlines(const Grid<float>& dsm, const Grid<float>& terrain,
                                                       const Box& garages, RectangleFits& fits,
                                                       const RunControl& control) {
  FoundBuildings found = find_buildings(dsm, terrain, garages, fits, control);
  auto traced = outlines_of(std::move(found.cells), control);
  if (!traced) return tl::make_unexpected(traced.error());
  std::vector<Polygon> houses = std::move(*traced);
  for (const SmallRoof& garage : found.garages) {
    control.checkpoint();
    houses = without(houses, garage);
  }
  std::vector<BuildingOutline> out;
  for (Polygon& shape : houses) out.push_back({std::move(shape), false});
  for (SmallRoof& garage : found.garages) out.push_back({std::move(garage.outline), true});
  return out;
}

}  // namespace geo
