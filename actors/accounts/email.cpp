#include "actors/accounts/email.hpp"

#include <algorithm>

namespace actors {
namespace {

constexpr std::size_t kLengthMax = 254;  // RFC 5321, 4.5.3.1.3

std::string_view without_spaces_around(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

bool is_forbidden(char c) {
  constexpr std::string_view kForbidden = " \"(),:;<>[\\]\x7f";
  return static_cast<unsigned char>(c) < 0x20 || kForbidden.find(c) != std::string_view::npos;
}

}  // namespace

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
