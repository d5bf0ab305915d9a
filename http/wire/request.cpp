#include "http/wire/request.hpp"

#include <simdjson.h>

#include <algorithm>

namespace http {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Percent-decoding (RFC 3986). In a query "+" is a space, as forms send it. Nothing for a broken escape, a
/// NUL or broken UTF-8.
std::optional<std::string> decoded(std::string_view text, bool plus_is_space) {
  constexpr std::size_t kEscape = 3;
  std::string out;
  for (;;) {
    const auto special = std::min(text.find_first_of(plus_is_space ? "%+" : "%"), text.size());
    out += text.substr(0, special);
    text.remove_prefix(special);
    if (text.empty()) break;
    if (text[0] == '+') {
      out += ' ';
      text.remove_prefix(1);
      continue;
    }
    const bool whole = text.size() >= kEscape;
    const int high = whole ? hex_digit(text[1]) : -1;
    const int low = whole ? hex_digit(text[2]) : -1;
    if (high < 0 || low < 0 || high * 16 + low == 0) return {};
    out += static_cast<char>(high * 16 + low);
    text.remove_prefix(kEscape);
  }
  if (!simdjson::validate_utf8(out)) return {};
  return out;
}

}  // namespace

void read_target(std::string_view target, Request& request) {
  // Absolute form (RFC 9112, 3.2.2): only the path counts.
  if (const auto scheme = target.find("://"); !target.starts_with('/') && scheme != std::string_view::npos) {
    const auto slash = target.find('/', scheme + 3);
    target = slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
  }
  target = target.substr(0, target.find('#'));
  const auto question = target.find('?');
  const std::string_view raw_path = target.substr(0, question);
  // An encoded slash is no separator, and no segment of ours contains a slash. An empty path is no resource.
  const bool disguised =
      raw_path.find("%2F") != std::string_view::npos || raw_path.find("%2f") != std::string_view::npos;
  request.path = disguised ? std::string() : decoded(raw_path, false).value_or(std::string());
  if (question == std::string_view::npos) return;
  std::string_view rest = target.substr(question + 1);
  while (!rest.empty()) {
    const auto end = rest.find('&');
    const std::string_view pair = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (pair.empty()) continue;
    const auto equals = pair.find('=');
    const auto name = decoded(pair.substr(0, equals), true);
    const auto value =
        decoded(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
    if (name && value)
      request.query.emplace_back(*name, *value);
    else
      request.well_formed = false;
  }
}

}  // namespace http
