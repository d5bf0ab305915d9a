// The numbers, texts and lists in an address index's pages; their form stands in index.hpp.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "geo/addresses/pages.hpp"

namespace geo {

class ByteWriter {
 public:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>(value | 0x80U);
    bytes_ += static_cast<char>(value);
  }
  /// Small numbers of either sign take few bytes.
  void difference(std::int64_t value) {
    number(static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63));
  }
  void fixed(std::uint64_t value, int length) {
    for (; length > 0; --length, value >>= 8U) bytes_ += static_cast<char>(value & 0xFFU);
  }
  void text(std::string_view text) {
    number(text.size());
    bytes_ += text;
  }
  void ascending(const std::vector<std::uint32_t>& values) {
    number(values.size());
    std::uint32_t last = 0;
    for (const std::uint32_t value : values) {
      number(value - last);
      last = value;
    }
  }
  const std::string& bytes() const { return bytes_; }
  bool empty() const { return bytes_.empty(); }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

/// Never reads beyond the bytes: throws DamagedPages.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool at_end() const { return at_ == end_; }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(*take(1));
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    missing();
  }
  std::uint32_t small() { return static_cast<std::uint32_t>(number()); }
  std::int64_t difference() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
  }
  std::uint64_t fixed(int length) {
    const char* bytes = take(static_cast<std::size_t>(length));
    std::uint64_t value = 0;
    for (int i = length - 1; i >= 0; --i) value = value << 8U | static_cast<unsigned char>(bytes[i]);
    return value;
  }
  std::string_view text() {
    const auto length = static_cast<std::size_t>(number());
    return {take(length), length};
  }
  /// How many items follow; each has at least one byte.
  std::size_t count() {
    const std::uint64_t items = number();
    if (items > static_cast<std::uint64_t>(end_ - at_)) missing();
    return static_cast<std::size_t>(items);
  }
  void ascending(std::vector<std::uint32_t>& values) {
    const std::size_t items = count();
    values.resize(items);
    std::uint32_t last = 0;
    for (std::uint32_t& value : values) value = last += small();
  }

 private:
  [[noreturn]] static void missing() { throw DamagedPages("a page of an address index"); }
  const char* take(std::size_t length) {
    if (length > static_cast<std::size_t>(end_ - at_)) missing();
    const char* taken = at_;
    at_ += length;
    return taken;
  }
  const char *at_, *end_;
};

}  // namespace geo
