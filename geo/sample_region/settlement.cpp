// Lays out streets, plots and houses. Every plot gets a card from a shuffled deck of roof kinds, so that a
// region of forty addresses shows each kind at least once; a house that does not fit its plot is drawn again,
// a little smaller.
#include "geo/sample_region/settlement.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "geo/sample_region/house_design.hpp"
#include "geo/sample_region/house_numbers.hpp"
#include "geo/sample_region/plot_geometry.hpp"
#include "geo/sample_region/random.hpp"
#include "geo/shapes/boost_shapes.hpp"

namespace geo::sample {

namespace bg = boost::geometry;

namespace {

constexpr double kHouseMargin_m = 1.3;  // from walls to the parcel's border: more than any overhang
constexpr double kGarageMargin_m = 0.5;
constexpr int kTries = 40;

struct Card {
  std::optional<RoofKind> kind;  // none: a row of houses
};

class Builder {
 public:
  Builder(std::uint32_t seed, int addresses, const PlaceNames& names, const Terrain& terrain)
      : random_(seed, Stream::layout),
        names_(names),
        terrain_(terrain),
        plan_(std::clamp(static_cast<int>(std::lround(std::sqrt(addresses / 4.5))), 1,
                         static_cast<int>(names.streets.size())),
              random_),
        addresses_(addresses),
        reach_(static_cast<std::size_t>(2 * plan_.streets()), kLattice_m) {}

  Settlement build() {
    const int sides = 2 * plan_.streets();
    for (int i = 0; i < sides; ++i) {
      const int share = addresses_ / sides + (i < addresses_ % sides ? 1 : 0);
      fill_side(i / 2, i % 2 == 0 ? 1 : -1, share);
    }
    lay_roads();
    number_houses(std::move(entrances_), names_.streets, random_, out_);
    return std::move(out_);
  }

 private:
  Card draw(int houses_left) {
    if (deck_.empty()) {
      using enum RoofKind;
      for (const RoofKind kind : {gable, gable, gable, gable, half_hip, half_hip, hip, hip, shed, flat,
                                  mansard, pyramid, l_shape, l_shape, t_shape})
        deck_.push_back({kind});
      deck_.push_back({});
      random_.shuffle(deck_);
    }
    const Card card = deck_.back();
    deck_.pop_back();
    if (!card.kind && houses_left < 3) return {RoofKind::gable};
    return card;
  }

  /// Plots go outwards from the cross street, by turns to its right and left.
  void fill_side(int street, int side, int houses) {
    double ends[2] = {kLattice_m, kLattice_m};
    while (houses > 0) {
      const int way = ends[0] <= ends[1] ? 0 : 1;
      const Card card = draw(houses);
      RowDesign row{.units = std::min(houses, random_.integer(3, 8)),
                    .unit_width_m = random_.uniform(5.8, 7.6),
                    .depth_m = random_.uniform(8.5, 11.5)};
      const double wish_m = card.kind ? random_.uniform(18, 29) : row.units * row.unit_width_m + 7;
      const double t = plan_.street_t(street) + side * (kStreetHalf_m + kPlotDepth_m / 2);
      const double front = std::ceil(wish_m / plan_.stretch(t) / kLattice_m) * kLattice_m;
      Plot plot{street, side, ends[way], ends[way] + front};
      if (way == 1) plot.s0 = -ends[way] - front, plot.s1 = -ends[way];
      ends[way] += front;
      if (card.kind)
        place_detached(plot, *card.kind);
      else
        place_row(plot, row);
      houses -= card.kind ? 1 : row.units;
    }
    for (int way = 0; way < 2; ++way) {
      double& reach = reach_[static_cast<std::size_t>(2 * street + way)];
      reach = std::max(reach, ends[way]);
    }
  }

  Polygon plot_outline(const Plot& plot) const {
    const double near = plan_.street_t(plot.street) + plot.side * kStreetHalf_m;
    const double far = near + plot.side * kPlotDepth_m;
    return {plan_.area(plot.s0, plot.s1, std::min(near, far), std::max(near, far)), {}};
  }

  /// v points away from the street, u along it.
  LocalFrame frame_in(const Plot& plot, double s, double from_street_m) const {
    const double t = plan_.street_t(plot.street) + plot.side * (kStreetHalf_m + from_street_m);
    return {plan_.on_ground(s, t), plan_.direction_rad(s) + (plot.side > 0 ? 0 : std::numbers::pi)};
  }

  int add_parcel(Polygon outline) {
    out_.parcels.push_back({std::to_string(101 + out_.parcels.size()), std::move(outline)});
    return static_cast<int>(out_.parcels.size()) - 1;
  }

  int add_building(const HouseDesign& design, BuildingUse use, int cluster, int parcel) {
    const int index = static_cast<int>(out_.buildings.size());
    Cluster& home = out_.clusters[static_cast<std::size_t>(cluster)];
    for (Body body : design.bodies) {
      body.building = index;
      home.bodies.push_back(std::move(body));
    }
    out_.buildings.push_back({use, design.kind, outline_of(home.frame, design.walls), cluster, parcel, -1});
    return index;
  }

  int add_cluster(const LocalFrame& frame) {
    out_.clusters.push_back({frame, terrain_.height(frame.origin) + 0.15, {}});
    return static_cast<int>(out_.clusters.size()) - 1;
  }

  void add_entrance(const Plot& plot, const LocalFrame& frame, const Rect& walls, int building) {
    const Point at = frame.to_region(Point{walls.mid_u(), walls.mid_v()});
    entrances_.push_back({plot.street, plot.side, plan_.on_plan(at).x, at, building});
    pave_to_street(plot, at, 1.4);
  }

  void pave_to_street(const Plot& plot, Point from, double width_m) {
    const double t = plan_.street_t(plot.street) + plot.side * (kStreetHalf_m - 1);
    out_.paving.push_back(strip(from, plan_.on_ground(plan_.on_plan(from).x, t), width_m));
  }

  void place_detached(const Plot& plot, RoofKind kind) {
    const int parcel = add_parcel(plot_outline(plot));
    const Polygon& outline = out_.parcels.back().outline;
    const double room_m =
        (plot.s1 - plot.s0) * plan_.stretch(plan_.street_t(plot.street) + plot.side * kPlotDepth_m / 2) - 2.8;
    for (int attempt = 0;; ++attempt) {
      const bool last = attempt >= kTries;  // small, straight and in the middle: always fits
      const bool across = !last && random_.chance(0.35);
      const double shrink = 1 - 0.3 * std::min(1.0, attempt / static_cast<double>(kTries));
      const double along_m = std::min(room_m, random_.uniform(9, 20) * shrink);
      const double deep_m = random_.uniform(8, 14) * shrink;
      HouseDesign house = design_within(kind, across ? deep_m : along_m, across ? along_m : deep_m, last);
      const double from_street_m = last ? 15 : random_.uniform(9.5, 14);
      const double aside_m = last ? 0 : random_.uniform(-3, 3);
      LocalFrame frame = frame_in(plot, (plot.s0 + plot.s1) / 2 + aside_m, from_street_m);
      if (across) frame.direction_rad += std::numbers::pi / 2;
      if (random_.chance(0.5)) frame.direction_rad += std::numbers::pi;
      if (!last)
        frame.direction_rad += random_.chance(0.2) ? random_.uniform(-0.4, 0.4) : random_.normal(0.05);
      const bool fits = std::all_of(house.walls.begin(), house.walls.end(), [&](const Rect& walls) {
        return inside(outline, frame, walls, kHouseMargin_m);
      });
      if (!fits && !last) continue;
      const int cluster = add_cluster(frame);
      const int building = add_building(house, BuildingUse::house, cluster, parcel);
      add_entrance(plot, frame, house.walls.front(), building);
      add_garage(plot, house, cluster, parcel);
      return;
    }
  }

  /// `long_m` along the ridge; kept within the ranges of real houses (7 to 20 m).
  HouseDesign design_within(RoofKind kind, double long_m, double wide_m, bool smallest) {
    const bool winged = kind == RoofKind::l_shape || kind == RoofKind::t_shape;
    long_m = std::clamp(long_m, winged ? 11.5 : 8.5, 20.0);
    wide_m = std::clamp(wide_m, winged ? 10.5 : 7.0, winged ? 14.0 : 12.0);
    if (smallest) long_m = winged ? 11.5 : 8.5, wide_m = winged ? 10.5 : 7;
    return design_house(kind, long_m, wide_m, random_);
  }

  void add_garage(const Plot& plot, const HouseDesign& house, int cluster, int parcel) {
    if (random_.chance(0.2)) return;
    if (random_.chance(0.6) && attach_garage(plot, house, cluster, parcel)) return;
    place_free_garage(plot, parcel);
  }

  /// Against the wall at u0.
  bool attach_garage(const Plot& plot, const HouseDesign& house, int cluster, int parcel) {
    const Rect& main = house.walls.front();
    const double deep_m = std::min(main.width(), random_.uniform(5.8, 6.8));
    const double v0 = main.v0 + random_.uniform(0, main.width() - deep_m);
    const Rect walls{main.u0 - random_.uniform(3.0, 3.6), main.u0, v0, v0 + deep_m};
    const LocalFrame frame = out_.clusters[static_cast<std::size_t>(cluster)].frame;
    const double eaves_m = random_.uniform(2.3, 2.6);
    const bool gabled = house.gable_end_u0 && house.eaves_m > 2.9 && random_.chance(0.4);
    if (!inside(out_.parcels[static_cast<std::size_t>(parcel)].outline, frame, walls, kGarageMargin_m))
      return false;
    if (!gabled && house.roof_edge_m < eaves_m + 0.2) return false;
    const HouseDesign garage = design_garage(walls, eaves_m, gabled, {0.25, 0, 0.25, 0.25}, random_);
    add_building(garage, BuildingUse::garage, cluster, parcel);
    pave_to_street(plot, frame.to_region(Point{walls.mid_u(), walls.mid_v()}), 3.2);
    return true;
  }

  bool clear_of_buildings(const Polygon& walls, int parcel, double distance_m) const {
    const BoostPolygon mine = to_boost(walls);
    return std::none_of(out_.buildings.begin(), out_.buildings.end(), [&](const SampleBuilding& other) {
      return other.parcel == parcel && bg::distance(mine, to_boost(other.walls)) < distance_m;
    });
  }

  void place_free_garage(const Plot& plot, int parcel) {
    const bool twin = random_.chance(0.25), gabled = random_.chance(0.5);
    const double half = twin ? 3 : random_.uniform(1.6, 1.8), deep = random_.uniform(2.9, 3.4);
    const Rect walls =
        twin || random_.chance(0.5) ? Rect{-half, half, -deep, deep} : Rect{-deep, deep, -half, half};
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const double from_street_m = random_.uniform(4, 24);
      LocalFrame frame = frame_in(plot, random_.uniform(plot.s0 + 2, plot.s1 - 2), from_street_m);
      frame.direction_rad += random_.normal(0.02);
      if (!inside(out_.parcels[static_cast<std::size_t>(parcel)].outline, frame, walls, kGarageMargin_m))
        continue;
      if (!clear_of_buildings(outline_of(frame, {walls}), parcel, 1.3)) continue;
      const Overhang overhang = Overhang::all(random_.uniform(0.2, 0.35));
      const HouseDesign garage = design_garage(walls, random_.uniform(2.3, 2.7), gabled, overhang, random_);
      add_building(garage, BuildingUse::garage, add_cluster(frame), parcel);
      return pave_to_street(plot, frame.origin, 3.0);
    }
  }

  /// One group of units that share walls; the parcels' borders run along the shared walls.
  void place_row(const Plot& plot, RowDesign row) {
    const LocalFrame frame = frame_in(plot, (plot.s0 + plot.s1) / 2, random_.uniform(10, 13));
    const double rise_m =
        terrain_.height(frame.to_region(Point{row.unit_width_m, 0})) - terrain_.height(frame.origin);
    // Where the ground rises, the units are stepped with it.
    row.step_m = std::abs(rise_m) < 0.22 && random_.chance(0.6)
                     ? 0
                     : std::copysign(random_.uniform(0.3, 0.75), rise_m);
    const int cluster = add_cluster(frame);
    out_.clusters.back().base_m -= row.step_m * (row.units - 1) / 2;
    const Polygon whole = plot_outline(plot);
    const std::vector<HouseDesign> units = design_row(row, random_);
    for (std::size_t i = 0; i < units.size(); ++i) {
      const Rect& walls = units[i].walls.front();
      const bool first = i == 0, last = i + 1 == units.size();
      const Rect share{first ? -500 : walls.u0, last ? 500 : walls.u1, -500, 500};
      BoostMultiPolygon cut;
      bg::intersection(to_boost(whole), to_boost({frame.to_region(share.ring()), {}}), cut);
      const int building =
          add_building(units[i], BuildingUse::row_house, cluster, add_parcel(from_boost(cut.front())));
      add_entrance(plot, frame, walls, building);
    }
  }

  void lay_roads() {
    const double across = plan_.street_t(plan_.streets() - 1) + 260;
    auto lay = [&](std::vector<Ring>& to, double half_m) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(plan_.streets()); ++i) {
        const double t = plan_.street_t(static_cast<int>(i));
        to.push_back(plan_.area(-reach_[2 * i + 1] - 4, reach_[2 * i] + 4, t - half_m, t + half_m));
      }
      to.push_back({plan_.on_ground(-half_m, -across), plan_.on_ground(half_m, -across),
                    plan_.on_ground(half_m, across), plan_.on_ground(-half_m, across)});
    };
    lay(out_.roads, 2.7);
    lay(out_.pavements, kStreetHalf_m - 0.1);
  }

  Settlement out_;
  Random random_;
  const PlaceNames& names_;
  const Terrain& terrain_;
  StreetPlan plan_;
  int addresses_;
  std::vector<double> reach_;  ///< of every street's plots, to growing s and to falling s
  std::vector<Card> deck_;
  std::vector<Entrance> entrances_;
};

}  // namespace

const char* name_of(BuildingUse use) {
  switch (use) {
    case BuildingUse::house:
      return "house";
    case BuildingUse::row_house:
      return "row_house";
    case BuildingUse::garage:
      return "garage";
  }
  return "";
}

Settlement build_settlement(std::uint32_t seed, int addresses, const PlaceNames& names,
                            const Terrain& terrain) {
  return Builder(seed, addresses, names, terrain).build();
}

}  // namespace geo::sample
