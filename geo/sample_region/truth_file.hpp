// truth.json: what the sample region really is, for tests and benchmarks to compare with. Positions in map
// metres, lengths, areas and angles on the ground (true metres, true north; azimuth: south 0, east negative,
// west positive).
//
//   {"crs", "seed", "gridding", "cell_m",
//    "buildings": [{"building" (index from 0, as in buildings.gpkg), "main", "use": house | row_house |
//    garage,
//                   "roof" (kind), "address": null | {strasse, hausnummer, plz, ort, land, lon, lat},
//                   "footprint": ring}],
//    "planes": [{"building", "main", "roof": gable | hip | half_hip | shed | flat | mansard | pyramid |
//    l_shape | t_shape,
//                "address": null | "Lindenstraße 3, 86987 Lerchenmoos", "is_dormer", "below_tree",
//                "plane": {x0, y0, z0, gx, gy}, "tilt_deg", "azimuth_deg",
//                "area_m2" (inclined, superstructures not cut), "free_area_m2" (cut),
//                "outline": ring (roof edge with overhang, not cut), "holes": [ring],
//                "obstacles": [{"kind": chimney | dormer | skylight, "outline": ring}]}]}
//
// Rings are [[x, y], ...], counter-clockwise, not closed. z = z0 + gx (x - x0) + gy (y - y0).
#pragma once
#include <string>
#include <vector>

#include "geo/data/place_frame.hpp"
#include "geo/failure.hpp"
#include "geo/sample_region/roof_patches.hpp"
#include "geo/sample_region/sample_region.hpp"
#include "geo/sample_region/settlement.hpp"

namespace geo::sample {

/// invalid_input when the file cannot be written.
Result<void> write_truth(const std::string& path, const SampleRegionOptions& options,
                         const Settlement& settlement, const std::vector<RoofPatch>& patches,
                         const PlaceNames& names, const PlaceFrame& frame);

}  // namespace geo::sample
