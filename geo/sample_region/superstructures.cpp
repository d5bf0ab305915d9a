#include "geo/sample_region/superstructures.hpp"

#include <algorithm>
#include <cmath>

namespace geo::sample {
namespace {

constexpr double kFront_m = 0.9;      // a dormer's front stands this far inside the wall
constexpr double kEdge_m = 0.15;      // a dormer's own overhang
constexpr double kRidgeGap_m = 0.25;  // roof left between a dormer and the ridge
constexpr double kSkylightRise_m = 0.06;

/// z = c + a u + b d in u and v.
LocalPlane in_local(const Slope& s, double c, double a, double b) {
  return s.from_v0 ? LocalPlane{c - b * s.walls.v0, a, b} : LocalPlane{c + b * s.walls.v1, a, -b};
}

Rect in_local(const Slope& s, double u0, double u1, double d0, double d1) {
  return s.from_v0 ? Rect{u0, u1, s.walls.v0 + d0, s.walls.v0 + d1}
                   : Rect{u0, u1, s.walls.v1 - d1, s.walls.v1 - d0};
}

struct DormerForm {
  bool gabled = false;
  double width_m = 0;
  double front_height_m = 0;  // of its eaves above the roof at its front
  double slope = 0;
};

Body dormer(const Slope& s, const DormerForm& form, double mid_u) {
  Body body;
  body.role = BodyRole::dormer;
  const double half = form.width_m / 2;
  body.base = in_local(s, mid_u - half - kEdge_m, mid_u + half + kEdge_m, kFront_m - kEdge_m, s.ridge_d());
  const double eaves_m = s.eaves_m + s.slope * kFront_m + form.front_height_m;
  if (form.gabled) {
    const double side_m = eaves_m + form.slope * half;
    body.planes = {in_local(s, side_m - form.slope * mid_u, form.slope, 0),
                   in_local(s, side_m + form.slope * mid_u, -form.slope, 0)};
  } else {
    body.planes = {in_local(s, eaves_m - form.slope * kFront_m, 0, form.slope)};
  }
  return body;
}

/// Whether the dormer's roof meets the main roof below the ridge.
bool fits(const Slope& s, const DormerForm& form) {
  const double room_m = s.ridge_d() - kRidgeGap_m - kFront_m;
  if (form.gabled) return form.front_height_m + form.slope * form.width_m / 2 <= s.slope * room_m;
  return s.slope > form.slope && form.front_height_m <= (s.slope - form.slope) * room_m;
}

DormerForm random_form(const Slope& s, Random& random) {
  DormerForm form;
  form.gabled = random.chance(0.5);
  form.front_height_m = random.uniform(1.0, 1.35);
  form.width_m = form.gabled ? random.uniform(1.8, 2.6) : random.uniform(1.8, 4.2);
  const double main_deg = std::atan(s.slope) * 180 / std::numbers::pi;
  const double dormer_deg =
      form.gabled ? random.uniform(28, 42) : std::max(6.0, main_deg - random.uniform(20, 28));
  form.slope = std::tan(dormer_deg * std::numbers::pi / 180);
  return form;
}

}  // namespace

std::vector<Body> dormer_row(const Slope& slope, Random& random) {
  DormerForm form = random_form(slope, random);
  if (!fits(slope, form)) form.gabled = !form.gabled, form.slope = form.gabled ? 0.6 : slope.slope * 0.3;
  if (!fits(slope, form)) return {};
  const double room_m = slope.free_u1 - slope.free_u0;
  const int most = std::min(3, static_cast<int>((room_m + 1.2) / (form.width_m + 1.2)));
  if (most < 1) return {};
  const int count = random.integer(1, most);
  std::vector<Body> row;
  for (int i = 0; i < count; ++i)
    row.push_back(dormer(slope, form, slope.free_u0 + room_m * (i + 0.5) / count));
  return row;
}

std::vector<Body> skylight_row(const Slope& slope, const std::vector<Body>& taken, Random& random) {
  const double width_m = random.uniform(0.7, 1.1);
  const double plan_m = random.uniform(1.0, 1.4) / std::hypot(1, slope.slope);
  const double lowest_d = std::max(0.8, slope.ridge_d() - 0.6 - plan_m - random.uniform(0, 1.2));
  if (lowest_d + plan_m + 0.3 > slope.ridge_d()) return {};
  std::vector<Body> row;
  for (int i = random.integer(1, 3); i > 0; --i) {
    const double u = random.uniform(slope.free_u0, std::max(slope.free_u0, slope.free_u1 - width_m));
    Body window;
    window.role = BodyRole::skylight;
    window.base = in_local(slope, u, u + width_m, lowest_d, lowest_d + plan_m);
    window.planes = {in_local(slope, slope.eaves_m + kSkylightRise_m, 0, slope.slope)};
    auto overlaps = [&](const Body& other) {
      const Rect a = other.base.grown(0.4);
      const Rect& b = window.base;
      return a.u0 < b.u1 && b.u0 < a.u1 && a.v0 < b.v1 && b.v0 < a.v1;
    };
    if (std::none_of(taken.begin(), taken.end(), overlaps) && std::none_of(row.begin(), row.end(), overlaps))
      row.push_back(window);
  }
  return row;
}

Body chimney(double u, double v, const std::vector<Body>& roof, Random& random) {
  Body body;
  body.role = BodyRole::chimney;
  const double half_u = random.uniform(0.3, 0.55), half_v = random.uniform(0.25, 0.4);
  body.base = {u - half_u, u + half_u, v - half_v, v + half_v};
  double top_m = -1e9;
  for (const Body& part : roof)
    for (const Point& p : body.base.grown(1.0).ring())
      if (part.base.contains(p.x, p.y)) top_m = std::max(top_m, part.height(p.x, p.y));
  for (const Body& part : roof)
    if (part.base.contains(u, v)) top_m = std::max(top_m, part.height(u, v));
  body.planes = {{top_m + random.uniform(0.6, 1.0), 0, 0}};
  return body;
}

}  // namespace geo::sample
