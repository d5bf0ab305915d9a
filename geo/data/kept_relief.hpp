// The relief around a place. Its window is large and serves all places of a neighbourhood, so each thread
// keeps the one that it has read last: up to 50 MB for cells of 20 m.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "geo/data/height_models.hpp"
#include "geo/failure.hpp"
#include "geo/grid/block_maxima.hpp"
#include "geo/run_control.hpp"

namespace geo {

struct ReliefCells {
  Grid<float> heights;
  BlockMaxima maxima;
  struct Used {
    std::size_t set;  ///< place in HeightModels::sets()
    std::vector<int> years;
  };
  std::vector<Used> used;  ///< whose cells are in it
};

/// At least `radius_m` around `centre`, in the system `crs`; cells finer than `smallest_m` are averaged to
/// that size. The window depends on the place's square of 4 km alone, never on what was read before. Read
/// anew when a file of the models has changed. Fails as HeightModels::read does.
Result<std::shared_ptr<const ReliefCells>> kept_relief(const HeightModels& models, const std::string& crs,
                                                       Point centre, double radius_m, double smallest_m,
                                                       const RunControl& control);

/// Lets go of what this thread keeps.
void forget_relief();

}  // namespace geo
