// An answer before it is bytes.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace http {

inline constexpr auto kJson = "application/json; charset=utf-8";
inline constexpr auto kProblemJson = "application/problem+json";

struct Response {
  int status = 200;
  std::string content_type = kJson;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::shared_ptr<const std::string> shared_body;  ///< replaces `body`: text that a cache shares

  const std::string& text() const { return shared_body ? *shared_body : body; }
  Response& with(std::string name, std::string value) {
    headers.emplace_back(std::move(name), std::move(value));
    return *this;
  }
};

/// The bytes on the wire (RFC 9112). `head`: the same header fields, no body. Adds Date, Content-Length and
/// the fields every answer has.
std::string wire_bytes(const Response& response, bool head, bool keep_alive);

}  // namespace http
