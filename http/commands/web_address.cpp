#include "http/commands/web_address.hpp"

#include <curl/curl.h>

#include <algorithm>
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

}  // namespace

std::optional<std::string> path_of_web_address(const std::string& text) {
  const bool odd =
      std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; });
  const Url url(curl_url(), curl_url_cleanup);
  if (odd || !url || curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) return {};
  const auto scheme = part(url, CURLUPART_SCHEME);
  const auto host = part(url, CURLUPART_HOST);
  if ((scheme != "http" && scheme != "https") || !host || host->empty()) return {};
  for (const CURLUPart never : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT})
    if (part(url, never)) return {};
  return part(url, CURLUPART_PATH).value_or("");
}

}  // namespace http
