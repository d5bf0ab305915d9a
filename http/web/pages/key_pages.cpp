// The account's keys, and how its limits stand.
#include <algorithm>
#include <functional>

#include "geo/drawing/german_text.hpp"
#include "http/web/pages/page_data.hpp"
#include "http/web/pages/page_routes.hpp"
#include "http/web/pages/usage_bars.hpp"

namespace http {
namespace {

constexpr std::size_t kKeyNameMost = 100;  // characters
constexpr std::size_t kKeysMost = 50;      // in force
constexpr std::int64_t kLongestOverlap_h = 24 * 7;
constexpr std::int64_t kRecent_ms = 15 * 60 * 1000;
constexpr int kConflict = 409;

TemplateData key_row(const actors::KeyLine& key) {
  TemplateData row = object();
  row.set("schluessel_id", key.id);
  row.set("schluessel_name", key.name);
  row.set("ende", key.ending.empty() ? std::string("unbekannt") : key.ending);
  row.set("angelegt", german_date(key.created_ms));
  row.set("zuletzt", german_date(key.last_used_ms));
  row.set("aufrufe_30", geo::german_number(key.requests, 0));
  row.set("ist_gueltig", flag(key.in_force));
  row.set("laeuft_aus", text_or_none(key.revoked_ms > 0 ? german_time(key.revoked_ms) : std::string()));
  row.set("widerrufen_am", german_date(key.revoked_ms));
  row.set("offen", flag(false));
  return row;
}

std::string curl_with(const PageVisit& visit, const std::string& key) {
  return "curl -H 'X-API-Key: " + key + "' '" + visit.site->links().base_url + "/projekte'";
}

/// What the form's field holds again. From a sign-in on the way it comes back in the address.
std::string name_given(const PageVisit& visit) {
  std::string sent = visit.field("name");
  return sent.empty() ? std::string(visit.request.parameter("name").value_or("")) : sent;
}

/// `fresh` is the text of a key that has just been made: this is the only page that ever shows it.
PageTask keys_page(PageVisitPtr visit, std::string fresh, std::string name_fault) {
  actors::ListKeys what{visit->session.person.account};
  const auto keys = co_await visit->asked<actors::KeyList>(visit->account_shard(), what);
  if (!keys || !keys->readable) co_return visit->unavailable();
  Page page{.name = "schluessel", .title = "API-Schlüssel", .section = "schluessel"};
  if (!name_fault.empty()) page.status = 422;
  page.data.set("neuer_schluessel", text_or_none(fresh));
  page.data.set("neuer_name", keys->keys.empty() ? std::string() : keys->keys.front().name);
  page.data.set("curl_zeile", curl_with(*visit, fresh));
  page.data.set("keine", flag(keys->keys.empty()));
  page.data.set("schluessel_zahl", std::to_string(keys->keys.size()));
  TemplateData rows = list();
  for (const actors::KeyLine& key : keys->keys) rows << key_row(key);
  page.data.set("schluessel", rows);
  page.data.set("name_wert", fresh.empty() ? name_given(*visit) : std::string());
  page.data.set("name_zeichen_max", std::to_string(kKeyNameMost));
  page.data.set("fehler_name", text_or_none(name_fault));
  co_return visit->respond(std::move(page));
}

PageTask keys_list(PageVisitPtr visit) { return keys_page(std::move(visit), {}, {}); }

std::string fault_of_name(const std::string& name) {
  if (name.find_first_not_of(' ') == std::string::npos) return "Geben Sie dem Schlüssel einen Namen.";
  const auto characters = std::count_if(
      name.begin(), name.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  if (static_cast<std::size_t>(characters) > kKeyNameMost)
    return "Der Name ist länger als " + std::to_string(kKeyNameMost) + " Zeichen.";
  return {};
}

/// How many keys the page with the form listed. A form that was sent before (a double click, the browser's
/// "reload" on the page that shows the new key) is known by it.
caf::optional<std::uint64_t> keys_listed(const PageVisit& visit) {
  const std::string listed = visit.field("schluessel_zahl");
  if (listed.empty()) return {};
  return std::strtoull(listed.c_str(), nullptr, 10);
}

PageTask tell_outdated(PageVisitPtr visit, const char* sentence) {
  visit->bad = sentence;
  visit->refused = Refused{kConflict};
  return keys_page(std::move(visit), {}, {});
}

PageTask make_new_key(PageVisitPtr visit) {
  const std::string name = visit->field("name");
  if (const std::string fault = fault_of_name(name); !fault.empty())
    co_return co_await keys_page(visit, std::string(), fault);
  actors::ListKeys what{visit->session.person.account};
  const auto keys = co_await visit->asked<actors::KeyList>(visit->account_shard(), what);
  if (!keys || !keys->readable) co_return visit->unavailable();
  if (static_cast<std::size_t>(std::count_if(keys->keys.begin(), keys->keys.end(),
                                             std::mem_fn(&actors::KeyLine::in_force))) >= kKeysMost) {
    std::string full = "Mehr als " + std::to_string(kKeysMost) + " gültige Schlüssel gibt es nicht je Konto.";
    co_return co_await keys_page(visit, std::string(), std::move(full));
  }
  actors::AddKey order{visit->session.person.account, name, keys_listed(*visit)};
  const auto made = co_await visit->asked<actors::AdminReply>(visit->account_shard(), std::move(order));
  if (made && made->outdated)
    co_return co_await tell_outdated(visit,
                                     "Es wurde kein weiterer Schlüssel angelegt: Diese Seite ist älter als "
                                     "Ihr letzter. Haben Sie ihn nicht "
                                     "kopiert, ersetzen Sie ihn.");
  if (!made || !made->ok) co_return visit->unavailable();
  std::string fresh = made->text;
  co_return co_await keys_page(visit, std::move(fresh), std::string());
}

PageTask replace_key(PageVisitPtr visit) {
  std::int64_t hours = std::strtoll(visit->field("ueberlappung_h").c_str(), nullptr, 10);
  hours = std::clamp<std::int64_t>(hours, 0, kLongestOverlap_h);
  actors::ReplaceKey order{visit->session.person.account, visit->field("schluessel"), hours * 3600};
  const auto made = co_await visit->asked<actors::AdminReply>(visit->account_shard(), std::move(order));
  if (made && made->outdated)
    co_return co_await tell_outdated(visit, "Dieser Schlüssel ist schon ersetzt, oder er gilt nicht mehr.");
  if (!made || !made->ok) co_return visit->unavailable();
  std::string fresh = made->text;
  co_return co_await keys_page(visit, std::move(fresh), std::string());
}

PageTask revoke_key(PageVisitPtr visit) {
  if (visit->field("bestaetigt") != "ja") {
    visit->bad = "Bestätigen Sie mit dem Häkchen, dass der Schlüssel widerrufen werden soll.";
    co_return co_await keys_page(visit, std::string(), std::string());
  }
  actors::RevokeKey order{visit->session.person.account, visit->field("schluessel")};
  const auto revoked = co_await visit->asked<actors::AdminReply>(visit->account_shard(), std::move(order));
  if (!revoked) co_return visit->unavailable();
  if (revoked->ok) co_return visit->redirect("/schluessel?meldung=widerrufen");
  visit->bad =
      "Das Widerrufen hat nicht geklappt, oder es dauert noch. Ist der Schlüssel in einer Minute noch "
      "gültig, "
      "widerrufen Sie ihn noch einmal.";
  co_return co_await keys_page(visit, std::string(), std::string());
}

/// A key outlives the session that made it, so a stolen session must not be enough to make one.
bool signed_in_recently(const PageVisit& visit) {
  return page_now_ms() - visit.session.signed_in_ms < kRecent_ms;
}

PageTask sign_in_again(PageVisitPtr visit) {
  std::string name = visit->field("name");
  if (!fault_of_name(name).empty()) name.clear();
  const std::string way = "/schluessel" + (name.empty() ? "" : "?name=" + url_encoded(name));
  co_return visit->redirect("/anmelden?noch_einmal=ja&weiter=" + url_encoded(way));
}

PageTask keys_deed(PageVisitPtr visit) {
  const std::string deed = visit->field("tat");
  if ((deed == "anlegen" || deed == "ersetzen") && !signed_in_recently(*visit))
    return sign_in_again(std::move(visit));
  if (deed == "anlegen") return make_new_key(std::move(visit));
  if (deed == "ersetzen") return replace_key(std::move(visit));
  if (deed == "widerrufen") return revoke_key(std::move(visit));
  visit->tell_unknown_deed();
  return keys_page(std::move(visit), {}, {});
}

// ---- usage ----------------------------------------------------------------------------------------------

struct LimitWords {
  const char* name;
  const char* period;
};
/// By LimitClass.
constexpr std::array<LimitWords, actors::kLimitClasses> kLimitWords{
    {{"Projekte anlegen und neu berechnen", "in der letzten Stunde"},
     {"Stand abfragen und auflisten", "in der letzten Stunde"},
     {"Einzelaufruf", "in der letzten Stunde"},
     {"Bilder, Modell, Medienliste", "in der letzten Stunde"}}};

TemplateData limit_card(const actors::Allowance& limit, std::size_t number) {
  const std::uint32_t used = limit.limit - limit.remaining;
  TemplateData card = object();
  card.set("grenze_nr", std::to_string(number + 1));
  card.set("grenze_name", std::string(kLimitWords[number].name));
  card.set("zeitraum", std::string(kLimitWords[number].period));
  card.set("erlaubt", geo::german_number(limit.limit, 0));
  card.set("erlaubt_zahl", std::to_string(limit.limit));
  card.set("verbraucht", geo::german_number(used, 0));
  card.set("verbraucht_zahl", std::to_string(used));
  card.set("uebrig", geo::german_number(limit.remaining, 0));
  card.set("ist_voll", flag(limit.remaining == 0));
  card.set("ist_eng", flag(limit.remaining > 0 && limit.remaining * 10 <= limit.limit));
  card.set("frei_wieder",
           used == 0 ? std::string()
                     : "Der älteste Aufruf zählt " + german_wait(limit.reset_s) + " nicht mehr mit.");
  return card;
}

PageTask usage_page(PageVisitPtr visit) {
  actors::ReadUsage what{visit->session.person.account};
  const auto usage = co_await visit->asked<actors::Usage>(visit->account_shard(), what);
  if (!usage || !usage->readable) co_return visit->unavailable();
  Page page{.name = "verbrauch", .title = "Verbrauch", .section = "verbrauch"};
  page.data.set("stand", german_time(page_now_ms()));
  TemplateData limits = list();
  for (std::size_t i = 0; i < usage->limits.size(); ++i)
    if (usage->limits[i].limit > 0) limits << limit_card(usage->limits[i], i);
  page.data.set("grenzen", limits);
  add_usage_bars(*usage, page_now_ms(), page.data);
  co_return visit->respond(std::move(page));
}

}  // namespace

std::vector<PageRoute> key_routes() {
  return {{{.method = "GET", .path = "/schluessel"}, true, keys_list},
          {{.method = "POST", .path = "/schluessel"}, true, keys_deed},
          {{.method = "GET", .path = "/verbrauch"}, true, usage_page}};
}

}  // namespace http
