// The settlement as something one can look down on: what lies under a point, found through a coarse grid of
// buckets so that millions of laser returns and image cells cost little. Region metres.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "geo/sample_region/settlement.hpp"

namespace geo::sample {

/// The highest solid surface at a point.
struct Solid {
  double z = 0;
  double ground_z = 0;         ///< of the ground below
  const Body* body = nullptr;  ///< none: the ground
  const Cluster* cluster = nullptr;
};

/// The highest leaf at a point.
struct Leaf {
  double z = 0;
  double base_z = 0;           ///< the crown's lower side
  const Tree* tree = nullptr;  ///< none: a hedge
};

/// Keeps references to both: they have to outlive it.
class Scene {
 public:
  Scene(const Settlement& settlement, const Terrain& terrain);

  Solid solid(Point at) const;
  /// Nothing when no leaf is higher than `ground_m`.
  std::optional<Leaf> leaf(Point at, double ground_m) const;
  /// A box around the walls of all buildings.
  struct Extent {
    double x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  };
  const Extent& walls_extent() const { return walls_; }

 private:
  struct Bucket {
    std::vector<std::uint32_t> clusters, trees, hedges;
  };
  template <class List>
  void file(List Bucket::*list, std::uint32_t index, double x0, double x1, double y0, double y1);
  const Bucket* bucket(Point at) const;

  const Settlement& settlement_;
  const Terrain& terrain_;
  Extent walls_, extent_;
  int columns_ = 0, rows_ = 0;
  std::vector<Bucket> buckets_;
};

}  // namespace geo::sample
