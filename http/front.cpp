#include "http/front.hpp"

#include "http/errors.hpp"
#include "http/routes.hpp"

namespace http {

using actors::Code;

namespace {

constexpr std::string_view kVersionPath = "/api/v1";

/// The key as the contract takes it: the header wins over the URL.
std::string key_of(const Request& request) {
  std::string_view key = request.header("x-api-key").value_or("");
  if (key.empty()) key = request.parameter("schluessel").value_or("");
  return std::string(key);
}

}  // namespace

Front::Front(caf::actor_system& system, const actors::Service& service, const Links& links,
             const FrontOptions& options)
    : service_(service), links_(std::make_shared<const Links>(links)) {
  for (std::uint32_t i = 0; i < std::max(1U, options.askers); ++i)
    askers_.push_back(system.spawn<AskerActor>(links_, std::chrono::seconds(options.deadline_s)));
}

ServerHandlers Front::handlers() {
  return {
      [this](Request&& request, Responder responder) { handle(std::move(request), std::move(responder)); },
      [this](WireFault kind, const std::string& id) {
        switch (kind) {
          case WireFault::too_large: return failure(Code::anfrage_zu_gross, id);
          case WireFault::overloaded: return failure(Code::dienst_ueberlastet, id);
          case WireFault::malformed: break;
        }
        return failure(Code::anfrage_ungueltig, id);
      },
      [this](const std::string& id) { return failure(Code::interner_fehler, id); },
  };
}

void Front::stop() const {
  for (const Asker& asker : askers_) caf::anon_send_exit(asker, caf::exit_reason::user_shutdown);
}

void Front::handle(Request&& request, Responder responder) {
  const bool below_base = request.path.starts_with(kVersionPath);
  const std::string_view path = std::string_view(request.path).substr(below_base ? kVersionPath.size() : 0);
  const Routed routed = below_base ? find_route(request.method, path) : Routed{};
  if (routed.allowed.empty()) return responder.send(failure(Code::pfad_unbekannt, request.id));
  if (request.method == "OPTIONS") return responder.send(Response{.status = 204}.with("Allow", routed.allowed));
  if (!routed.route)
    return responder.send(failure(Code::methode_nicht_erlaubt, request.id).with("Allow", routed.allowed));
  const Route& route = *routed.route;
  if (route.page) return responder.send(route.page(*links_));
  ask({key_of(request), route.limit, route.command(request, routed.parameters)}, route.retry_at_least_s,
      std::move(responder));
}

void Front::ask(actors::Call call, int retry_at_least_s, Responder responder) {
  const auto* listing = caf::get_if<actors::ListProjects>(&call.command);
  const int page_limit = listing ? listing->limit : 0;
  auto accounts = service_.accounts_for(call.key);
  auto question = std::make_shared<Question>(
      Question{std::move(call), std::move(accounts), std::move(responder), retry_at_least_s, page_limit});
  caf::anon_send(askers_[turn_++ % askers_.size()], std::move(question));
}

Response Front::failure(Code code, const std::string& request_id) const {
  constexpr int kBusyRetry_s = 10;
  actors::Refusal refusal{.code = code};
  if (code == Code::dienst_ueberlastet) refusal.retry_after_s = kBusyRetry_s;
  return problem(refusal, *links_, request_id);
}

}  // namespace http
