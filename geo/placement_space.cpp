#include "geo/placement_space.hpp"

#include <algorithm>
#include <cmath>

namespace geo {
namespace {

constexpr double kShortestEdge_m = 1e-6;
constexpr double kShortestPart_m = 1e-9;

/// Even-odd rule.
bool inside(const Ring& ring, Point p) {
  bool in = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++)
    if ((ring[i].y > p.y) != (ring[j].y > p.y) &&
        p.x < (ring[j].x - ring[i].x) * (p.y - ring[i].y) / (ring[j].y - ring[i].y) + ring[i].x)
      in = !in;
  return in;
}

Point between(Point a, Point b, double t) { return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}; }

}  // namespace

PlacementSpace::PlacementSpace(Polygon outline, std::vector<Polygon> obstacles, Margins margins,
                               ModuleSize module, ModuleSize bucket)
    : outline_(std::move(outline)), obstacles_(std::move(obstacles)), module_(module), bucket_size_(bucket) {
  add_zones(outline_.outer, margins.edge_m);
  for (const Ring& hole : outline_.holes) add_zones(hole, margins.edge_m);
  for (const Polygon& obstacle : obstacles_) add_zones(obstacle.outer, margins.obstacle_m);
  sort_into_buckets();
}

void PlacementSpace::add_zones(const Ring& ring, double margin_m) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], b = ring[(i + 1) % ring.size()];
    if (std::hypot(b.x - a.x, b.y - a.y) > kShortestEdge_m) zones_.emplace_back(a, b, margin_m, module_);
  }
}

void PlacementSpace::sort_into_buckets() {
  if (outline_.outer.size() < 3) return;
  const auto [west, east] = std::minmax_element(outline_.outer.begin(), outline_.outer.end(),
                                                [](Point p, Point q) { return p.x < q.x; });
  const auto [south, north] = std::minmax_element(outline_.outer.begin(), outline_.outer.end(),
                                                  [](Point p, Point q) { return p.y < q.y; });
  constexpr double kRoom = KeepOffZone::kTolerance_m;
  bounds_ = {west->x - kRoom, south->y - kRoom, east->x - module_.u_m + kRoom, north->y - module_.v_m + kRoom};
  if (bounds_.east < bounds_.west || bounds_.north < bounds_.south) return;
  columns_ = 1 + static_cast<int>((bounds_.east - bounds_.west) / bucket_size_.u_m);
  rows_ = 1 + static_cast<int>((bounds_.north - bounds_.south) / bucket_size_.v_m);
  buckets_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
  for (int row = 0; row < rows_; ++row)
    for (int column = 0; column < columns_; ++column) {
      Bucket& bucket = buckets_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                                static_cast<std::size_t>(column)];
      const double u = bounds_.west + column * bucket_size_.u_m, v = bounds_.south + row * bucket_size_.v_m;
      for (std::size_t i = 0; i < zones_.size(); ++i) {
        const Bounds& zone = zones_[i].bounds();
        if (zone.west <= u + bucket_size_.u_m && zone.east >= u && zone.south <= v + bucket_size_.v_m &&
            zone.north >= v)
          bucket.zones.push_back(static_cast<int>(i));
      }
      bucket.free = centre_on_roof({u + bucket_size_.u_m / 2, v + bucket_size_.v_m / 2});
    }
}

const PlacementSpace::Bucket* PlacementSpace::bucket_at(int column, int row) const {
  if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return nullptr;
  return &buckets_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                   static_cast<std::size_t>(column)];
}

bool PlacementSpace::centre_on_roof(Point corner) const {
  const Point centre{corner.x + module_.u_m / 2, corner.y + module_.v_m / 2};
  return inside(outline_.outer, centre) &&
         std::none_of(outline_.holes.begin(), outline_.holes.end(),
                      [centre](const Ring& hole) { return inside(hole, centre); }) &&
         std::none_of(obstacles_.begin(), obstacles_.end(),
                      [centre](const Polygon& obstacle) { return inside(obstacle.outer, centre); });
}

bool PlacementSpace::is_free(Point corner) const {
  const Bucket* bucket = bucket_at(static_cast<int>(std::floor((corner.x - bounds_.west) / bucket_size_.u_m)),
                                   static_cast<int>(std::floor((corner.y - bounds_.south) / bucket_size_.v_m)));
  if (bucket == nullptr) return false;
  if (bucket->zones.empty()) return bucket->free;
  return std::none_of(bucket->zones.begin(), bucket->zones.end(),
                      [&](int i) { return zones_[static_cast<std::size_t>(i)].covers(corner); }) &&
         centre_on_roof(corner);
}

void PlacementSpace::free_parts(Point start, Point end, std::vector<Part>& out) const {
  out.clear();
  auto column = [this](double u) { return static_cast<int>(std::floor((u - bounds_.west) / bucket_size_.u_m)); };
  auto row = [this](double v) { return static_cast<int>(std::floor((v - bounds_.south) / bucket_size_.v_m)); };
  const int c0 = column(std::min(start.x, end.x)), c1 = column(std::max(start.x, end.x));
  const int r0 = row(std::min(start.y, end.y)), r1 = row(std::max(start.y, end.y));
  static thread_local std::vector<Part> covered;  // this runs a hundred thousand times a surface
  covered.clear();
  bool undecided = false, free = false;
  for (int r = r0; r <= r1; ++r)
    for (int c = c0; c <= c1; ++c) {
      const Bucket* bucket = bucket_at(c, r);
      if (bucket == nullptr || bucket->zones.empty()) {
        free = bucket != nullptr && bucket->free;
        continue;
      }
      undecided = true;
      for (int i : bucket->zones)
        if (const Part part = zones_[static_cast<std::size_t>(i)].covered_part(start, end); part.from < part.to)
          covered.push_back(part);
    }
  if (!undecided) {
    if (free) out.push_back({0, 1});
    return;
  }
  std::sort(covered.begin(), covered.end(), [](Part a, Part b) { return a.from < b.from; });
  covered.push_back({1, 1});
  const double shortest = kShortestPart_m / std::max(kShortestPart_m, std::hypot(end.x - start.x, end.y - start.y));
  double from = 0;
  for (const Part& part : covered) {
    if (part.from - from > shortest && centre_on_roof(between(start, end, (from + part.from) / 2)))
      out.push_back({from, part.from});
    from = std::max(from, part.to);
  }
}

}  // namespace geo
