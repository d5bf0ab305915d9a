#include "geo/fetch/url.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "geo/lower_case.hpp"

namespace geo {
namespace {

struct UrlCloser {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using UrlHandle = std::unique_ptr<CURLU, UrlCloser>;

std::string part_of(CURLU* url, CURLUPart part, unsigned int flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return {};
  std::string copy(text);
  curl_free(text);
  return copy;
}

/// Names of parameters whose value lets somebody in.
bool is_secret(const std::string& name) {
  constexpr std::array<std::string_view, 7> kSecrets{"key",    "token",     "secret", "password",
                                                     "passwd", "signature", "auth"};
  const std::string low = lower_case(name);
  return low == "sig" || std::any_of(kSecrets.begin(), kSecrets.end(), [&](std::string_view word) {
           return low.find(word) != std::string::npos;
         });
}

std::string without_secrets(const std::string& query) {
  std::string out;
  for (std::size_t begin = 0; begin <= query.size();) {
    const std::size_t end = std::min(query.find('&', begin), query.size());
    const std::string field = query.substr(begin, end - begin);
    const std::size_t equals = field.find('=');
    if (begin > 0) out += '&';
    out += equals != std::string::npos && is_secret(field.substr(0, equals))
               ? field.substr(0, equals + 1) + "***"
               : field;
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::string shown_url(const std::string& text) {
  if (text.find("://") == std::string::npos) return text;
  std::string shown = text.substr(0, text.find('#'));
  const std::size_t scheme = shown.find("//");
  const std::size_t host = scheme == std::string::npos ? 0 : scheme + 2;
  const std::size_t end = std::min(shown.find_first_of("/?", host), shown.size());
  if (const std::size_t at = shown.rfind('@', end); at != std::string::npos && at >= host && at < end)
    shown.erase(host, at + 1 - host);
  if (const std::size_t query = shown.find('?'); query != std::string::npos)
    shown = shown.substr(0, query + 1) + without_secrets(shown.substr(query + 1));
  // One line, whatever a listing has in its links.
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  constexpr std::size_t kLongest = 300;
  return shown.size() <= kLongest ? shown : shown.substr(0, kLongest) + "...";
}

std::optional<Url> parse_url(const std::string& text) {
  const UrlHandle url(curl_url());
  if (!url || text.find('\0') != std::string::npos ||
      curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_URLENCODE | CURLU_ALLOW_SPACE) != CURLUE_OK)
    return {};
  const std::string scheme = part_of(url.get(), CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") return {};
  curl_url_set(url.get(), CURLUPART_FRAGMENT, nullptr, 0);
  Url parsed{part_of(url.get(), CURLUPART_URL), lower_case(part_of(url.get(), CURLUPART_HOST)), {}, {}};
  parsed.place = scheme + "://" + parsed.host + ":" + part_of(url.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
  parsed.shown = shown_url(parsed.text);
  if (parsed.host.empty()) return {};
  return parsed;
}

}  // namespace geo
