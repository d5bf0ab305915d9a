// Vector data out of an office's ZIP, also out of ZIPs in it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "geo/failure.hpp"

namespace geo::offices {

/// GeoPackages, shapes and the like, unpacked into the folder, which is emptied first: they are read at
/// random, which a ZIP is slow at. Of shapes, which are called after their layers, only those of `layers`, if
/// there are any. Files get names of ours that end with the layer's. invalid_input when there are none; as
/// not_written() says (disk.hpp) when they cannot be written.
Result<std::vector<std::string>> unpacked(const std::filesystem::path& packet,
                                          const std::vector<std::string>& layers,
                                          const std::filesystem::path& folder);

}  // namespace geo::offices
