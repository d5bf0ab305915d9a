// Whether a steeper slope lies below a slope, from the cells near its eave. Two kinds of profile are compared
// with the cells from the slope down to the ground: the upper slope alone down to an eave, or the upper slope
// with a lower one below it. A cell holds the mean of what it covers, or one of the heights it covers. Local
// metres.
#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "geo/roof/building_site.hpp"
#include "geo/roof/segments.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {

class LowerSlope {
 public:
  /// Where the roof bends and where it ends, measured down the upper slope, and how steep it is between.
  struct Profile {
    double bend, eave, slope;
    double sigma_m;  ///< of a cell on the lower slope
  };

  /// `upper`: index of a segment that slopes.
  LowerSlope(const RoofSite& site, const RoofSegmentation& roof, int upper);

  /// Existing segments that may be a lower slope.
  const std::vector<int>& found_before() const { return found_before_; }

  /// Whether ground lies beyond most of the eave. Over a neighbour's roof or a valley it is unknown which
  /// heights a cell mixes.
  bool ends_over_ground() const;

  /// The best profile of the upper slope alone, down to an eave.
  Profile alone() const;

  /// The most that a lower slope could save: it can only explain cells below the upper one.
  double most_gained(const Profile& alone) const;

  struct Found {
    Profile profile{};
    double gain = -1e300;  ///< over the upper slope alone
    double slope_error = 0;
  };
  /// The mean of all profiles with a lower slope, each weighted by how well it explains the cells.
  Found with_lower(const Profile& alone, const RunControl& control) const;

  Plane lower_plane(const Profile& p) const;
  /// The cells that lie on the lower slope.
  std::vector<int> cells_of(const Profile& p) const;
  bool upper_explains(int cell) const { return explains(plane(upper_), cell); }

 private:
  /// A cell on the upper slope, on what lies below it, or on the ground there.
  struct Seen {
    int cell;                            ///< index into RoofCells, -1 on the ground
    double down;                         ///< the upper slope
    double height_m, above_m, ground_m;  ///< as measured; of the upper slope; of the terrain
    double unexplained;
  };

  const Plane& plane(int s) const { return roof_.plane(s); }
  const std::vector<int>& cells(int s) const { return roof_.segments[s].cells; }
  Point at(int cell) const { return roof_.cells.points[cell]; }
  double across(Point p) const { return cross(down_, p); }
  bool explains(const Plane& p, int cell) const;
  /// A smaller segment that falls like the slope, is steeper and lies below it.
  bool may_be_lower(int s) const;
  bool is_free(int cell) const;
  /// Collects the cells around the upper slope's eave and below it, without those of other segments and
  /// neighbours.
  void look(const RoofSite& site);
  /// How high the roof lies on average from `first` to `last` downhill.
  double roof_height(const Profile& p, const Seen& c, double first, double last) const;
  double cost(const Profile& p, const Seen& c) const;
  /// The cost of all cells; stops adding once it reaches `enough`.
  double cost(const Profile& p, const std::vector<Seen>& cells, double enough) const;
  Found mean_of(const std::vector<std::pair<double, Profile>>& tried, double least) const;

  const RoofSegmentation& roof_;
  int upper_;
  double slope_, sigma_m_, width_ = 1;
  Point down_;
  double last_ = -1e300, lowest_ = -1e300;  // farthest downhill: of the upper slope's cells, of all
  double from_ = 1e300, to_ = -1e300;       // extent across the slope
  std::vector<int> found_before_;
  std::vector<Seen> seen_, at_sides_;
};

}  // namespace geo
