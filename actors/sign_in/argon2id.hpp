// A password's hash by argon2id (RFC 9106, one lane; libargon2), in memory that its thread keeps for the next
// one, and in huge pages. In small ones 64 MB are 16,384 pages: the system needs longer to hand them out and
// take them back than the hash takes, and holds up the process's other threads meanwhile. Many systems give
// huge pages only to those who ask. libsodium does not ask, and it takes new memory for each hash.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace actors {

/// What a guess costs; the memory is taken once for every password that is being hashed.
struct PasswordCost {
  std::size_t memory_bytes = 64 * 1024 * 1024;  ///< at least 8,192; in whole KiB
  std::uint64_t passes = 2;                     ///< over that memory; with 64 MiB about 80 ms of one core
};

using Salt = std::array<std::uint8_t, 16>;
using HashBytes = std::array<std::uint8_t, 32>;

/// Nothing at a cost that argon2id does not know, or when the memory is not to be had. The memory that is
/// kept holds nothing of the password.
std::optional<HashBytes> argon2id(std::span<const char> password, const Salt& salt, PasswordCost cost);

/// Gives back what this thread keeps. Its end does so too.
void give_back_hash_memory();

}  // namespace actors
