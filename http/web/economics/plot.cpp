#include "http/web/economics/plot.hpp"

#include <algorithm>
#include <cmath>

#include "geo/drawing/german_text.hpp"

namespace http {
namespace {

/// 1, 2 or 5 times a power of ten, such that about four steps fill the range.
double round_step(double range) {
  const double raw = range / 4, power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) return factor * power;
  return 10 * power;
}

std::string path_through(const std::vector<geo::Point>& points) {
  std::string path;
  for (const geo::Point& p : points)
    path += (path.empty() ? "M" : "L") + geo::plain_number(p.x, 1) + " " + geo::plain_number(p.y, 1);
  return path;
}

}  // namespace

Plot::Plot(const Frame& frame, const std::string& id, const std::string& title,
           const std::string& description)
    : frame_(frame) {
  root().set("class", "chart").set("role", "img");
  root().set("viewBox",
             "0 0 " + geo::plain_number(frame.width, 0) + " " + geo::plain_number(frame.height, 0));
  root().set("aria-labelledby", id + "-titel " + id + "-text");
  root().child("title").set("id", id + "-titel").text(title);
  root().child("desc").set("id", id + "-text").text(description);
}

void Plot::scale(double least, double most) {
  if (!(most > least)) most = least + 1;
  const double step = round_step(most - least);
  least_ = std::floor(least / step) * step;
  most_ = std::ceil(most / step - 1e-9) * step;
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  const int steps = static_cast<int>(std::lround((most_ - least_) / step));
  for (int i = 0; i <= steps; ++i) {
    const double value = least_ + i * step;
    root().line({x(0), y(value)}, {x(1), y(value)}).set("class", "grid-line");
    label("label end", {x(0) - 6, y(value) + 4}, geo::german_number(value, decimals));
  }
}

double Plot::x(double share) const {
  return frame_.left + share * (frame_.width - frame_.left - frame_.right);
}

double Plot::y(double value) const {
  const double height = frame_.height - frame_.top - frame_.bottom;
  return frame_.top + height * (most_ - value) / (most_ - least_);
}

geo::SvgElement Plot::area(const std::string& classes, const std::vector<geo::Point>& outline) {
  return root().child("path").set("class", classes).set("d", path_through(outline) + "Z");
}

geo::SvgElement Plot::line(const std::string& classes, const std::vector<geo::Point>& points) {
  return root().child("path").set("class", "line " + classes).set("d", path_through(points));
}

void Plot::bar(const std::string& classes, double x, double width, double from, double to) {
  const double height = y(from) - y(to);
  if (height > 0.05) root().rect(x, y(to), width, height).set("class", classes);
}

void Plot::label(const std::string& classes, geo::Point at, const std::string& text) {
  root().child("text").set("class", classes).set("x", at.x).set("y", at.y).text(text);
}

void Plot::base_line() { root().line({x(0), y(0)}, {x(1), y(0)}).set("class", "axis"); }

}  // namespace http
