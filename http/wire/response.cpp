#include "http/wire/response.hpp"

#include <array>
#include <ctime>
#include <string_view>

namespace http {
namespace {

using namespace std::string_view_literals;

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

/// IMF-fixdate, formatted once a second in each thread.
const std::string& http_date() {
  thread_local std::time_t made_for = 0;
  thread_local std::string text;
  const std::time_t now = std::time(nullptr);
  if (now != made_for) {
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 40> buffer{};
    text.assign(buffer.data(),
                std::strftime(buffer.data(), buffer.size(), "%a, %d %b %Y %H:%M:%S GMT", &utc));
    made_for = now;
  }
  return text;
}

}  // namespace

std::string wire_bytes(const Response& response, bool head, bool keep_alive) {
  const std::string& body = response.text();
  std::string bytes;
  bytes.reserve(body.size() + 512);
  const auto field = [&bytes](std::string_view name, std::string_view value) {
    bytes.append(name).append(": "sv).append(value).append("\r\n"sv);
  };
  bytes.append("HTTP/1.1 "sv)
      .append(std::to_string(response.status))
      .append(" "sv)
      .append(reason(response.status));
  bytes.append("\r\n"sv);
  field("Date", http_date());
  field("Connection", keep_alive ? "keep-alive" : "close");
  bytes.append("X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"sv);
  for (const auto& [name, value] : response.headers) field(name, value);
  const bool has_body = response.status != 204 && response.status != 304;
  if (has_body) {
    field("Content-Type", response.content_type);
    field("Content-Length", std::to_string(body.size()));
  }
  bytes.append("\r\n"sv);
  if (has_body && !head) bytes.append(body);
  return bytes;
}

}  // namespace http
