// Questions that a browser answers with a passkey. A question carries a seal of this process instead of being
// remembered, so that nobody fills the memory by asking; only answered ones are, until they would expire
// anyway.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace actors {

class Challenges {
 public:
  Challenges();

  /// Random bytes for the account that makes a passkey, or for anybody who signs in (0).
  std::string make(std::uint64_t account, std::int64_t now_ms) const;
  /// Whether it was made for that, is not too old and has not been used.
  bool holds(std::string_view challenge, std::uint64_t account, std::int64_t now_ms) const;
  /// The same, and from now on it is used. Only after its answer was found right.
  bool use(std::string_view challenge, std::uint64_t account, std::int64_t now_ms);

 private:
  std::string seal(std::uint64_t account, std::string_view head) const;

  std::string key_;
  std::map<std::string, std::int64_t, std::less<>> used_;  ///< until when they would have held
};

}  // namespace actors
