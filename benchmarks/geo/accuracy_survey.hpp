// A laser survey of building models, as offices make elevation data of real roofs: returns from roofs, walls
// and ground, with noise, made into cells, and a cadastre's footprints. Metres.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "benchmarks/geo/accuracy_models.hpp"
#include "geo/grid/grid.hpp"

namespace bench {

/// What a cell's height is made from.
enum class Cells {
  linear,          ///< between the three returns of a Delaunay triangle around its centre
  mean,            ///< of the returns in it
  nearest,         ///< the return nearest to its centre
  highest,         ///< of the returns in it
  highest_stated,  ///< the same, and the catalogue says so
  resampled,       ///< bilinear between linear cells of a grid of the same width that lies askew to this one
};
inline constexpr std::array kAllCells{Cells::linear,  Cells::mean,           Cells::nearest,
                                      Cells::highest, Cells::highest_stated, Cells::resampled};
const char* name_of(Cells cells);

struct Survey {
  Cells cells = Cells::linear;
  double cell_m = 1;
  double returns_per_m2 = 6;
  double shift_cells = 0;      ///< of the grid, east and south
  double turn_deg = 0;         ///< of the streets against the grid
  double eaves_m = 0.3;        ///< by which the roofs reach over the footprints
  double generalised_m = 0.1;  ///< to which the footprints are simplified
  geo::Point footprints_off{0, 0};
  bool crowns = false;    ///< beside houses, over their eaves
  bool chimneys = false;  ///< on every second house
  std::uint32_t seed = 1;
};

/// A surveyed place, and which of the cells a wall or an eave cuts.
struct SurveyedScene {
  Scene scene;                      ///< with footprints
  std::vector<TruePlane> joined;    ///< the truth without them
  std::vector<geo::Point> houses;   ///< a point in each house, as an address's
  std::vector<int> house_building;  ///< the building it stands for
  geo::Grid<char> straddles;  ///< 1: heights differ by half a metre within the cell or just beyond its edge
};

/// The place in a shape farthest from its border, to 0.2 m.
geo::Point inner_point(const geo::Polygon& shape);

geo::Result<SurveyedScene> surveyed(const BuildingModel& model, const Survey& survey);

}  // namespace bench
