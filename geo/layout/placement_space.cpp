#include "geo/layout/placement_space.hpp"

#include <algorithm>
#include <cmath>

#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

constexpr double kShortestEdge_m = 1e-6;
constexpr double kShortestPart_m = 1e-9;

Point between(Point a, Point b, double t) { return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}; }

}  // namespace

PlacementSpace::PlacementSpace(Polygon outline, std::vector<Polygon> obstacles, Margins margins,
                               ModuleSize module, ModuleSize bucket)
    : outline_(std::move(outline)), obstacles_(std::move(obstacles)), module_(module), bucket_size_(bucket) {
  std::erase_if(obstacles_, [](const Polygon& obstacle) { return obstacle.outer.empty(); });
  add_zones(outline_.outer, margins.edge_m);
  for (const Ring& hole : outline_.holes) add_zones(hole, margins.edge_m);
  outline_zones_ = zones_.size();
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
  const Box roof = bounding_box(outline_.outer);
  constexpr double kRoom = KeepOffZone::kTolerance_m;
  bounds_ = {roof.min_x - kRoom, roof.min_y - kRoom, roof.max_x - module_.u_m + kRoom,
             roof.max_y - module_.v_m + kRoom};
  if (bounds_.max_x < bounds_.min_x || bounds_.max_y < bounds_.min_y) return;
  columns_ = 1 + static_cast<int>((bounds_.max_x - bounds_.min_x) / bucket_size_.u_m);
  rows_ = 1 + static_cast<int>((bounds_.max_y - bounds_.min_y) / bucket_size_.v_m);
  for (int row = 0; row < rows_; ++row)
    for (int column = 0; column < columns_; ++column) {
      const double u = bounds_.min_x + column * bucket_size_.u_m, v = bounds_.min_y + row * bucket_size_.v_m;
      fill(buckets_.emplace_back(), {u, v, u + bucket_size_.u_m, v + bucket_size_.v_m});
    }
}

void PlacementSpace::fill(Bucket& bucket, const Box& box) const {
  for (std::size_t i = 0; i < zones_.size(); ++i)
    if (zones_[i].bounds().overlaps(box)) {
      bucket.zones.push_back(static_cast<int>(i));
      bucket.crosses_outline |= i < outline_zones_;
    }
  const Point shift = centre_of({0, 0});
  for (std::size_t i = 0; i < obstacles_.size(); ++i)
    if (bounding_box(obstacles_[i].outer)
            .overlaps({box.min_x + shift.x, box.min_y + shift.y, box.max_x + shift.x, box.max_y + shift.y}))
      bucket.obstacles.push_back(static_cast<int>(i));
  bucket.on_roof = centre_in_outline({(box.min_x + box.max_x) / 2, (box.min_y + box.max_y) / 2});
}

const PlacementSpace::Bucket* PlacementSpace::bucket_at(int column, int row) const {
  if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return nullptr;
  return &buckets_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                   static_cast<std::size_t>(column)];
}

const PlacementSpace::Bucket* PlacementSpace::bucket_of(Point corner) const {
  return bucket_at(static_cast<int>(std::floor((corner.x - bounds_.min_x) / bucket_size_.u_m)),
                   static_cast<int>(std::floor((corner.y - bounds_.min_y) / bucket_size_.v_m)));
}

bool PlacementSpace::centre_in_outline(Point corner) const {
  const Point centre = centre_of(corner);
  return contains(outline_, centre);
}

bool PlacementSpace::centre_on_roof(Point corner) const {
  const Bucket* bucket = bucket_of(corner);
  if (bucket == nullptr || !(bucket->crosses_outline ? centre_in_outline(corner) : bucket->on_roof))
    return false;
  const Point centre = centre_of(corner);
  return std::none_of(bucket->obstacles.begin(), bucket->obstacles.end(),
                      [&](int i) { return contains(obstacles_[static_cast<std::size_t>(i)].outer, centre); });
}

bool PlacementSpace::is_free(Point corner) const {
  const Bucket* bucket = bucket_of(corner);
  return bucket != nullptr &&
         std::none_of(bucket->zones.begin(), bucket->zones.end(),
                      [&](int i) { return zones_[static_cast<std::size_t>(i)].covers(corner); }) &&
         centre_on_roof(corner);
}

void PlacementSpace::free_parts(Point start, Point end, std::vector<Part>& out) const {
  out.clear();
  auto column = [this](double u) {
    return static_cast<int>(std::floor((u - bounds_.min_x) / bucket_size_.u_m));
  };
  auto row = [this](double v) {
    return static_cast<int>(std::floor((v - bounds_.min_y) / bucket_size_.v_m));
  };
  const auto [u0, u1] = std::minmax(start.x, end.x);
  const auto [v0, v1] = std::minmax(start.y, end.y);
  const int c0 = column(u0), c1 = column(u1), r0 = row(v0), r1 = row(v1);
  static thread_local std::vector<Part> covered;  // reused: this runs a hundred thousand times per surface
  covered.clear();
  bool decided = true;
  for (int r = r0; r <= r1; ++r)
    for (int c = c0; c <= c1; ++c) {
      const Bucket* bucket = bucket_at(c, r);
      if (bucket == nullptr || bucket->zones.empty()) continue;
      decided = false;
      for (int i : bucket->zones) {
        const KeepOffZone& zone = zones_[static_cast<std::size_t>(i)];
        if (!zone.bounds().overlaps({u0, v0, u1, v1})) continue;
        if (const Part part = zone.covered_part(start, end); part.from < part.to) covered.push_back(part);
      }
    }
  if (decided) {
    if (centre_on_roof(between(start, end, 0.5))) out.push_back({0, 1});
    return;
  }
  std::sort(covered.begin(), covered.end(), [](Part a, Part b) { return a.from < b.from; });
  covered.push_back({1, 1});
  const double shortest =
      kShortestPart_m / std::max(kShortestPart_m, std::hypot(end.x - start.x, end.y - start.y));
  double from = 0;
  for (const Part& part : covered) {
    if (part.from - from > shortest && centre_on_roof(between(start, end, (from + part.from) / 2)))
      out.push_back({from, part.from});
    from = std::max(from, part.to);
  }
}

}  // namespace geo
