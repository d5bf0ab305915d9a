// The segmentation as a map: for every cell of the site the segment it belongs to, and for cells that carry
// none (mixed at an edge, chimneys, a branch of a tree) the neighbouring segment that suits them best. Local
// metres.
#pragma once
#include "geo/roof/building_site.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

struct RoofMap {
  Grid<int> segment;  ///< as segmented, -1 for none
  Grid<int> filled;   ///< gaps within the high cells filled from their neighbours, -1 beyond
  Grid<int> nearest;  ///< also filled outwards, over ground too, for three cells
};

RoofMap make_roof_map(const RoofSite& site, const RoofSegmentation& segmentation);

}  // namespace geo
