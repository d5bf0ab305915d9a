#include "http/web/visit.hpp"

#include <algorithm>

#include "actors/sign_in/secret.hpp"
#include "http/web/pages/notices.hpp"
#include "http/web/pages/page_data.hpp"
#include "http/web/pages/page_routes.hpp"

namespace http {
namespace {

constexpr std::size_t kMadePages_bytes = 8U << 20U;
constexpr std::uint32_t kSoon_s = 10;
constexpr int kUnfit = 422;

/// A path with a query.
class PathWithQuery {
 public:
  explicit PathWithQuery(std::string path) : text_(std::move(path)) {}
  void add(std::string_view name, std::string_view value) {
    text_ +=
        (text_.find('?') == std::string::npos ? "?" : "&") + url_encoded(name) + "=" + url_encoded(value);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

/// Where somebody who is not signed in goes, and comes back from. A form comes back to its page.
std::string sign_in_path(const PageVisit& visit) {
  PathWithQuery wanted(visit.request.path);
  if (visit.is_post() && !find_page("GET", visit.request.path).route) return "/anmelden";
  if (!visit.is_post())
    for (const auto& [name, value] : visit.request.query) wanted.add(name, value);
  for (const char* name : visit.route.lasting_fields)
    if (const auto value = visit.form.value(name)) wanted.add(name, *value);
  const bool is_newcomer = visit.route.for_newcomers && visit.site->options().sign_up_open &&
                           !has_session_cookie(visit.request, visit.site->cookie());
  PathWithQuery sign_in(is_newcomer ? "/registrieren" : "/anmelden");
  sign_in.add("weiter", std::move(wanted).text());
  return std::move(sign_in).text();
}

}  // namespace

VisitsActor::VisitsActor(caf::actor_config& config, std::chrono::seconds deadline, actors::MetersPtr meters)
    : Measured(config, "visits", std::move(meters)),
      open_(deadline,
            [this](auto delay) {
              delayed_send(caf::actor_cast<Visits>(this), delay, actors::late_atom::value);
            }),
      made_(kMadePages_bytes) {}

VisitsActor::behavior_type VisitsActor::make_behavior() {
  return {[this](const PageVisitPtr& visit) {
            visit->actor = this;
            run(visit);
          },
          [this](actors::late_atom) { open_.sweep(clock().now()); }};
}

void VisitsActor::on_exit() {
  open_.clear();
  for (void* frame : std::exchange(frames_, {})) std::coroutine_handle<>::from_address(frame).destroy();
}

namespace {

/// The frame that runs, so that it can be destroyed when its actor ends before its answers come.
struct OwnFrame {
  std::coroutine_handle<> frame;
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> handle) noexcept {
    frame = handle;
    return false;
  }
  void* await_resume() const noexcept { return frame.address(); }
};

/// Nothing, or the answer to somebody who is not let in: the calling address has used up its limit.
Task<std::optional<Response>> turned_away(PageVisitPtr visit) {
  actors::Call knock{.from = visit->from, .command = actors::Visit{}};
  const auto let_in =
      co_await visit->asked<actors::Answer>(visit->service.guard_for(visit->from), std::move(knock));
  if (!let_in) co_return visit->unavailable();
  const auto* refusal = caf::get_if<actors::Refusal>(&let_in->outcome);
  if (!refusal) co_return std::nullopt;
  co_return visit
      ->error({.status = 429,
               .title = "Zu viele Anfragen",
               .what = "Von Ihrer Internetadresse kamen in kurzer Zeit sehr viele Anfragen.",
               .remedy = "Versuchen Sie es " + german_wait(refusal->retry_after_s) + " wieder."})
      .with("Retry-After", std::to_string(refusal->retry_after_s));
}

/// Puts the session into `visit->session` if there is one. Returns an answer only when it cannot be read.
Task<std::optional<Response>> find_session(PageVisitPtr visit) {
  auto id = session_id_of(visit->request, visit->site->cookie());
  if (!id) co_return std::nullopt;
  actors::ReadSession who{std::move(*id)};
  auto session = co_await visit->asked<actors::SessionState>(visit->service.members(), std::move(who));
  if (!session || !session->readable) co_return visit->unavailable();
  visit->session = std::move(*session);
  co_return std::nullopt;
}

/// Parts of a page (mainly pictures) are not counted against the calling address of somebody who is signed
/// in. Otherwise one list of projects would count dozens of times.
PageTask page_of(PageVisitPtr visit) {
  if (visit->route.part) {
    if (auto instead = co_await find_session(visit)) co_return std::move(*instead);
  }
  if (!visit->session.signed_in) {
    if (auto instead = co_await turned_away(visit)) co_return std::move(*instead);
    if (auto instead = co_await find_session(visit)) co_return std::move(*instead);
  }
  if (visit->route.signed_in && !visit->session.signed_in) co_return visit->redirect(sign_in_path(*visit));
  co_return co_await visit->route.page(visit);
}

}  // namespace

Detached VisitsActor::run(PageVisitPtr visit) {
  void* const own = co_await OwnFrame{};
  frames_.insert(own);
  std::optional<Response> response;
  try {
    response = co_await page_of(visit);
  } catch (const std::exception& error) {
    meters().log().write(actors::LogLevel::error, actors::LogLine("a page failed")
                                                      .field("id", visit->responder.request_id())
                                                      .field("reason", error.what()));
    response = visit->error({.title = "Das hat nicht geklappt",
                             .what = "Auf unserer Seite ist ein Fehler aufgetreten.",
                             .remedy = "Versuchen Sie es noch einmal."});
  }
  visit->responder.send(std::move(*response));
  frames_.erase(own);
}

std::string PageVisit::browser() const {
  std::string name(request.header("user-agent").value_or(""));
  std::erase_if(name, [](char c) { return c < ' ' || c > '~'; });
  return name;
}

void PageVisit::tell_unknown_deed() {
  bad = "Diese Schaltfläche gibt es hier nicht. Laden Sie die Seite neu.";
  refused = Refused{kUnfit};
}

Refused refusal_of(const actors::MemberReply& reply) {
  constexpr int kTooMany = 429, kNotNow = 503;
  switch (reply.fault) {
    case actors::MemberFault::too_many:
      return {kTooMany, reply.retry_after_s};
    case actors::MemberFault::busy:
    case actors::MemberFault::disk:
    case actors::MemberFault::unknown_yet:
      return {kNotNow, std::max(kSoon_s, reply.retry_after_s)};
    default:
      return {kUnfit};
  }
}

Response PageVisit::respond(Page page) const {
  page.good = notice_of(*this);
  page.bad = bad;
  if (!refused) return site->respond(page, viewer());
  page.status = refused->status;
  Response response = site->respond(page, viewer());
  if (refused->retry_after_s > 0) response.with("Retry-After", std::to_string(refused->retry_after_s));
  return response;
}

Response PageVisit::respond_json(std::string json) const {
  Response response{.status = 200, .content_type = kJson, .body = std::move(json)};
  site->security().add_to(response);
  return response;
}

std::string PageVisit::bytes_field(std::string_view name) const {
  return actors::bytes_of_base64url(field(name)).value_or(std::string());
}

std::string PageVisit::key_of_page(const std::string& inputs) const {
  return inputs_of(request.path, request.query, session.person.account, viewer().signed_in, viewer().email,
                   inputs);
}

/// What was just done is told once, on a page of its own.
bool PageVisit::may_be_kept() const { return !is_post() && notice_of(*this).empty(); }

std::optional<Response> PageVisit::made_before(const std::string& inputs) const {
  if (!may_be_kept()) return {};
  const Response* made = actor->made().find(key_of_page(inputs));
  return made ? std::optional(*made) : std::nullopt;
}

Response PageVisit::keep(const std::string& inputs, Response made) const {
  if (!may_be_kept() || made.status != 200) return made;
  const std::string key = key_of_page(inputs);
  made.shared_body = std::make_shared<const std::string>(std::exchange(made.body, {}));
  actor->made().put(key, made, key.size() + made.shared_body->size());
  return made;
}

Response PageVisit::error(const Trouble& trouble) const {
  return site->error(trouble, responder.request_id(), viewer());
}

Response PageVisit::unavailable() const {
  return error({.status = 503,
                .title = "Gerade ist viel los",
                .what = "Der Dienst kann Ihre Anfrage im Moment nicht beantworten.",
                .remedy = "Versuchen Sie es in einer Minute noch einmal."})
      .with("Retry-After", std::to_string(kSoon_s));
}

Response PageVisit::not_found() const {
  return error({.status = 404,
                .title = "Diese Seite gibt es nicht",
                .what = "Vielleicht wurde sie gelöscht, oder die Adresse ist nicht ganz richtig.",
                .remedy = "Sehen Sie in Ihrer Projektliste nach.",
                .next_path = "/projekte",
                .next_text = "Zu den Projekten"});
}

}  // namespace http
