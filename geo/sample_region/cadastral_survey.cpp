#include "geo/sample_region/cadastral_survey.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geo/sample_region/random.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo::sample {
namespace {

constexpr double kSameCorner_m = 0.01;

/// The corners of all walls, each once.
class Survey {
 public:
  /// Adds a house that has this corner, and the displacement that the house's turn gives it.
  void add(Point corner, Point displacement) {
    Corner* known = find(corner);
    if (!known) known = &corners_.emplace_back(Corner{corner, {}, 0, {}});
    known->displacements = known->displacements + displacement;
    ++known->houses;
  }
  /// Where the survey has it. The root keeps the mean displacement the same where several houses meet.
  void measure(Random& random, double error_m) {
    for (Corner& c : corners_) {
      const double east = random.normal(error_m), north = random.normal(error_m);
      c.measured = c.at + c.displacements * (1 / std::sqrt(c.houses)) + Point{east, north};
    }
  }
  Point measured(Point corner) { return find(corner)->measured; }

 private:
  struct Corner {
    Point at, displacements;
    int houses;
    Point measured;
  };
  Corner* find(Point corner) {
    const auto known = std::find_if(corners_.begin(), corners_.end(),
                                    [&](const Corner& c) { return length(c.at - corner) < kSameCorner_m; });
    return known == corners_.end() ? nullptr : &*known;
  }
  std::vector<Corner> corners_;
};

Point middle(const Ring& ring) {
  Point sum{};
  for (Point p : ring) sum = sum + p;
  return sum * (1.0 / static_cast<double>(ring.size()));
}

}  // namespace

std::vector<Polygon> surveyed_walls(const Settlement& settlement, std::uint32_t seed,
                                    const SurveyErrors& errors) {
  std::vector<Polygon> walls;
  for (const SampleBuilding& building : settlement.buildings) walls.push_back(building.walls);
  if (errors.corner_m <= 0 && errors.turn_deg <= 0) return walls;
  Random random(seed, Stream::survey);
  Survey survey;
  for (const Polygon& house : walls) {
    const double turn_rad = random.normal(errors.turn_deg * std::numbers::pi / 180);
    for (Point corner : house.outer) {
      const Point arm = corner - middle(house.outer);
      survey.add(corner, Point{-arm.y, arm.x} * turn_rad);
    }
  }
  survey.measure(random, errors.corner_m);
  for (Polygon& house : walls)
    for (Point& corner : house.outer) corner = survey.measured(corner);
  return walls;
}

}  // namespace geo::sample
