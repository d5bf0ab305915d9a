#include "http/api/front.hpp"

namespace http {

using actors::Code;

namespace {

Code code_of(WireFault kind) {
  switch (kind) {
    case WireFault::too_large:
      return Code::anfrage_zu_gross;
    case WireFault::too_slow:
      return Code::anfrage_zu_langsam;
    case WireFault::overloaded:
      return Code::dienst_ueberlastet;
    case WireFault::malformed:
      break;
  }
  return Code::anfrage_ungueltig;
}

}  // namespace

Front::Front(caf::actor_system& system, const actors::Service& service, const PageContext& context,
             const FrontOptions& options, const actors::MetersPtr& meters,
             std::function<void(const Exchange&, const Response&)> answered)
    : service_(service),
      reception_(context, options.cors_origin),
      calling_address_(options.trusted_proxies),
      answered_(std::move(answered)) {
  const auto links = std::make_shared<const Links>(context.links);
  for (std::uint32_t i = 0; i < std::max(1U, options.askers); ++i)
    askers_.push_back(system.spawn<AskerActor>(links, std::chrono::seconds(options.deadline_s), meters));
  for (const Asker& asker : askers_) actors::watch(asker, actors::end_program);
}

ServerHandlers Front::handlers() {
  return {
      [this](Request&& request, Responder responder) { handle(std::move(request), std::move(responder)); },
      [this](WireFault kind, const std::string& id) {
        return finished(reception_.failure(code_of(kind), id), {});
      },
      [this](const std::string& id) { return finished(reception_.failure(Code::interner_fehler, id), {}); },
      answered_,
  };
}

void Front::stop() const {
  for (const Asker& asker : askers_) caf::anon_send_exit(asker, caf::exit_reason::user_shutdown);
}

void Front::handle(Request&& request, Responder responder) {
  const Routed routed = Reception::route(request);
  if (routed.route) responder.leads_to(routed.route, routed.route->method);
  const bool keyed = routed.route && routed.route->keyed();
  ReplyRules rules = rules_of(request, keyed, reception_.cors());
  if (auto answer = reception_.answer(request, routed))
    return responder.send(finished(std::move(*answer), rules));
  const Route& route = *routed.route;
  actors::Call call{key_of(request), calling_address_.of(request), route.limit, actors::Visit{}, {}};
  Response page;
  if (keyed)
    call.command = route.command(request, routed.parameters);
  else
    page = reception_.page(route);
  const auto* listing = caf::get_if<actors::ListProjects>(&call.command);
  const int page_limit = listing ? listing->limit : 0;
  auto guard = service_.guard_for(call.from);
  auto question = std::make_shared<Question>(Question{std::move(call), std::move(guard), std::move(responder),
                                                      route.retry_at_least_s, page_limit, std::move(rules),
                                                      std::move(page)});
  caf::anon_send(askers_[turn_++ % askers_.size()], std::move(question));
}

std::vector<caf::actor> Front::everyone() const {
  std::vector<caf::actor> all;
  for (const Asker& asker : askers_) all.push_back(caf::actor_cast<caf::actor>(asker));
  return all;
}

}  // namespace http
