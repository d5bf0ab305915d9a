#include "geo/offices/area.hpp"

#include <ogr_spatialref.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "geo/data/coordinate_system.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/offices/larger_towns.hpp"

namespace geo::offices {
namespace {

constexpr double kWidest_km = 500;
constexpr double kStep_deg =
    0.05;  // between the points of an outline's edge: a line of degrees is bent on a map

/// Numbers between commas; nothing when one is none.
std::optional<std::vector<double>> numbers_of(std::string_view text) {
  std::vector<double> numbers;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    if (part.ends_with("km") && comma == std::string_view::npos) part.remove_suffix(2);
    while (part.starts_with(" ")) part.remove_prefix(1);
    while (part.ends_with(" ")) part.remove_suffix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size() || !std::isfinite(value)) return {};
    numbers.push_back(value);
    if (comma == std::string_view::npos) return numbers;
    text = text.substr(comma + 1);
  }
}

Area circle(std::string text, LonLat centre, double radius_km) {
  Area area{.text = std::move(text), .centre = centre, .radius_m = radius_km * 1000};
  const Eigen::Vector2d metres = metres_per_degree(centre.lat_deg);
  const double lon = area.radius_m / metres.x(), lat = area.radius_m / metres.y();
  area.box_deg = {centre.lon_deg - lon, centre.lat_deg - lat, centre.lon_deg + lon, centre.lat_deg + lat};
  return area;
}

bool on_globe(double lon, double lat) { return std::abs(lon) <= 180 && std::abs(lat) < 89; }

/// The ring with points close enough for its edges to be straight on a map.
Ring with_steps(const Ring& ring) {
  Ring fine;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], b = ring[(i + 1) % ring.size()];
    const int steps = std::max(1, static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / kStep_deg));
    for (int k = 0; k < steps; ++k)
      fine.push_back({a.x + (b.x - a.x) * k / steps, a.y + (b.y - a.y) * k / steps});
  }
  return fine;
}

bool inside(const Ring& ring, Point p) {
  bool in = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const Point a = ring[i], b = ring[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
  }
  return in;
}

/// Liang and Barsky, 1984: whether a piece of the line lies in the box.
bool line_enters(Point a, Point b, const Box& box) {
  double from = 0, to = 1;
  const auto clip = [&](double direction, double distance) {
    if (direction == 0) return distance >= 0;
    const double at = distance / direction;
    (direction < 0 ? from : to) = direction < 0 ? std::max(from, at) : std::min(to, at);
    return from <= to;
  };
  const double dx = b.x - a.x, dy = b.y - a.y;
  return clip(-dx, a.x - box.min_x) && clip(dx, box.max_x - a.x) && clip(-dy, a.y - box.min_y) &&
         clip(dy, box.max_y - a.y);
}

/// True metres in units of the system, around a point of it.
Result<double> units_per_metre(const std::string& crs, LonLat place) {
  const auto system = coordinate_system(crs);
  if (!system) return tl::make_unexpected(system.error());
  return system->in_map_metres ? 1.0 : 1 / metres_per_degree(place.lat_deg).x();
}

}  // namespace

Result<Area> read_area(const std::string& text) {
  const auto refused = [&](const std::string& why) {
    return fail(FailureKind::invalid_input, "--area=" + text + " " + why);
  };
  const auto numbers = numbers_of(text);
  const bool is_list = numbers && numbers->size() > 1;
  if (is_list && numbers->size() == 3) {
    const auto& n = *numbers;
    if (!on_globe(n[0], n[1]))
      return refused("has no longitude and latitude in degrees; longitude comes first");
    if (!(n[2] > 0) || n[2] > kWidest_km) return refused("has a radius that is not between 0 and 500 km");
    return circle(text, {n[0], n[1]}, n[2]);
  }
  if (is_list && numbers->size() == 4) {
    const auto& n = *numbers;
    if (!on_globe(n[0], n[1]) || !on_globe(n[2], n[3]) || n[0] >= n[2] || n[1] >= n[3])
      return refused("is no box of west,south,east,north in degrees");
    return Area{.text = text, .box_deg = {n[0], n[1], n[2], n[3]}};
  }
  if (const Town* town = find_town(text)) {
    Area area = circle(town->name, town->centre, town->radius_km);
    area.key = town->key;
    area.country = town->country;
    return area;
  }
  return refused(
      "is neither a larger town's name or number, nor lon,lat,RADIUSkm, nor west,south,east,north; any place "
      "can be "
      "named as lon,lat,RADIUSkm");
}

bool ring_touches(const Ring& ring, const Box& box) {
  if (ring.empty()) return false;
  if (inside(ring, {box.min_x, box.min_y})) return true;
  for (std::size_t i = 0; i < ring.size(); ++i)
    if (line_enters(ring[i], ring[(i + 1) % ring.size()], box)) return true;
  return false;
}

Result<AreaOnMap> AreaOnMap::create(const std::optional<Area>& area, const Ring& outline,
                                    const std::string& crs) {
  const auto to_map = transformation_from_wgs84(crs);
  if (!to_map)
    return fail(FailureKind::invalid_input, crs + " is not a coordinate reference system that is known");
  AreaOnMap map;
  if (area) {
    if (!ring_touches(outline, area->box_deg))
      return fail(FailureKind::invalid_input, "--area=" + area->text + " lies outside the region");
    const LonLat middle{(area->box_deg.min_x + area->box_deg.max_x) / 2,
                        (area->box_deg.min_y + area->box_deg.max_y) / 2};
    const auto scale = units_per_metre(crs, middle);
    if (!scale) return tl::make_unexpected(scale.error());
    const auto box = transformed(area->box_deg, *to_map);
    if (!box)
      return fail(FailureKind::invalid_input,
                  "--area=" + area->text + " lies where " + crs + " does not hold");
    map.box_ = box->grown(kAreaRim_m * *scale);
    double x = middle.lon_deg, y = middle.lat_deg;
    if (area->centre && *scale == 1 && to_map->Transform(1, &x, &y)) {
      map.centre_ = Point{x, y};
      map.radius_ = area->radius_m + kAreaRim_m;
    }
    return map;
  }
  for (const Point corner : with_steps(outline)) {
    double x = corner.x, y = corner.y;
    if (!to_map->Transform(1, &x, &y))
      return fail(FailureKind::invalid_input, "the outline lies where " + crs + " does not hold");
    map.ring_.push_back({x, y});
    map.box_.add({x, y});
  }
  return map;
}

bool AreaOnMap::touches(const Box& square) const {
  if (!box_.overlaps(square)) return false;
  if (centre_) {
    const double dx = std::max({square.min_x - centre_->x, 0.0, centre_->x - square.max_x});
    const double dy = std::max({square.min_y - centre_->y, 0.0, centre_->y - square.max_y});
    return std::hypot(dx, dy) <= radius_;
  }
  return ring_.empty() || ring_touches(ring_, square);
}

}  // namespace geo::offices
