// How high a building's neighbours are beside its walls, from the cells that lie wholly on them. Local
// metres.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "geo/roof/building_site.hpp"
#include "geo/roof/fit.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/box.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {

class NeighbourRoofs {
 public:
  /// Neighbours farther away than `reach_m` from a point are not looked at.
  NeighbourRoofs(const RoofSite& site, double reach_m, const RunControl& control) : reach_m_(reach_m) {
    const double half_diagonal_m = std::sqrt(0.5) * site.height.cell_m;
    for (const Polygon& shape : site.neighbours) {
      Neighbour& own = neighbours_.emplace_back(Neighbour{&shape, bounding_box(shape.outer), {}});
      for (std::size_t i = 0; i < site.height.values.size(); ++i) {
        const Point p = site.height.centre(i);
        if (std::isnan(site.height.values[i]) || !own.box.contains(p) || !contains(shape, p)) continue;
        control.checkpoint();
        if (distance_to_boundary(shape, p) > half_diagonal_m) own.whole.push_back({p, site.height.values[i]});
      }
    }
  }

  struct Near {
    double distance_m = 1e300;  ///< 0 within the neighbour's footprint
    double height_m = NAN;      ///< of its nearest whole cell; NaN where none is near
  };
  /// The neighbour nearest to a point.
  Near near(Point p) const {
    Near found;
    for (const Neighbour& n : neighbours_) {
      if (!n.box.grown(reach_m_).contains(p)) continue;
      const double distance_m = contains(*n.shape, p) ? 0 : distance_to_boundary(*n.shape, p);
      if (distance_m < std::min(reach_m_, found.distance_m)) found = {distance_m, height(n.whole, p)};
    }
    return found;
  }

 private:
  struct Neighbour {
    const Polygon* shape;
    Box box;
    std::vector<HeightPoint> whole;
  };

  static double height(const std::vector<HeightPoint>& points, Point p) {
    constexpr double kReach_m = 2.5;
    double nearest_m = kReach_m, height_m = NAN;
    for (const HeightPoint& at : points)
      if (const double m = length(at - p); m < nearest_m) nearest_m = m, height_m = at.z;
    return height_m;
  }

  double reach_m_;
  std::vector<Neighbour> neighbours_;
};

}  // namespace geo
