#include "http/web/security_headers.hpp"

#include <stdexcept>
#include <string_view>

#include "http/web/origin_check.hpp"

namespace http {
namespace {

/// A year, which is what browsers' preload lists ask for. Without subdomains: they need not be ours.
constexpr auto kStrictTransport = "max-age=31536000";

/// What our pages use (passkeys, the copy button, the 3D view's full screen), and off what could be asked of
/// the user in our name.
constexpr auto kPermissions =
    "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), geolocation=(), "
    "gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), xr-spatial-tracking=(), "
    "clipboard-write=(self), fullscreen=(self), publickey-credentials-create=(self), "
    "publickey-credentials-get=(self)";

void require_origin(const std::string& text) {
  if (origin_of(text) != text) throw std::invalid_argument("not an origin: " + text);
}

/// Nothing inline but pictures, and nothing of others, tiles aside. script-src 'self' is safe only as long as
/// no address of ours answers with a script that a user wrote; nosniff keeps uploads and JSON from being one.
std::string content_security_policy(const std::vector<std::string>& tile_origins) {
  std::string images =
      "img-src 'self' data:";  // the aerial image inside the overview; a picture runs nothing
  for (const std::string& origin : tile_origins) images += " " + origin;
  return "default-src 'none'; script-src 'self'; style-src 'self'; " + images +
         "; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
}

}  // namespace

SecurityHeaders::SecurityHeaders(const PageSecurityOptions& options) {
  require_origin(options.public_origin);
  for (const std::string& origin : options.tile_origins) require_origin(origin);
  fields_ = {
      {"Content-Security-Policy", content_security_policy(options.tile_origins)},
      // Not no-referrer: with it browsers send "Origin: null" with our own forms (Fetch standard, "append a
      // request Origin header"), and check_origin needs that field where Sec-Fetch-Site is missing: in older
      // browsers and over plain http. Other sites learn as little from this one. wire_bytes writes
      // no-referrer before it; of two policies the last one holds (Referrer Policy, 8.1).
      {"Referrer-Policy", "same-origin"},
      {"Permissions-Policy", kPermissions},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
  // Over plain http browsers ignore it, and on loopback it would lock out the other services of the machine.
  if (options.public_origin.starts_with("https://"))
    fields_.emplace_back("Strict-Transport-Security", kStrictTransport);
}

void SecurityHeaders::add_to(Response& response) const {
  // One cache rule: of two, a cache may follow the other.
  std::erase_if(response.headers, [](const auto& field) { return field.first == "Cache-Control"; });
  response.headers.insert(response.headers.end(), fields_.begin(), fields_.end());
}

}  // namespace http
