// From a file as an office sends it to a tile as the service reads it: checked against its name, unpacked,
// averaged, with a coordinate system. What is good as it comes stays as it comes.
#pragma once
#include <filesystem>

#include "geo/failure.hpp"
#include "geo/offices/recipe.hpp"
#include "geo/shapes/box.hpp"

namespace geo::offices {

struct MadeTile {
  Box bounds;         ///< in the stored system
  double cell_m = 0;  ///< in units of it
};

/// Makes `target` of `fetched`, or leaves nothing. `fetched` is used up when it can stay as it is; otherwise
/// it lies there as before. invalid_input, naming the file, for a raster in another system or place than its
/// name says and for one that is damaged. As not_written() says (disk.hpp) when the tile cannot be written.
Result<MadeTile> make_tile(const Source& source, const Box& square, const std::filesystem::path& fetched,
                           const std::filesystem::path& target);

}  // namespace geo::offices
