// The parts of a finished answer that depend on the request: who may store it, whether the client already has
// it, which web pages may read it.
#pragma once
#include <string>
#include <string_view>

#include "http/api/cors.hpp"
#include "http/wire/request.hpp"
#include "http/wire/response.hpp"

namespace http {

struct ReplyRules {
  bool keyed = false;         ///< the answer belongs to an account: no shared cache may store it
  bool key_in_url = false;    ///< no cache at all may store it
  std::string if_none_match;  ///< as sent
  std::string allow_origin;   ///< empty: no other origin may read it
  bool vary_origin = false;
};

ReplyRules rules_of(const Request& request, bool keyed, const CorsPolicy& cors);

/// The answer as it is sent.
Response finished(Response response, const ReplyRules& rules);

/// Whether an If-None-Match header field names this ETag (RFC 9110, 13.1.2: weak comparison).
bool names_etag(std::string_view if_none_match, std::string_view etag);

}  // namespace http
