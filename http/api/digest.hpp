// SHA-256 in base64, as browsers and caches read it.
#pragma once
#include <string>
#include <string_view>

namespace http {

/// 44 characters.
std::string sha256_base64(std::string_view bytes);

}  // namespace http
