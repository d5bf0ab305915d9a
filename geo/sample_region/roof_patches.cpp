#include "geo/sample_region/roof_patches.hpp"

#include <algorithm>
#include <cmath>

#include "geo/shapes/boost_shapes.hpp"

namespace geo::sample {

namespace bg = boost::geometry;

namespace {

constexpr double kSmallest_m2 = 0.05;
constexpr double kHigher_m = 1e-7;   // a plane this much higher hides another; equal planes hide nothing
constexpr double kSamePlane = 1e-6;  // two bodies' planes that are one surface
constexpr double kSamePoint_m = 1e-5;

/// One plane's visible part, in the cluster's own metres.
struct LocalPatch {
  int building;
  BodyRole role;
  LocalPlane plane;
  BoostMultiPolygon area;
};

Ring clip_to(const Ring& ring, const Rect& r) {
  Ring out = clip_convex(ring, 1, 0, -r.u0);
  out = clip_convex(out, -1, 0, r.u1);
  out = clip_convex(out, 0, 1, -r.v0);
  return clip_convex(out, 0, -1, r.v1);
}

/// Where `upper` is higher than `lower` by `margin` or more.
Ring clip_where_higher(const Ring& ring, const LocalPlane& upper, const LocalPlane& lower, double margin) {
  return clip_convex(ring, upper.gu - lower.gu, upper.gv - lower.gv, upper.c - lower.c - margin);
}

double area_of(const Ring& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point &a = ring[i], &b = ring[(i + 1) % ring.size()];
    twice += a.x * b.y - b.x * a.y;
  }
  return twice / 2;
}

/// Where plane `index` is the body's lowest.
Ring cell_of(const Body& body, std::size_t index) {
  Ring cell = body.base.ring();
  for (std::size_t j = 0; j < body.planes.size(); ++j)
    if (j != index) cell = clip_where_higher(cell, body.planes[j], body.planes[index], 0);
  return cell;
}

BoostPolygon polygon_of(const Ring& ring) { return to_boost({ring, {}}); }

BoostMultiPolygon minus(const BoostMultiPolygon& from, const BoostPolygon& what) {
  BoostMultiPolygon out;
  bg::difference(from, what, out);
  return out;
}

/// The part of `cell`, on `plane`, that `other` hides.
Ring hidden_by(const Body& other, const Ring& cell, const LocalPlane& plane) {
  Ring hidden = clip_to(cell, other.base);
  for (const LocalPlane& above : other.planes) hidden = clip_where_higher(hidden, above, plane, kHigher_m);
  return hidden;
}

/// A roof is hidden by roofs only (its outline is wanted before superstructures are cut), a dormer by both.
bool may_hide(const Body& other, const Body& body) {
  if (&other == &body) return false;
  return other.role == BodyRole::roof || (other.role == BodyRole::dormer && body.role == BodyRole::dormer);
}

bool same_surface(const LocalPatch& a, const LocalPatch& b) {
  return a.building == b.building && a.role == b.role && std::abs(a.plane.c - b.plane.c) < kSamePlane &&
         std::abs(a.plane.gu - b.plane.gu) < kSamePlane && std::abs(a.plane.gv - b.plane.gv) < kSamePlane;
}

/// Whether the ring is the same without its point `i`: a repeated point, one on a straight edge, or the tip
/// of a spike without width. Boost 1.74's overlays leave all three where edges coincide.
bool needless(const Ring& ring, std::size_t i) {
  const Point& before = ring[(i + ring.size() - 1) % ring.size()];
  const Point& after = ring[(i + 1) % ring.size()];
  const double ax = ring[i].x - before.x, ay = ring[i].y - before.y, bx = after.x - ring[i].x,
               by = after.y - ring[i].y;
  const double a = std::hypot(ax, ay), b = std::hypot(bx, by);
  return a < kSamePoint_m || b < kSamePoint_m || std::abs(ax * by - ay * bx) < kSamePoint_m * std::max(a, b);
}

Ring tidy(Ring ring) {
  for (std::size_t i = 0, kept = 0; ring.size() > 3 && kept < ring.size();) {
    i %= ring.size();
    if (needless(ring, i)) {
      ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
      kept = 0;
      i += ring.size() - 1;  // its removal may make the point before it needless
    } else {
      ++kept, ++i;
    }
  }
  return ring;
}

BoostPolygon tidy(const BoostPolygon& polygon) {
  Polygon out = from_boost(polygon);
  out.outer = tidy(std::move(out.outer));
  for (Ring& hole : out.holes) hole = tidy(std::move(hole));
  return to_boost(out);
}

void add_or_merge(std::vector<LocalPatch>& patches, LocalPatch patch) {
  for (LocalPatch& known : patches) {
    if (!same_surface(known, patch)) continue;
    BoostMultiPolygon united;
    bg::union_(known.area, patch.area, united);
    known.area = std::move(united);
    return;
  }
  patches.push_back(std::move(patch));
}

std::vector<LocalPatch> local_patches(const Cluster& cluster) {
  std::vector<LocalPatch> patches;
  for (const Body& body : cluster.bodies) {
    if (body.role != BodyRole::roof && body.role != BodyRole::dormer) continue;
    for (std::size_t i = 0; i < body.planes.size(); ++i) {
      const Ring cell = cell_of(body, i);
      if (area_of(cell) < kSmallest_m2) continue;
      BoostMultiPolygon seen{polygon_of(cell)};
      for (const Body& other : cluster.bodies) {
        if (!may_hide(other, body)) continue;
        const Ring hidden = hidden_by(other, cell, body.planes[i]);
        if (area_of(hidden) > 1e-6) seen = minus(seen, polygon_of(hidden));
      }
      add_or_merge(patches, {body.building, body.role, body.planes[i], std::move(seen)});
    }
  }
  return patches;
}

/// The parts of a superstructure that stand out over `plane` within `outline`.
std::vector<Polygon> standing_out(const Body& body, const LocalPlane& plane, const BoostPolygon& outline) {
  Ring base = body.base.ring();
  for (const LocalPlane& above : body.planes) base = clip_where_higher(base, above, plane, kHigher_m);
  std::vector<Polygon> parts;
  if (area_of(base) < 1e-6) return parts;
  BoostMultiPolygon cut;
  bg::intersection(polygon_of(base), outline, cut);
  for (const BoostPolygon& part : cut)
    if (bg::area(part) > 1e-3) parts.push_back(from_boost(tidy(part)));
  return parts;
}

Polygon to_region(const LocalFrame& frame, const Polygon& local) {
  Polygon out{frame.to_region(local.outer), {}};
  for (const Ring& hole : local.holes) out.holes.push_back(frame.to_region(hole));
  return out;
}

geo::Plane to_region(const Cluster& cluster, const LocalPlane& plane) {
  const double c = std::cos(cluster.frame.direction_rad), s = std::sin(cluster.frame.direction_rad);
  return {cluster.frame.origin.x, cluster.frame.origin.y, cluster.base_m + plane.c,
          c * plane.gu - s * plane.gv, s * plane.gu + c * plane.gv};
}

/// One piece of a visible plane, with what stands on it.
RoofPatch finish(const Cluster& cluster, const LocalPatch& local, const BoostPolygon& piece) {
  RoofPatch patch;
  patch.building = local.building;
  patch.dormer = local.role == BodyRole::dormer;
  patch.plane = to_region(cluster, local.plane);
  patch.outline = to_region(cluster.frame, from_boost(piece));
  BoostMultiPolygon free{piece};
  for (const Body& body : cluster.bodies) {
    if (body.building != local.building || body.role == BodyRole::roof) continue;
    if (patch.dormer && body.role == BodyRole::dormer) continue;
    for (const Polygon& part : standing_out(body, local.plane, piece)) {
      free = minus(free, to_boost(part));
      patch.obstacles.push_back({body.role, to_region(cluster.frame, part)});
    }
  }
  const double incline = std::sqrt(1 + local.plane.gu * local.plane.gu + local.plane.gv * local.plane.gv);
  patch.area_m2 = bg::area(piece) * incline;
  patch.free_area_m2 = bg::area(free) * incline;
  return patch;
}

/// Whether a crown rises over the patch somewhere, tried every half metre.
bool below_tree(const RoofPatch& patch, const std::vector<Tree>& trees) {
  const BoostPolygon outline = to_boost(patch.outline);
  bg::model::box<Point> box;
  bg::envelope(outline, box);
  for (const Tree& tree : trees) {
    const double reach = tree.radius_m * 1.2;
    if (tree.at.x + reach < box.min_corner().x || tree.at.x - reach > box.max_corner().x ||
        tree.at.y + reach < box.min_corner().y || tree.at.y - reach > box.max_corner().y)
      continue;
    for (double x = tree.at.x - reach; x <= tree.at.x + reach; x += 0.5)
      for (double y = tree.at.y - reach; y <= tree.at.y + reach; y += 0.5)
        if (crown_height(tree, {x, y}) > patch.plane.height_at({x, y}) && bg::within(Point{x, y}, outline))
          return true;
  }
  return false;
}

}  // namespace

Ring clip_convex(const Ring& ring, double a, double b, double c) {
  Ring out;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point &p = ring[i], &q = ring[(i + 1) % ring.size()];
    const double at_p = a * p.x + b * p.y + c, at_q = a * q.x + b * q.y + c;
    if (at_p >= 0) out.push_back(p);
    if ((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0)) {
      const double t = at_p / (at_p - at_q);
      out.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
    }
  }
  return out;
}

std::vector<RoofPatch> roof_patches(const Settlement& settlement) {
  std::vector<RoofPatch> patches;
  for (const Cluster& cluster : settlement.clusters) {
    for (const LocalPatch& local : local_patches(cluster)) {
      for (const BoostPolygon& piece : local.area) {
        if (bg::area(piece) < kSmallest_m2) continue;
        patches.push_back(finish(cluster, local, tidy(piece)));
        patches.back().below_tree = below_tree(patches.back(), settlement.trees);
      }
    }
  }
  return patches;
}

}  // namespace geo::sample
