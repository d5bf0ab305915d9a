// Whether a request comes from our own pages (cross-site request forgery), and whether a redirect stays on
// them.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "http/wire/request.hpp"

namespace http {

enum class OriginCheck {
  passed,
  cross_site,      ///< the browser says so in Sec-Fetch-Site
  foreign_origin,  ///< an older browser's Origin is not ours
};

/// Checks as Go's CrossOriginProtection (1.25) does, without tokens. `public_origin` is the pages' own, as
/// origin_of makes it. GET, HEAD and OPTIONS always pass: they must change nothing.
OriginCheck check_origin(const Request& request, std::string_view public_origin);

/// The origin of an http or https address as browsers write it in Origin: "https://dach.example:8443". Lower
/// case, without the scheme's own port, path and query. Nothing for another text, and for a host that is not
/// ASCII: browsers send such a host encoded (xn--).
std::optional<std::string> origin_of(std::string_view address);

/// The host that browsers bind passkeys to: a name, over https or on the own machine (Web Authentication
/// Level 3, 5.1.3). Empty for another origin.
std::string passkey_host_of(std::string_view origin);

inline constexpr std::size_t kReturnPathMax = 4096;

/// Whether a redirect to `path` stays on our pages: a path and perhaps a query, written as our pages write
/// them. For `weiter`, which says where to go after the sign-in and which anybody can put into a link.
bool is_return_path(std::string_view path);

}  // namespace http
