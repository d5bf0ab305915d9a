#include "benchmarks/geo/accuracy_survey.hpp"

#include <ogr_geometry.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <optional>

#include "benchmarks/geo/accuracy_score.hpp"
#include "geo/roof/fit.hpp"
#include "geo/sample_region/random.hpp"
#include "geo/shapes/ogr_shapes.hpp"
#include "geo/shapes/plane_geometry.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace bench {
namespace {

using geo::Point;
using geo::sample::Random;
using geo::sample::Stream;

constexpr double kMargin_m = 25;
constexpr double kSurveyed_m = 10;  // around buildings there are returns; farther out the ground is known
constexpr double kPosition_m = 0.12, kHeight_m = 0.04, kGround_m = 0.03;
// Beams come from 9 degrees off the vertical on average, and of two strips one sees a wall: so many of the
// returns on a square metre of level ground has one of a wall that faces the flight, and so far a beam comes
// down past an eave.
constexpr double kWallReturns = 0.08, kDownWall = 6;
constexpr double kWallStep_m = 0.5;
constexpr double kBeyondCell_m = 0.15;
constexpr double kHouse_m2 = 40;

/// Faces by squares of the plan.
class FaceIndex {
 public:
  explicit FaceIndex(const std::vector<ModelFace>& faces) : faces_(faces) {
    for (std::size_t i = 0; i < faces.size(); ++i) {
      const geo::Box box = geo::bounding_box(faces[i].outline.outer);
      for (int x = square(box.min_x); x <= square(box.max_x); ++x)
        for (int y = square(box.min_y); y <= square(box.max_y); ++y)
          squares_[{x, y}].push_back(static_cast<int>(i));
    }
  }
  /// The highest face over a point, -1 for none.
  int at(Point p) const {
    const auto found = squares_.find({square(p.x), square(p.y)});
    int best = -1;
    if (found == squares_.end()) return best;
    for (int i : found->second)
      if (geo::contains(face(i).outline, p) &&
          (best < 0 || face(i).plane.height_at(p) > face(best).plane.height_at(p)))
        best = i;
    return best;
  }
  const ModelFace& face(int i) const { return faces_[static_cast<std::size_t>(i)]; }

 private:
  static int square(double x) { return static_cast<int>(std::floor(x / 4)); }
  const std::vector<ModelFace>& faces_;
  std::map<std::pair<int, int>, std::vector<int>> squares_;
};

/// Heights of the ground in a coarse grid, from those of the buildings by inverse squared distance.
geo::Grid<float> ground_of(const BuildingModel& model, const geo::Box& box) {
  constexpr double kCell_m = 10;
  geo::Grid<float> out(static_cast<int>((box.max_x - box.min_x) / kCell_m) + 2,
                       static_cast<int>((box.max_y - box.min_y) / kCell_m) + 2, box.min_x - kCell_m / 2,
                       box.max_y + kCell_m / 2, kCell_m);
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    double weights = 0, sum = 0;
    for (const ModelGround& g : model.grounds) {
      const Point off = g.outline.outer[0] - out.centre(i);
      const double weight = 1 / (100 + geo::dot(off, off));
      weights += weight * weight, sum += weight * weight * g.height_m;
    }
    out.values[i] = static_cast<float>(sum / weights);
  }
  return out;
}

double bilinear(const geo::Grid<float>& grid, Point p) {
  const double u = (p.x - grid.west) / grid.cell_m - 0.5, v = (grid.north - p.y) / grid.cell_m - 0.5;
  const int c = std::clamp(static_cast<int>(u), 0, grid.width - 2),
            r = std::clamp(static_cast<int>(v), 0, grid.height - 2);
  const double a = u - c, b = v - r;
  return (1 - a) * (1 - b) * grid.at(c, r) + a * (1 - b) * grid.at(c + 1, r) +
         (1 - a) * b * grid.at(c, r + 1) + a * b * grid.at(c + 1, r + 1);
}

struct Crown {
  Point at;
  double radius_m, base_m, top_m;
};

struct Chimney {
  Point at;
  double top_m;
};

/// What stands at the place, and what a beam from above meets.
class World {
 public:
  World(const BuildingModel& model, const Survey& survey, const geo::Box& box, Random& random)
      : index_(model.faces), ground_(ground_of(model, box)) {
    for (const ModelFace& face : model.faces) {
      const double area = geo::area(face.outline);
      if (area < 15) continue;
      const geo::Ring& ring = face.outline.outer;
      const std::size_t edge = static_cast<std::size_t>(random.integer(0, static_cast<int>(ring.size()) - 1));
      const Point a = ring[edge], b = ring[(edge + 1) % ring.size()];
      const Point along = (b - a) * (1 / std::max(1e-6, geo::length(b - a))), out{along.y, -along.x};
      const Point middle = (a + b) * 0.5;
      if (survey.crowns && random.chance(0.25) && index_.at(middle + out * 1.5) < 0) {
        const double radius = random.uniform(2, 3.5), top = random.uniform(5, 11);
        const Point at = middle + out * (radius - random.uniform(0, 0.7));
        crowns_.push_back({at, radius, bilinear(ground_, at) + 2, bilinear(ground_, at) + top});
      }
      if (survey.chimneys && random.chance(0.3)) {
        const Point at = middle - out * random.uniform(0.8, 2);
        if (index_.at(at) >= 0) chimneys_.push_back({at, index_.face(index_.at(at)).plane.height_at(at) + 1});
      }
    }
  }

  double ground(Point p) const { return bilinear(ground_, p); }
  const FaceIndex& faces() const { return index_; }
  double solid(Point p) const {
    const int face = index_.at(p);
    return face < 0 ? ground(p) : std::max(ground(p), index_.face(face).plane.height_at(p));
  }
  double met_from_above(Point p, Random& random) const {
    double z = solid(p);
    for (const Chimney& c : chimneys_)
      if (std::abs(p.x - c.at.x) < 0.35 && std::abs(p.y - c.at.y) < 0.35) z = std::max(z, c.top_m);
    for (const Crown& c : crowns_) {
      const double off = geo::dot(p - c.at, p - c.at) / (c.radius_m * c.radius_m);
      if (off >= 1) continue;
      const double half = (c.top_m - c.base_m) / 2 * std::sqrt(1 - off), middle = (c.top_m + c.base_m) / 2;
      if (middle + half <= z || random.chance(0.1)) continue;
      const double low = std::max(z, middle - half);
      z = random.chance(0.7) ? middle + half + random.normal(0.15)
                             : random.uniform(low, std::max(low, middle + half));
    }
    return z;
  }

 private:
  FaceIndex index_;
  geo::Grid<float> ground_;
  std::vector<Crown> crowns_;
  std::vector<Chimney> chimneys_;
};

using Returns = std::vector<geo::HeightPoint>;

int poisson(double mean, Random& random) {
  int count = 0;
  for (; mean > 20; mean -= 20) count += random.poisson(std::exp(-20.0));
  return count + random.poisson(std::exp(-mean));
}

void add_return(Point p, double z, Random& random, Returns& returns) {
  const double east = random.normal(kPosition_m), north = random.normal(kPosition_m);
  returns.push_back({p.x + east, p.y + north, z + random.normal(kHeight_m)});
}

/// Returns from the walls that face the flight. They stand back below the eaves, which hide their upper ends.
void add_walls(const BuildingModel& model, const World& world, const Survey& survey, Random& random,
               Returns& returns) {
  const double direction = random.uniform(0, 2 * std::numbers::pi);
  const Point flight{std::cos(direction), std::sin(direction)};
  for (const ModelFace& face : model.faces)
    for (std::size_t i = 0; i < face.outline.outer.size(); ++i) {
      const Point a = face.outline.outer[i], b = face.outline.outer[(i + 1) % face.outline.outer.size()];
      const double length = geo::length(b - a);
      if (length < 0.2) continue;
      const Point along = (b - a) * (1 / length), out{along.y, -along.x}, middle = (a + b) * 0.5;
      const double seen = std::abs(geo::dot(out, flight));  // strips overlap: from both sides
      const double hidden = kDownWall * survey.eaves_m;
      const double drop = face.plane.height_at(middle) - world.solid(middle + out * 0.1);
      if (drop < kWallStep_m + hidden) continue;
      for (int n = poisson(survey.returns_per_m2 * kWallReturns * seen * length * drop, random); n > 0; --n) {
        const Point at = a + along * random.uniform(0, length);
        const double top = face.plane.height_at(at), foot = world.solid(at + out * 0.1);
        const double z = random.uniform(foot, top);
        if (z < top - hidden) add_return(at - out * survey.eaves_m, z, random, returns);
      }
    }
}

/// The height at `p` in the Delaunay triangulation of the points. The triangle around `p` is the one with no
/// point in its circumcircle: from any triangle around `p`, each point found in the circle replaces a corner.
double between(Point p, const Returns& points) {
  using Corner = const geo::HeightPoint*;
  const auto lifted = [&](const geo::HeightPoint& q) {
    return geo::squared(q.x - p.x) + geo::squared(q.y - p.y);
  };
  // Barycentric coordinates of p; all positive when it lies within.
  const auto weights = [&](const std::array<Corner, 3>& t) {
    const auto part = [&](Corner a, Corner b) {
      return (a->x - p.x) * (b->y - p.y) - (b->x - p.x) * (a->y - p.y);
    };
    std::array<double, 3> w{part(t[1], t[2]), part(t[2], t[0]), part(t[0], t[1])};
    const double sum = w[0] + w[1] + w[2];
    for (double& x : w) x = std::abs(sum) > 1e-12 ? x / sum : -1;
    return w;
  };
  const auto holds = [&](const std::array<Corner, 3>& t) {
    const auto w = weights(t);
    return w[0] >= -1e-9 && w[1] >= -1e-9 && w[2] >= -1e-9;
  };
  const auto height = [&](const std::array<Corner, 3>& t, auto of) {
    const auto w = weights(t);
    return w[0] * of(*t[0]) + w[1] * of(*t[1]) + w[2] * of(*t[2]);
  };
  std::optional<std::array<Corner, 3>> best;
  double least = 1e300;
  const auto consider = [&](const std::array<Corner, 3>& t) {
    if (!holds(t)) return false;
    if (const double h = height(t, lifted); h < least - 1e-12) return least = h, best = t, true;
    return false;
  };
  for (std::size_t i = 0; i < points.size() && !best; ++i)
    for (std::size_t j = i + 1; j < points.size() && !best; ++j)
      for (std::size_t k = j + 1; k < points.size() && !best; ++k)
        consider({&points[i], &points[j], &points[k]});
  for (bool changed = best.has_value(); changed;) {
    changed = false;
    for (const geo::HeightPoint& q : points)
      for (std::size_t corner = 0; corner < 3; ++corner) {
        std::array<Corner, 3> t = *best;
        t[corner] = &q;
        changed = consider(t) || changed;
      }
  }
  return best ? height(*best, [](const geo::HeightPoint& q) { return q.z; }) : NAN;
}

/// Returns by cells.
class Binned {
 public:
  Binned(const Returns& returns, const geo::Grid<float>& like) : bins_(like.like<Returns>()) {
    for (const geo::HeightPoint& r : returns)
      if (const int c = bins_.col_of(r.x), w = bins_.row_of(r.y); bins_.contains(c, w))
        bins_.at(c, w).push_back(r);
  }

  double height(int col, int row, Cells cells) const {
    const Point centre = bins_.centre(col, row);
    if (cells == Cells::linear) return linear(centre);
    if (cells == Cells::resampled) return resampled(centre);
    const Returns& own = bins_.at(col, row);
    if (own.empty()) return nearest(centre, around(col, row, 2));
    if (cells == Cells::nearest) return nearest(centre, own);
    double sum = 0, highest = -1e300;
    for (const geo::HeightPoint& r : own) sum += r.z, highest = std::max(highest, r.z);
    return cells == Cells::mean ? sum / static_cast<double>(own.size()) : highest;
  }

 private:
  double linear(Point p) const {
    for (int reach = static_cast<int>(std::ceil(1 / bins_.cell_m)); reach <= 4 / bins_.cell_m; reach *= 2)
      if (const double z = between(p, around(bins_.col_of(p.x), bins_.row_of(p.y), reach)); !std::isnan(z))
        return z;
    return NAN;
  }

  /// As tools move heights from one system of coordinates to another.
  double resampled(Point p) const {
    constexpr double kTurn = 2.0 * std::numbers::pi / 180;  // between Gauss-Krüger's north and a far zone's
    const Point east = Point{std::cos(kTurn), std::sin(kTurn)} * bins_.cell_m, north{-east.y, east.x};
    const Point middle{bins_.west, bins_.north}, off = p - middle;
    const double per_cell = 1 / geo::squared(bins_.cell_m);
    const double u = geo::dot(off, east) * per_cell, v = geo::dot(off, north) * per_cell;
    const auto node = [&](double a, double b) { return linear(middle + east * a + north * b); };
    const double a = std::floor(u), b = std::floor(v), s = u - a, t = v - b;
    return (1 - t) * ((1 - s) * node(a, b) + s * node(a + 1, b)) +
           t * ((1 - s) * node(a, b + 1) + s * node(a + 1, b + 1));
  }

  Returns around(int col, int row, int reach) const {
    Returns found;
    for (int r = row - reach; r <= row + reach; ++r)
      for (int c = col - reach; c <= col + reach; ++c)
        if (bins_.contains(c, r)) found.insert(found.end(), bins_.at(c, r).begin(), bins_.at(c, r).end());
    return found;
  }
  static double nearest(Point p, const Returns& returns) {
    double best = 1e300, z = NAN;
    for (const geo::HeightPoint& r : returns)
      if (const double d = geo::squared(r.x - p.x) + geo::squared(r.y - p.y); d < best) best = d, z = r.z;
    return z;
  }
  geo::Grid<Returns> bins_;
};

std::unique_ptr<OGRGeometry> ogr_shape(const geo::Polygon& polygon) {
  auto out = std::make_unique<OGRPolygon>();
  const auto add = [&](const geo::Ring& ring) {
    OGRLinearRing to;
    for (Point p : ring) to.addPoint(p.x, p.y);
    to.closeRings();
    out->addRing(&to);
  };
  add(polygon.outer);
  for (const geo::Ring& hole : polygon.holes) add(hole);
  return std::unique_ptr<OGRGeometry>(out->MakeValid());
}

std::unique_ptr<OGRGeometry> united(const std::vector<const ModelGround*>& grounds) {
  OGRMultiPolygon all;
  for (const ModelGround* g : grounds) {
    std::vector<geo::Polygon> shapes;
    const std::unique_ptr<OGRGeometry> wide(ogr_shape(g->outline)->Buffer(0.02));
    geo::append_polygons(wide.get(), shapes);
    for (const geo::Polygon& shape : shapes) all.addGeometry(ogr_shape(shape).get());
  }
  return std::unique_ptr<OGRGeometry>(all.UnionCascaded());
}

struct Footprint {
  geo::Polygon shape;
  int building;
};

/// The walls as a cadastre has them: the grounds of a building together, less the eaves where no neighbour
/// stands.
std::vector<Footprint> footprints_of(const BuildingModel& model, const Survey& survey) {
  std::map<int, std::vector<const ModelGround*>> by_building;
  std::vector<const ModelGround*> all;
  for (const ModelGround& g : model.grounds) by_building[g.building].push_back(&g), all.push_back(&g);
  const std::unique_ptr<OGRGeometry> blocks(united(all)->Buffer(-survey.eaves_m - 0.02));
  std::vector<Footprint> out;
  for (const auto& [building, grounds] : by_building) {
    const std::unique_ptr<OGRGeometry> own(united(grounds)->Buffer(-0.02));
    const std::unique_ptr<OGRGeometry> walls(own->Intersection(blocks.get()));
    const std::unique_ptr<OGRGeometry> drawn(walls->SimplifyPreserveTopology(survey.generalised_m));
    std::vector<geo::Polygon> shapes;
    geo::append_polygons(drawn.get(), shapes);
    for (const geo::Polygon& shape : shapes)
      if (geo::area(shape) > 2) out.push_back({geo::translated(shape, survey.footprints_off), building});
  }
  return out;
}

/// Whether heights differ by a step within the cell or just beyond: not on a slope, and not where planes
/// meet.
bool straddles(const World& world, Point centre, double cell_m) {
  constexpr int kSamples = 5;
  const double width = cell_m + 2 * kBeyondCell_m;
  double least = 1e300, most = -1e300;
  for (int i = 0; i < kSamples * kSamples; ++i) {
    const int column = i % kSamples, row = i / kSamples;
    const Point p =
        centre + Point{width * (column / (kSamples - 1.0) - 0.5), width * (row / (kSamples - 1.0) - 0.5)};
    const int face = world.faces().at(p);
    const double z = face < 0 ? world.ground(centre) : world.faces().face(face).plane.height_at(centre);
    least = std::min(least, z), most = std::max(most, z);
  }
  return most - least > kWallStep_m;
}

geo::Result<geo::PlaceFrame> frame_of(const BuildingModel& model, Point middle) {
  // Any place in the system's domain leads to the middle's, which makes the frame.
  for (const geo::LonLat start : {geo::LonLat{5.4, 52.2}, {6.5, 51.2}, {10, 50}, {14, 47.6}, {8, 47}})
    if (const auto first = geo::PlaceFrame::create(model.crs_wkt, start))
      return geo::PlaceFrame::create(model.crs_wkt, first->to_lonlat(middle));
  return geo::fail(geo::FailureKind::invalid_input,
                   model.name + " has no system of coordinates that is known here");
}

}  // namespace

const char* name_of(Cells cells) {
  constexpr std::array<const char*, 6> kNames{"linear",          "mean",     "nearest", "highest",
                                              "highest, stated", "resampled"};
  return kNames[static_cast<std::size_t>(cells)];
}

Point inner_point(const geo::Polygon& shape) {
  constexpr double kStep_m = 0.2;
  const geo::Box box = geo::bounding_box(shape.outer);
  Point best = shape.outer[0];
  double farthest = -1;
  for (double y = box.min_y + kStep_m / 2; y < box.max_y; y += kStep_m)
    for (double x = box.min_x + kStep_m / 2; x < box.max_x; x += kStep_m)
      if (geo::contains(shape, {x, y}))
        if (const double d = geo::distance_to_boundary(shape, {x, y}); d > farthest)
          farthest = d, best = {x, y};
  return best;
}

geo::Result<SurveyedScene> surveyed(const BuildingModel& as_drawn, const Survey& survey) {
  const BuildingModel model = survey.turn_deg != 0 ? turned(as_drawn, survey.turn_deg) : as_drawn;
  geo::Box box;
  for (const ModelGround& g : model.grounds) box = box.united(geo::bounding_box(g.outline.outer));
  box = box.grown(kMargin_m);
  auto frame = frame_of(model, {(box.min_x + box.max_x) / 2, (box.min_y + box.max_y) / 2});
  if (!frame) return tl::make_unexpected(frame.error());
  Random random(survey.seed, Stream::returns);
  const World world(model, survey, box, random);
  const double cell = survey.cell_m, shift = survey.shift_cells * cell;
  geo::Grid<float> dsm(static_cast<int>((box.max_x - box.min_x) / cell),
                       static_cast<int>((box.max_y - box.min_y) / cell), std::floor(box.min_x) + shift,
                       std::floor(box.max_y) - shift, cell);
  geo::Grid<float> terrain = dsm.like(0.0f);
  geo::Grid<char> near = dsm.like<char>(0);
  for (const ModelGround& g : model.grounds) {
    const geo::Box around = geo::bounding_box(g.outline.outer).grown(kSurveyed_m);
    for (int r = std::max(0, dsm.row_of(around.max_y));
         r <= std::min(dsm.height - 1, dsm.row_of(around.min_y)); ++r)
      for (int c = std::max(0, dsm.col_of(around.min_x));
           c <= std::min(dsm.width - 1, dsm.col_of(around.max_x)); ++c)
        near.at(c, r) = 1;
  }
  Returns returns;
  const double exp_minus_mean = std::exp(-survey.returns_per_m2 * cell * cell);
  for (std::size_t i = 0; i < near.values.size(); ++i) {
    if (!near.values[i]) continue;
    for (int n = random.poisson(exp_minus_mean); n > 0; --n) {
      const double east = random.uniform(-0.5, 0.5), south = random.uniform(-0.5, 0.5);
      const Point p = dsm.centre(i) + Point{east * cell, south * cell};
      add_return(p, world.met_from_above(p, random), random, returns);
    }
  }
  add_walls(model, world, survey, random, returns);
  const Binned binned(returns, dsm);
  SurveyedScene out{.scene = {.name = model.name + " " + name_of(survey.cells),
                              .dsm = dsm,
                              .terrain = terrain,
                              .frame = std::move(*frame)},
                    .straddles = dsm.like<char>(0)};
  for (int row = 0; row < dsm.height; ++row)
    for (int col = 0; col < dsm.width; ++col) {
      const Point centre = dsm.centre(col, row);
      const double ground = world.ground(centre) + random.normal(kGround_m);
      out.scene.terrain.at(col, row) = static_cast<float>(ground);
      const double z = near.at(col, row) ? binned.height(col, row, survey.cells) : ground;
      out.scene.dsm.at(col, row) = static_cast<float>(std::isnan(z) ? ground : z);  // at the flight's edge
      if (near.at(col, row)) out.straddles.at(col, row) = straddles(world, centre, cell);
    }
  if (survey.cells == Cells::highest_stated) out.scene.detection.highest_of_m2 = survey.returns_per_m2;
  out.scene.truth = true_surfaces(model, false, out.scene.frame);
  out.joined = true_surfaces(model, true, out.scene.frame);
  for (Footprint& f : footprints_of(model, survey)) {
    if (geo::area(f.shape) >= kHouse_m2) {
      out.houses.push_back(inner_point(f.shape) - survey.footprints_off);
      out.house_building.push_back(f.building);
    }
    out.scene.buildings.push_back({.footprint = std::move(f.shape)});
  }
  return out;
}

}  // namespace bench
