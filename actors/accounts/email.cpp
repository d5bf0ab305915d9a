#include "actors/accounts/email.hpp"

#include <algorithm>
#include <array>

namespace actors {
namespace {

constexpr std::size_t kLengthMax = 254;  // RFC 5321, 4.5.3.1.3

/// What comes with an address that is copied from a mail or a table: spaces, among them those that do not
/// break a line or have no width.
constexpr std::array<std::string_view, 4> kAround{" ", "\u00a0", "\u200b", "\ufeff"};

bool is_forbidden(char c) {
  constexpr std::string_view kForbidden = " \"(),:;<>[\\]\x7f";
  return static_cast<unsigned char>(c) < 0x20 || kForbidden.find(c) != std::string_view::npos;
}

}  // namespace

std::string_view without_spaces_around(std::string_view text) {
  const auto strip = [&text] {
    for (const std::string_view space : kAround) {
      if (text.starts_with(space)) return text.remove_prefix(space.size()), true;
      if (text.ends_with(space)) return text.remove_suffix(space.size()), true;
    }
    return false;
  };
  while (strip()) continue;
  return text;
}

std::optional<std::string> normal_email(std::string_view text) {
  std::string email(without_spaces_around(text));
  const auto at = email.find('@');
  const bool whole = at != std::string::npos && at == email.rfind('@') && at > 0 && at + 1 < email.size();
  if (!whole || email.size() > kLengthMax || std::any_of(email.begin(), email.end(), is_forbidden)) return {};
  std::transform(email.begin(), email.end(), email.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return email;
}

}  // namespace actors
