// Gardens and surroundings of the sample settlement: garden trees, trees that hang over roofs, hedges along
// borders, pools, scattered trees in the fields and two small woods.
#include <algorithm>
#include <cmath>

#include "geo/sample_region/random.hpp"
#include "geo/sample_region/settlement.hpp"
#include "geo/shapes/angle.hpp"
#include "geo/shapes/boost_shapes.hpp"

namespace geo::sample {

namespace bg = boost::geometry;

namespace {

class Planter {
 public:
  Planter(Settlement& settlement, std::uint32_t seed, const Terrain& terrain)
      : s_(settlement), random_(seed, Stream::planting), terrain_(terrain) {
    for (const SampleBuilding& building : s_.buildings) {
      walls_.push_back(to_boost(building.walls));
      for (const Point& p : building.walls.outer) reach_m_ = std::max(reach_m_, std::hypot(p.x, p.y));
    }
  }

  void plant() {
    for (std::size_t i = 0; i < s_.parcels.size(); ++i) plant_garden(static_cast<int>(i));
    for (const SampleBuilding& building : s_.buildings)
      if (building.main() && random_.chance(0.2)) overhang(building);
    for (int i = 0; i < 2; ++i) {
      const double radius_m = random_.uniform(22, 38);
      plant_wood(around(reach_m_ + 55, reach_m_ + 110), radius_m);
    }
    for (int i = 0; i < 60; ++i) {
      const Point at = around(reach_m_ * 0.9, reach_m_ + 150);
      if (wall_distance(at, -1) > 12 && !on_road(at)) add_some_tree(at, 6, 16, 0.25);
    }
  }

 private:
  Point around(double nearest_m, double farthest_m) {
    const double angle = random_.uniform(0, kTurn), r = random_.uniform(nearest_m, farthest_m);
    return {r * std::cos(angle), r * std::sin(angle)};
  }

  /// Distance to the walls of a parcel's buildings, or of all (-1).
  double wall_distance(Point at, int parcel) const {
    double nearest = 1e9;
    for (std::size_t i = 0; i < walls_.size(); ++i)
      if (parcel < 0 || s_.buildings[i].parcel == parcel)
        nearest = std::min(nearest, bg::distance(at, walls_[i]));
    return nearest;
  }

  static bool near_any(const std::vector<Ring>& areas, Point at, double distance_m) {
    return std::any_of(areas.begin(), areas.end(), [&](const Ring& area) {
      return bg::distance(at, to_boost({area, {}})) < distance_m;
    });
  }

  bool on_road(Point at) const { return near_any(s_.roads, at, 1.5); }

  void add_tree(Point at, double height_m, bool conifer) {
    const double radius_m =
        conifer ? std::clamp(height_m * 0.2, 1.2, 3.5) : std::clamp(height_m * 0.36, 1.5, 5.5);
    s_.trees.push_back({at, terrain_.height(at), height_m, radius_m, conifer});
  }

  Point within(const Polygon& parcel) {
    bg::model::box<Point> box;
    bg::envelope(to_boost(parcel), box);
    return {random_.uniform(box.min_corner().x, box.max_corner().x),
            random_.uniform(box.min_corner().y, box.max_corner().y)};
  }

  void plant_garden(int parcel) {
    const Polygon& outline = s_.parcels[static_cast<std::size_t>(parcel)].outline;
    const BoostPolygon area = to_boost(outline);
    add_pool(outline, parcel);
    const int wanted = bg::area(area) > 350 ? random_.integer(1, 4) : random_.integer(0, 1);
    for (int i = 0; i < wanted; ++i) {
      for (int attempt = 0; attempt < 12; ++attempt) {
        const Point at = within(outline);
        const double height_m = random_.chance(0.3) ? random_.uniform(7, 13) : random_.uniform(3, 7);
        const double free_m = std::min(wall_distance(at, -1), border_distance(at, outline) + 2.5);
        if (!bg::within(at, area) || free_m < height_m * 0.42 + 1.2 || near_any(s_.pools, at, 2) ||
            near_any(s_.paving, at, 1))
          continue;
        add_tree(at, height_m, random_.chance(0.3));
        break;
      }
    }
    add_hedges(outline, area, parcel);
  }

  static double border_distance(Point at, const Polygon& outline) {
    bg::model::linestring<Point> line(outline.outer.begin(), outline.outer.end());
    line.push_back(outline.outer.front());
    return bg::distance(at, line);
  }

  void add_pool(const Polygon& outline, int parcel) {
    if (!random_.chance(0.12)) return;
    for (int attempt = 0; attempt < 12; ++attempt) {
      const LocalFrame frame{within(outline), random_.uniform(0, kTurn)};
      const Ring pool = frame.to_region(Rect{-3.5, 3.5, -1.8, 1.8}.ring());
      const BoostPolygon water = to_boost({pool, {}});
      if (!bg::within(water, to_boost(outline)) || border_distance(frame.origin, outline) < 4.5) continue;
      const bool clear = std::all_of(walls_.begin(), walls_.end(), [&](const BoostPolygon& walls) {
        return bg::distance(walls, water) > 2;
      });
      if (!clear || wall_distance(frame.origin, parcel) > 16) continue;
      s_.pools.push_back(pool);
      return;
    }
  }

  /// Hedges 0.65 m inside some of the parcel's borders; a border has one from corner to corner or none.
  void add_hedges(const Polygon& outline, const BoostPolygon& area, int parcel) {
    const Ring& ring = outline.outer;
    const double height_m = random_.uniform(1.3, 2.4), width_m = random_.uniform(0.7, 1.1);
    const double share = random_.uniform(0, 0.8);
    bool planted = random_.chance(share);
    double heading = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i], b = ring[(i + 1) % ring.size()];
      const double length = std::hypot(b.x - a.x, b.y - a.y), was = heading;
      if (length < 1) continue;
      heading = std::atan2(b.y - a.y, b.x - a.x);
      if (std::abs(std::remainder(heading - was, kTurn)) > 0.3) planted = random_.chance(share);
      if (!planted) continue;
      const double dx = (b.x - a.x) / length, dy = (b.y - a.y) / length;
      const Point from{a.x - dy * 0.65, a.y + dx * 0.65}, to{b.x - dy * 0.65, b.y + dx * 0.65};
      if (room_for_hedge({from, to}, area, parcel)) s_.hedges.push_back({from, to, width_m, height_m});
    }
  }

  bool room_for_hedge(const bg::model::linestring<Point>& line, const BoostPolygon& area, int parcel) const {
    const Point middle{(line.front().x + line.back().x) / 2, (line.front().y + line.back().y) / 2};
    if (!bg::within(middle, area)) return false;
    for (std::size_t k = 0; k < walls_.size(); ++k)
      if (s_.buildings[k].parcel == parcel && bg::distance(line, walls_[k]) < 1.6) return false;
    return std::none_of(s_.paving.begin(), s_.paving.end(), [&](const Ring& paved) {
      return bg::distance(line, to_boost({paved, {}})) < 0.6;
    });
  }

  /// A tall tree beside a wall, its crown over the roof's edge.
  void overhang(const SampleBuilding& building) {
    const Ring& ring = building.walls.outer;
    const auto side = static_cast<std::size_t>(random_.integer(0, static_cast<int>(ring.size()) - 1));
    const Point a = ring[side], b = ring[(side + 1) % ring.size()];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const double out_m = random_.uniform(1.6, 2.6), along = random_.uniform(0.2, 0.8) * length;
    // The ring runs counter-clockwise: outside is to the right.
    const Point at{a.x + (b.x - a.x) / length * along + (b.y - a.y) / length * out_m,
                   a.y + (b.y - a.y) / length * along - (b.x - a.x) / length * out_m};
    if (wall_distance(at, -1) < 1.4 || on_road(at)) return;
    add_some_tree(at, 9, 14, 0.15);
  }

  void add_some_tree(Point at, double least_m, double most_m, double conifers) {
    const bool conifer = random_.chance(conifers);
    add_tree(at, random_.uniform(least_m, most_m), conifer);
  }

  void plant_wood(Point middle, double radius_m) {
    const bool conifers = random_.chance(0.4);
    const int trees = static_cast<int>(radius_m * radius_m * 0.09);
    for (int i = 0; i < trees; ++i) {
      const double r = radius_m * std::sqrt(random_.uniform()), angle = random_.uniform(0, kTurn);
      const Point at{middle.x + r * std::cos(angle), middle.y + 0.7 * r * std::sin(angle)};
      if (wall_distance(at, -1) > 15 && !on_road(at)) add_some_tree(at, 9, 21, conifers ? 0.85 : 0.15);
    }
  }

  Settlement& s_;
  Random random_;
  const Terrain& terrain_;
  std::vector<BoostPolygon> walls_;
  double reach_m_ = 40;
};

}  // namespace

void plant(Settlement& settlement, std::uint32_t seed, const Terrain& terrain) {
  Planter(settlement, seed, terrain).plant();
}

}  // namespace geo::sample
