// Small buildings as a whole. On a garage of 3.5 m by 6 m each half of a gable has two rows of cells, cut by
// the ridge on one side and by the eaves on the other; on a lean-to two metres wide hardly a cell is uncut. A
// free fit to such cells goes astray. So roofs of the footprint's shape are compared with the cells: a
// symmetric gable whose ridge runs along or across the footprint, and one leaning or level plane (a
// parametric primitive, in the manner of Maas & Vosselman 1999). A cell is compared with the mean of what it
// covers: the roof, the ground beyond its eaves, a neighbour's roof beside it. Local metres.
#pragma once
#include "geo/roof/building_site.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// Replaces all segments with the two halves of a gable if these explain the cells at clearly less cost.
/// Where the building is narrow, cells are means and at most one plane was found, one plane of up to 23
/// degrees takes its place that explains them no worse. True if it did either.
bool fit_small_building(const RoofSite& site, RoofSegmentation& segmentation, const RunControl& control);

}  // namespace geo
