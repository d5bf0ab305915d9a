// What a browser is told about every page of a session: what it may load, send and keep.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "http/wire/response.hpp"

namespace http {

struct PageSecurityOptions {
  std::string public_origin;              ///< the pages' own, as origin_of makes it
  std::vector<std::string> tile_origins;  ///< of configured map tiles: their pictures may be loaded
};

/// Made once, at the start.
class SecurityHeaders {
 public:
  /// Throws std::invalid_argument for an origin that origin_of would write otherwise: in the policy a space
  /// or a semicolon more would be another rule.
  explicit SecurityHeaders(const PageSecurityOptions& options);

  /// Adds the fields. X-Content-Type-Options is not among them: wire_bytes gives it to every answer.
  void add_to(Response& response) const;

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

}  // namespace http
