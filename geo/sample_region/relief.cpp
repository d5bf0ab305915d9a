#include "geo/sample_region/relief.hpp"

#include <cmath>

namespace geo::sample {
namespace {

constexpr double kReliefCell_m = 80;
constexpr double kReach_m = 32000;

}  // namespace

Grid<float> relief(const Terrain& terrain, const PlaceFrame& frame) {
  const int cells = static_cast<int>(2 * kReach_m / kReliefCell_m);
  const double west = std::floor(frame.origin().x / kReliefCell_m) * kReliefCell_m - kReach_m;
  const double north = std::ceil(frame.origin().y / kReliefCell_m) * kReliefCell_m + kReach_m;
  Grid<float> out(cells, cells, west, north, kReliefCell_m);
  for (int row = 0; row < cells; ++row)
    for (int col = 0; col < cells; ++col) {
      const Eigen::Vector2d at = frame.to_true(out.centre(col, row));
      out.at(col, row) = static_cast<float>(terrain.height({at.x(), at.y()}));
    }
  return out;
}

}  // namespace geo::sample
