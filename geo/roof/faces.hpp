// Gives the faces of a roof's plan to its planes, by a graph cut that balances what the cells in a face say
// against short borders between surfaces. Then the faces of each plane become its outlines. Local metres.
#pragma once
#include <vector>

#include "geo/roof/eaves.hpp"
#include "geo/roof/map.hpp"
#include "geo/roof/partition.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// A piece of a segment as a polygon.
struct SegmentOutline {
  int segment = 0;
  Polygon outline;
};

std::vector<SegmentOutline> label_faces(const RoofSite& site, const RoofSegmentation& segmentation,
                                        const RoofMap& map, const RoofEaves& eaves,
                                        const RoofPartition& partition, const RunControl& control);

}  // namespace geo
