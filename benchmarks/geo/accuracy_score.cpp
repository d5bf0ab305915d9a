#include "benchmarks/geo/accuracy_score.hpp"

#include <ogr_geometry.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>

#include "geo/roof/fit.hpp"
#include "geo/shapes/boost_shapes.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace bench {
namespace {

constexpr double kHasAzimuth_deg = 10;  // flatter planes have no azimuth worth comparing

/// GEOS, through OGR: Boost 1.74 at times returns a whole polygon for two that merely touch.
std::unique_ptr<OGRGeometry> to_ogr(const geo::Polygon& polygon, geo::Point origin) {
  auto out = std::make_unique<OGRPolygon>();
  auto add = [&](const geo::Ring& ring) {
    OGRLinearRing to;
    for (geo::Point p : ring) to.addPoint(p.x - origin.x, p.y - origin.y);
    to.closeRings();
    out->addRing(&to);
  };
  add(polygon.outer);
  for (const geo::Ring& hole : polygon.holes) add(hole);
  if (!out->IsValid()) return std::unique_ptr<OGRGeometry>(out->MakeValid());
  return out;
}

}  // namespace

double common_m2(const geo::Polygon& a, const geo::Polygon& b) {
  if (!geo::bounding_box(a.outer).overlaps(geo::bounding_box(b.outer))) return 0;
  const geo::Point origin = a.outer[0];
  std::unique_ptr<OGRGeometry> common(to_ogr(a, origin)->Intersection(to_ogr(b, origin).get()));
  if (!common) return 0;
  if (wkbFlatten(common->getGeometryType()) == wkbPolygon) return common->toPolygon()->get_Area();
  return OGR_GT_IsSubClassOf(wkbFlatten(common->getGeometryType()), wkbGeometryCollection)
             ? common->toGeometryCollection()->get_Area()
             : 0;
}

double normal_angle_deg(const geo::Plane& a, const geo::Plane& b) {
  const Eigen::Vector3d n(-a.gx, -a.gy, 1), m(-b.gx, -b.gy, 1);
  return std::acos(std::clamp(n.dot(m) / std::sqrt(n.squaredNorm() * m.squaredNorm()), -1.0, 1.0)) * 180 /
         std::numbers::pi;
}

int parcel_of(const Scene& scene, const geo::Polygon& footprint) {
  int best = -1;
  double most = 0;
  for (std::size_t i = 0; i < scene.parcels.size(); ++i)
    if (const double common = common_m2(footprint, scene.parcels[i]); common > most) {
      most = common;
      best = static_cast<int>(i);
    }
  return best;
}

namespace {

bool is_valid(const geo::Polygon& polygon) {
  geo::BoostPolygon boost_polygon = geo::to_boost(geo::translated(polygon, geo::Point{} - polygon.outer[0]));
  std::string why;
  if (boost::geometry::is_valid(boost_polygon, why)) return true;
  std::fprintf(stderr, "no simple polygon: %s\n", why.c_str());
  return false;
}

double angle_error_deg(double a, double b) { return std::abs(std::remainder(a - b, 360)); }

/// What a plain fit makes of the true outline: a robust plane through the cells that lie wholly inside it.
geo::PlaneFit plain_fit(const Scene& scene, const TruePlane& t) {
  const geo::Grid<float>& g = scene.dsm;
  const geo::Box box = geo::bounding_box(t.outline.outer);
  std::vector<geo::HeightPoint> points;
  for (int row = std::max(0, g.row_of(box.max_y)); row <= std::min(g.height - 1, g.row_of(box.min_y)); ++row)
    for (int col = std::max(0, g.col_of(box.min_x)); col <= std::min(g.width - 1, g.col_of(box.max_x));
         ++col) {
      const geo::Point c = g.centre(col, row);
      const double h = g.cell_m / 2;
      bool inside = !std::isnan(g.at(col, row));
      for (geo::Point corner :
           {geo::Point{c.x - h, c.y - h}, {c.x + h, c.y - h}, {c.x + h, c.y + h}, {c.x - h, c.y + h}})
        inside = inside && geo::contains(t.outline, corner);
      if (inside) points.push_back({c.x - box.min_x, c.y - box.min_y, g.at(col, row)});
    }
  return geo::fit_plane_robust(points, std::vector<double>(points.size(), 1.0), 0.02);
}

void compare(const Scene& scene, const TruePlane& t, const geo::RoofPlane& p, Score& s) {
  const Eigen::Vector2d gradient = geo::true_gradient(p.plane, scene.frame.true_per_map());
  const double tilt = geo::tilt_deg(gradient);
  s.tilt_error.push_back(std::abs(tilt - t.tilt_deg));
  s.tilt_within += s.tilt_error.back() <= p.fit.tilt_error_deg;
  if (t.tilt_deg <= kHasAzimuth_deg) return;
  ++s.azimuths;
  s.azimuth_error.push_back(angle_error_deg(geo::azimuth_deg(gradient), t.azimuth_deg));
  s.azimuth_within += s.azimuth_error.back() <= p.fit.azimuth_error_deg;
}

void compare_plain(const Scene& scene, const TruePlane& t, Score& s) {
  const geo::PlaneFit plain = plain_fit(scene, t);
  if (!plain.ok) return;
  const Eigen::Vector2d gradient = geo::true_gradient(plain.plane, scene.frame.true_per_map());
  s.plain_tilt_error.push_back(std::abs(geo::tilt_deg(gradient) - t.tilt_deg));
  if (t.tilt_deg > kHasAzimuth_deg)
    s.plain_azimuth_error.push_back(angle_error_deg(geo::azimuth_deg(gradient), t.azimuth_deg));
}

/// How much the surfaces cover of parcels that other buildings stand on.
double on_other_parcels_m2(const Scene& scene, const std::vector<geo::RoofPlane>& planes) {
  std::vector<int> parcel;
  std::vector<bool> built(scene.parcels.size(), false);
  for (const geo::Building& b : scene.buildings) {
    parcel.push_back(parcel_of(scene, b.footprint));
    if (parcel.back() >= 0) built[static_cast<std::size_t>(parcel.back())] = true;
  }
  double sum = 0;
  for (const geo::RoofPlane& p : planes)
    for (std::size_t i = 0; i < scene.parcels.size(); ++i)
      if (built[i] && static_cast<int>(i) != parcel[static_cast<std::size_t>(p.building)])
        sum += common_m2(p.outline, scene.parcels[i]);
  return sum;
}

void score_surfaces(const Scene& scene, const std::vector<geo::RoofPlane>& planes, Score& s) {
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const geo::RoofPlane& p = planes[i];
    const double own = geo::area(p.outline);
    bool match = false;
    double on_roofs = 0;
    for (const TruePlane& t : scene.truth) {
      const double common = common_m2(p.outline, t.outline);
      on_roofs += common;
      match = match || (common / (own + geo::area(t.outline) - common) >= 0.5 &&
                        normal_angle_deg(p.plane, t.plane) < kSameNormal_deg);
    }
    if (on_roofs < 0.3 * own) s.invented_surfaces.push_back(static_cast<int>(i));
    s.invented += on_roofs < 0.3 * own;
    const bool small = own < kListed_m2;
    ++(small ? s.small_surfaces : s.surfaces);
    (small ? s.small_right : s.right) += match;
    s.invalid += !is_valid(p.outline);
    if (!match) s.wrong.push_back(static_cast<int>(i));
    for (std::size_t j = i + 1; j < planes.size(); ++j)
      s.overlap_m2 += common_m2(p.outline, planes[j].outline);
    for (std::size_t b = 0; b < scene.buildings.size(); ++b)
      if (static_cast<int>(b) != p.building)
        s.on_neighbour_m2 += common_m2(p.outline, scene.buildings[b].footprint);
  }
}

}  // namespace

Miss explain_miss(const Scene& scene, const std::vector<geo::RoofPlane>& planes, const TruePlane& missed) {
  Miss miss;
  const double own = geo::area(missed.outline);
  for (const geo::Building& b : scene.buildings)
    miss.on_buildings += common_m2(missed.outline, b.footprint) / own;
  double most = 0;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const double common = common_m2(missed.outline, planes[i].outline);
    miss.covered += common / own;
    if (common <= most) continue;
    most = common;
    miss.best = static_cast<int>(i);
    miss.iou = common / (own + geo::area(planes[i].outline) - common);
    miss.normal_deg = normal_angle_deg(missed.plane, planes[i].plane);
  }
  return miss;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const auto high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

void Score::add(const Score& o) {
  true_planes += o.true_planes, found += o.found, surfaces += o.surfaces, right += o.right;
  small_surfaces += o.small_surfaces, small_right += o.small_right, invented += o.invented;
  auto append = [](std::vector<double>& to, const std::vector<double>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(tilt_error, o.tilt_error), append(azimuth_error, o.azimuth_error);
  append(plain_tilt_error, o.plain_tilt_error), append(plain_azimuth_error, o.plain_azimuth_error);
  append(area_error_pct, o.area_error_pct), append(iou, o.iou);
  tilt_within += o.tilt_within, azimuth_within += o.azimuth_within, area_within += o.area_within,
      azimuths += o.azimuths;
  on_other_parcel_m2 += o.on_other_parcel_m2, invalid += o.invalid, overlap_m2 += o.overlap_m2,
      on_neighbour_m2 += o.on_neighbour_m2, seconds += o.seconds;
}

Score score(const Scene& scene, const std::vector<geo::RoofPlane>& planes) {
  Score s;
  s.name = scene.name;
  for (std::size_t i = 0; i < scene.truth.size(); ++i) {
    const TruePlane& t = scene.truth[i];
    if (!t.judged) continue;
    ++s.true_planes;
    const geo::RoofPlane* best = nullptr;
    double best_iou = 0;
    for (const geo::RoofPlane& p : planes) {
      const double common = common_m2(p.outline, t.outline);
      const double iou = common / (geo::area(p.outline) + geo::area(t.outline) - common);
      if (iou > best_iou) best_iou = iou, best = &p;
    }
    if (!best || best_iou < 0.5 || normal_angle_deg(best->plane, t.plane) >= kSameNormal_deg) {
      s.missed.push_back(static_cast<int>(i));
      continue;
    }
    ++s.found;
    s.iou.push_back(best_iou);
    compare(scene, t, *best, s);
    compare_plain(scene, t, s);
    const double slope = geo::true_gradient(best->plane, scene.frame.true_per_map()).norm();
    const double inclined =
        geo::area(best->outline) * scene.frame.area_scale() * std::sqrt(1 + slope * slope);
    s.area_error_pct.push_back(100 * (inclined / t.area_m2 - 1));
    s.area_within += std::abs(inclined - t.area_m2) <= best->fit.area_error_m2;
  }
  score_surfaces(scene, planes, s);
  if (!scene.parcels.empty()) s.on_other_parcel_m2 = on_other_parcels_m2(scene, planes);
  return s;
}

Score score_by_points(const Scene& scene, const std::vector<geo::RoofPlane>& planes) {
  Score s;
  s.name = scene.name;
  for (std::size_t i = 0; i < scene.truth.size(); ++i) {
    const TruePlane& t = scene.truth[i];
    if (t.interior_cells < 10 || t.tilt_deg <= kHasAzimuth_deg) continue;
    ++s.true_planes;
    const auto at = std::find_if(planes.begin(), planes.end(), [&](const geo::RoofPlane& p) {
      return geo::contains(p.outline, t.at) && normal_angle_deg(p.plane, t.plane) < kSameNormal_deg;
    });
    if (at == planes.end()) {
      s.missed.push_back(static_cast<int>(i));
      continue;
    }
    ++s.found;
    compare(scene, t, *at, s);
  }
  for (std::size_t i = 0; i < planes.size(); ++i)
    for (std::size_t j = i + 1; j < planes.size(); ++j)
      s.overlap_m2 += common_m2(planes[i].outline, planes[j].outline);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (geo::area(planes[i].outline) < kListed_m2) continue;
    int points = 0, alike = 0;
    for (const TruePlane& t : scene.truth)
      if (geo::contains(planes[i].outline, t.at))
        ++points, alike += normal_angle_deg(planes[i].plane, t.plane) < kSameNormal_deg;
    if (points == 0) continue;  // no reference lies here
    ++s.surfaces;
    s.right += alike > 0;
    if (alike == 0) s.wrong.push_back(static_cast<int>(i));
  }
  return s;
}

}  // namespace bench
