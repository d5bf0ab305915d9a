#include "geo/sample_region/cadastral_survey.hpp"

#include <algorithm>
#include <cmath>

#include "geo/sample_region/random.hpp"

namespace geo::sample {
namespace {

constexpr double kSameCorner_m = 0.01;

class Survey {
 public:
  Survey(std::uint32_t seed, double error_m) : random_(seed, Stream::survey), error_m_(error_m) {}

  Point measured(Point corner) {
    const auto known = std::find_if(corners_.begin(), corners_.end(), [&](const Corner& c) {
      return std::hypot(c.at.x - corner.x, c.at.y - corner.y) < kSameCorner_m;
    });
    if (known != corners_.end()) return known->measured;
    const double east = random_.normal(error_m_), north = random_.normal(error_m_);
    corners_.push_back({corner, {corner.x + east, corner.y + north}});
    return corners_.back().measured;
  }

 private:
  struct Corner {
    Point at, measured;
  };
  Random random_;
  double error_m_;
  std::vector<Corner> corners_;
};

}  // namespace

std::vector<Polygon> surveyed_walls(const Settlement& settlement, std::uint32_t seed, double error_m) {
  Survey survey(seed, error_m);
  std::vector<Polygon> walls;
  for (const SampleBuilding& building : settlement.buildings) {
    walls.push_back(building.walls);
    if (error_m <= 0) continue;
    for (Point& corner : walls.back().outer) corner = survey.measured(corner);
  }
  return walls;
}

}  // namespace geo::sample
