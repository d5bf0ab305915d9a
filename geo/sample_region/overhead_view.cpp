#include "geo/sample_region/overhead_view.hpp"

#include <algorithm>
#include <cmath>

namespace geo::sample {
namespace {

constexpr double kBucket_m = 4;
constexpr double kAround_m = 200;  // woods and fields reach this far beyond the walls

}  // namespace

Scene::Scene(const Settlement& settlement, const Terrain& terrain)
    : settlement_(settlement), terrain_(terrain) {
  walls_ = {1e9, -1e9, 1e9, -1e9};
  for (const SampleBuilding& building : settlement.buildings)
    for (const Point& p : building.walls.outer)
      walls_ = {std::min(walls_.x0, p.x), std::max(walls_.x1, p.x), std::min(walls_.y0, p.y),
                std::max(walls_.y1, p.y)};
  extent_ = {walls_.x0 - kAround_m, walls_.x1 + kAround_m, walls_.y0 - kAround_m, walls_.y1 + kAround_m};
  columns_ = static_cast<int>((extent_.x1 - extent_.x0) / kBucket_m) + 1;
  rows_ = static_cast<int>((extent_.y1 - extent_.y0) / kBucket_m) + 1;
  buckets_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
  std::uint32_t index = 0;
  for (const Cluster& c : settlement.clusters) {
    const double r = c.radius_m();
    const Point o = c.frame.origin;
    file(&Bucket::clusters, index++, o.x - r, o.x + r, o.y - r, o.y + r);
  }
  index = 0;
  for (const Tree& t : settlement.trees) {
    const double r = t.radius_m * 1.2;
    file(&Bucket::trees, index++, t.at.x - r, t.at.x + r, t.at.y - r, t.at.y + r);
  }
  index = 0;
  for (const Hedge& h : settlement.hedges)
    file(&Bucket::hedges, index++, std::min(h.from.x, h.to.x) - h.width_m,
         std::max(h.from.x, h.to.x) + h.width_m, std::min(h.from.y, h.to.y) - h.width_m,
         std::max(h.from.y, h.to.y) + h.width_m);
}

template <class List>
void Scene::file(List Bucket::*list, std::uint32_t index, double x0, double x1, double y0, double y1) {
  auto column = [&](double x) {
    return std::clamp(static_cast<int>((x - extent_.x0) / kBucket_m), 0, columns_ - 1);
  };
  auto row = [&](double y) {
    return std::clamp(static_cast<int>((y - extent_.y0) / kBucket_m), 0, rows_ - 1);
  };
  for (int r = row(y0); r <= row(y1); ++r)
    for (int c = column(x0); c <= column(x1); ++c)
      (buckets_[static_cast<std::size_t>(r * columns_ + c)].*list).push_back(index);
}

const Scene::Bucket* Scene::bucket(Point at) const {
  const int column = static_cast<int>(std::floor((at.x - extent_.x0) / kBucket_m));
  const int row = static_cast<int>(std::floor((at.y - extent_.y0) / kBucket_m));
  if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return nullptr;
  return &buckets_[static_cast<std::size_t>(row * columns_ + column)];
}

Solid Scene::solid(Point at) const {
  const double ground_z = terrain_.height(at);
  Solid top{ground_z, ground_z};
  const Bucket* here = bucket(at);
  if (!here) return top;
  for (const std::uint32_t index : here->clusters) {
    const Cluster& cluster = settlement_.clusters[index];
    const Point local = cluster.frame.to_local(at);
    for (const Body& body : cluster.bodies) {
      if (!body.base.contains(local.x, local.y)) continue;
      const double z = cluster.base_m + body.height(local.x, local.y);
      if (z > top.z) top = {z, ground_z, &body, &cluster};
    }
  }
  return top;
}

std::optional<Leaf> Scene::leaf(Point at, double ground_m) const {
  const Bucket* here = bucket(at);
  if (!here) return std::nullopt;
  Leaf top{ground_m};
  bool found = false;
  for (const std::uint32_t index : here->trees) {
    const Tree& tree = settlement_.trees[index];
    const double z = crown_height(tree, at);
    if (z > top.z) top = {z, crown_base(tree), &tree}, found = true;
  }
  for (const std::uint32_t index : here->hedges) {
    const Hedge& hedge = settlement_.hedges[index];
    const double z = ground_m + hedge.height_m;
    if (z > top.z && covers(hedge, at)) top = {z, ground_m, nullptr}, found = true;
  }
  return found ? std::optional(top) : std::nullopt;
}

}  // namespace geo::sample
