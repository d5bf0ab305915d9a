// Where on a roof surface a module's lower left corner may lie: inside the outline and outside the keep-off zones
// of all its edges and of the obstacles on it. Buckets of the grid's pitch make the question cheap. True
// metres in the roof plane.
#pragma once
#include <vector>

#include "geo/keep_off_zone.hpp"
#include "geo/shapes.hpp"

namespace geo {

struct Margins {
  double edge_m = 0, obstacle_m = 0;
};

class PlacementSpace {
 public:
  PlacementSpace(Polygon outline, std::vector<Polygon> obstacles, Margins margins, ModuleSize module,
                 ModuleSize bucket);

  const std::vector<KeepOffZone>& zones() const { return zones_; }
  /// Around all free corners.
  const Bounds& bounds() const { return bounds_; }
  bool empty() const { return columns_ == 0 || rows_ == 0; }

  bool is_free(Point corner) const;
  /// The parts of a stretch, at most a bucket long either way, where a corner may lie; in order.
  void free_parts(Point start, Point end, std::vector<Part>& out) const;

 private:
  struct Bucket {
    std::vector<int> zones;
    bool free = false;  ///< holds all over the bucket when it has no zones
  };

  void add_zones(const Ring& ring, double margin_m);
  void sort_into_buckets();
  const Bucket* bucket_at(int column, int row) const;
  /// Whether a module with this corner has its centre on the roof and on no obstacle. With the zones, which keep
  /// every edge out of it, that means: all of it.
  bool centre_on_roof(Point corner) const;

  Polygon outline_;
  std::vector<Polygon> obstacles_;
  ModuleSize module_, bucket_size_;
  std::vector<KeepOffZone> zones_;
  Bounds bounds_;
  int columns_ = 0, rows_ = 0;
  std::vector<Bucket> buckets_;
};

}  // namespace geo
