// Which web pages of other origins may use the service from a browser (the Fetch standard's CORS). Off by
// default.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/wire/request.hpp"
#include "http/wire/response.hpp"

namespace http {

class CorsPolicy {
 public:
  /// Origins separated by commas, or "*"; empty: off.
  explicit CorsPolicy(std::string_view origins);

  /// The value of Access-Control-Allow-Origin for this request; empty: no such field.
  std::string allowed_origin(const Request& request) const;
  const std::vector<std::string>& origins() const { return origins_; }
  bool on() const { return any_ || !origins_.empty(); }
  /// True: the answer depends on the request's origin, and caches must know that.
  bool varies() const { return !any_ && !origins_.empty(); }

 private:
  bool any_ = false;
  std::vector<std::string> origins_;
};

bool is_preflight(const Request& request);

/// Adds the header fields that a preflight needs; `allowed` are the path's methods.
void answer_preflight(Response& response, const std::string& allowed);

}  // namespace http
