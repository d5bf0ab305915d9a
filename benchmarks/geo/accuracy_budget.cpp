#include "benchmarks/geo/accuracy_budget.hpp"

#include <cstdio>

#include "geo/shapes/plane_geometry.hpp"

namespace bench {
namespace {

constexpr double kMostly = 0.5;

struct Best {
  double common_m2 = 0, area_m2 = 0, normal_deg = 0;
};

}  // namespace

const char* name_of(Cause cause) {
  constexpr std::array<const char*, kCauses> kNames{"no building", "no surface", "merged", "split",
                                                    "slope",       "outline",    "no roof"};
  return kNames[static_cast<std::size_t>(cause)];
}

void Budget::add(const Budget& o) {
  for (std::size_t i = 0; i < kCauses; ++i)
    lost[i] += o.lost[i], lost_below_trees[i] += o.lost_below_trees[i], wrong[i] += o.wrong[i];
}

Cause cause_of_loss(const Scene& scene, const std::vector<geo::RoofPlane>& planes, const TruePlane& lost) {
  const Miss miss = explain_miss(scene, planes, lost);
  if (miss.on_buildings < kMostly) return Cause::no_building;
  if (miss.covered < kMostly || miss.best < 0) return Cause::no_surface;
  if (miss.iou >= kMostly) return Cause::slope;
  const geo::RoofPlane& best = planes[static_cast<std::size_t>(miss.best)];
  const double own = geo::area(lost.outline), found = geo::area(best.outline);
  const double common = common_m2(lost.outline, best.outline);
  if (common >= kMostly * own && common < kMostly * found) return Cause::merged;
  if (common >= kMostly * found && miss.normal_deg < kSameNormal_deg) return Cause::split;
  return miss.normal_deg < kSameNormal_deg ? Cause::outline : Cause::slope;
}

Cause cause_of_error(const Scene& scene, const geo::RoofPlane& wrong) {
  const double found = geo::area(wrong.outline);
  double on_roofs = 0;
  Best best;
  for (const TruePlane& t : scene.truth) {
    const double common = common_m2(wrong.outline, t.outline);
    on_roofs += common;
    if (common > best.common_m2)
      best = {common, geo::area(t.outline), normal_angle_deg(wrong.plane, t.plane)};
  }
  if (on_roofs < 0.3 * found) return Cause::no_roof;
  if (best.common_m2 >= kMostly * (found + best.area_m2 - best.common_m2)) return Cause::slope;
  if (best.normal_deg >= kSameNormal_deg) return Cause::slope;
  if (best.common_m2 < kMostly * found && on_roofs >= kMostly * found) return Cause::merged;
  return best.common_m2 >= kMostly * found ? Cause::split : Cause::outline;
}

Budget budget(const Scene& scene, const std::vector<geo::RoofPlane>& planes, const Score& score) {
  Budget out;
  for (int i : score.missed) {
    const TruePlane& t = scene.truth[static_cast<std::size_t>(i)];
    const auto cause = static_cast<std::size_t>(cause_of_loss(scene, planes, t));
    ++(t.below_tree ? out.lost_below_trees : out.lost)[cause];
  }
  for (int i : score.wrong) {
    const geo::RoofPlane& p = planes[static_cast<std::size_t>(i)];
    if (geo::area(p.outline) >= kListed_m2) ++out.wrong[static_cast<std::size_t>(cause_of_error(scene, p))];
  }
  return out;
}

void print(const char* name, const Budget& b) {
  std::printf("%s: %-12s %6s %12s %6s\n", name, "cause", "lost", "below trees", "wrong");
  for (std::size_t i = 0; i < kCauses; ++i)
    std::printf("%s: %-12s %6d %12d %6d\n", name, name_of(static_cast<Cause>(i)), b.lost[i],
                b.lost_below_trees[i], b.wrong[i]);
}

}  // namespace bench
