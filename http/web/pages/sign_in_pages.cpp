// Signing up, in and out; the links of mails.
#include "actors/sign_in/secret.hpp"
#include "http/api/json.hpp"
#include "http/web/origin_check.hpp"
#include "http/web/pages/page_data.hpp"
#include "http/web/pages/page_routes.hpp"

namespace http {
namespace {

using actors::MemberFault;

constexpr auto kHome = "/projekte";
constexpr std::size_t kLongestEmail = 254;
constexpr std::chrono::hours kLinkHolds{24};  // of a sign-up's mail
constexpr auto kPasskeyRefused =
    "Mit diesem Passkey geht es nicht: Er gehört zu keinem Konto hier, oder es hat zu lange gedauert. "
    "Versuchen Sie es noch "
    "einmal, oder melden Sie sich mit dem Passwort an.";

/// Where a sign-in leads: only to our own pages.
std::string way_on(std::string_view wanted) {
  return is_return_path(wanted) ? std::string(wanted) : std::string(kHome);
}

std::string wanted_way(const PageVisit& visit) {
  if (visit.is_post()) return visit.field("weiter");
  return std::string(visit.request.parameter("weiter").value_or(""));
}

Response with_session(Response response, const actors::MemberReply& reply, const PageVisit& visit) {
  return response.with("Set-Cookie", set_session_cookie(reply.session, std::chrono::seconds(reply.lifetime_s),
                                                        visit.site->cookie()));
}

/// For the form, and for the link to the other form of the two: sign-up and sign-in.
void add_way(Page& page, const PageVisit& visit) {
  const std::string way = wanted_way(visit);
  page.data.set("weiter", way);
  page.data.set("weiter_frage", way.empty() ? std::string() : "?weiter=" + url_encoded(way));
}

// ---- sign up --------------------------------------------------------------------------------------------

Page sign_up_page(const PageVisit& visit) {
  Page page{.name = "registrieren", .title = "Testkonto anlegen"};
  const bool open = visit.site->options().sign_up_open;
  page.data.set("gesendet", flag(false));
  page.data.set("geschlossen", flag(!open));
  page.data.set("formular", flag(open));
  page.data.set("test_tage", std::to_string(actors::kTestPeriod_days));
  add_way(page, visit);
  page.data.set("ohne_mailserver", flag(visit.site->options().mail_to_files));
  page.data.set("formular_email", visit.field("email").substr(0, kLongestEmail));
  page.data.set("link_dauer", std::string("24 Stunden"));
  page.data.set("fehler_email", flag(false));
  page.data.set("fehler_passwort", flag(false));
  return page;
}

PageTask sign_up_form(PageVisitPtr visit) { co_return visit->respond(sign_up_page(*visit)); }

PageTask sign_up(PageVisitPtr visit) {
  actors::MemberOrder deed = actors::SignUp{visit->field("email"), visit->field("passwort"), visit->from};
  const auto reply = co_await visit->order(std::move(deed));
  if (!reply) co_return visit->unavailable();
  Page page = sign_up_page(*visit);
  if (reply->fault == MemberFault::none) {
    page.title = "Sehen Sie in Ihr Postfach";
    page.data.set("gesendet", flag(true));
    page.data.set("formular", flag(false));
    Response sent = visit->respond(std::move(page));
    if (const auto way = set_way_cookie(visit->field("weiter"), kLinkHolds, visit->site->cookie()))
      sent.with("Set-Cookie", *way);
    co_return sent;
  }
  visit->refused = refusal_of(*reply);
  if (reply->fault == MemberFault::unfit_password)
    page.data.set("fehler_passwort", sentence_of(reply->password));
  else if (reply->fault == MemberFault::no_email)
    page.data.set("fehler_email", sentence_of(*reply));
  else
    visit->bad = sentence_of(*reply);
  co_return visit->respond(std::move(page));
}

// ---- a mail's link --------------------------------------------------------------------------------------

constexpr auto kNotThatPassword =
    "Mit diesem Passwort wurde das Konto nicht angefragt. Wissen Sie es nicht mehr, registrieren Sie "
    "sich noch einmal.";

Page link_page(const actors::MailLink& link) {
  Page page{.name = "bestaetigen", .title = "Bestätigen"};
  page.data.set("gueltig", flag(link.valid));
  page.data.set("bestaetigte_email", link.email);
  page.data.set(
      "was_bestaetigt",
      std::string(link.new_email ? "Diese E-Mail-Adresse wird die Ihres Kontos."
                                 : "Geben Sie Ihr Passwort noch einmal ein. Danach ist Ihr Testkonto "
                                   "angelegt, und Sie sind angemeldet."));
  page.data.set("mit_passwort", flag(link.sign_up));
  page.data.set("fehler_passwort", flag(false));
  page.data.set("knopf", std::string(link.new_email ? "E-Mail-Adresse übernehmen" : "Konto anlegen"));
  return page;
}

/// Only shows a form: programs that scan mails open links, too. `refused`: why the POST before did nothing;
/// it is told where the link still holds.
PageTask mail_link_form(PageVisitPtr visit, std::optional<actors::MemberReply> refused) {
  actors::ReadMailLink what{visit->parameters.front()};
  auto link = co_await visit->asked<actors::MailLink>(visit->service.members(), std::move(what));
  if (!link || !link->readable) co_return visit->unavailable();
  link->valid = (link->sign_up || link->new_email) && !(refused && refused->fault == MemberFault::dead_link);
  Page page = link_page(*link);
  if (refused) visit->refused = refusal_of(*refused);
  if (refused && refused->fault == MemberFault::wrong)
    page.data.set("fehler_passwort", std::string(kNotThatPassword));
  else if (refused && refused->fault != MemberFault::dead_link)
    visit->bad = sentence_of(*refused);
  co_return visit->respond(std::move(page));
}

PageTask mail_link(PageVisitPtr visit) { return mail_link_form(std::move(visit), {}); }

/// The page that the sign-up interrupted, or the list of projects, with a welcome.
std::string welcome_path(const PageVisit& visit) {
  const std::string way = way_of(visit.request, visit.site->cookie()).value_or(kHome);
  return way + (way.find('?') == std::string::npos ? "?" : "&") + "meldung=willkommen";
}

PageTask confirm_sign_up(PageVisitPtr visit) {
  actors::MemberOrder deed = actors::ConfirmSignUp{visit->parameters.front(), visit->field("passwort"),
                                                   visit->from, visit->browser()};
  const auto reply = co_await visit->order(std::move(deed));
  if (!reply) co_return visit->unavailable();
  if (reply->fault == MemberFault::none)
    co_return with_session(visit->redirect(welcome_path(*visit)), *reply, *visit);
  co_return co_await mail_link_form(visit, *reply);
}

PageTask confirm_email(PageVisitPtr visit) {
  actors::MemberOrder deed = actors::ConfirmEmail{visit->parameters.front()};
  const auto reply = co_await visit->order(std::move(deed));
  if (!reply) co_return visit->unavailable();
  if (reply->fault == MemberFault::none) co_return visit->redirect("/konto?meldung=email");
  co_return co_await mail_link_form(visit, *reply);
}

// ---- passkeys --------------------------------------------------------------------------------------------

/// The question for `navigator.credentials.get`.
PageTask passkey_question(PageVisitPtr visit) {
  actors::AskPasskeyChallenge what{};
  const auto asked = co_await visit->asked<actors::PasskeyChallenge>(visit->service.members(), what);
  if (!asked || !asked->readable) co_return visit->unavailable();
  if (asked->relying_party_id.empty()) co_return visit->not_found();
  Json json;
  json.begin_object()
      .field("frage", actors::base64url(asked->challenge))
      .field("host", asked->relying_party_id)
      .end_object();
  co_return visit->respond_json(json.str());
}

// ---- sign in and out ------------------------------------------------------------------------------------

constexpr auto kThenOn = "Bitte melden Sie sich an. Danach geht es dort weiter, wo Sie waren.";
constexpr auto kOnceMore =
    "Ein Schlüssel gilt auch ohne Anmeldung. Ihre ist länger als 15 Minuten her: Bitte melden Sie sich noch "
    "einmal an. Danach geht es dort weiter, wo Sie waren.";

/// Of somebody who is signed in, but not recently enough for what he wants.
bool asks_once_more(const PageVisit& visit) { return visit.request.parameter("noch_einmal").has_value(); }

Page sign_in_page(const PageVisit& visit) {
  Page page{.name = "anmelden", .title = "Anmelden"};
  const std::string way = wanted_way(visit);
  add_way(page, visit);
  page.data.set("anlass", text_or_none(visit.is_post() || way.empty() ? std::string()
                                       : asks_once_more(visit)        ? std::string(kOnceMore)
                                                                      : std::string(kThenOn)));
  page.data.set("fehler_anmelden", flag(false));
  page.data.set("passkeys_da", flag(!visit.site->passkey_host().empty()));
  page.data.set("formular_email", visit.field("email").substr(0, kLongestEmail));
  page.data.set("nur_heute", flag(visit.form.value("nur_heute").has_value()));
  return page;
}

PageTask sign_in_form(PageVisitPtr visit) {
  if (visit->session.signed_in && !asks_once_more(*visit))
    co_return visit->redirect(way_on(wanted_way(*visit)));
  co_return visit->respond(sign_in_page(*visit));
}

actors::MemberOrder sign_in_order(const PageVisit& visit) {
  const bool only_today = visit.form.value("nur_heute").has_value();
  if (visit.field("tat") != "passkey")
    return actors::SignIn{visit.field("email"), visit.field("passwort"), visit.from, visit.browser(),
                          only_today};
  return actors::SignInWithPasskey{visit.bytes_field("frage"),
                                   visit.bytes_field("nutzer"),
                                   visit.bytes_field("kennung"),
                                   visit.bytes_field("client_data"),
                                   visit.bytes_field("authenticator_data"),
                                   visit.bytes_field("signatur"),
                                   visit.from,
                                   visit.browser(),
                                   only_today};
}

Task<bool> end_this_session(PageVisitPtr visit) {
  actors::MemberOrder deed =
      actors::EndSessions{visit->session.person.account, visit->session.fingerprint, false};
  const auto reply = co_await visit->order(std::move(deed));
  co_return reply && reply->fault == MemberFault::none;
}

PageTask sign_in(PageVisitPtr visit) {
  actors::MemberOrder deed = sign_in_order(*visit);
  const auto reply = co_await visit->order(std::move(deed));
  if (!reply) co_return visit->unavailable();
  if (reply->fault == MemberFault::none) {
    // The browser forgets it. A failure is no reason to refuse the sign-in.
    if (visit->session.signed_in) co_await end_this_session(visit);
    co_return with_session(visit->redirect(way_on(visit->field("weiter"))), *reply, *visit);
  }
  Page page = sign_in_page(*visit);
  visit->refused = refusal_of(*reply);
  const bool refused_passkey = visit->field("tat") == "passkey" && reply->fault == MemberFault::wrong;
  page.data.set("fehler_anmelden", refused_passkey ? std::string(kPasskeyRefused) : sentence_of(*reply));
  co_return visit->respond(std::move(page));
}

PageTask sign_out(PageVisitPtr visit) {
  if (visit->session.signed_in && !co_await end_this_session(visit)) co_return visit->unavailable();
  Response response = visit->redirect("/");
  co_return response.with("Set-Cookie", clear_session_cookie(visit->site->cookie()));
}

// ---- a forgotten password -------------------------------------------------------------------------------

Page forgotten_page(const PageVisit& visit, bool sent) {
  Page page{.name = "passwort", .title = "Passwort vergessen"};
  page.data.set("ohne_mailserver", flag(visit.site->options().mail_to_files));
  page.data.set("gesendet", flag(sent));
  page.data.set("formular_email", visit.field("email").substr(0, kLongestEmail));
  page.data.set("link_dauer", std::string("eine Stunde"));
  page.data.set("fehler_email", flag(false));
  return page;
}

PageTask forgotten_form(PageVisitPtr visit) { co_return visit->respond(forgotten_page(*visit, false)); }

PageTask forgotten(PageVisitPtr visit) {
  actors::MemberOrder deed = actors::AskForNewPassword{visit->field("email"), visit->from};
  const auto reply = co_await visit->order(std::move(deed));
  if (!reply) co_return visit->unavailable();
  if (reply->fault == MemberFault::none) co_return visit->respond(forgotten_page(*visit, true));
  Page page = forgotten_page(*visit, false);
  visit->refused = refusal_of(*reply);
  page.data.set("fehler_email", sentence_of(*reply));
  co_return visit->respond(std::move(page));
}

Page new_password_page(const actors::MailLink& link) {
  Page page{.name = "passwort_neu", .title = "Neues Passwort"};
  page.data.set("gueltig", flag(link.new_password));
  page.data.set("konto_email", link.email);
  page.data.set("fehler_passwort", flag(false));
  return page;
}

/// Shows the form, and after a POST what was wrong with the password.
PageTask new_password_form(PageVisitPtr visit, std::string fault) {
  actors::ReadMailLink what{visit->parameters.front()};
  const auto link = co_await visit->asked<actors::MailLink>(visit->service.members(), std::move(what));
  if (!link || !link->readable) co_return visit->unavailable();
  Page page = new_password_page(*link);
  page.data.set("fehler_passwort", text_or_none(fault));
  co_return visit->respond(std::move(page));
}

PageTask new_password_link(PageVisitPtr visit) { return new_password_form(std::move(visit), {}); }

PageTask set_new_password(PageVisitPtr visit) {
  actors::MemberOrder deed =
      actors::SetNewPassword{visit->parameters.front(), visit->field("passwort"), visit->browser()};
  const auto reply = co_await visit->order(std::move(deed));
  if (!reply) co_return visit->unavailable();
  if (reply->fault == MemberFault::none)
    co_return with_session(visit->redirect(std::string(kHome) + "?meldung=passwort"), *reply, *visit);
  visit->refused = refusal_of(*reply);
  std::string fault = reply->fault == MemberFault::unfit_password ? sentence_of(reply->password)
                      : reply->fault == MemberFault::dead_link    ? std::string()
                                                                  : sentence_of(*reply);
  co_return co_await new_password_form(visit, std::move(fault));
}

}  // namespace

std::vector<PageRoute> sign_in_routes() {
  return {{{.method = "GET", .path = "/registrieren"}, false, sign_up_form},
          {{.method = "POST", .path = "/registrieren"}, false, sign_up},
          {{.method = "GET", .path = "/bestaetigen/{token}"}, false, mail_link},
          {{.method = "POST", .path = "/bestaetigen/{token}"}, false, confirm_sign_up},
          {{.method = "GET", .path = "/konto/email/{token}"}, false, mail_link},
          {{.method = "POST", .path = "/konto/email/{token}"}, false, confirm_email},
          {{.method = "GET", .path = "/anmelden"}, false, sign_in_form},
          {{.method = "POST", .path = "/anmelden"}, false, sign_in},
          {{.method = "GET", .path = "/anmelden/passkey"}, false, passkey_question, true},
          {{.method = "POST", .path = "/abmelden"}, false, sign_out},
          {{.method = "GET", .path = "/passwort"}, false, forgotten_form},
          {{.method = "POST", .path = "/passwort"}, false, forgotten},
          {{.method = "GET", .path = "/passwort/{token}"}, false, new_password_link},
          {{.method = "POST", .path = "/passwort/{token}"}, false, set_new_password}};
}

}  // namespace http
