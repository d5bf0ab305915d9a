// Where on a roof surface a module's lower left corner may lie: inside the outline and outside the keep-off
// zones of all its edges and of the obstacles on it. Buckets of the grid's pitch make the question cheap.
// True metres in the roof plane.
#pragma once
#include <vector>

#include "geo/layout/keep_off_zone.hpp"
#include "geo/shapes/shapes.hpp"

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
  const Box& bounds() const { return bounds_; }
  bool empty() const { return columns_ == 0 || rows_ == 0; }

  bool is_free(Point corner) const;
  /// The parts of a stretch, at most a bucket long either way, where a corner may lie; in order.
  void free_parts(Point start, Point end, std::vector<Part>& out) const;

 private:
  /// What is known about the corners in a part of the roof as large as one step of the grid.
  struct Bucket {
    std::vector<int> zones, obstacles;  ///< that reach into it
    bool crosses_outline = false;
    bool on_roof = false;  ///< its middle is; all of it when no outline's zone reaches into it
  };

  void add_zones(const Ring& ring, double margin_m);
  void sort_into_buckets();
  void fill(Bucket& bucket, const Box& box) const;
  const Bucket* bucket_of(Point corner) const;
  const Bucket* bucket_at(int column, int row) const;
  Point centre_of(Point corner) const { return {corner.x + module_.u_m / 2, corner.y + module_.v_m / 2}; }
  bool centre_in_outline(Point corner) const;
  /// Whether a module with this corner has its centre on the roof and on no obstacle. Outside the zones no
  /// edge crosses the module, so this then holds for all of it.
  bool centre_on_roof(Point corner) const;

  Polygon outline_;
  std::vector<Polygon> obstacles_;
  ModuleSize module_, bucket_size_;
  std::vector<KeepOffZone> zones_;  ///< the outline's, then the obstacles'
  std::size_t outline_zones_ = 0;
  Box bounds_;
  int columns_ = 0, rows_ = 0;
  std::vector<Bucket> buckets_;
};

}  // namespace geo
