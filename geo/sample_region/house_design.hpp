// One building's design, before it has a place: its walls, its roof and what stands on it, drawn at random
// within the ranges of real houses. Local metres and heights of body.hpp; the walls' middle is the origin,
// the ridge runs along u.
#pragma once
#include <vector>

#include "geo/sample_region/body.hpp"
#include "geo/sample_region/random.hpp"
#include "geo/sample_region/roof_shapes.hpp"

namespace geo::sample {

struct HouseDesign {
  RoofKind kind = RoofKind::gable;
  std::vector<Rect> walls;    ///< their union is the wall outline
  std::vector<Body> bodies;   ///< roof first, then superstructures
  double eaves_m = 0;         ///< of the roof at the wall, above the ground floor
  double roof_edge_m = 0;     ///< lowest height of the overhanging roof
  bool gable_end_u0 = false;  ///< the wall at u0 goes up to the ridge
};

/// A detached house of at most `length_m` by `width_m` (walls, length along the ridge, at least 8 by 7).
HouseDesign design_house(RoofKind kind, double length_m, double width_m, Random& random);

/// A garage over `walls`, with a flat roof or a gable whose ridge runs along u.
HouseDesign design_garage(const Rect& walls, double eaves_m, bool gabled, const Overhang& overhang,
                          Random& random);

struct RowDesign {
  int units = 3;
  double unit_width_m = 6.5;
  double depth_m = 10;
  double step_m = 0;  ///< how much higher each unit stands than the one before it
};

/// The units of a row house, from u negative to u positive, gables in line.
std::vector<HouseDesign> design_row(const RowDesign& row, Random& random);

}  // namespace geo::sample
