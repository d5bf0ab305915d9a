// Outlines as offices send them, in packets and with much beside them, as one GeoPackage of polygons with a
// spatial index.
#pragma once
#include <filesystem>
#include <vector>

#include "geo/failure.hpp"
#include "geo/offices/recipe.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/box.hpp"

namespace geo::offices {

struct JoiningFailure : Failure {
  std::filesystem::path packet;  ///< whose fault it is; empty: no single one's
};

/// Polygons alone, without columns, of `source.layer` where `source.where` holds, in `source.crs`; with
/// `window_deg` (WGS84) only those that touch it. Made beside `target` and renamed. `workplace`: a folder for
/// what is unpacked meanwhile. invalid_input, naming the packet, for one that cannot be read to its end or
/// has no such layer or column, and when nothing is left; as not_written() says (disk.hpp); cancelled when it
/// was.
tl::expected<std::size_t, JoiningFailure> join_outlines(
    const Source& source, const std::vector<std::filesystem::path>& packets, const Box* window_deg,
    const std::filesystem::path& workplace, const std::filesystem::path& target, const RunControl& control);

}  // namespace geo::offices
