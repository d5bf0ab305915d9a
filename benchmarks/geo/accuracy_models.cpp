#include "benchmarks/geo/accuracy_models.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "benchmarks/geo/accuracy_score.hpp"
#include "geo/roof/fit.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace bench {
namespace {

constexpr double kOnePlane_m = 0.1, kOnePlane_deg = 1;
constexpr double kTouching_m = 0.05;
constexpr double kSharedEdge_m = 0.5;  // faces that meet in a corner only are two surfaces

/// Length of the border that two polygons share.
double shared_border_m(const geo::Polygon& a, const geo::Polygon& b) {
  double sum = 0;
  const auto add = [&](const geo::Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const geo::Point from = ring[i], step = ring[(i + 1) % ring.size()] - from;
      const int samples = std::max(1, static_cast<int>(geo::length(step) / 0.25));
      for (int k = 0; k < samples; ++k)
        if (geo::distance_to_boundary(b, from + step * ((k + 0.5) / samples)) < kTouching_m)
          sum += geo::length(step) / samples;
    }
  };
  add(a.outer);
  for (const geo::Ring& hole : a.holes) add(hole);
  return sum;
}

/// Faces that are one surface, and the plane through all their corners.
class Surface {
 public:
  explicit Surface(const ModelFace& face) : face_(face) { add_corners(face); }

  bool joins(const Surface& other) const {
    if (normal_angle_deg(face_.plane, other.face_.plane) > kOnePlane_deg) return false;
    std::vector<geo::HeightPoint> all = corners_;
    all.insert(all.end(), other.corners_.begin(), other.corners_.end());
    const geo::PlaneFit fit = geo::fit_plane(all);
    return fit.ok && normal_angle_deg(fit.plane, face_.plane) < kOnePlane_deg &&
           normal_angle_deg(fit.plane, other.face_.plane) < kOnePlane_deg &&
           std::all_of(all.begin(), all.end(), [&](const geo::HeightPoint& p) {
             return std::abs(geo::residual(p, fit.plane)) < kOnePlane_m;
           });
  }

  /// False when the two do not share an edge.
  bool join(const Surface& other) {
    if (shared_border_m(face_.outline, other.face_.outline) < kSharedEdge_m) return false;
    geo::Polygon both = joined_outline(face_.outline, other.face_.outline);
    if (both.outer.empty()) return false;
    face_.outline = std::move(both);
    corners_.insert(corners_.end(), other.corners_.begin(), other.corners_.end());
    face_.plane = geo::fit_plane(corners_).plane;
    return true;
  }

  const ModelFace& face() const { return face_; }

 private:
  void add_corners(const ModelFace& face) {
    for (geo::Point p : face.outline.outer) corners_.push_back({p.x, p.y, face.plane.height_at(p)});
  }
  ModelFace face_;
  std::vector<geo::HeightPoint> corners_;
};

BuildingModel without(const BuildingModel& model, const std::set<int>& buildings) {
  BuildingModel rest{model.name, model.crs_wkt, {}, {}};
  for (const ModelGround& g : model.grounds)
    if (!buildings.count(g.building)) rest.grounds.push_back(g);
  for (const ModelFace& f : model.faces)
    if (!buildings.count(f.building)) rest.faces.push_back(f);
  return rest;
}

}  // namespace

BuildingModel turned(BuildingModel model, double degrees) {
  geo::Box box;
  for (const ModelGround& g : model.grounds) box = box.united(geo::bounding_box(g.outline.outer));
  const geo::Point middle{(box.min_x + box.max_x) / 2, (box.min_y + box.max_y) / 2};
  const double angle = degrees * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
  const auto turn = [&](geo::Polygon& polygon) {
    const auto turn_ring = [&](geo::Ring& ring) {
      for (geo::Point& p : ring) {
        const geo::Point d = p - middle;
        p = middle + geo::Point{c * d.x - s * d.y, s * d.x + c * d.y};
      }
    };
    turn_ring(polygon.outer);
    for (geo::Ring& hole : polygon.holes) turn_ring(hole);
  };
  for (ModelGround& g : model.grounds) turn(g.outline);
  for (ModelFace& f : model.faces) {
    turn(f.outline);
    const geo::Point d = geo::Point{f.plane.x0, f.plane.y0} - middle;
    const double gx = f.plane.gx, gy = f.plane.gy;
    f.plane = {middle.x + c * d.x - s * d.y, middle.y + s * d.x + c * d.y, f.plane.z0, c * gx - s * gy,
               s * gx + c * gy};
  }
  return model;
}

BuildingModel within(const BuildingModel& model, const geo::Box& box) {
  std::set<int> outside;
  for (const ModelGround& g : model.grounds)
    for (geo::Point p : g.outline.outer)
      if (!box.contains(p)) outside.insert(g.building);
  return without(model, outside);
}

BuildingModel up_to(const BuildingModel& model, double most_m2) {
  std::map<int, double> ground_m2;
  for (const ModelGround& g : model.grounds) ground_m2[g.building] += geo::area(g.outline);
  std::set<int> larger;
  for (const auto& [building, m2] : ground_m2)
    if (m2 > most_m2) larger.insert(building);
  return without(model, larger);
}

std::vector<TruePlane> true_surfaces(const BuildingModel& model, bool across_buildings,
                                     const geo::PlaceFrame& frame) {
  std::vector<Surface> surfaces;
  for (const ModelFace& face : model.faces) surfaces.emplace_back(face);
  for (std::size_t i = 0; i < surfaces.size(); ++i)
    for (std::size_t j = i + 1; j < surfaces.size(); ++j) {
      const ModelFace &a = surfaces[i].face(), &b = surfaces[j].face();
      if ((!across_buildings && a.building != b.building) ||
          !geo::bounding_box(a.outline.outer)
               .grown(kTouching_m)
               .overlaps(geo::bounding_box(b.outline.outer)) ||
          !surfaces[i].joins(surfaces[j]) || !surfaces[i].join(surfaces[j]))
        continue;
      surfaces.erase(surfaces.begin() + static_cast<std::ptrdiff_t>(j));
      j = i;  // the joined one may touch others
    }
  std::vector<TruePlane> truth;
  for (const Surface& surface : surfaces) {
    TruePlane plane{.plane = surface.face().plane,
                    .outline = surface.face().outline,
                    .building = surface.face().building};
    const auto gradient = geo::true_gradient(plane.plane, frame.true_per_map());
    plane.tilt_deg = geo::tilt_deg(gradient);
    plane.azimuth_deg = geo::azimuth_deg(gradient);
    const double plan_m2 = geo::area(plane.outline) * frame.area_scale();
    plane.area_m2 = plan_m2 * std::sqrt(1 + gradient.squaredNorm());
    plane.judged = plan_m2 >= kListed_m2;
    truth.push_back(std::move(plane));
  }
  return truth;
}

}  // namespace bench
