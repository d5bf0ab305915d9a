// Damaged results that were moved aside: writes their bytes to files for examination.
#pragma once
#include <cstdint>
#include <string>
#include <tl/expected.hpp>

#include "persistence/store.hpp"

namespace http {

/// Writes each into a file of its own, `directory`/PROJECT-WHEN.result, WHEN in ms since 1970 (mode 0600);
/// makes the directory. The text names the files, one a line. The error is a sentence: nothing was moved
/// aside, a file exists already or cannot be written.
tl::expected<std::string, std::string> export_aside(const persistence::Store& store, std::uint64_t account,
                                                    std::uint64_t project, const std::string& directory);

}  // namespace http
