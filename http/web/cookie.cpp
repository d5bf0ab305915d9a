#include "http/web/cookie.hpp"

#include <algorithm>
#include <stdexcept>

#include "http/web/origin_check.hpp"

namespace http {
namespace {

/// With the prefix a browser takes the cookie only over https, for this host alone and for every path. So no
/// other host of the domain can plant one (session fixation).
std::string_view cookie_name(SessionCookieOptions options) {
  return options.secure ? "__Host-sitzung" : "sitzung";
}

std::string_view way_cookie_name(SessionCookieOptions options) {
  return options.secure ? "__Host-weiter" : "weiter";
}

/// Space and tab only. Servers that strip more (U+00A0, U+2000) take a name for the prefixed one that the
/// browser did not.
std::string_view without_blanks(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string attributes(std::chrono::seconds lifetime, SessionCookieOptions options) {
  std::string text = "; Path=/; Max-Age=" + std::to_string(std::max<std::int64_t>(0, lifetime.count()));
  if (options.secure) text += "; Secure";
  return text + "; HttpOnly; SameSite=Lax";
}

/// The value of the request's one cookie of this name. Of two, one is somebody else's, and nothing says
/// which.
std::optional<std::string_view> only_cookie(const Request& request, std::string_view wanted) {
  std::optional<std::string_view> found;
  for (const auto& [name, value] : request.headers) {
    if (name != "cookie") continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      // Quotes hide no semicolon: browsers know none, and a reader that honours them can be made to take one
      // cookie's text for a part of another ("cookie sandwich").
      const auto end = rest.find(';');
      const std::string_view pair = rest.substr(0, end);
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
      const auto equals = pair.find('=');
      if (equals == std::string_view::npos || without_blanks(pair.substr(0, equals)) != wanted) continue;
      if (found) return {};
      found = without_blanks(pair.substr(equals + 1));
    }
  }
  return found;
}

}  // namespace

bool is_session_id(std::string_view text) {
  return !text.empty() && text.size() <= kSessionIdMax && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::optional<std::string> session_id_of(const Request& request, SessionCookieOptions options) {
  const auto id = only_cookie(request, cookie_name(options));
  return id && is_session_id(*id) ? std::optional<std::string>(*id) : std::nullopt;
}

bool has_session_cookie(const Request& request, SessionCookieOptions options) {
  return only_cookie(request, cookie_name(options)).has_value();
}

std::string set_session_cookie(std::string_view id, std::chrono::seconds lifetime,
                               SessionCookieOptions options) {
  if (!is_session_id(id)) throw std::invalid_argument("not a session's id");
  return std::string(cookie_name(options)) + "=" + std::string(id) + attributes(lifetime, options);
}

std::string clear_session_cookie(SessionCookieOptions options) {
  // With the same attributes: a browser refuses a prefixed cookie without them, also to delete it.
  return std::string(cookie_name(options)) + "=" + attributes(std::chrono::seconds(0), options);
}

std::optional<std::string> way_of(const Request& request, SessionCookieOptions options) {
  const auto way = only_cookie(request, way_cookie_name(options));
  return way && is_return_path(*way) ? std::optional<std::string>(*way) : std::nullopt;
}

std::optional<std::string> set_way_cookie(std::string_view path, std::chrono::seconds lifetime,
                                          SessionCookieOptions options) {
  // What a cookie's value cannot hold (RFC 6265, 4.1.1); the rest of it is in no return path.
  if (!is_return_path(path) || path.find_first_of(",;") != std::string_view::npos) return {};
  return std::string(way_cookie_name(options)) + "=" + std::string(path) + attributes(lifetime, options);
}

}  // namespace http
