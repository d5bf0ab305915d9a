// The keys of the tables: numbers as eight big-endian bytes, one after the other.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace persistence {

inline std::string number_key(std::uint64_t number) {
  std::string key(8, '\0');
  for (int i = 7; i >= 0; --i, number >>= 8)
    key[static_cast<std::size_t>(i)] = static_cast<char>(number & 0xff);
  return key;
}

inline std::uint64_t number_at(std::string_view key, std::size_t offset) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8 && offset + i < key.size(); ++i)
    number = number << 8 | static_cast<unsigned char>(key[offset + i]);
  return number;
}

/// For projects, runs, results.
inline std::string project_key(std::uint64_t account, std::uint64_t project) {
  return number_key(account) + number_key(project);
}

/// For addresses: the spelling as it was sent (normalised), and the house it was resolved to.
/// `used`: a test account has had its one project and has deleted it.
enum class AddressKind : char { spelling = 's', house = 'h', used = 'u' };
inline std::string address_key(std::uint64_t account, AddressKind kind, std::string_view text) {
  return number_key(account) + static_cast<char>(kind) + std::string(text);
}

/// For files that were saved for a project.
enum class FileKind : char { model = 'm', orthophoto = 'o' };
inline std::string file_key(std::uint64_t account, std::uint64_t project, FileKind kind) {
  return project_key(account, project) + static_cast<char>(kind);
}

inline std::string expiry_key(std::int64_t ended_ms, std::uint64_t account, std::uint64_t project) {
  return number_key(static_cast<std::uint64_t>(ended_ms)) + project_key(account, project);
}

/// For results that were moved aside.
inline std::string aside_key(std::uint64_t account, std::uint64_t project, std::int64_t when_ms) {
  return project_key(account, project) + number_key(static_cast<std::uint64_t>(when_ms));
}

}  // namespace persistence
