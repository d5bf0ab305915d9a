#include "geo/roof/clip.hpp"

#include <ogr_geometry.h>

#include <algorithm>
#include <utility>

#include "geo/shapes/overlay.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

// Outlines are published with seven decimals of a degree, which moves a corner by up to 7 mm.
constexpr double kInsideBorder_m = 0.01;
// Points no farther apart than this are the same point but for rounding.
constexpr double kSamePoint_m = 1e-6;

/// Removes repeated corners, and needles as thin as rounding, which an operation leaves where two edges
/// nearly coincide. Without one corner its neighbours may be another needle, also across the ring's end.
Ring without_needles(Ring ring) {
  constexpr double kThin_m = 1e-4;
  const auto is_needle = [&](std::size_t i) {
    const Point a = ring[(i + ring.size() - 1) % ring.size()], b = ring[i], c = ring[(i + 1) % ring.size()];
    if (length(b - a) < kSamePoint_m) return true;
    return dot(b - a, c - b) < 0 &&
           std::min(distance_to_segment(a, b, c), distance_to_segment(c, a, b)) < kThin_m;
  };
  for (std::size_t i = 0, kept = 0; ring.size() > 3 && kept < ring.size();) {
    if (is_needle(i)) {
      ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
      i = (i + ring.size() - 1) % ring.size();
      kept = 0;
    } else {
      i = (i + 1) % ring.size();
      ++kept;
    }
  }
  return ring;
}

/// Adds a corner wherever another corner of the ring touches one of its edges, to within rounding.
Ring with_corners_where_it_touches(const Ring& ring) {
  Ring out;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], b = ring[(i + 1) % ring.size()];
    out.push_back(a);
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    for (Point p : ring)
      if (length(p - a) > kSamePoint_m && length(p - b) > kSamePoint_m &&
          distance_to_segment(p, a, b) <= kSamePoint_m)
        out.push_back(p);
    std::sort(out.begin() + first, out.end(), [&](Point p, Point q) { return dot(p - q, b - a) < 0; });
  }
  return out;
}

/// Splits a ring that passes a point twice, to within rounding, into rings that do not: GEOS accepts such a
/// ring, but nobody else does.
std::vector<Ring> parted_where_it_touches(const Ring& ring) {
  for (std::size_t i = 0; i < ring.size(); ++i)
    for (std::size_t j = i + 2; j < ring.size() && j < i + ring.size() - 1; ++j) {
      if (length(ring[j] - ring[i]) > kSamePoint_m) continue;
      const auto at = [&](std::size_t k) { return ring.begin() + static_cast<std::ptrdiff_t>(k); };
      Ring rest(ring.begin(), at(i));
      rest.insert(rest.end(), at(j), ring.end());
      std::vector<Ring> parts = parted_where_it_touches({at(i), at(j)});
      for (Ring& part : parted_where_it_touches(rest)) parts.push_back(std::move(part));
      return parts;
    }
  return {ring};
}

/// The parts of an outline that touches itself; holes stay with the part that holds them.
std::vector<Polygon> parted(const Polygon& outline) {
  const std::vector<Ring> rings = parted_where_it_touches(with_corners_where_it_touches(outline.outer));
  if (rings.size() == 1) return {outline};
  std::vector<Polygon> parts;
  std::vector<Ring> holes = outline.holes;
  for (const Ring& ring : rings)
    if (ring.size() >= 3) (signed_area(ring) > 0 ? parts.emplace_back().outer : holes.emplace_back()) = ring;
  for (const Ring& hole : holes)
    for (Polygon& part : parts)
      if (contains(part.outer, (hole[0] + hole[1]) * 0.5)) {
        part.holes.push_back(hole);
        break;
      }
  return parts;
}

/// An outline that crosses or touches itself (a corner moved onto a line may do that) as simple polygons.
std::vector<Polygon> simple_parts(const Polygon& outline) {
  const Point origin = outline.outer[0];
  if (overlay_shape(outline, origin)->IsValid()) return {outline};
  std::vector<Polygon> parts;
  append_overlay(*valid_overlay_shape(outline, origin), origin, parts);
  return parts;
}

std::vector<Polygon> less_all(const Polygon& outline, const std::vector<Polygon>& others) {
  std::vector<Polygon> parts = simple_parts(outline);
  for (const Polygon& other : others) {
    std::vector<Polygon> next;
    for (const Polygon& part : parts)
      for (Polygon& rest : overlay_difference(part, other)) next.push_back(std::move(rest));
    parts = std::move(next);
  }
  return parts;
}

bool touch(const Ring& a, const Ring& b) {
  const auto near = [](const Ring& corners, const Ring& ring) {
    return std::any_of(corners.begin(), corners.end(), [&](Point p) {
      return distance_to_boundary(Polygon{ring, {}}, p) < kSamePoint_m;
    });
  };
  return near(a, b) || near(b, a);
}

/// Widens each hole that touches the outer ring by a millimetre, so that it opens the ring. GEOS allows the
/// touch, but rounding makes it a crossing.
std::vector<Polygon> with_open_holes(const Polygon& outline) {
  constexpr double kWider_m = 1e-3;
  Polygon rest{outline.outer, {}};
  std::vector<Polygon> touching;
  for (const Ring& hole : outline.holes) {
    if (!touch(hole, outline.outer)) {
      rest.holes.push_back(hole);
      continue;
    }
    const OverlayShape wider(overlay_shape({hole, {}}, hole[0])->Buffer(kWider_m, 1));
    if (wider) append_overlay(*wider, hole[0], touching);
  }
  return touching.empty() ? std::vector<Polygon>{outline} : less_all(rest, touching);
}

/// The parts of outlines that lie on the parcel; none where the operation fails.
std::vector<Polygon> on_ground(const std::vector<Polygon>& outlines, const Polygon& parcel) {
  if (outlines.empty()) return {};
  const Point origin = outlines[0].outer[0];
  // The parcel without a centimetre along its border, so that what lies in it still does after rounding. A
  // quarter of a circle is a single chord: around a corner that points inwards the margin is 3 mm narrower.
  const OverlayShape ground(valid_overlay_shape(parcel, origin)->Buffer(-kInsideBorder_m, 1));
  std::vector<Polygon> parts;
  for (const Polygon& outline : outlines) {
    const OverlayShape common(ground ? valid_overlay_shape(outline, origin)->Intersection(ground.get())
                                     : nullptr);
    if (common) append_overlay(*common, origin, parts);
  }
  return parts;
}

bool reaches_over(const RoofPlane& plane, const Polygon& neighbour) {
  return std::any_of(plane.over_neighbours.begin(), plane.over_neighbours.end(), [&](const Polygon& s) {
    return bounding_box(s.outer).overlaps(bounding_box(neighbour.outer));
  });
}

/// What this surface must leave to others: their footprints but for its overhang, what overhangs it, and the
/// strips that a surface named earlier has taken.
std::vector<Polygon> taken_by_others(const RoofPlane& plane, const std::vector<RoofPlane>& planes,
                                     const std::vector<ClippedOutline>& earlier,
                                     const std::vector<Building>& buildings) {
  std::vector<Polygon> taken;
  for (std::size_t b = 0; b < buildings.size(); ++b) {
    const Polygon& footprint = buildings[b].footprint;
    if (static_cast<int>(b) == plane.building || footprint.outer.size() < 3) continue;
    if (reaches_over(plane, footprint))
      for (Polygon& rest : less_all(footprint, plane.over_neighbours)) taken.push_back(std::move(rest));
    else
      taken.push_back(footprint);
  }
  for (const RoofPlane& other : planes)
    if (other.building != plane.building && reaches_over(other, buildings[plane.building].footprint))
      taken.push_back(other.outline);
  for (const ClippedOutline& other : earlier)
    if (planes[other.plane].building != plane.building) taken.push_back(other.outline);
  return taken;
}

}  // namespace

std::vector<ClippedOutline> end_at_neighbours(const std::vector<RoofPlane>& planes,
                                              const std::vector<Building>& buildings, double min_area_m2,
                                              const RunControl& control) {
  std::vector<ClippedOutline> out;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    control.checkpoint();
    const RoofPlane& plane = planes[i];
    std::vector<Polygon> parts = less_all(plane.outline, taken_by_others(plane, planes, out, buildings));
    // The ground beyond the border belongs to somebody else, even where a survey puts the building's own
    // walls on it.
    const std::optional<Polygon>& parcel = buildings[plane.building].parcel;
    if (parcel && parcel->outer.size() >= 3) parts = on_ground(parts, *parcel);
    for (const Polygon& whole : parts)
      for (const Polygon& simple : parted({without_needles(whole.outer), whole.holes}))
        for (Polygon& part : with_open_holes(simple))
          if (area(part) >= min_area_m2) out.push_back({i, std::move(part)});
  }
  return out;
}

}  // namespace geo
