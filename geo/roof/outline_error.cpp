#include "geo/roof/outline_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geo/roof/roof_line.hpp"

namespace geo {
namespace {

enum class EdgeKind : std::uint8_t { eave, meeting, step, neighbour };
constexpr std::size_t kKinds = 4;

constexpr double kBetweenSamples_m = 0.5;  // along an edge
constexpr double kJustBeyond_m = 0.25;     // what lies so far beyond an edge is what the surface ends at
/// From the line in which two planes meet. Where they border on each other farther off, a wall parts them.
constexpr double kNearMeeting_m = 0.75;
constexpr double kOnWall_m = 0.1;
/// A cadastre's wall is as wrong as the cadastre, whatever the size of the cells.
constexpr double kCadastre_m = 0.06;
constexpr double kLeast_m = 0.02;
/// An edge that is off by more than this share of the surface's width would have made another surface.
constexpr double kMostOfWidth = 0.25;

/// Standard deviations of an edge's displacement, in cells; and the share of what does not lie on the plane
/// that counts as error. A step's is the largest: what is found beyond it is often another surface than the
/// true one.
struct Displacements {
  double eave, meeting, step, uncovered;
  double in_metres(EdgeKind kind, double cell_m) const {
    if (kind == EdgeKind::neighbour) return kCadastre_m;
    const double cells = kind == EdgeKind::eave ? eave : kind == EdgeKind::meeting ? meeting : step;
    return std::hypot(kLeast_m, cells * cell_m);
  }
};
constexpr Displacements kWithWalls{0.15, 0.03, 1.3, 0.4}, kFromHeights{0.17, 0.03, 1.0, 0.6};

/// A surface beside the one that is asked about.
struct Beside {
  const Polygon* outline;
  std::optional<Line> meeting;
  Box box;
};

class Surroundings {
 public:
  Surroundings(const RoofSite& site, const RoofSegmentation& segmentation,
               const std::vector<SegmentOutline>& outlines, int segment, const Box& around)
      : site_(site) {
    const auto plane = [&](int s) -> const Plane& { return segmentation.segments[s].fit.plane; };
    for (const SegmentOutline& other : outlines) {
      const Box box = bounding_box(other.outline.outer);
      if (other.segment != segment && box.overlaps(around))
        beside_.push_back({&other.outline, meeting_of(plane(segment), plane(other.segment)), box});
    }
  }

  EdgeKind kind_at(Point on_edge, Point beyond) const {
    for (const Beside& other : beside_)
      if (other.box.contains(beyond) && contains(*other.outline, beyond)) {
        const bool meets = other.meeting && std::abs(other.meeting->left_of(on_edge)) < kNearMeeting_m;
        return meets ? EdgeKind::meeting : EdgeKind::step;
      }
    return is_on_neighbours_wall(on_edge, beyond) ? EdgeKind::neighbour : EdgeKind::eave;
  }

 private:
  /// Not where the roof reaches over a lower neighbour: there the heights say where it ends.
  bool is_on_neighbours_wall(Point on_edge, Point beyond) const {
    return site_.from_footprints &&
           std::any_of(site_.neighbours.begin(), site_.neighbours.end(), [&](const Polygon& n) {
             return contains(n, beyond) && distance_to_boundary(n, on_edge) < kOnWall_m;
           });
  }

  const RoofSite& site_;
  std::vector<Beside> beside_;
};

/// Adds each edge's variance. An edge may end at one thing for a part and at another for the rest.
void add_variance(const Ring& ring, const Surroundings& around, const Displacements& displacements,
                  double cell_m, double area_m2, double& variance) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], edge = ring[(i + 1) % ring.size()] - a;
    const double metres = length(edge);
    if (metres <= 0) continue;
    const Point outwards = Point{edge.y, -edge.x} * (kJustBeyond_m / metres);
    const int samples = std::max(1, static_cast<int>(std::lround(metres / kBetweenSamples_m)));
    std::array<int, kKinds> counts{};
    for (int k = 0; k < samples; ++k) {
      const Point at = a + edge * ((k + 0.5) / samples);
      ++counts[static_cast<std::size_t>(around.kind_at(at, at + outwards))];
    }
    const double most_m = kMostOfWidth * area_m2 / metres;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const double displaced_m = displacements.in_metres(static_cast<EdgeKind>(kind), cell_m);
      variance += squared(metres * counts[kind] / samples * std::min(displaced_m, most_m));
    }
  }
}

}  // namespace

double plan_area_error_m2(const RoofSite& site, const RoofSegmentation& segmentation,
                          const std::vector<SegmentOutline>& outlines, int segment, const Polygon& outline,
                          const RoofObstacles& obstacles) {
  const Displacements& displacements = site.from_footprints ? kWithWalls : kFromHeights;
  const Surroundings around(site, segmentation, outlines, segment,
                            bounding_box(outline.outer).grown(kJustBeyond_m));
  const double area_m2 = area(outline);
  double variance = 0;
  const auto add = [&](const Ring& ring) {
    add_variance(ring, around, displacements, site.height.cell_m, area_m2, variance);
  };
  add(outline.outer);
  for (const Ring& hole : outline.holes) add(hole);
  const double uncovered = 1 - obstacles.share_on_plane().value_or(1);
  return std::hypot(std::sqrt(variance), displacements.uncovered * uncovered * area_m2);
}

}  // namespace geo
