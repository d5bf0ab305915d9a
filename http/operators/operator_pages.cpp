#include "http/operators/operator_pages.hpp"

namespace http {
namespace {

constexpr auto kText = "text/plain; charset=utf-8";
constexpr auto kPrometheusText = "text/plain; version=0.0.4; charset=utf-8";

Response plain(int status, std::string text) {
  Response response{.status = status, .content_type = kText, .body = std::move(text) + "\n"};
  response.with("Cache-Control", "no-store");
  return response;
}

}  // namespace

Response operator_page(const Request& request, const OperatorSources& sources) {
  const bool known = request.path == "/metrics" || request.path == "/healthz" || request.path == "/readyz";
  if (!known) return plain(404, "/metrics, /healthz, /readyz");
  if (request.method != "GET" && request.method != "HEAD")
    return plain(405, "GET or HEAD").with("Allow", "GET, HEAD");
  if (request.path == "/healthz") return plain(200, "alive");
  if (request.path == "/readyz") {
    const auto fault = sources.fault();
    if (fault) return plain(503, *fault);
    const std::string note = sources.note ? sources.note() : std::string();
    return plain(200, note.empty() ? "ready" : "ready; " + note);
  }
  Response page{.content_type = kPrometheusText, .body = sources.metrics()};
  return page.with("Cache-Control", "no-store");
}

ServerHandlers operator_handlers(OperatorSources sources) {
  const auto shared = std::make_shared<const OperatorSources>(std::move(sources));
  return {
      .on_request = [shared](Request&& request,
                             Responder responder) { responder.send(operator_page(request, *shared)); },
      .on_fault =
          [](WireFault kind, const std::string&) {
            return kind == WireFault::too_large    ? plain(413, "too large")
                   : kind == WireFault::overloaded ? plain(503, "too many connections")
                                                   : plain(400, "malformed");
          },
      .on_silence = [](const std::string&) { return plain(500, "no answer"); },
  };
}

}  // namespace http
