#include "geo/drawing/map_margin.hpp"

#include <cmath>

#include "geo/drawing/german_text.hpp"
#include "geo/drawing/page.hpp"

namespace geo {
namespace {

constexpr double kWidestBar = 0.36;  // of the map
constexpr int kParts = 4;

void draw_scale_bar(SvgElement& parent, const MapView& view, const TypeScale& type, double middle) {
  const double metres = round_length_m(view.px_per_m(), kWidestBar * view.frame().width);
  const double width = metres * view.px_per_m();
  const double height = type.small * 0.5;
  const double x = view.frame().x + type.line;
  SvgElement bar = parent.child("g").set("id", "scale-bar").set("data-metres", plain_number(metres, 3));
  bar.rect(x, middle - height / 2, width, height)
      .set("fill", "#ffffff")
      .set("stroke", kInk)
      .set("stroke-width", type.line);
  for (int part = 0; part < kParts; part += 2)
    bar.rect(x + part * width / kParts, middle - height / 2, width / kParts, height).set("fill", kInk);
  add_text(bar, {x + width + type.small * 0.5, middle + type.small * 0.36}, type.small,
           german_number(metres, metres < 1 ? 1 : 0) + " m", kInk);
}

/// The map is drawn true north up, so the arrow points straight up.
void draw_north_arrow(SvgElement& parent, const MapView& view, const TypeScale& type, double middle) {
  const double half = type.base * 0.95;
  const double x = view.frame().right() - half;
  SvgElement arrow = parent.child("g").set("id", "north-arrow");
  const Point tip{x, middle - half};
  const Point foot{x, middle + half * 0.55};
  const Point left{x - half * 0.62, middle + half};
  const Point right{x + half * 0.62, middle + half};
  arrow.child("path").set("class", "needle").set("d", closed_path({{tip, foot, left}})).set("fill", kInk);
  arrow.child("path")
      .set("d", closed_path({{tip, right, foot}}))
      .set("fill", "#ffffff")
      .set("stroke", kInk)
      .set("stroke-width", type.line)
      .set("stroke-linejoin", "round");
  add_text(arrow, {x - half * 0.95, middle + type.base * 0.36}, type.base, "N", kInk, Weight::bold, "end");
}

}  // namespace

double round_length_m(double px_per_m, double most_px) {
  const double most_m = most_px / px_per_m;
  const double power = std::pow(10, std::floor(std::log10(most_m)));
  for (const double step : {5.0, 2.0})
    if (step * power <= most_m) return step * power;
  return power;
}

double draw_map_margin(SvgElement& parent, const MapView& view, const TypeScale& type) {
  const double height = type.base * 2.6;
  const double middle = view.frame().bottom() + height / 2;
  draw_scale_bar(parent, view, type, middle);
  draw_north_arrow(parent, view, type, middle);
  return height;
}

}  // namespace geo
