#include "actors/geocoding/http_get.hpp"

#include <curl/curl.h>

#include <memory>
#include <mutex>

namespace actors {
namespace {

constexpr std::size_t kBodyMax = 1 << 20;
constexpr long kRedirectsMax = 3;

struct CurlCloser {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
using Curl = std::unique_ptr<CURL, CurlCloser>;

Curl new_curl() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  return Curl(curl_easy_init());
}

/// curl gives up when this returns less than `size * count`.
std::size_t take(const char* bytes, std::size_t size, std::size_t count, void* target) {
  auto& body = *static_cast<std::string*>(target);
  if (body.size() + size * count > kBodyMax) return 0;
  body.append(bytes, size * count);
  return size * count;
}

std::string percent_encoded(const std::string& text) {
  std::string out;
  constexpr char kHex[] = "0123456789ABCDEF";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '.' ||
        c == '_' || c == '~')
      out += c;
    else
      (out += '%') += {kHex[byte >> 4], kHex[byte & 15]};
  }
  return out;
}

}  // namespace

tl::expected<HttpReply, std::string> http_get(const std::string& url, const HttpGetOptions& options) {
  const Curl curl = new_curl();
  if (!curl) return tl::make_unexpected(std::string("curl cannot start"));
  HttpReply reply;
  CURL* const handle = curl.get();
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(handle, CURLOPT_MAXREDIRS, kRedirectsMax);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_timeout.count()));
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(options.timeout.count()));
  curl_easy_setopt(handle, CURLOPT_USERAGENT, options.user_agent.c_str());
  curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &reply.body);
  if (const CURLcode fault = curl_easy_perform(handle); fault != CURLE_OK)
    return tl::make_unexpected(std::string(curl_easy_strerror(fault)));
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &reply.status);
  curl_off_t wait_s = 0;
  if (curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &wait_s) == CURLE_OK && wait_s > 0)
    reply.retry_after = std::chrono::seconds(wait_s);
  return reply;
}

std::string with_query(const std::string& base,
                       const std::vector<std::pair<std::string, std::string>>& parameters) {
  std::string url = base;
  char separator = base.find('?') == std::string::npos ? '?' : '&';
  for (const auto& [name, value] : parameters) {
    url += separator + name + "=" + percent_encoded(value);
    separator = '&';
  }
  return url;
}

}  // namespace actors
