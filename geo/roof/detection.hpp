// Roof detection: from a surface model, a terrain model and buildings to roof planes with outlines.
//
// The method, building by building: local planes are proposed and the cells are shared out among them so that
// fit, smoothness and the number of planes balance (Isack & Boykov 2012, "Energy-based geometric multi-model
// fitting"; proposals as in region growing, Vosselman & Dijkman 2001); slopes and directions are regularised
// where the data allow it; the lines in which planes meet, step or end partition the building's surroundings
// into faces, and the faces are given to planes by a second labelling (the partition of Peters et al. 2022,
// "Automated 3D reconstruction of LoD2.2 models"). Outlines therefore share their edges and cannot overlap.
// Map metres in, map metres out; angles and areas of the statistics are true ones.
#pragma once
#include <optional>
#include <vector>

#include "geo/data/place_frame.hpp"
#include "geo/grid/cell_kind.hpp"
#include "geo/grid/grid.hpp"
#include "geo/property/building.hpp"
#include "geo/roof/roof_plane.hpp"
#include "geo/run_control.hpp"

namespace geo {

struct RoofDetectionOptions {
  double highest_of_m2 = 0;  ///< cells hold the highest of so many first returns a square metre; 0: they
                             ///< do not, or nobody said so
  std::optional<CellKind> cells{};  ///< where the caller knows it; else the model tells
};

/// The planes of each building in the buildings' order. No plane where heights are missing, rough (trees), or
/// lower than a roof is (building_site.cpp). `terrain` has the frame of `dsm`.
std::vector<RoofPlane> detect_roof_planes(const Grid<float>& dsm, const Grid<float>& terrain,
                                          const std::vector<Building>& buildings, const PlaceFrame& frame,
                                          const RoofDetectionOptions& options, const RunControl& control);

}  // namespace geo
