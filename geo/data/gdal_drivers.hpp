// What GDAL may open. It knows some two hundred formats, each with a parser of its own; a data server that
// sends something else than it should must not get to choose among them.
#pragma once
#include <array>
#include <string_view>

namespace geo {

/// By GDAL's names: the formats in which surveying offices publish heights, pictures and outlines, GDAL's own
/// ways to put them together (VRT), and what the program itself works in (MEM, Memory).
inline constexpr std::array<std::string_view, 20> kGdalDrivers = {
    "GTiff",      "COG",     "VRT",  "AAIGrid", "XYZ", "JPEG", "PNG",     "JP2OpenJPEG",
    "WCS",        "WMS",     "WMTS", "GPKG",    "CSV", "GML",  "GeoJSON", "ESRI Shapefile",
    "FlatGeobuf", "OGR_VRT", "MEM",  "Memory"};

}  // namespace geo
