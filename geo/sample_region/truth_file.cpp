#include "geo/sample_region/truth_file.hpp"

#include <cstdio>
#include <fstream>

#include "geo/sample_region/laser_scan.hpp"
#include "geo/sample_region/vector_files.hpp"

namespace geo::sample {
namespace {

std::string number(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

const char* truth(bool value) { return value ? "true" : "false"; }

const char* name_of(BodyRole role) {
  switch (role) {
    case BodyRole::roof:
      return "roof";
    case BodyRole::dormer:
      return "dormer";
    case BodyRole::chimney:
      return "chimney";
    case BodyRole::skylight:
      return "skylight";
  }
  return "";
}

std::string json(const Ring& ring) {
  std::string out = "[";
  for (const Point& p : ring)
    out += (out.size() > 1 ? ", [" : "[") + number(p.x, 4) + ", " + number(p.y, 4) + "]";
  return out + "]";
}

/// The plane over map metres: a gradient is carried from true to map metres by the transposed Jacobian.
geo::Plane to_map(const geo::Plane& region, const PlaceFrame& frame) {
  const Point origin = frame.from_true({region.x0, region.y0});
  const Eigen::Vector2d gradient = frame.true_per_map().transpose() * Eigen::Vector2d(region.gx, region.gy);
  return {origin.x, origin.y, region.z0, gradient.x(), gradient.y()};
}

class Writer {
 public:
  Writer(const Settlement& settlement, const PlaceNames& names, const PlaceFrame& frame)
      : settlement_(settlement), names_(names), frame_(frame) {}

  std::string building(std::size_t index) const {
    const SampleBuilding& b = settlement_.buildings[index];
    return "{\"building\": " + std::to_string(index) + ", \"main\": " + truth(b.main()) + ", \"use\": \"" +
           sample::name_of(b.use) + "\", \"roof\": \"" + sample::name_of(b.roof) +
           "\", \"address\": " + address_fields(b) +
           ", \"footprint\": " + json(sample::to_map(b.walls, frame_).outer) + "}";
  }

  std::string plane(const RoofPatch& patch) const {
    const SampleBuilding& b = settlement_.buildings[static_cast<std::size_t>(patch.building)];
    const geo::Plane map = to_map(patch.plane, frame_);
    const Eigen::Vector2d gradient(patch.plane.gx, patch.plane.gy);
    const Polygon outline = sample::to_map(patch.outline, frame_);
    std::string out = "{\"building\": " + std::to_string(patch.building) + ", \"main\": " + truth(b.main()) +
                      ", \"roof\": \"" + sample::name_of(b.roof) + "\", \"address\": " + address_line(b) +
                      ", \"is_dormer\": " + truth(patch.dormer) +
                      ", \"below_tree\": " + truth(patch.below_tree) +
                      ",\n   \"plane\": {\"x0\": " + number(map.x0, 4) + ", \"y0\": " + number(map.y0, 4) +
                      ", \"z0\": " + number(map.z0, 5) + ", \"gx\": " + number(map.gx, 9) +
                      ", \"gy\": " + number(map.gy, 9) + "}, \"tilt_deg\": " + number(tilt_deg(gradient), 4) +
                      ", \"azimuth_deg\": " + number(azimuth_deg(gradient), 4) +
                      ", \"area_m2\": " + number(patch.area_m2, 4) +
                      ", \"free_area_m2\": " + number(patch.free_area_m2, 4) +
                      ",\n   \"outline\": " + json(outline.outer) + ", \"holes\": [";
    for (std::size_t i = 0; i < outline.holes.size(); ++i) out += (i ? ", " : "") + json(outline.holes[i]);
    out += "], \"obstacles\": [";
    for (std::size_t i = 0; i < patch.obstacles.size(); ++i)
      out += std::string(i ? ", " : "") + "{\"kind\": \"" + name_of(patch.obstacles[i].kind) +
             "\", \"outline\": " + json(sample::to_map(patch.obstacles[i].outline, frame_).outer) + "}";
    return out + "]}";
  }

 private:
  const Address* address_of(const SampleBuilding& b) const {
    return b.address < 0 ? nullptr : &settlement_.addresses[static_cast<std::size_t>(b.address)];
  }

  std::string address_fields(const SampleBuilding& b) const {
    const Address* a = address_of(b);
    if (!a) return "null";
    const LonLat at = frame_.to_lonlat(frame_.from_true({a->at.x, a->at.y}));
    return "{\"strasse\": \"" + a->street + "\", \"hausnummer\": \"" + a->number + "\", \"plz\": \"" +
           names_.postcode + "\", \"ort\": \"" + names_.place + "\", \"land\": \"" + names_.country +
           "\", \"lon\": " + number(at.lon_deg, 8) + ", \"lat\": " + number(at.lat_deg, 8) + "}";
  }

  std::string address_line(const SampleBuilding& b) const {
    const Address* a = address_of(b);
    if (!a) return "null";
    return "\"" + a->street + " " + a->number + ", " + names_.postcode + " " + names_.place + "\"";
  }

  const Settlement& settlement_;
  const PlaceNames& names_;
  const PlaceFrame& frame_;
};

}  // namespace

Result<void> write_truth(const std::string& path, const SampleRegionOptions& options,
                         const Settlement& settlement, const std::vector<RoofPatch>& patches,
                         const PlaceNames& names, const PlaceFrame& frame) {
  const Writer writer(settlement, names, frame);
  std::ofstream out(path, std::ios::binary);
  out << "{\"crs\": \"" << names.crs << "\", \"seed\": " << options.seed << ", \"gridding\": \""
      << sample::name_of(chosen_gridding(options)) << "\", \"cell_m\": " << options.cell_m
      << ",\n \"buildings\": [";
  for (std::size_t i = 0; i < settlement.buildings.size(); ++i)
    out << (i ? ",\n  " : "\n  ") << writer.building(i);
  out << "],\n \"planes\": [";
  for (std::size_t i = 0; i < patches.size(); ++i) out << (i ? ",\n  " : "\n  ") << writer.plane(patches[i]);
  out << "]}\n";
  out.close();
  if (!out) return fail(FailureKind::invalid_input, path + ": cannot be written");
  return {};
}

}  // namespace geo::sample
