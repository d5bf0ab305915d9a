// A scene as bytes, to be stored with its analysis: CBOR (RFC 8949), one map
//   { "version": 1, "centre": [lon, lat], "area": [west, south, east, north],
//     "background": { "kind": "orthophoto" | "relief", "width": px, "height": px, "jpeg": bytes },
//     "ground": { "width": cells, "height": cells, "west": m, "north": m, "cell": m,
//                 "base": cm, "heights": [cm above base, row by row from the north] },
//     "buildings": [shape], "other_roofs": [{ "shape": shape, "height": m }],
//     "sources": [[kind, name, provider, licence, attribution, url, year or null, cell or null]] }
// where a shape is a list of rings (the outer one first) of x, y, x, y, ... Readers refuse a greater version.
#pragma once
#include <string>
#include <string_view>

#include "geo/drawing/scene.hpp"

namespace geo {

std::string scene_bytes(const PropertyScene& scene);

/// internal when the bytes are damaged or newer than this program.
Result<PropertyScene> scene_from_bytes(std::string_view bytes);

}  // namespace geo
