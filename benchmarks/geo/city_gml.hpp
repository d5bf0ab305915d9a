// CityGML 1.0 and 2.0, LoD2 (ogc.org/standard/citygml): tiles of the German offices (AdV), swisstopo, towns.
//
// Elements are told by their names; of namespaces only that of bldg:Building counts, which says the version.
//   bldg:Building, and in it bldg:BuildingPart    a part's surfaces count to its building
//     bldg:boundedBy / bldg:RoofSurface, GroundSurface, WallSurface
//       bldg:lod2MultiSurface ... gml:Polygon / gml:exterior, gml:interior / gml:LinearRing
//         gml:posList, or gml:pos for each corner: east, north, height
//     bldg:lod2Solid                              most offices repeat the polygons in it, by xlink:href
// A solid counts by itself only where its building (or part) has no RoofSurface and no parts, and if it is
// closed (city_solid.hpp). Other levels of detail are passed over.
// srsName stands on any element around a polygon, or on the gml:Envelope of one.
#pragma once
#include <string>

#include "benchmarks/geo/accuracy_models.hpp"
#include "geo/failure.hpp"

namespace bench {

/// `path` is for the sentences; `bytes` are parsed where they lie.
geo::Result<BuildingModel> read_city_gml(const std::string& path, std::string bytes);

}  // namespace bench
