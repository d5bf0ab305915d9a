#include "http/api/reply_rules.hpp"

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/trim.hpp>

namespace http {
namespace {

std::string_view trimmed(std::string_view text) { return boost::trim_copy_if(text, boost::is_any_of(" \t")); }

std::string_view header_of(const Response& response, std::string_view name) {
  for (const auto& [n, value] : response.headers)
    if (n == name) return value;
  return {};
}

/// The same answer for a client that already has its body.
void make_not_modified(Response& response) {
  response.status = 304;
  response.body.clear();
  response.shared_body.reset();
}

/// A public page keeps its own Cache-Control, unless it is an error or a key came in its URL.
void add_cache_rules(Response& response, const ReplyRules& rules) {
  const bool by_nobody = rules.key_in_url || (!rules.keyed && response.status >= 400);
  if (!by_nobody && !rules.keyed) return;
  std::erase_if(response.headers, [](const auto& field) { return field.first == "Cache-Control"; });
  response.with("Cache-Control", by_nobody ? "no-store" : "private, no-cache");
}

void add_origin(Response& response, const ReplyRules& rules) {
  if (rules.vary_origin) response.with("Vary", "Origin");
  if (rules.allow_origin.empty()) return;
  response.with("Access-Control-Allow-Origin", rules.allow_origin);
  response.with("Access-Control-Expose-Headers",
                "Allow, Content-Disposition, ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id");
}

}  // namespace

ReplyRules rules_of(const Request& request, bool keyed, const CorsPolicy& cors) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  return {keyed, request.parameter("schluessel").has_value(),
          reads ? request.list("if-none-match") : std::string(), cors.allowed_origin(request), cors.varies()};
}

bool names_etag(std::string_view if_none_match, std::string_view etag) {
  if (etag.empty()) return false;
  while (!if_none_match.empty()) {
    const auto comma = if_none_match.find(',');
    std::string_view tag = trimmed(if_none_match.substr(0, comma));
    if_none_match = comma == std::string_view::npos ? std::string_view() : if_none_match.substr(comma + 1);
    if (tag == "*") return true;
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    if (tag == etag) return true;
  }
  return false;
}

Response finished(Response response, const ReplyRules& rules) {
  if (response.status == 200 && names_etag(rules.if_none_match, header_of(response, "ETag")))
    make_not_modified(response);
  add_cache_rules(response, rules);
  add_origin(response, rules);
  return response;
}

}  // namespace http
