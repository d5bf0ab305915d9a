#include "geo/data/coordinate_system.hpp"

#include <ogr_spatialref.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

#include "geo/data/gdal.hpp"
#include "geo/recent_cache.hpp"

namespace geo {
namespace {

constexpr std::size_t kKeptSystems = 32, kKeptTransformations = 32;
constexpr const char* kWgs84 = "WGS84";

using SystemHandle = std::shared_ptr<const OGRSpatialReference>;

/// A thread's systems and transformations.
struct KeptSystems : AfterGdalsContext {
  RecentCache<std::string, SystemHandle> systems{kKeptSystems};
  RecentCache<std::string, TransformationHandle> transformations{kKeptTransformations};
};
KeptSystems& kept_systems() {
  thread_local KeptSystems of_this_thread;
  return of_this_thread;
}

/// Null for text that is not understood.
SystemHandle parsed(const std::string& text) {
  if (const SystemHandle* known = kept_systems().systems.find(text)) return *known;
  const auto system = std::make_shared<OGRSpatialReference>();
  if (system->SetFromUserInput(text.c_str()) != OGRERR_NONE) return nullptr;
  system->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return kept_systems().systems.put(text, system);
}

/// What EPSG's database calls the system of a code; any other name as it stands.
std::string height_system_name(const std::string& name) {
  if (!EQUALN(name.c_str(), "EPSG:", 5)) return name;
  const GdalErrors unheard;
  const SystemHandle system = parsed(name);
  return system && system->IsVertical() ? system->GetName() : name;
}

}  // namespace

std::string comparable_height_system(const std::string& name) {
  std::string letters;
  for (const char c : height_system_name(name))
    if (std::isalnum(static_cast<unsigned char>(c)))
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  // EPSG puts the word behind every name of its own.
  constexpr std::string_view kHeight = "height";
  if (letters.ends_with(kHeight)) letters.resize(letters.size() - kHeight.size());
  return letters == "unknown" || letters == "unnamed" ? "" : letters;
}

std::string wkt_of(const OGRSpatialReference& system) {
  char* text = nullptr;
  system.exportToWkt(&text);
  std::string wkt = text ? text : "";
  CPLFree(text);
  return wkt;
}

bool states_its_datum(const OGRSpatialReference& system) {
  constexpr double kModernEquator_m = 6378137;  // of GRS80 and WGS84, within a metre of each other
  if (std::abs(system.GetSemiMajor() - kModernEquator_m) < 1) return true;
  double shift[7];
  if (system.GetTOWGS84(shift) == OGRERR_NONE) return true;
  const GdalErrors unheard;
  OGRCoordinateTransformationOptions options;
  options.SetBallparkAllowed(false);
  OGRSpatialReference to = system, from;
  from.SetFromUserInput(kWgs84);
  to.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  from.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  const TransformationHandle way(OGRCreateCoordinateTransformation(&from, &to, options));
  double west = 5, south = 45, east = 18, north = 55;
  system.GetAreaOfUse(&west, &south, &east, &north, nullptr);
  double x = (west + east) / 2, y = (south + north) / 2;
  return way && way->Transform(1, &x, &y) && std::isfinite(x);
}

Result<CoordinateSystem> coordinate_system(const std::string& text) {
  OGRSpatialReference system;
  if (system.SetFromUserInput(text.c_str()) != OGRERR_NONE)
    return fail(FailureKind::invalid_input, "its coordinate reference system is not understood");
  if (!system.IsProjected() && !system.IsGeographic())
    return fail(FailureKind::invalid_input,
                "its coordinate reference system is not one of places on the earth");
  if (!states_its_datum(system)) return fail(FailureKind::invalid_input, kNoDatum);
  CoordinateSystem out;
  if (system.IsCompound()) {
    const char* name = system.GetAttrValue("COMPD_CS|VERT_CS");
    out.heights = name ? name : "";
    out.height_unit_m = system.GetTargetLinearUnits("VERT_CS");
    system.StripVertical();
  } else if (system.GetAxesCount() == 3) {
    out.heights = "ellipsoid";
  }
  system.DemoteTo2D(nullptr);
  out.wkt = wkt_of(system);
  constexpr double kSameUnit = 1e-9;
  out.in_map_metres = system.IsProjected() && std::abs(system.GetLinearUnits() - 1) < kSameUnit;
  return out;
}

void forget_coordinate_systems() {
  kept_systems().transformations = RecentCache<std::string, TransformationHandle>(kKeptTransformations);
  kept_systems().systems = RecentCache<std::string, SystemHandle>(kKeptSystems);
}

bool is_projected(const std::string& crs) {
  const SystemHandle system = parsed(crs);
  return system && system->IsProjected();
}

bool same_positions(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const SystemHandle one = parsed(a), other = parsed(b);
  if (!one || !other) return false;
  const char* const options[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES",
                                 "CRITERION=EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS", nullptr};
  return one->IsSame(other.get(), options) != 0;
}

std::string local_system(LonLat place) {
  const int zone = std::clamp(static_cast<int>(std::floor((place.lon_deg + 180) / 6)) + 1, 28, 38);
  OGRSpatialReference system;
  system.importFromEPSG(25800 + zone);
  return wkt_of(system);
}

TransformationHandle transformation_from_wgs84(const std::string& crs) {
  return transformation_between(kWgs84, crs);
}
TransformationHandle transformation_to_wgs84(const std::string& crs) {
  return transformation_between(crs, kWgs84);
}
TransformationHandle transformation_between(const std::string& from, const std::string& to) {
  const std::string both = from + '\n' + to;
  if (const TransformationHandle* known = kept_systems().transformations.find(both)) return *known;
  const SystemHandle one = parsed(from), other = parsed(to);
  if (!one || !other) return nullptr;
  TransformationHandle way(OGRCreateCoordinateTransformation(one.get(), other.get()));
  return way ? kept_systems().transformations.put(both, std::move(way)) : nullptr;
}

std::optional<Box> transformed(const Box& box, OGRCoordinateTransformation& transformation) {
  constexpr int kPointsPerEdge = 21;  // an edge is a curve in the other system
  Box out;
  if (!transformation.TransformBounds(box.min_x, box.min_y, box.max_x, box.max_y, &out.min_x, &out.min_y,
                                      &out.max_x, &out.max_y, kPointsPerEdge))
    return {};
  return out;
}

}  // namespace geo
