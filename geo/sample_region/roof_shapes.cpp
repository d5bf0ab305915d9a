#include "geo/sample_region/roof_shapes.hpp"

namespace geo::sample {

const char* name_of(RoofKind kind) {
  switch (kind) {
    case RoofKind::gable:
      return "gable";
    case RoofKind::hip:
      return "hip";
    case RoofKind::half_hip:
      return "half_hip";
    case RoofKind::shed:
      return "shed";
    case RoofKind::flat:
      return "flat";
    case RoofKind::mansard:
      return "mansard";
    case RoofKind::pyramid:
      return "pyramid";
    case RoofKind::l_shape:
      return "l_shape";
    case RoofKind::t_shape:
      return "t_shape";
  }
  return "";
}

LocalPlane rise_from(Side side, const Rect& walls, double eaves_m, double slope) {
  switch (side) {
    case Side::u0:
      return {eaves_m - slope * walls.u0, slope, 0};
    case Side::u1:
      return {eaves_m + slope * walls.u1, -slope, 0};
    case Side::v0:
      return {eaves_m - slope * walls.v0, 0, slope};
    case Side::v1:
      return {eaves_m + slope * walls.v1, 0, -slope};
  }
  return {};
}

Body make_body(const Rect& walls, const Overhang& overhang, std::vector<LocalPlane> planes) {
  Body body;
  body.base = {walls.u0 - overhang.u0, walls.u1 + overhang.u1, walls.v0 - overhang.v0,
               walls.v1 + overhang.v1};
  body.planes = std::move(planes);
  return body;
}

Body gable(const Rect& walls, const Overhang& overhang, double eaves_m, double slope_v0, double slope_v1) {
  return make_body(
      walls, overhang,
      {rise_from(Side::v0, walls, eaves_m, slope_v0), rise_from(Side::v1, walls, eaves_m, slope_v1)});
}

Body hip(const Rect& walls, const Overhang& overhang, double eaves_m, double slope, double end_slope) {
  return half_hip(walls, overhang, eaves_m, slope, end_slope, 0);
}

Body half_hip(const Rect& walls, const Overhang& overhang, double eaves_m, double slope, double end_slope,
              double share) {
  Body body = gable(walls, overhang, eaves_m, slope, slope);
  const double hip_eaves_m = eaves_m + share * slope * walls.width() / 2;
  body.planes.push_back(rise_from(Side::u0, walls, hip_eaves_m, end_slope));
  body.planes.push_back(rise_from(Side::u1, walls, hip_eaves_m, end_slope));
  return body;
}

Body shed(const Rect& walls, const Overhang& overhang, double eaves_m, double slope) {
  return make_body(walls, overhang, {rise_from(Side::v0, walls, eaves_m, slope)});
}

Body mansard(const Rect& walls, const Overhang& overhang, double eaves_m, double steep, double gentle,
             double break_m) {
  Body body = gable(walls, overhang, eaves_m, steep, steep);
  const double upper_eaves_m = eaves_m + break_m - gentle * break_m / steep;
  body.planes.push_back(rise_from(Side::v0, walls, upper_eaves_m, gentle));
  body.planes.push_back(rise_from(Side::v1, walls, upper_eaves_m, gentle));
  return body;
}

std::vector<Body> l_shape(const Rect& walls, const Rect& wing, const Overhang& overhang, double eaves_m,
                          double slope) {
  Body main = gable(walls, overhang, eaves_m, slope, slope);
  main.planes.push_back(rise_from(Side::u1, walls, eaves_m, slope));
  Body side = make_body(wing, overhang,
                        {rise_from(Side::u0, wing, eaves_m, slope), rise_from(Side::u1, wing, eaves_m, slope),
                         rise_from(Side::v1, wing, eaves_m, slope)});
  return {main, side};
}

std::vector<Body> t_shape(const Rect& walls, const Rect& wing, const Overhang& overhang, double eaves_m,
                          double slope) {
  Body main = gable(walls, overhang, eaves_m, slope, slope);
  const Overhang wing_overhang{overhang.u0, overhang.u1, overhang.v0, 0};
  Body side =
      make_body(wing, wing_overhang,
                {rise_from(Side::u0, wing, eaves_m, slope), rise_from(Side::u1, wing, eaves_m, slope)});
  return {main, side};
}

}  // namespace geo::sample
