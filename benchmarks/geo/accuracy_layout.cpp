#include "benchmarks/geo/accuracy_layout.hpp"

#include <algorithm>
#include <cmath>

#include "geo/layout/module_layout.hpp"
#include "geo/roof/shapes.hpp"
#include "geo/shapes/plane_frame.hpp"

namespace bench {
namespace {

constexpr double kStep_m = 0.06;
constexpr double kTolerance_m = 1e-5;

using geo::Point;
using geo::Ring;

double between_segments(Point a, Point b, Point c, Point d) {
  const double side_c = geo::cross(b - a, c - a), side_d = geo::cross(b - a, d - a);
  const double side_a = geo::cross(d - c, a - c), side_b = geo::cross(d - c, b - c);
  if (side_c * side_d < 0 && side_a * side_b < 0) return 0;
  return std::min({geo::distance_to_segment(a, c, d), geo::distance_to_segment(b, c, d),
                   geo::distance_to_segment(c, a, b), geo::distance_to_segment(d, a, b)});
}

double between_rings(const Ring& a, const Ring& b) {
  double least = 1e300;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      least = std::min(least, between_segments(a[i], a[(i + 1) % a.size()], b[j], b[(j + 1) % b.size()]));
  return least;
}

struct Roof {
  geo::Polygon outline;  // uv
  std::vector<geo::Polygon> obstacles;
  double edge_m, obstacle_m;
};

bool keeps_its_distances(const Roof& roof, const Ring& module) {
  for (Point corner : module)
    if (!geo::contains(roof.outline, corner)) return false;
  if (between_rings(module, roof.outline.outer) < roof.edge_m - kTolerance_m) return false;
  for (const Ring& hole : roof.outline.holes)
    if (between_rings(module, hole) < roof.edge_m - kTolerance_m || geo::contains(module, hole[0])) return false;
  for (const geo::Polygon& o : roof.obstacles)
    if (geo::contains(o.outer, module[0]) || geo::contains(module, o.outer[0]) ||
        between_rings(module, o.outer) < roof.obstacle_m - kTolerance_m)
      return false;
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
          const double u = box.min_x + i * kStep_m + col * pitch_u, v = box.min_y + j * kStep_m + row * pitch_v;
          count += keeps_its_distances(
              roof, {{u, v}, {u + width_m, v}, {u + width_m, v + height_m}, {u, v + height_m}});
        }
      best = std::max(best, count);
    }
  return best;
}

void check(const Roof& roof, double tilt_deg, LayoutCheck& sum) {
  const geo::LayoutOptions options;
  for (const auto orientation : {geo::Orientation::portrait, geo::Orientation::landscape}) {
    const auto modules =
        geo::layout_modules(roof.outline, roof.obstacles, tilt_deg, options, orientation, geo::RunControl{});
    for (const geo::ModuleRect& m : modules)
      sum.outside += !keeps_its_distances(roof, Ring(m.corners.begin(), m.corners.end()));
    const bool portrait = orientation == geo::Orientation::portrait;
    const int best = packed(roof, portrait ? options.module_width_m : options.module_length_m,
                            portrait ? options.module_length_m : options.module_width_m, options.gap_m);
    sum.modules += static_cast<int>(modules.size());
    sum.searched += best;
    sum.fewer += static_cast<int>(modules.size()) < best;
  }
}

}  // namespace

void LayoutCheck::add(const LayoutCheck& o) {
  surfaces += o.surfaces, modules += o.modules, searched += o.searched, fewer += o.fewer, outside += o.outside;
}

LayoutCheck check_layout(const Scene& scene, const std::vector<geo::RoofPlane>& planes, std::size_t most) {
  LayoutCheck sum;
  for (std::size_t i = 0; i < std::min(most, planes.size()); ++i) {
    const geo::RoofPlane& p = planes[i];
    const geo::PlaneFrame frame(p.plane, p.outline, scene.frame.true_per_map());
    const double tilt = geo::tilt_deg(geo::true_gradient(p.plane, scene.frame.true_per_map()));
    const geo::LayoutOptions options;
    Roof roof{frame.to_plane(p.outline),
              {},
              tilt <= options.flat_up_to_deg ? options.flat_edge_margin_m : options.edge_margin_m,
              options.obstacle_margin_m};
    for (const geo::Polygon& o : p.obstacles) roof.obstacles.push_back(frame.to_plane(o));
    check(roof, tilt, sum);
    ++sum.surfaces;
  }
  return sum;
}

}  // namespace bench
