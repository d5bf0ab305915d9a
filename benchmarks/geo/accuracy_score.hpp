// Compares found surfaces with true planes. Degrees, square metres; errors are found less true.
#pragma once
#include <string>
#include <vector>

#include "benchmarks/geo/accuracy_scene.hpp"
#include "geo/roof/roof_plane.hpp"

namespace bench {

/// What counts as a surface, and as the true one.
inline constexpr double kListed_m2 = 10;
inline constexpr double kSameNormal_deg = 10;

struct Score {
  std::string name;
  int true_planes = 0, found = 0;  ///< true planes from 10 m2, and those of them that were found
  int surfaces = 0, right = 0;     ///< reported surfaces from 10 m2, and those that match a true plane
  int small_surfaces = 0, small_right = 0;        ///< the same under 10 m2
  int invalid = 0;                                ///< outlines that are no simple polygons
  int invented = 0;                               ///< surfaces that lie on no roof at all
  std::vector<double> tilt_error, azimuth_error;  ///< absolute
  std::vector<double> plain_tilt_error,
      plain_azimuth_error;             ///< of the plain fit to the true outline's inner cells
  std::vector<double> area_error_pct;  ///< signed
  std::vector<double> iou;
  int tilt_within = 0, azimuth_within = 0, area_within = 0;  ///< true error within the stated one
  int azimuths = 0;
  double overlap_m2 = 0, on_neighbour_m2 = 0;
  double on_other_parcel_m2 = 0;  ///< of surfaces, on parcels of other buildings
  double seconds = 0;
  std::vector<int> missed;             ///< indices of true planes
  std::vector<int> wrong;              ///< indices of surfaces
  std::vector<int> invented_surfaces;  ///< indices too
  void add(const Score& other);
};

Score score(const Scene& scene, const std::vector<geo::RoofPlane>& planes);
/// Delft: found means that a surface holds the reference point and its normal differs by under 10 degrees.
Score score_by_points(const Scene& scene, const std::vector<geo::RoofPlane>& planes);

/// Why a true plane was missed: what covers it, in numbers.
struct Miss {
  double on_buildings = 0;  ///< share of its outline that the buildings given to the detection cover
  double covered = 0;       ///< share of its outline that any surfaces cover
  int best = -1;            ///< the surface that covers most of it, with their IoU and the angle of normals
  double iou = 0, normal_deg = 0;
};
Miss explain_miss(const Scene& scene, const std::vector<geo::RoofPlane>& planes, const TruePlane& missed);

double common_m2(const geo::Polygon& a, const geo::Polygon& b);
/// The parcel that carries the largest part of a building; -1 for none.
int parcel_of(const Scene& scene, const geo::Polygon& footprint);
double normal_angle_deg(const geo::Plane& a, const geo::Plane& b);
double quantile(std::vector<double> values, double share);

}  // namespace bench
