#include "http/web/origin_check.hpp"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <charconv>
#include <locale>

namespace http {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool all_of_set(std::string_view text, std::string_view more) {
  return std::all_of(text.begin(), text.end(), [more](char c) {
    return is_letter_or_digit(c) || more.find(c) != std::string_view::npos;
  });
}

/// The field's value; empty when it is missing or empty. No browser sends such a field twice: two are joined,
/// so they match nothing.
std::string only_value(const Request& request, std::string_view name) {
  std::string value;
  bool seen = false;
  for (const auto& [n, v] : request.headers) {
    if (n != name) continue;
    if (seen) value += ',';
    value += v;
    seen = true;
  }
  return value;
}

bool is_host(std::string_view host) {
  if (host.starts_with('[')) return host.size() > 2 && host.ends_with(']') && all_of_set(host, "[]:.");
  return !host.empty() && all_of_set(host, ".-") && is_letter_or_digit(host.front());
}

/// A path of ours without its query: "/" or "/projekte/5/karte.csv". No segment begins with a dot or is
/// empty, nothing is encoded: so "//host", "/..//host" and "/%5chost" are none.
bool is_plain_path(std::string_view path) {
  if (!path.starts_with('/')) return false;
  if (path == "/") return true;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    if (segment.empty() || segment.front() == '.' || !all_of_set(segment, "-_.")) return false;
    path.remove_prefix(segment.size());
  }
  return true;
}

/// A query as forms write it. Its values are decoded later and by others, so control characters are refused
/// also when they are encoded.
bool is_form_query(std::string_view query) {
  if (!all_of_set(query, "*-._+%&=")) return false;
  Request decoded_query;
  read_target("/?" + std::string(query), decoded_query);
  const auto clean = [](const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return byte < 0x20 || byte == 0x7f;
    });
  };
  return decoded_query.well_formed &&
         std::all_of(decoded_query.query.begin(), decoded_query.query.end(),
                     [&clean](const auto& field) { return clean(field.first) && clean(field.second); });
}

}  // namespace

OriginCheck check_origin(const Request& request, std::string_view public_origin) {
  if (request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS")
    return OriginCheck::passed;
  // "none": the user's own doing, as a bookmark. "same-site" does not pass: another host of the domain need
  // not be ours.
  const std::string site = only_value(request, "sec-fetch-site");
  if (site == "same-origin" || site == "none") return OriginCheck::passed;
  if (!site.empty()) return OriginCheck::cross_site;
  const std::string origin = only_value(request, "origin");
  // Neither field was sent: no browser, or one from before 2020. A program such as curl has nobody else's
  // cookie; an old browser is covered by SameSite=Lax.
  if (origin.empty()) return OriginCheck::passed;
  // Go compares the hosts, for it does not know its scheme. We do. "null" (sandboxed frame, data: address,
  // page without referrer) is never ours.
  return origin == public_origin ? OriginCheck::passed : OriginCheck::foreign_origin;
}

std::optional<std::string> origin_of(std::string_view address) {
  const auto scheme_end = address.find("://");
  if (scheme_end == std::string_view::npos) return {};
  const std::string scheme =
      boost::to_lower_copy(std::string(address.substr(0, scheme_end)), std::locale::classic());
  if (scheme != "http" && scheme != "https") return {};
  std::string_view authority = address.substr(scheme_end + 3);
  authority = authority.substr(0, authority.find_first_of("/?#"));
  const auto bracket = authority.rfind(']');
  const auto colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const std::string_view host = authority.substr(0, colon);
  if (!is_host(host)) return {};
  std::string origin = scheme + "://" + boost::to_lower_copy(std::string(host), std::locale::classic());
  if (colon == std::string_view::npos) return origin;
  const std::string_view digits = authority.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size() || port == 0) return {};
  if (port != (scheme == "https" ? 443 : 80)) origin += ":" + std::to_string(port);
  return origin;
}

std::string passkey_host_of(std::string_view origin) {
  std::string_view host = origin.substr(origin.find("://") + 3);
  if (host.starts_with('[')) return {};
  host = host.substr(0, host.find(':'));
  const bool is_number = host.find_first_not_of("0123456789.") == std::string_view::npos;
  const bool is_safe = origin.starts_with("https://") || host == "localhost" || host.ends_with(".localhost");
  return is_number || !is_safe ? std::string() : std::string(host);
}

bool is_return_path(std::string_view path) {
  if (path.size() > kReturnPathMax) return false;
  const auto question = path.find('?');
  return is_plain_path(path.substr(0, question)) &&
         (question == std::string_view::npos || is_form_query(path.substr(question + 1)));
}

}  // namespace http
