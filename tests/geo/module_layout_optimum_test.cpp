// The layout against an exhaustive search of its grid model that shares no code with it, on 1,000 made-up
// surfaces: rectangles, trapezoids, triangles, L-shapes and crooked polygons, turned any way, with obstacles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "geo/layout/module_layout.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace {

using geo::Point;
using geo::Polygon;
using geo::Ring;

struct Roof {
  Polygon outline;
  std::vector<Polygon> obstacles;
};

Point turned(Point p, double angle_rad) {
  return {p.x * std::cos(angle_rad) - p.y * std::sin(angle_rad),
          p.x * std::sin(angle_rad) + p.y * std::cos(angle_rad)};
}

class Roofs {
 public:
  Roof next() {
    Roof roof{{.outer = shape()}, {}};
    const double turn = one_of(3) ? 0 : real(-3, 3);  // a third stands askew to the eaves
    for (Point& p : roof.outline.outer) p = turned(p, turn);
    for (int i = one_of(4); i > 0; --i) {
      const double size_u = real(0.2, 1.2), size_v = real(0.2, 1.2), angle = one_of(2) ? 0 : real(0, 3);
      const Point at = turned({real(0, 7), real(0, 5)}, turn);
      Polygon obstacle;
      for (const Point corner : {Point{0, 0}, Point{size_u, 0}, Point{size_u, size_v}, Point{0, size_v}}) {
        const Point p = turned(corner, angle);
        obstacle.outer.push_back({at.x + p.x, at.y + p.y});
      }
      roof.obstacles.push_back(std::move(obstacle));
    }
    return roof;
  }

 private:
  Ring shape() {
    const double w = real(3, 9), h = real(2.5, 6.5), a = real(0, w / 2), b = real(0, w / 2);
    switch (one_of(5)) {
      case 0:
        return {{0, 0}, {w, 0}, {w, h}, {0, h}};
      case 1:
        return {{0, 0}, {w, 0}, {w - b, h}, {a, h}};
      case 2:
        return {{0, 0}, {w, 0}, {a + b, h}};
      case 3:
        return {{0, 0}, {w, 0}, {w, h / 2}, {a + 0.5, h / 2}, {a + 0.5, h}, {0, h}};
      default:
        return {{0, 0}, {w / 2, real(0, 1)}, {w, 0}, {w - a / 2, h / 2}, {w, h}, {w / 3, h - b / 2}, {0, h}};
    }
  }
  int one_of(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  double real(double low, double high) { return low + (high - low) * (random_() / 4294967296.0); }
  std::mt19937 random_{20240607};
};

/// A rectangle lying any way: centre, axis, half lengths.
struct Oriented {
  Point centre, axis;
  double along, across;
};

double reach(const Oriented& r, Point n) {
  return r.along * std::abs(n.x * r.axis.x + n.y * r.axis.y) +
         r.across * std::abs(n.y * r.axis.x - n.x * r.axis.y);
}

/// By how much two rectangles overlap along the axis that separates them best; negative: they are apart.
double overlap_m(const Oriented& a, const Oriented& b) {
  double least = 1e9;
  for (const Point n : {a.axis, Point{-a.axis.y, a.axis.x}, b.axis, Point{-b.axis.y, b.axis.x}}) {
    const double apart = std::abs((a.centre.x - b.centre.x) * n.x + (a.centre.y - b.centre.y) * n.y);
    least = std::min(least, reach(a, n) + reach(b, n) - apart);
  }
  return least;
}

class Exhaustive {
 public:
  Exhaustive(const Roof& roof, double margin, double w, double h, double gap)
      : roof_(roof), margin_(margin), w_(w), h_(h), p_(w + gap), q_(h + gap) {
    keep_off(roof.outline.outer);
    for (const Polygon& obstacle : roof.obstacles) keep_off(obstacle.outer);
    for (const Point& p : roof.outline.outer) {
      west_ = std::min(west_, p.x), east_ = std::max(east_, p.x);
      south_ = std::min(south_, p.y), north_ = std::max(north_, p.y);
    }
  }

  bool fits(Point corner, double tolerance) const {
    const Oriented module{{corner.x + w_ / 2, corner.y + h_ / 2}, {1, 0}, w_ / 2, h_ / 2};
    for (const Oriented& zone : zones_) {
      const double du = module.centre.x - zone.centre.x, dv = module.centre.y - zone.centre.y;
      const double reach_m = zone.along + zone.across + w_ + h_;  // more than the two half diagonals
      if (du * du + dv * dv < reach_m * reach_m && overlap_m(module, zone) > tolerance) return false;
    }
    return geo::holds(roof_.outline, module.centre) &&
           std::none_of(roof_.obstacles.begin(), roof_.obstacles.end(),
                        [&](const Polygon& o) { return geo::holds(o, module.centre); });
  }

  int at(double du, double dv) const {
    int count = 0;
    for (double u = du + std::floor((west_ - du) / p_) * p_; u < east_; u += p_)
      for (double v = dv + std::floor((south_ - dv) / q_) * q_; v < north_; v += q_)
        count += fits({u, v}, 1e-9);
    return count;
  }

  /// A raster of positions, and every position at which an upright and a level contact meet.
  int best() const {
    std::vector<double> us, vs;
    for (int k = 0; k < 6; ++k) us.push_back(k * p_ / 6), vs.push_back(k * q_ / 6);
    for (const Ring* ring : rings())
      for (const Point& p : *ring)
        for (const double m : {-margin_, margin_}) {
          us.push_back(p.x + m), us.push_back(p.x + m - w_);
          vs.push_back(p.y + m), vs.push_back(p.y + m - h_);
        }
    thin_out(us, p_);
    thin_out(vs, q_);
    int most = 0;
    for (const double u : us)
      for (const double v : vs) most = std::max(most, at(u, v));
    return most;
  }

 private:
  std::vector<const Ring*> rings() const {
    std::vector<const Ring*> out{&roof_.outline.outer};
    for (const Polygon& obstacle : roof_.obstacles) out.push_back(&obstacle.outer);
    return out;
  }
  static void thin_out(std::vector<double>& offsets, double pitch) {
    for (double& x : offsets) x -= std::floor(x / pitch) * pitch;
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(
        std::unique(offsets.begin(), offsets.end(), [](double a, double b) { return b - a < 1e-7; }),
        offsets.end());
  }
  void keep_off(const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i], b = ring[(i + 1) % ring.size()];
      const double length = std::hypot(b.x - a.x, b.y - a.y);
      zones_.push_back({{(a.x + b.x) / 2, (a.y + b.y) / 2},
                        {(b.x - a.x) / length, (b.y - a.y) / length},
                        length / 2 + margin_,
                        margin_});
    }
  }

  const Roof& roof_;
  double margin_, w_, h_, p_, q_;
  double west_ = 1e9, east_ = -1e9, south_ = 1e9, north_ = -1e9;
  std::vector<Oriented> zones_;
};

Polygon as_polygon(const geo::ModuleRect& module) {
  return {.outer = {module.corners.begin(), module.corners.end()}};
}

double overlap_m2(const Polygon& a, const Polygon& b) {
  double sum = 0;
  for (const Polygon& part : geo::intersection(a, b)) sum += geo::area_m2(part);
  return sum;
}

TEST(ModuleLayout, IsNeverUnderTheExhaustiveBestAndNeverOverAnEdgeOrAnObstacle) {
  Roofs roofs;
  const geo::ModuleOptions options;
  std::size_t modules_in_all = 0, exhaustive_in_all = 0;
  for (int i = 0; i < 1000; ++i) {
    const Roof roof = roofs.next();
    const bool upright = i % 2 == 0;
    const auto modules =
        geo::layout_modules(roof.outline, roof.obstacles, 30, options,
                            upright ? geo::Orientation::portrait : geo::Orientation::landscape, {});
    const Exhaustive search(roof, 0.3, upright ? 1.134 : 1.762, upright ? 1.762 : 1.134, 0.02);
    const int best = search.best();
    ASSERT_GE(static_cast<int>(modules.size()), best) << "surface " << i;
    exhaustive_in_all += static_cast<std::size_t>(best);
    for (const auto& module : modules) {
      ASSERT_TRUE(search.fits(module.corners[0], 2e-6)) << "surface " << i;
      ASSERT_NEAR(overlap_m2(as_polygon(module), roof.outline), 1.134 * 1.762, 1e-6) << "surface " << i;
      for (const Polygon& obstacle : roof.obstacles)
        ASSERT_GE(geo::distance_m(as_polygon(module), obstacle), 0.3 - 2e-6) << "surface " << i;
    }
    modules_in_all += modules.size();
  }
  RecordProperty("modules", std::to_string(modules_in_all));
  RecordProperty("modules_exhaustive", std::to_string(exhaustive_in_all));
  EXPECT_GT(modules_in_all, 2500u) << "the surfaces carry something";
}

}  // namespace
