// SHA-256 of files.
#pragma once
#include <string>
#include <string_view>

namespace geo {

/// Hexadecimal, lower case; empty when the file cannot be read. `file` is a descriptor; its position stays.
std::string sha256_of_file(int file);
std::string sha256_of(std::string_view bytes);

/// The same sum as offices write it: upper case, or as a multihash ("1220" before it).
std::string normal_sha256(std::string text);

}  // namespace geo
