#include "http/commands/web_address.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string_view>

namespace http {
namespace {

using Url = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

/// One part of the URL; nothing when it is missing.
std::optional<std::string> part(const Url& url, CURLUPart which) {
  char* text = nullptr;
  if (curl_url_get(url.get(), which, &text, 0) != CURLUE_OK) return {};
  const std::unique_ptr<char, decltype(&curl_free)> owner(text, curl_free);
  return std::string(text);
}

/// An absolute URL of one of the schemes, with a host and without user, query and fragment; null for any
/// other text.
Url plain_url(const std::string& text, std::initializer_list<const char*> schemes) {
  const auto none = [] { return Url(nullptr, curl_url_cleanup); };
  const bool odd =
      std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; });
  Url url(curl_url(), curl_url_cleanup);
  if (odd || !url || curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) return none();
  const auto scheme = part(url, CURLUPART_SCHEME);
  const auto host = part(url, CURLUPART_HOST);
  if (!host || host->empty() || std::find(schemes.begin(), schemes.end(), scheme) == schemes.end())
    return none();
  for (const CURLUPart never : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT})
    if (part(url, never)) return none();
  return url;
}

}  // namespace

std::optional<std::string> path_of_web_address(const std::string& text) {
  const Url url = plain_url(text, {"http", "https"});
  if (!url) return {};
  return part(url, CURLUPART_PATH).value_or("");
}

bool is_mail_server(const std::string& text) { return plain_url(text, {"smtp", "smtps"}) != nullptr; }

}  // namespace http
