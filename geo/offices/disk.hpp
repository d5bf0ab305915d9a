// What the disk says of the files that we write.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "geo/failure.hpp"

namespace geo::offices {

/// "FILE: cannot be written" and why; `error`: an errno, 0: not known. invalid_input with no_room where that
/// is why, else internal: no office and no file of one is to blame.
tl::unexpected<Failure> not_written(const std::filesystem::path& file, int error);

/// For who could not write so many bytes and is not told why, as GDAL's callers are: the errno of writing
/// them, which is tried and undone; 0 when it goes well.
int error_of_writing(const std::filesystem::path& folder, std::uint64_t bytes);

/// Waits until files, and the names that they have in their folders, are on the disk: from then on a power
/// cut takes none of them. Fails as not_written() says.
Result<void> bring_to_disk(const std::vector<std::filesystem::path>& files);

}  // namespace geo::offices
