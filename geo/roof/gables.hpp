// Small gables: on a garage of 3.5 m by 6 m each half of the roof has two rows of cells, cut by the ridge on
// one side and by the eaves on the other, and a free fit to them goes astray. On a small building the
// symmetric gable whose ridge runs along or across the footprint is compared, by what the cells cost with it,
// with one leaning plane and with the planes that were found (a parametric primitive, in the manner of Maas &
// Vosselman 1999). A cell is compared with the mean of what it covers: both halves, roof and ground. Local
// metres.
#pragma once
#include "geo/roof/building_site.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// Replaces all segments with the two halves of a gable if these explain the cells at less cost. True if it
/// did.
bool fit_small_gable(const RoofSite& site, RoofSegmentation& segmentation, const RunControl& control);

}  // namespace geo
