#include "geo/data/coordinate_system.hpp"

#include <ogr_spatialref.h>

#include <algorithm>
#include <cmath>

namespace geo {
namespace {

std::string wkt_of(const OGRSpatialReference& system) {
  char* text = nullptr;
  system.exportToWkt(&text);
  std::string wkt = text ? text : "";
  CPLFree(text);
  return wkt;
}

}  // namespace

Result<CoordinateSystem> coordinate_system(const std::string& text) {
  OGRSpatialReference system;
  if (system.SetFromUserInput(text.c_str()) != OGRERR_NONE)
    return fail(FailureKind::invalid_input, "its coordinate reference system is not understood");
  if (!system.IsProjected() && !system.IsGeographic())
    return fail(FailureKind::invalid_input,
                "its coordinate reference system is not one of places on the earth");
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

bool same_positions(const std::string& a, const std::string& b) {
  if (a == b) return true;
  OGRSpatialReference one, other;
  if (one.SetFromUserInput(a.c_str()) != OGRERR_NONE || other.SetFromUserInput(b.c_str()) != OGRERR_NONE)
    return false;
  const char* const options[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES",
                                 "CRITERION=EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS", nullptr};
  return one.IsSame(&other, options) != 0;
}

std::string local_system(LonLat place) {
  const int zone = std::clamp(static_cast<int>(std::floor((place.lon_deg + 180) / 6)) + 1, 28, 38);
  OGRSpatialReference system;
  system.importFromEPSG(25800 + zone);
  return wkt_of(system);
}

}  // namespace geo
