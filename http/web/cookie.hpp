// The cookies: of the session, and of the way that a sign-up interrupts. Read from a request, set and cleared
// by an answer (RFC 6265).
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "http/wire/request.hpp"

namespace http {

struct SessionCookieOptions {
  /// False: for development over plain http on loopback, where a browser keeps no Secure cookie. The name
  /// then has no prefix, and no request can mix up the two cookies.
  bool secure = true;
};

inline constexpr std::size_t kSessionIdMax = 128;

/// Whether a text can be a session's id: 1 to kSessionIdMax of A-Z, a-z, 0-9, "-", "_" (base64url, hex).
bool is_session_id(std::string_view text);

/// The id that the request's cookie names. None: no such cookie, more than one, or a value that is no id.
std::optional<std::string> session_id_of(const Request& request, SessionCookieOptions options = {});

/// Whether the browser was signed in here before, though perhaps no longer.
bool has_session_cookie(const Request& request, SessionCookieOptions options = {});

/// The value of Set-Cookie that begins or prolongs a session. Throws std::invalid_argument for a text that is
/// no id, which is a programming error.
std::string set_session_cookie(std::string_view id, std::chrono::seconds lifetime,
                               SessionCookieOptions options = {});

/// The value of Set-Cookie that makes the browser forget the session.
std::string clear_session_cookie(SessionCookieOptions options = {});

/// Where somebody who signs up was going: the browser keeps it until the mail's link is followed. None: no
/// such cookie, or it is no return path.
std::optional<std::string> way_of(const Request& request, SessionCookieOptions options = {});

/// The value of Set-Cookie that keeps it; none for what is no return path.
std::optional<std::string> set_way_cookie(std::string_view path, std::chrono::seconds lifetime,
                                          SessionCookieOptions options = {});

}  // namespace http
