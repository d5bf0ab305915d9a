#include "geo/roof/outline_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace geo {
namespace {

enum class EdgeKind : std::uint8_t { eave, meeting, step, neighbour };
constexpr std::size_t kKinds = 4;

constexpr double kBetweenSamples_m = 0.5;
constexpr double kJustBeyond_m = 0.25;  // from an edge: what lies there is what the surface ends at
constexpr double kSameHeight_m = 0.4;   // surfaces that differ by more are parted by a wall
constexpr double kUnmeasured_m = 0.02;  // of every displacement, whatever the size of the cells

/// Standard deviations of an edge's displacement, in cells, and how much of what is not on the plane counts.
struct Displacements {
  std::array<double, kKinds> of_kind;
  double uncovered;
  double in_metres(std::size_t kind, double cell_m) const {
    return std::hypot(kUnmeasured_m, of_kind[kind] * cell_m);
  }
};
constexpr Displacements kWithWalls{{0.15, 0.03, 1.3, 0.05}, 0.4}, kFromHeights{{0.17, 0.03, 1.0, 0.05}, 0.6};

/// A surface beside the one that is asked about.
struct Beside {
  const Polygon* outline;
  const Plane* plane;
  Box box;
};

class Surroundings {
 public:
  Surroundings(const RoofSite& site, const RoofSegmentation& segmentation,
               const std::vector<SegmentOutline>& outlines, int segment, const Box& around)
      : site_(site), own_(plane_of(segmentation, segment)) {
    for (const SegmentOutline& other : outlines) {
      const Box box = bounding_box(other.outline.outer);
      if (other.segment != segment && box.overlaps(around))
        beside_.push_back({&other.outline, &plane_of(segmentation, other.segment), box});
    }
  }

  EdgeKind kind_at(Point on_edge, Point beyond) const {
    if (const auto height_m = height_beside(on_edge, beyond))
      return std::abs(own_.height_at(on_edge) - *height_m) < kSameHeight_m ? EdgeKind::meeting
                                                                           : EdgeKind::step;
    const bool at_neighbour = std::any_of(site_.neighbours.begin(), site_.neighbours.end(),
                                          [beyond](const Polygon& n) { return contains(n, beyond); });
    return at_neighbour ? EdgeKind::neighbour : EdgeKind::eave;
  }

 private:
  static const Plane& plane_of(const RoofSegmentation& segmentation, int segment) {
    return segmentation.segments[static_cast<std::size_t>(segment)].fit.plane;
  }
  std::optional<double> height_beside(Point on_edge, Point beyond) const {
    for (const Beside& other : beside_)
      if (other.box.contains(beyond) && contains(*other.outline, beyond))
        return other.plane->height_at(on_edge);
    return {};
  }

  const RoofSite& site_;
  const Plane& own_;
  std::vector<Beside> beside_;
};

/// Adds each edge's variance. An edge may end at one thing for a part and at another for the rest.
void add_variance(const Ring& ring, const Surroundings& around, const Displacements& displacements,
                  double cell_m, double& variance) {
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
    for (std::size_t kind = 0; kind < kKinds; ++kind)
      variance += squared(metres * counts[kind] / samples * displacements.in_metres(kind, cell_m));
  }
}

}  // namespace

double plan_area_error_m2(const RoofSite& site, const RoofSegmentation& segmentation,
                          const std::vector<SegmentOutline>& outlines, int segment, const Polygon& outline,
                          const RoofObstacles& obstacles) {
  const Displacements& displacements = site.from_footprints ? kWithWalls : kFromHeights;
  const Surroundings around(site, segmentation, outlines, segment,
                            bounding_box(outline.outer).grown(kJustBeyond_m));
  double variance = 0;
  add_variance(outline.outer, around, displacements, site.height.cell_m, variance);
  for (const Ring& hole : outline.holes)
    add_variance(hole, around, displacements, site.height.cell_m, variance);
  const double uncovered =
      obstacles.cells ? 1 - static_cast<double>(obstacles.cells_on_plane) / obstacles.cells : 0;
  return std::hypot(std::sqrt(variance), displacements.uncovered * uncovered * area(outline));
}

}  // namespace geo
