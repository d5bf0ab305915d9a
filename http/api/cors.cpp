#include "http/api/cors.hpp"

#include <algorithm>

namespace http {

CorsPolicy::CorsPolicy(std::string_view origins) {
  while (!origins.empty()) {
    const auto comma = origins.find(',');
    std::string origin(origins.substr(0, comma));
    origins = comma == std::string_view::npos ? std::string_view() : origins.substr(comma + 1);
    std::erase(origin, ' ');
    any_ |= origin == "*";
    if (!origin.empty()) origins_.push_back(std::move(origin));
  }
}

std::string CorsPolicy::allowed_origin(const Request& request) const {
  const auto origin = request.header("origin");
  if (!origin) return {};
  if (any_) return "*";
  const bool known = std::find(origins_.begin(), origins_.end(), *origin) != origins_.end();
  return known ? std::string(*origin) : std::string();
}

bool is_preflight(const Request& request) {
  return request.method == "OPTIONS" && request.header("origin") &&
         request.header("access-control-request-method");
}

void answer_preflight(Response& response, const std::string& allowed) {
  response.with("Access-Control-Allow-Methods", allowed);
  response.with("Access-Control-Allow-Headers", "X-API-Key, Content-Type, If-None-Match");
  response.with("Access-Control-Max-Age", "600");
}

}  // namespace http
