// The bytes as the build puts them into the program (embed.cmake).
#pragma once
#include <cstddef>

namespace http {

struct EmbeddedBytes {
  const char* name;  ///< null: the end
  const char* bytes;
  std::size_t size;
};
const EmbeddedBytes* embedded_bytes();

}  // namespace http
