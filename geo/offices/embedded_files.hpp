// The recipes and the table of larger towns as the build puts them into the program (embed.cmake).
#pragma once
#include <cstddef>
#include <string_view>

namespace geo::offices {

struct EmbeddedBytes {
  const char* name;  ///< null: the end
  const char* bytes;
  std::size_t size;
};
const EmbeddedBytes* embedded_bytes();

/// Empty when there is none of that name.
inline std::string_view embedded_file(std::string_view name) {
  for (const EmbeddedBytes* file = embedded_bytes(); file->name; ++file)
    if (name == file->name) return {file->bytes, file->size};
  return {};
}

}  // namespace geo::offices
