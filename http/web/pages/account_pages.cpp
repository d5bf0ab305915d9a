// The account: how its owner signs in, which devices are signed in, its data, its end.
#include <array>
#include <map>

#include "actors/sign_in/secret.hpp"
#include "http/api/json.hpp"
#include "http/web/pages/page_data.hpp"
#include "http/web/pages/page_routes.hpp"

namespace http {
namespace {

using actors::MemberFault;

constexpr std::size_t kExportMost_bytes = 64U << 20U;

/// What stands beside the fields of one of the page's forms after a POST.
using FieldFaults = std::map<std::string, std::string>;

constexpr std::array<const char*, 6> kAccountFaults{"fehler_passwort_alt", "fehler_passwort_neu",
                                                    "fehler_email_neu",    "fehler_passwort_email",
                                                    "fehler_passkey",      "fehler_passwort_loeschen"};
constexpr std::size_t kPasskeyNameMost_bytes = 200;

/// "Firefox unter Windows" from a User-Agent, as far as it is known.
std::string device_name(const std::string& browser) {
  const auto has = [&](const char* word) { return browser.find(word) != std::string::npos; };
  const char* program = has("Edg/")       ? "Edge"
                        : has("OPR/")     ? "Opera"
                        : has("Firefox/") ? "Firefox"
                        : has("Chrome/")  ? "Chrome"
                        : has("Safari/")  ? "Safari"
                                          : "Browser";
  const char* system = has("Android")                 ? " unter Android"
                       : has("iPhone") || has("iPad") ? " unter iOS"
                       : has("Windows")               ? " unter Windows"
                       : has("Mac OS")                ? " unter macOS"
                       : has("Linux")                 ? " unter Linux"
                                                      : "";
  return std::string(program) + system;
}

TemplateData session_rows(const actors::SessionList& sessions, const std::string& own) {
  TemplateData rows = list();
  for (const actors::SessionLine& session : sessions.sessions) {
    TemplateData row = object();
    row.set("geraet", device_name(session.browser));
    row.set("ist_diese", flag(session.fingerprint == own));
    row.set("sitzung_seit", german_time(session.signed_in_ms));
    row.set("sitzung_zuletzt", german_time(session.used_ms));
    row.set("sitzung_nr", actors::hex_of(session.fingerprint));
    rows << row;
  }
  return rows;
}

TemplateData passkey_rows(const actors::PasskeyList& passkeys) {
  TemplateData rows = list();
  for (const actors::PasskeyLine& passkey : passkeys.passkeys) {
    TemplateData row = object();
    row.set("passkey_name", passkey.name.empty() ? std::string("ohne Namen") : passkey.name);
    row.set("passkey_seit", german_date(passkey.created_ms));
    row.set("passkey_zuletzt", german_date(passkey.used_ms));
    row.set("passkey_nr", actors::hex_of(passkey.fingerprint));
    rows << row;
  }
  return rows;
}

PageTask account_page(PageVisitPtr visit, FieldFaults faults) {
  const actors::Person& person = visit->session.person;
  actors::ListSessions which{person.account};
  const auto sessions = co_await visit->asked<actors::SessionList>(visit->service.members(), which);
  actors::ListPasskeys which_passkeys{person.account};
  const auto passkeys = co_await visit->asked<actors::PasskeyList>(visit->service.members(), which_passkeys);
  if (!sessions || !sessions->readable || !passkeys || !passkeys->readable) co_return visit->unavailable();
  const std::string inputs =
      inputs_of(person, *sessions, *passkeys, visit->session.fingerprint, visit->browser());
  if (auto made = visit->made_before(inputs)) co_return std::move(*made);
  Page page{.name = "konto", .title = "Konto", .section = "konto"};
  if (!faults.empty()) page.status = 422;
  const bool test = person.plan == "test";
  page.data.set("test_laeuft_ab", text_or_none(test ? german_date(person.expires_ms) : std::string()));
  page.data.set("konto_email", person.email);
  page.data.set("plan_name", std::string(test ? "Testkonto: eine Adresse" : "Voller Zugang"));
  page.data.set("konto_angelegt", german_date(person.created_ms));
  page.data.set("sitzungen", session_rows(*sessions, visit->session.fingerprint));
  page.data.set("passkeys_da", flag(!visit->site->passkey_host().empty()));
  page.data.set("passkeys", passkey_rows(*passkeys));
  page.data.set("passkey_name_neu", device_name(visit->browser()));
  page.data.set("email_neu", faults.empty() ? std::string() : visit->field("email_neu"));
  page.data.set("export_url", std::string("/konto/daten.json"));
  page.data.set("sicherungen_text",
                std::string("In Sicherungskopien des Betreibers bleiben die Daten, bis diese überschrieben "
                            "werden."));
  for (const char* name : kAccountFaults) page.data.set(name, text_or_none(faults[name]));
  co_return visit->keep(inputs, visit->respond(std::move(page)));
}

PageTask account_view(PageVisitPtr visit) { return account_page(std::move(visit), FieldFaults()); }

/// What a deed's reply means for the page: led on after success, told beside a field or above the page.
PageTask after_deed(PageVisitPtr visit, std::optional<actors::MemberReply> reply, std::string success_path,
                    std::string password_field, std::string other_field) {
  if (!reply) co_return visit->unavailable();
  if (reply->fault == MemberFault::none) co_return visit->redirect(success_path);
  visit->refused = refusal_of(*reply);
  FieldFaults faults;
  if (reply->fault == MemberFault::wrong)
    faults[password_field] = "Das Passwort stimmt nicht.";
  else if (reply->fault == MemberFault::unfit_password)
    faults[other_field] = sentence_of(reply->password);
  else if (reply->fault == MemberFault::no_email)
    faults[other_field] = sentence_of(*reply);
  else
    faults[password_field] = sentence_of(*reply);
  co_return co_await account_page(visit, std::move(faults));
}

PageTask change_password(PageVisitPtr visit) {
  actors::MemberOrder deed = actors::ChangePassword{visit->session.person.account, visit->field("passwort"),
                                                    visit->field("passwort_neu"), visit->session.fingerprint};
  auto reply = co_await visit->order(std::move(deed));
  const std::string path = "/konto?meldung=passwort", old = "fehler_passwort_alt",
                    fresh = "fehler_passwort_neu";
  co_return co_await after_deed(visit, std::move(reply), path, old, fresh);
}

PageTask change_email(PageVisitPtr visit) {
  actors::MemberOrder deed =
      actors::ChangeEmail{visit->session.person.account, visit->field("passwort"), visit->field("email_neu")};
  auto reply = co_await visit->order(std::move(deed));
  const std::string path = "/konto?meldung=email_wartet", password = "fehler_passwort_email",
                    email = "fehler_email_neu";
  co_return co_await after_deed(visit, std::move(reply), path, password, email);
}

PageTask end_session(PageVisitPtr visit) {
  const auto fingerprint = actors::bytes_of_hex(visit->field("sitzung"));
  if (!fingerprint) co_return visit->redirect("/konto");
  actors::MemberOrder deed = actors::EndSessions{visit->session.person.account, *fingerprint, false};
  const auto reply = co_await visit->order(std::move(deed));
  if (!reply || reply->fault != MemberFault::none) co_return visit->unavailable();
  co_return visit->redirect("/konto?meldung=abgemeldet");
}

/// This device too: whoever presses it does not trust where the account is open.
PageTask end_all_sessions(PageVisitPtr visit) {
  actors::MemberOrder deed = actors::EndSessions{visit->session.person.account, std::string(), true};
  const auto reply = co_await visit->order(std::move(deed));
  if (!reply || reply->fault != MemberFault::none) co_return visit->unavailable();
  Response response = visit->redirect("/anmelden");
  co_return response.with("Set-Cookie", clear_session_cookie(visit->site->cookie()));
}

PageTask add_passkey(PageVisitPtr visit) {
  const std::string name =
      visit->field("name").empty() ? device_name(visit->browser()) : visit->field("name");
  if (name.size() > kPasskeyNameMost_bytes) {
    FieldFaults faults{{"fehler_passkey", "Der Name ist zu lang."}};
    co_return co_await account_page(visit, std::move(faults));
  }
  actors::MemberOrder deed = actors::AddPasskey{visit->session.person.account,
                                                visit->field("passwort"),
                                                name,
                                                visit->bytes_field("frage"),
                                                visit->bytes_field("client_data"),
                                                visit->bytes_field("authenticator_data"),
                                                visit->bytes_field("oeffentlicher_schluessel")};
  auto reply = co_await visit->order(std::move(deed));
  const std::string path = "/konto?meldung=passkey", field = "fehler_passkey";
  co_return co_await after_deed(visit, std::move(reply), path, field, field);
}

PageTask remove_passkey(PageVisitPtr visit) {
  const auto fingerprint = actors::bytes_of_hex(visit->field("passkey"));
  if (!fingerprint) co_return visit->redirect("/konto");
  actors::MemberOrder deed = actors::RemovePasskey{visit->session.person.account, *fingerprint};
  const auto reply = co_await visit->order(std::move(deed));
  if (!reply || reply->fault != MemberFault::none) co_return visit->unavailable();
  co_return visit->redirect("/konto?meldung=passkey_entfernt");
}

/// What `navigator.credentials.create` needs.
PageTask new_passkey_question(PageVisitPtr visit) {
  actors::AskPasskeyChallenge what{visit->session.person.account};
  const auto asked = co_await visit->asked<actors::PasskeyChallenge>(visit->service.members(), what);
  if (!asked || !asked->readable) co_return visit->unavailable();
  if (asked->relying_party_id.empty()) co_return visit->not_found();
  Json json;
  json.begin_object()
      .field("frage", actors::base64url(asked->challenge))
      .field("host", asked->relying_party_id)
      .field("nutzer", actors::base64url(asked->user_handle))
      .field("email", visit->session.person.email);
  json.key("vorhanden").begin_array();
  for (const std::string& id : asked->known) json.text(actors::base64url(id));
  json.end_array().end_object();
  co_return visit->respond_json(json.str());
}

PageTask close_account(PageVisitPtr visit) {
  if (visit->field("bestaetigt") != "ja") {
    FieldFaults faults{{"fehler_passwort_loeschen", "Bestätigen Sie mit dem Häkchen."}};
    co_return co_await account_page(visit, std::move(faults));
  }
  actors::MemberOrder deed = actors::CloseAccount{visit->session.person.account, visit->field("passwort")};
  auto reply = co_await visit->order(std::move(deed));
  if (reply && reply->fault == MemberFault::none) {
    Response response = visit->redirect("/?meldung=konto_geloescht");
    co_return response.with("Set-Cookie", clear_session_cookie(visit->site->cookie()));
  }
  const std::string path = "/", field = "fehler_passwort_loeschen";
  co_return co_await after_deed(visit, std::move(reply), path, field, field);
}

PageTask account_deed(PageVisitPtr visit) {
  const std::string deed = visit->field("tat");
  if (deed == "passwort_aendern") return change_password(std::move(visit));
  if (deed == "email_aendern") return change_email(std::move(visit));
  if (deed == "sitzung_beenden") return end_session(std::move(visit));
  if (deed == "ueberall_abmelden") return end_all_sessions(std::move(visit));
  if (deed == "passkey_anlegen") return add_passkey(std::move(visit));
  if (deed == "passkey_entfernen") return remove_passkey(std::move(visit));
  if (deed == "konto_loeschen") return close_account(std::move(visit));
  visit->tell_unknown_deed();
  return account_page(std::move(visit), FieldFaults());
}

// ---- export ---------------------------------------------------------------------------------------------

void write_key_rows(Json& json, const actors::KeyList& keys) {
  json.key("schluessel").begin_array();
  for (const actors::KeyLine& key : keys.keys) {
    json.begin_object().field("kennung", key.id).field("name", key.name).field("ende", key.ending);
    json.key("angelegt_ms").integer(key.created_ms).key("zuletzt_ms").integer(key.last_used_ms);
    json.key("widerrufen_ms")
        .integer(key.revoked_ms)
        .key("aufrufe_30_tage")
        .integer(key.requests)
        .end_object();
  }
  json.end_array();
}

void write_session_rows(Json& json, const actors::SessionList& sessions) {
  json.key("sitzungen").begin_array();
  for (const actors::SessionLine& session : sessions.sessions) {
    json.begin_object().field("browser", session.browser);
    json.key("angemeldet_ms").integer(session.signed_in_ms).key("zuletzt_ms").integer(session.used_ms);
    json.end_object();
  }
  json.end_array();
}

void write_passkey_rows(Json& json, const actors::PasskeyList& passkeys) {
  json.key("passkeys").begin_array();
  for (const actors::PasskeyLine& passkey : passkeys.passkeys) {
    json.begin_object().field("name", passkey.name).key("angelegt_ms").integer(passkey.created_ms);
    json.key("zuletzt_ms").integer(passkey.used_ms).end_object();
  }
  json.end_array();
}

/// All that was typed for a project, and what was made of it, without its result.
void write_project_fields(Json& json, const actors::ProjectRecord& record) {
  json.field("projekt_id", record.project).field("name", record.name).field("adresse", record.address_sent);
  json.field("strasse", record.street).field("hausnummer", record.house_number);
  json.field("plz", record.postcode).field("ort", record.town).field("land", record.country);
  json.field("lat", record.lat_deg, 7).field("lon", record.lon_deg, 7);
  json.field("jahresverbrauch_kwh", record.consumption_kwh, 3).field("lastprofil", record.load_profile);
  json.key("angelegt_ms").integer(record.created_ms).key("gespeichert_ms").integer(record.saved_ms);
}

/// The account's data as one JSON file; the projects page by page, with their results where these are kept.
/// Of very many projects the later ones come without: the API has them.
PageTask account_export(PageVisitPtr visit) {
  const actors::Person person = visit->session.person;
  actors::ListKeys which_keys{person.account};
  const auto keys = co_await visit->asked<actors::KeyList>(visit->account_shard(), which_keys);
  actors::ListSessions which{person.account};
  const auto sessions = co_await visit->asked<actors::SessionList>(visit->service.members(), which);
  actors::ListPasskeys which_passkeys{person.account};
  const auto passkeys = co_await visit->asked<actors::PasskeyList>(visit->service.members(), which_passkeys);
  if (!keys || !keys->readable || !sessions || !sessions->readable || !passkeys || !passkeys->readable)
    co_return visit->unavailable();
  Json json;
  json.begin_object().field("konto", person.account).field("email", person.email).field("plan", person.plan);
  json.key("angelegt_ms").integer(person.created_ms).key("laeuft_ab_ms").integer(person.expires_ms);
  write_key_rows(json, *keys);
  write_session_rows(json, *sessions);
  write_passkey_rows(json, *passkeys);
  json.key("projekte").begin_array();
  std::uint64_t before = 0;
  std::size_t exported = 0;
  for (bool more = true; more;) {
    actors::Command command = actors::ListProjects{.limit = 200, .before = before};
    const auto answer = co_await visit->ask(std::move(command));
    const auto* listed = answer ? caf::get_if<actors::ProjectPage>(&answer->outcome) : nullptr;
    if (!listed) co_return visit->unavailable();
    for (const actors::ProjectLine& line : listed->projects) {
      before = line.project;
      actors::Command read = actors::ReadProject{line.project};
      const auto kept = co_await visit->ask(std::move(read));
      const auto* record = kept ? caf::get_if<actors::ProjectRecord>(&kept->outcome) : nullptr;
      if (!record) continue;  // deleted meanwhile
      actors::Command query = actors::QueryAnalysis{line.project};
      const auto state = co_await visit->ask(std::move(query));
      const auto* finished = state ? caf::get_if<actors::Finished>(&state->outcome) : nullptr;
      if (finished) exported += finished->body.text->size();
      json.begin_object();
      write_project_fields(json, *record);
      json.key("ergebnis");
      if (finished && exported <= kExportMost_bytes)
        json.raw(*finished->body.text);
      else
        json.null();
      json.end_object();
    }
    more = listed->more && !listed->projects.empty();
  }
  json.end_array().key("ergebnisse_ausgelassen").boolean(exported > kExportMost_bytes).end_object();
  Response response = visit->respond_json(json.str());
  co_return response.with("Content-Disposition", "attachment; filename=\"dachanalyse-daten.json\"");
}

/// Where password managers lead (W3C, "A Well-Known URL for Changing Passwords").
PageTask way_to_new_password(PageVisitPtr visit) { co_return visit->redirect("/konto#passwort-aendern"); }

}  // namespace

std::vector<PageRoute> account_routes() {
  return {{{.method = "GET", .path = "/.well-known/change-password"}, false, way_to_new_password},
          {{.method = "GET", .path = "/konto"}, true, account_view},
          {{.method = "POST", .path = "/konto"}, true, account_deed},
          {{.method = "GET", .path = "/konto/passkey"}, true, new_passkey_question, true},
          {{.method = "GET", .path = "/konto/daten.json"}, true, account_export}};
}

}  // namespace http
