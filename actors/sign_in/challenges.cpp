#include "actors/sign_in/challenges.hpp"

#include <sodium.h>

#include "actors/clock.hpp"
#include "actors/sign_in/secret.hpp"
#include "persistence/keys.hpp"

namespace actors {
namespace {

constexpr std::int64_t kHolds_ms = 5 * kMinute_ms;
constexpr std::size_t kRandomBytes = 16;
constexpr std::size_t kChallengeHeadBytes = kRandomBytes + 8;  // and when it expires

const unsigned char* bytes_at(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

Challenges::Challenges() : key_(random_bytes(crypto_auth_KEYBYTES)) {}

std::string Challenges::seal(std::uint64_t account, std::string_view head) const {
  const std::string sealed = persistence::number_key(account) + std::string(head);
  std::string seal(crypto_auth_BYTES, '\0');
  crypto_auth(reinterpret_cast<unsigned char*>(seal.data()), bytes_at(sealed), sealed.size(), bytes_at(key_));
  return seal;
}

std::string Challenges::make(std::uint64_t account, std::int64_t now_ms) const {
  const std::string head =
      random_bytes(kRandomBytes) + persistence::number_key(static_cast<std::uint64_t>(now_ms + kHolds_ms));
  return head + seal(account, head);
}

bool Challenges::holds(std::string_view challenge, std::uint64_t account, std::int64_t now_ms) const {
  if (challenge.size() != kChallengeHeadBytes + crypto_auth_BYTES || used_.contains(challenge)) return false;
  const std::string_view head = challenge.substr(0, kChallengeHeadBytes);
  const std::string right = seal(account, head);
  const auto expires_ms = static_cast<std::int64_t>(persistence::number_at(head, kRandomBytes));
  return sodium_memcmp(right.data(), challenge.data() + kChallengeHeadBytes, right.size()) == 0 &&
         now_ms < expires_ms;
}

bool Challenges::use(std::string_view challenge, std::uint64_t account, std::int64_t now_ms) {
  if (!holds(challenge, account, now_ms)) return false;
  std::erase_if(used_, [now_ms](const auto& one) { return one.second <= now_ms; });
  used_.emplace(challenge, now_ms + kHolds_ms);
  return true;
}

}  // namespace actors
