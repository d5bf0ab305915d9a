#include "http/web/web_front.hpp"

#include <boost/algorithm/string/join.hpp>

#include "http/web/embedded_files.hpp"
#include "http/web/origin_check.hpp"
#include "http/web/pages/page_routes.hpp"

namespace http {
namespace {

constexpr std::string_view kFilePath = "/datei/";
constexpr std::string_view kIconPath = "/favicon.ico";  // browsers ask for it by this name
constexpr std::string_view kApiPaths = "/api";

std::string sentence_of_form(FormFault fault) {
  switch (fault) {
    case FormFault::too_large:
      return "Das Formular ist zu groß.";
    case FormFault::control_character:
      return "In einem Feld steht ein Zeichen, das nicht erlaubt ist.";
    case FormFault::content_type:
    case FormFault::encoding:
    case FormFault::duplicate_field:
      break;
  }
  return "Das Formular kam nicht so an, wie Browser es schicken.";
}

}  // namespace

std::optional<Response> page_file(const Request& request) {
  if (request.path == kIconPath) {
    const EmbeddedFile* icon = embedded_text("symbol.svg");
    Response response{.status = 200, .content_type = std::string(icon->type)};
    response.shared_body = icon->body;
    return response.with("Cache-Control", "public, max-age=86400");
  }
  if (!request.path.starts_with(kFilePath)) return {};
  const EmbeddedFile* file = embedded_file(request.path.substr(kFilePath.size()));
  if (!file) return {};
  Response response{.status = 200, .content_type = std::string(file->type)};
  response.shared_body = file->body;
  return response.with("Cache-Control", "public, max-age=31536000, immutable");
}

bool WebFront::concerns(const Request& request) {
  if (request.path == "*" || request.path.starts_with(kApiPaths)) return false;
  if (request.header("x-api-key") || request.parameter("schluessel")) return false;
  if (request.path.starts_with(kFilePath) || find_page(request.method, request.path).route) return true;
  return request.header("accept").value_or("").find("text/html") != std::string_view::npos;
}

WebFront::WebFront(caf::actor_system& system, const actors::Service& service, SitePtr site,
                   std::uint32_t makers, std::chrono::seconds deadline, const std::string& trusted_proxies,
                   const actors::MetersPtr& meters)
    : service_(service),
      site_(std::move(site)),
      calling_address_(trusted_proxies),
      errands_(system.spawn<caf::detached>(errands_behavior)) {
  page_table();  // made before threads ask for it
  for (std::uint32_t i = 0; i < std::max(1U, makers); ++i)
    visits_.push_back(system.spawn<VisitsActor>(deadline, meters));
  for (const Visits& visits : visits_) actors::watch(visits, actors::end_program);
  actors::watch(errands_, actors::end_program);
}

std::vector<caf::actor> WebFront::everyone() const {
  std::vector<caf::actor> all;
  for (const Visits& visits : visits_) all.push_back(caf::actor_cast<caf::actor>(visits));
  return all;
}

void WebFront::stop() const {
  for (const Visits& visits : visits_) caf::anon_send_exit(visits, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(errands_, caf::exit_reason::user_shutdown);
}

Response WebFront::refused(int status, const std::string& what, const Responder& responder) const {
  return site_->error({.status = status,
                       .title = "Das hat nicht geklappt",
                       .what = what,
                       .remedy = "Gehen Sie zurück und versuchen Sie es noch einmal."},
                      responder.request_id(), {});
}

void WebFront::handle(Request&& request, Responder responder) {
  PageRouted routed = find_page(request.method, request.path);
  if (!routed.route)
    return responder.send(!routed.allowed.empty()
                              ? refused(405, "Diese Seite kann so nicht aufgerufen werden.", responder)
                                    .with("Allow", boost::algorithm::join(routed.allowed, ", "))
                              : site_->error({.status = 404,
                                              .title = "Diese Seite gibt es nicht",
                                              .what = "Vielleicht ist die Adresse nicht ganz richtig.",
                                              .remedy = "Gehen Sie zur Startseite."},
                                             responder.request_id(), {}));
  responder.leads_to(&routed.route->named, routed.route->named.method);
  if (!request.well_formed)
    return responder.send(refused(400, "Die Adresse enthält Zeichen, die keine sind.", responder));
  if (check_origin(request, site_->origin()) != OriginCheck::passed)
    return responder.send(refused(403, "Das Formular kam von einer fremden Seite.", responder));
  auto visit = std::make_shared<PageVisit>(PageVisit{.site = site_,
                                                     .service = service_,
                                                     .errands = errands_,
                                                     .route = *routed.route,
                                                     .request = std::move(request),
                                                     .parameters = std::move(routed.parameters),
                                                     .from = {},
                                                     .responder = std::move(responder)});
  visit->from = calling_address_.of(visit->request);
  if (visit->is_post()) {
    auto form = FormFields::read(visit->request);
    if (!form)
      return visit->responder.send(refused(form.error() == FormFault::too_large ? 413 : 400,
                                           sentence_of_form(form.error()), visit->responder));
    visit->form = std::move(*form);
  }
  caf::anon_send(visits_[turn_++ % visits_.size()], std::move(visit));
}

}  // namespace http
