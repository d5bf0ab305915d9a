#include "http/api/digest.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>

namespace http {

std::string sha256_base64(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  std::array<unsigned char, 64> text{};
  const int length = EVP_EncodeBlock(text.data(), digest.data(), static_cast<int>(digest.size()));
  return {reinterpret_cast<const char*>(text.data()), static_cast<std::size_t>(length)};
}

}  // namespace http
