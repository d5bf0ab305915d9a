#include "benchmarks/geo/accuracy_layout.hpp"

#include <algorithm>
#include <cmath>

#include "geo/layout/module_layout.hpp"
#include "geo/shapes/plane_frame.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace bench {
namespace {

constexpr double kStep_m = 0.06;
constexpr double kTolerance_m = 1e-5;

using geo::Point;
using geo::Ring;

/// Half the extent along `n` of a rectangle with half sides `along` and `across` its direction `d`.
double reach(Point n, Point d, double along, double across) {
  return along * std::abs(geo::dot(n, d)) + across * std::abs(geo::cross(n, d));
}

/// Whether an upright module overlaps the rectangle that keeps it off an edge: `margin_m` wide on either side
/// and beyond the ends, as the layout's model has it (separating axes, Gottschalk et al. 1996).
bool overlaps_edge(const Ring& module, Point a, Point b, double margin_m) {
  const Point d = (b - a) * (1 / geo::length(b - a)), between = (a + b) * 0.5 - (module[0] + module[2]) * 0.5;
  const double half_u = (module[2].x - module[0].x) / 2, half_v = (module[2].y - module[0].y) / 2;
  for (const Point n : {Point{1, 0}, {0, 1}, d, {-d.y, d.x}})
    if (std::abs(geo::dot(n, between)) >= reach(n, {1, 0}, half_u, half_v) +
                                              reach(n, d, geo::length(b - a) / 2 + margin_m, margin_m) -
                                              kTolerance_m)
      return false;
  return true;
}

bool overlaps_ring(const Ring& module, const Ring& ring, double margin_m) {
  for (std::size_t i = 0; i < ring.size(); ++i)
    if (geo::length(ring[(i + 1) % ring.size()] - ring[i]) > 0 &&
        overlaps_edge(module, ring[i], ring[(i + 1) % ring.size()], margin_m))
      return true;
  return false;
}

struct Roof {
  geo::Polygon outline;  // uv
  std::vector<geo::Polygon> obstacles;
  double edge_m, obstacle_m;
};

bool keeps_its_distances(const Roof& roof, const Ring& module) {
  for (Point corner : module)
    if (!geo::contains(roof.outline, corner)) return false;
  if (overlaps_ring(module, roof.outline.outer, roof.edge_m)) return false;
  for (const Ring& hole : roof.outline.holes)
    if (geo::contains(hole, module[0]) || overlaps_ring(module, hole, roof.edge_m)) return false;
  for (const geo::Polygon& o : roof.obstacles)
    if (geo::contains(o.outer, module[0]) || overlaps_ring(module, o.outer, roof.obstacle_m)) return false;
  return true;
}

int packed(const Roof& roof, double width_m, double height_m, double gap_m) {
  const geo::Box box = geo::bounding_box(roof.outline.outer);
  const double pitch_u = width_m + gap_m, pitch_v = height_m + gap_m;
  const auto steps = [](double pitch) { return static_cast<int>(std::ceil(pitch / kStep_m)); };
  const auto fitting = [](double room, double pitch) { return static_cast<int>(room / pitch) + 1; };
  int best = 0;
  for (int i = 0; i < steps(pitch_u); ++i)
    for (int j = 0; j < steps(pitch_v); ++j) {
      int count = 0;
      for (int col = 0; col < fitting(box.max_x - box.min_x, pitch_u); ++col)
        for (int row = 0; row < fitting(box.max_y - box.min_y, pitch_v); ++row) {
          const double u = box.min_x + i * kStep_m + col * pitch_u,
                       v = box.min_y + j * kStep_m + row * pitch_v;
          count += keeps_its_distances(
              roof, {{u, v}, {u + width_m, v}, {u + width_m, v + height_m}, {u, v + height_m}});
        }
      best = std::max(best, count);
    }
  return best;
}

void check(const Roof& roof, double tilt_deg, LayoutCheck& sum) {
  const geo::ModuleOptions options;
  for (const auto orientation : {geo::Orientation::portrait, geo::Orientation::landscape}) {
    const auto modules =
        geo::layout_modules(roof.outline, roof.obstacles, tilt_deg, options, orientation, geo::RunControl{});
    for (const geo::ModuleRect& m : modules)
      sum.outside += !keeps_its_distances(roof, Ring(m.corners.begin(), m.corners.end()));
    const bool portrait = orientation == geo::Orientation::portrait;
    const int best = packed(roof, portrait ? options.width_m : options.length_m,
                            portrait ? options.length_m : options.width_m, options.gap_m);
    sum.modules += static_cast<int>(modules.size());
    sum.searched += best;
    sum.fewer += static_cast<int>(modules.size()) < best;
  }
}

}  // namespace

void LayoutCheck::add(const LayoutCheck& o) {
  surfaces += o.surfaces, modules += o.modules, searched += o.searched, fewer += o.fewer,
      outside += o.outside;
}

LayoutCheck check_layout(const Scene& scene, const std::vector<geo::RoofPlane>& planes, std::size_t most) {
  LayoutCheck sum;
  for (std::size_t i = 0; i < std::min(most, planes.size()); ++i) {
    const geo::RoofPlane& p = planes[i];
    const geo::PlaneFrame frame(p.plane, p.outline, scene.frame.true_per_map());
    const double tilt = geo::tilt_deg(geo::true_gradient(p.plane, scene.frame.true_per_map()));
    const geo::ModuleOptions options;
    Roof roof{frame.to_plane(p.outline),
              {},
              tilt <= geo::kFlatUpTo_deg ? options.flat_edge_margin_m : options.edge_margin_m,
              options.obstacle_margin_m};
    for (const geo::Polygon& o : p.obstacles) roof.obstacles.push_back(frame.to_plane(o));
    check(roof, tilt, sum);
    ++sum.surfaces;
  }
  return sum;
}

}  // namespace bench
