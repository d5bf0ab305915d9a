#include "persistence/result_codec.hpp"

#include <google/protobuf/message.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "persistence/records.hpp"
#include "persistence/records.pb.h"

namespace persistence {
namespace {

constexpr std::size_t kChecksumBytes = 4;

std::string checksum_of(std::string_view bytes) {
  const auto sum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
  return {static_cast<char>(sum >> 24), static_cast<char>(sum >> 16), static_cast<char>(sum >> 8),
          static_cast<char>(sum)};
}

void put(proto::Ring* out, const geo::Ring& ring) {
  for (const geo::Point& p : ring) {
    auto* position = out->add_points();
    position->set_x(p.x);
    position->set_y(p.y);
  }
}

void put(proto::Polygon* out, const geo::Polygon& polygon) {
  put(out->add_rings(), polygon.outer);
  for (const geo::Ring& hole : polygon.holes) put(out->add_rings(), hole);
}

geo::Ring ring_of(const proto::Ring& in) {
  geo::Ring ring;
  for (const auto& p : in.points()) ring.push_back({p.x(), p.y()});
  return ring;
}

geo::Polygon polygon_of(const proto::Polygon& in) {
  geo::Polygon polygon;
  for (int i = 0; i < in.rings_size(); ++i)
    (i == 0 ? polygon.outer : polygon.holes.emplace_back()) = ring_of(in.rings(i));
  return polygon;
}

void put(proto::Fit* out, const geo::FitStatistics& fit) {
  out->set_tilt_error_deg(fit.tilt_error_deg);
  out->set_azimuth_error_deg(fit.azimuth_error_deg);
  out->set_area_error_m2(fit.area_error_m2);
  out->set_residual_m(fit.residual_m);
  out->set_cells(fit.cells);
  out->set_coverage_pct(fit.coverage_pct);
  out->set_below_vegetation(fit.below_vegetation);
}

void put(proto::Shading* out, const geo::SurfaceShading& shading) {
  out->set_mean_loss_pct(shading.mean_loss_pct);
  for (const geo::PointLoss& point : shading.points) {
    auto* p = out->add_points();
    p->set_label(point.label);
    p->set_lon_deg(point.place.lon_deg);
    p->set_lat_deg(point.place.lat_deg);
    p->set_loss_pct(point.loss_pct);
  }
}

void put_geometry(proto::Surface* out, const geo::RoofSurface& s) {
  auto* plane = out->mutable_plane();
  plane->set_x0(s.plane.x0);
  plane->set_y0(s.plane.y0);
  plane->set_z0(s.plane.z0);
  plane->set_gx(s.plane.gx);
  plane->set_gy(s.plane.gy);
  put(out->mutable_outline(), s.outline);
  for (const auto& ring : s.outline_wgs84) {
    auto* r = out->add_outline_wgs84();
    for (const geo::LonLat& p : ring) {
      auto* position = r->add_points();
      position->set_x(p.lon_deg);
      position->set_y(p.lat_deg);
    }
  }
  for (const geo::Polygon& obstacle : s.obstacles) put(out->add_obstacles(), obstacle);
  for (const geo::PlacedModule& module : s.modules) {
    auto* m = out->add_modules();
    for (const geo::Point& corner : module.corners) {
      m->add_corners(corner.x);
      m->add_corners(corner.y);
    }
    m->set_recommended(module.recommended);
  }
}

void put(proto::Surface* out, const geo::RoofSurface& s) {
  out->set_id(s.id);
  out->set_name(s.name);
  if (s.building) out->set_building(*s.building);
  out->set_plan_area_m2(s.plan_area_m2);
  out->set_roof_area_m2(s.roof_area_m2);
  out->set_tilt_deg(s.tilt_deg);
  out->set_azimuth_deg(s.azimuth_deg);
  if (s.ridge_height_m) out->set_ridge_height_m(*s.ridge_height_m);
  put_geometry(out, s);
  put(out->mutable_fit(), s.fit);
  out->set_portrait(s.portrait);
  out->set_modules_recommended(s.modules_recommended);
  if (s.yield_kwh_per_kwp) out->set_yield_kwh_per_kwp(*s.yield_kwh_per_kwp);
  if (s.shading) put(out->mutable_shading(), *s.shading);
}

void read_geometry(geo::RoofSurface& s, const proto::Surface& in) {
  const auto& plane = in.plane();
  s.plane = {plane.x0(), plane.y0(), plane.z0(), plane.gx(), plane.gy()};
  s.outline = polygon_of(in.outline());
  for (const auto& ring : in.outline_wgs84()) {
    auto& out = s.outline_wgs84.emplace_back();
    for (const auto& p : ring.points()) out.push_back({p.x(), p.y()});
  }
  for (const auto& obstacle : in.obstacles()) s.obstacles.push_back(polygon_of(obstacle));
  for (const auto& m : in.modules()) {
    auto& module = s.modules.emplace_back();
    for (int i = 0; i < 4 && 2 * i + 1 < m.corners_size(); ++i)
      module.corners[static_cast<std::size_t>(i)] = {m.corners(2 * i), m.corners(2 * i + 1)};
    module.recommended = m.recommended();
  }
}

geo::RoofSurface surface_of(const proto::Surface& in) {
  geo::RoofSurface s;
  s.id = in.id();
  s.name = in.name();
  if (in.has_building()) s.building = in.building();
  s.plan_area_m2 = in.plan_area_m2();
  s.roof_area_m2 = in.roof_area_m2();
  s.tilt_deg = in.tilt_deg();
  s.azimuth_deg = in.azimuth_deg();
  if (in.has_ridge_height_m()) s.ridge_height_m = in.ridge_height_m();
  read_geometry(s, in);
  const auto& f = in.fit();
  s.fit = {f.tilt_error_deg(), f.azimuth_error_deg(), f.area_error_m2(),   f.residual_m(),
           f.cells(),          f.coverage_pct(),      f.below_vegetation()};
  s.portrait = in.portrait();
  s.modules_recommended = in.modules_recommended();
  if (in.has_yield_kwh_per_kwp()) s.yield_kwh_per_kwp = in.yield_kwh_per_kwp();
  if (in.has_shading()) {
    auto& shading = s.shading.emplace();
    shading.mean_loss_pct = in.shading().mean_loss_pct();
    for (const auto& p : in.shading().points())
      shading.points.push_back({p.label(), {p.lon_deg(), p.lat_deg()}, p.loss_pct()});
  }
  return s;
}

void put(proto::Source* out, const geo::Source& source) {
  out->set_kind(source.kind);
  out->set_name(source.name);
  out->set_provider(source.provider);
  out->set_licence(source.licence);
  out->set_attribution(source.attribution);
  out->set_url(source.url);
  if (source.year) out->set_year(*source.year);
  if (source.cell_m) out->set_cell_m(*source.cell_m);
}

geo::Source source_of(const proto::Source& in) {
  geo::Source source{in.kind(), in.name(), in.provider(), in.licence(), in.attribution(), in.url(), {}, {}};
  if (in.has_year()) source.year = in.year();
  if (in.has_cell_m()) source.cell_m = in.cell_m();
  return source;
}

void put(proto::Totals* out, const geo::Totals& t) {
  out->set_plan_area_m2(t.plan_area_m2);
  out->set_roof_area_m2(t.roof_area_m2);
  out->set_buildings(t.buildings);
  out->set_modules_possible(t.modules_possible);
  if (t.demand_kwp) out->set_demand_kwp(*t.demand_kwp);
  out->set_design_modules(t.design_modules);
  out->set_design_surfaces(t.design_surfaces);
  if (t.design_yield_kwh) out->set_design_yield_kwh(*t.design_yield_kwh);
}

geo::Totals totals_of(const proto::Totals& in) {
  geo::Totals t;
  t.plan_area_m2 = in.plan_area_m2();
  t.roof_area_m2 = in.roof_area_m2();
  t.buildings = in.buildings();
  t.modules_possible = in.modules_possible();
  if (in.has_demand_kwp()) t.demand_kwp = in.demand_kwp();
  t.design_modules = in.design_modules();
  t.design_surfaces = in.design_surfaces();
  if (in.has_design_yield_kwh()) t.design_yield_kwh = in.design_yield_kwh();
  return t;
}

/// Whether all numbers in it are finite. Uses reflection, so that later fields are checked too.
bool all_finite(const google::protobuf::Message& message) {
  using google::protobuf::FieldDescriptor;
  const auto& in = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  in.ListFields(message, &fields);
  return std::all_of(fields.begin(), fields.end(), [&](const FieldDescriptor* field) {
    const bool figure = field->cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE;
    if (!figure && field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return true;
    if (!field->is_repeated())
      return figure ? std::isfinite(in.GetDouble(message, field)) : all_finite(in.GetMessage(message, field));
    bool finite = true;
    for (int i = 0; finite && i < in.FieldSize(message, field); ++i)
      finite = figure ? std::isfinite(in.GetRepeatedDouble(message, field, i))
                      : all_finite(in.GetRepeatedMessage(message, field, i));
    return finite;
  });
}

}  // namespace

std::optional<std::string> encode_result(const geo::RoofAnalysis& analysis) {
  proto::Analysis m;
  m.set_version(kRecordVersion);
  m.set_crs_wkt(analysis.crs_wkt);
  m.set_module_power_w(analysis.module_power_w);
  for (const auto& surface : analysis.surfaces) put(m.add_surfaces(), surface);
  put(m.mutable_totals(), analysis.totals);
  for (const auto& source : analysis.sources) put(m.add_sources(), source);
  for (const auto& warning : analysis.warnings) m.add_warnings(warning);
  m.set_duration_s(analysis.duration_s);
  if (!all_finite(m)) return {};
  const std::string body = m.SerializeAsString();
  return checksum_of(body) + body;
}

std::optional<geo::RoofAnalysis> decode_result(const std::string& bytes) {
  if (bytes.size() < kChecksumBytes) return {};
  const std::string_view body = std::string_view(bytes).substr(kChecksumBytes);
  if (bytes.compare(0, kChecksumBytes, checksum_of(body)) != 0) return {};
  proto::Analysis m;
  if (!m.ParseFromArray(body.data(), static_cast<int>(body.size()))) return {};
  if (m.version() == 0 || m.version() > kRecordVersion) return {};
  geo::RoofAnalysis analysis;
  analysis.crs_wkt = m.crs_wkt();
  analysis.module_power_w = m.module_power_w();
  for (const auto& surface : m.surfaces()) analysis.surfaces.push_back(surface_of(surface));
  analysis.totals = totals_of(m.totals());
  for (const auto& source : m.sources()) analysis.sources.push_back(source_of(source));
  analysis.warnings.assign(m.warnings().begin(), m.warnings().end());
  analysis.duration_s = m.duration_s();
  return analysis;
}

}  // namespace persistence
