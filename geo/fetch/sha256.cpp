#include "geo/fetch/sha256.hpp"

#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <vector>

#include "geo/lower_case.hpp"

namespace geo {
namespace {

constexpr std::size_t kHexDigits = 64;

struct DigestCloser {
  void operator()(EVP_MD_CTX* digest) const { EVP_MD_CTX_free(digest); }
};

class Digest {
 public:
  Digest() : digest_(EVP_MD_CTX_new()) { EVP_DigestInit_ex(digest_.get(), EVP_sha256(), nullptr); }
  void add(std::string_view bytes) { EVP_DigestUpdate(digest_.get(), bytes.data(), bytes.size()); }
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
    unsigned int size = 0;
    EVP_DigestFinal_ex(digest_.get(), sum.data(), &size);
    constexpr char kHex[] = "0123456789abcdef";
    std::string text;
    for (unsigned int i = 0; i < size; ++i) text += {kHex[sum[i] >> 4], kHex[sum[i] & 15]};
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, DigestCloser> digest_;
};

}  // namespace

std::string sha256_of(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.hex();
}

std::string sha256_of_file(int file) {
  Digest digest;
  std::vector<char> piece(1 << 20);
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(file, piece.data(), piece.size(), at);
    if (got < 0) return {};
    if (got == 0) return digest.hex();
    digest.add({piece.data(), static_cast<std::size_t>(got)});
    at += got;
  }
}

std::string normal_sha256(std::string text) {
  text = lower_case(text);
  return text.size() == kHexDigits + 4 && text.starts_with("1220") ? text.substr(4) : text;
}

}  // namespace geo
