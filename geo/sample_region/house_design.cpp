#include "geo/sample_region/house_design.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geo/sample_region/superstructures.hpp"

namespace geo::sample {
namespace {

double slope_of(double tilt_deg) { return std::tan(tilt_deg * std::numbers::pi / 180); }

Rect centred(double length_m, double width_m) {
  return {-length_m / 2, length_m / 2, -width_m / 2, width_m / 2};
}

/// One storey under a steep roof, two under a gentle one.
double random_eaves_m(double tilt_deg, Random& random) {
  return random.chance(tilt_deg > 34 ? 0.65 : 0.25) ? random.uniform(3.0, 4.0) : random.uniform(5.2, 6.3);
}

void add(std::vector<Body>& to, const std::vector<Body>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// Dormers, skylights and a chimney on a roof whose ridge runs along u in the middle of `walls`. `hip_m`: how
/// far hips reach in from the ends.
void furnish(HouseDesign& house, const Rect& walls, double slope, double hip_m, bool dormers,
             Random& random) {
  const std::vector<Body> roof = house.bodies;
  std::vector<Body> taken;
  const double ridge_room = std::max(0.3, walls.length() / 2 - hip_m - 1.2);
  const double chimney_v = walls.mid_v() + random.uniform(-1.1, 1.1);
  const double chimney_u = walls.mid_u() + random.uniform(-0.8, 0.8) * ridge_room;
  taken.push_back(chimney(chimney_u, chimney_v, roof, random));
  for (const bool from_v0 : {true, false}) {
    Slope side{walls, from_v0, house.eaves_m, slope, walls.u0 + 1.2 + hip_m, walls.u1 - 1.2 - hip_m};
    if (side.free_u1 - side.free_u0 < 2) continue;
    if (dormers && random.chance(0.75)) {
      auto clear_of_chimney = [&](const Body& d) {
        const Rect& c = taken.front().base;
        return d.base.u1 < c.u0 || d.base.u0 > c.u1 || d.base.v1 < c.v0 || d.base.v0 > c.v1;
      };
      for (const Body& d : dormer_row(side, random))
        if (clear_of_chimney(d)) taken.push_back(d);
    }
    if (slope > 0.35 && random.chance(0.4)) add(taken, skylight_row(side, taken, random));
  }
  add(house.bodies, taken);
}

/// A chimney or a vent somewhere on a roof without a ridge.
void furnish_plain(HouseDesign& house, const Rect& walls, Random& random) {
  const double u = random.uniform(walls.u0 + 1.5, walls.u1 - 1.5),
               v = random.uniform(walls.v0 + 1.5, walls.v1 - 1.5);
  house.bodies.push_back(chimney(u, v, house.bodies, random));
}

void design_gable(HouseDesign& h, const Rect& walls, const Overhang& o, Random& random) {
  const double tilt_deg = random.uniform(20, 50);
  h.eaves_m = random_eaves_m(tilt_deg, random);
  const double slope = slope_of(tilt_deg);
  h.gable_end_u0 = true;
  if (random.chance(0.2)) {  // uneven: one side gentler
    h.bodies = {gable(walls, o, h.eaves_m, slope, slope * random.uniform(0.7, 0.9))};
    return furnish_plain(h, walls, random);
  }
  h.bodies = {gable(walls, o, h.eaves_m, slope, slope)};
  furnish(h, walls, slope, 0, tilt_deg > 32, random);
}

void design_hip(HouseDesign& h, const Rect& walls, const Overhang& o, Random& random) {
  const double tilt_deg = random.uniform(18, 42);
  h.eaves_m = random_eaves_m(tilt_deg, random);
  const double slope = slope_of(tilt_deg), end_slope = slope * random.uniform(1.0, 1.25);
  h.bodies = {hip(walls, o, h.eaves_m, slope, end_slope)};
  furnish(h, walls, slope, walls.width() / 2 * slope / end_slope, false, random);
}

void design_half_hip(HouseDesign& h, const Rect& walls, const Overhang& o, Random& random) {
  const double tilt_deg = random.uniform(38, 50);
  h.eaves_m = random.uniform(3.0, 4.0);
  const double slope = slope_of(tilt_deg), end_slope = slope_of(random.uniform(50, 60));
  const double share = random.uniform(0.5, 0.65);
  h.gable_end_u0 = true;
  h.bodies = {half_hip(walls, o, h.eaves_m, slope, end_slope, share)};
  furnish(h, walls, slope, walls.width() / 2 * slope * (1 - share) / end_slope, true, random);
}

void design_mansard(HouseDesign& h, const Rect& walls, const Overhang& o, Random& random) {
  h.eaves_m = random.uniform(3.2, 5.8);
  h.gable_end_u0 = true;
  h.bodies = {mansard(walls, o, h.eaves_m, slope_of(random.uniform(54, 60)), slope_of(random.uniform(18, 30)),
                      random.uniform(2.2, 2.6))};
  furnish_plain(h, walls, random);
}

void design_pyramid(HouseDesign& h, const Rect& walls, const Overhang& o, Random& random) {
  const double slope = slope_of(random.uniform(20, 48));
  h.eaves_m = random.uniform(5.0, 6.2);
  h.bodies = {hip(walls, o, h.eaves_m, slope, slope)};
  furnish_plain(h, walls, random);
}

void design_low(HouseDesign& h, const Rect& walls, const Overhang& o, Random& random) {
  h.eaves_m = random.chance(0.6) ? random.uniform(5.6, 6.4) : random.uniform(3.0, 3.5);
  const bool level = h.kind == RoofKind::flat && random.chance(0.5);
  const double tilt_deg = level ? 0 : h.kind == RoofKind::flat ? random.uniform(1, 3) : random.uniform(6, 25);
  h.bodies = {shed(walls, o, h.eaves_m, slope_of(tilt_deg))};
  furnish_plain(h, walls, random);
}

/// L and T: the wing goes towards v0; the whole is moved so that its middle is the origin.
void design_winged(HouseDesign& h, double length_m, double width_m, const Overhang& o, Random& random) {
  const double tilt_deg = random.uniform(25, 46);
  h.eaves_m = random_eaves_m(tilt_deg, random);
  const double deep_m = std::max(6.2, width_m * random.uniform(0.58, 0.66));
  const double reach_m = width_m - deep_m;  // of the wing beyond the main walls
  const Rect main{-length_m / 2, length_m / 2, width_m / 2 - deep_m, width_m / 2};
  const double wing_m = std::min(deep_m, length_m * random.uniform(0.42, 0.5));
  if (h.kind == RoofKind::l_shape) {
    const Rect wing{main.u1 - wing_m, main.u1, main.v0 - reach_m, main.v1};
    h.bodies = l_shape(main, wing, o, h.eaves_m, slope_of(tilt_deg));
    h.walls = {main, wing};
  } else {
    const double mid = random.uniform(-0.5, 0.5) * (length_m - wing_m - 2);
    const Rect wing{mid - wing_m / 2, mid + wing_m / 2, main.v0 - reach_m, main.mid_v()};
    h.bodies = t_shape(main, wing, o, h.eaves_m, slope_of(tilt_deg));
    h.walls = {main, wing};
  }
  h.gable_end_u0 = true;
  const double chimney_v = main.mid_v() + random.uniform(-0.9, 0.9);
  const double chimney_u = main.u0 + random.uniform(1.5, 2.8);
  h.bodies.push_back(chimney(chimney_u, chimney_v, h.bodies, random));
}

double lowest_edge_m(const std::vector<Body>& bodies) {
  double lowest = 1e9;
  for (const Body& body : bodies)
    if (body.role == BodyRole::roof)
      for (const Point& p : body.base.ring()) lowest = std::min(lowest, body.height(p.x, p.y));
  return lowest;
}

}  // namespace

HouseDesign design_house(RoofKind kind, double length_m, double width_m, Random& random) {
  HouseDesign h;
  h.kind = kind;
  if (kind == RoofKind::pyramid) length_m = width_m = std::min(length_m, width_m);
  if (kind == RoofKind::hip) width_m = std::min(width_m, length_m - 1.5);
  const Rect walls = centred(length_m, width_m);
  const Overhang o =
      Overhang::all(kind == RoofKind::mansard || kind == RoofKind::flat ? random.uniform(0.2, 0.35)
                                                                        : random.uniform(0.25, 0.8));
  h.walls = {walls};
  switch (kind) {
    case RoofKind::gable:
      design_gable(h, walls, o, random);
      break;
    case RoofKind::hip:
      design_hip(h, walls, o, random);
      break;
    case RoofKind::half_hip:
      design_half_hip(h, walls, o, random);
      break;
    case RoofKind::mansard:
      design_mansard(h, walls, o, random);
      break;
    case RoofKind::pyramid:
      design_pyramid(h, walls, o, random);
      break;
    case RoofKind::shed:
    case RoofKind::flat:
      design_low(h, walls, o, random);
      break;
    case RoofKind::l_shape:
    case RoofKind::t_shape:
      design_winged(h, length_m, width_m, o, random);
      break;
  }
  h.roof_edge_m = lowest_edge_m(h.bodies);
  return h;
}

HouseDesign design_garage(const Rect& walls, double eaves_m, bool gabled, const Overhang& overhang,
                          Random& random) {
  HouseDesign h;
  h.kind = gabled ? RoofKind::gable : RoofKind::flat;
  h.walls = {walls};
  h.eaves_m = eaves_m;
  const double slope = slope_of(gabled               ? random.uniform(20, 35)
                                : random.chance(0.5) ? 0
                                                     : random.uniform(1, 2.5));
  h.bodies = {gabled ? gable(walls, overhang, eaves_m, slope, slope) : shed(walls, overhang, eaves_m, slope)};
  h.roof_edge_m = lowest_edge_m(h.bodies);
  return h;
}

std::vector<HouseDesign> design_row(const RowDesign& row, Random& random) {
  const double tilt_deg = random.uniform(24, 46), slope = slope_of(tilt_deg);
  const double eaves_m = random_eaves_m(tilt_deg, random), overhang_m = random.uniform(0.2, 0.6);
  const bool with_dormers = tilt_deg > 35;
  std::vector<HouseDesign> units;
  for (int i = 0; i < row.units; ++i) {
    HouseDesign unit;
    unit.kind = RoofKind::gable;
    const double u0 = (i - row.units / 2.0) * row.unit_width_m;
    const Rect walls{u0, u0 + row.unit_width_m, -row.depth_m / 2, row.depth_m / 2};
    unit.walls = {walls};
    unit.eaves_m = eaves_m + i * row.step_m;
    const Overhang o{i == 0 ? overhang_m : 0, i + 1 == row.units ? overhang_m : 0, overhang_m, overhang_m};
    unit.bodies = {gable(walls, o, unit.eaves_m, slope, slope)};
    furnish(unit, walls, slope, 0, with_dormers && random.chance(0.6), random);
    unit.roof_edge_m = lowest_edge_m(unit.bodies);
    units.push_back(std::move(unit));
  }
  return units;
}

}  // namespace geo::sample
