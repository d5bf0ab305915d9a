#include "http/api/reception.hpp"

#include "http/api/errors.hpp"

namespace http {

using actors::Code;

namespace {

constexpr std::string_view kVersionPath = "/api/v1";

}  // namespace

Reception::Reception(const PageContext& context, std::string_view cors_origins)
    : links_(context.links), pages_(context), cors_(cors_origins) {}

Routed Reception::route(const Request& request) {
  const std::string_view path = request.path;
  if (!path.starts_with(kVersionPath)) return {};
  return find_route(request.method, path.substr(kVersionPath.size()));
}

std::optional<Response> Reception::answer(const Request& request, const Routed& routed) const {
  // OPTIONS * asks about the server as a whole (RFC 9110, 9.3.7).
  if (request.method == "OPTIONS" && request.path == "*")
    return Response{.status = 204}.with("Allow", allowed_anywhere());
  if (routed.allowed.empty()) return failure(Code::pfad_unbekannt, request.id);
  if (request.method == "OPTIONS") {
    Response options{.status = 204};
    options.with("Allow", std::string(routed.allowed));
    if (is_preflight(request) && !cors_.allowed_origin(request).empty())
      answer_preflight(options, std::string(routed.allowed));
    return options;
  }
  if (!routed.route)
    return failure(Code::methode_nicht_erlaubt, request.id).with("Allow", std::string(routed.allowed));
  return {};
}

Response Reception::page(const Route& route) const { return pages_.of(route); }

Response Reception::failure(Code code, const std::string& request_id) const {
  constexpr int kBusyRetry_s = 10;
  actors::Refusal refusal{.code = code};
  if (code == Code::dienst_ueberlastet) refusal.retry_after_s = kBusyRetry_s;
  return problem(refusal, links_, request_id);
}

std::string key_of(const Request& request) {
  std::string_view key = request.header("x-api-key").value_or("");
  if (key.empty()) key = request.parameter("schluessel").value_or("");
  return std::string(key);
}

}  // namespace http
