#include "http/api/answers.hpp"

#include <algorithm>
#include <functional>

#include "http/api/errors.hpp"
#include "http/api/json.hpp"
#include "http/api/media_list.hpp"

namespace http {
namespace {

constexpr auto kRunning = "läuft";

/// Strong: equal tags mean equal bytes.
std::string etag_of(std::uint64_t tag) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text = "\"0000000000000000\"";
  for (auto digit = text.rbegin() + 1; tag != 0; ++digit, tag >>= 4U) *digit = kHex[tag & 15U];
  return text;
}

/// An answer with an ETag, for a body that the client may already have.
Response tagged(std::string body) {
  Response response{.status = 200, .body = std::move(body)};
  return response.with("ETag", etag_of(std::hash<std::string>()(response.body)));
}

Response accepted(Json& json, int retry_s) {
  Response response{.status = 202, .body = json.str()};
  return response.with("Retry-After", std::to_string(retry_s));
}

Response render(const actors::Created& created, const AnswerContext& context) {
  const int retry_s = std::max(created.retry_s, context.retry_at_least_s);
  Json json;
  json.begin_object().field("projekt_id", created.project).field("name", created.name);
  json.field("adresse", created.address).field("lat", created.lat_deg, 7).field("lon", created.lon_deg, 7);
  json.field("zustand", kRunning).field("analyse_url", context.links.analysis(created.project));
  json.field("erneut_in_s", retry_s);
  json.field("hinweis",
             "Das Projekt ist angelegt, die Analyse steht an. Fragen Sie analyse_url ab, bis zustand "
             "\"fertig\" ist.");
  json.end_object();
  return accepted(json, retry_s);
}

Response render(const actors::Running& run, const AnswerContext& context) {
  const int retry_s = std::max(run.retry_s, context.retry_at_least_s);
  Json json;
  json.begin_object().field("projekt_id", run.project).field("zustand", kRunning);
  json.field("analyse_url", context.links.analysis(run.project)).field("erneut_in_s", retry_s);
  json.field("wartet", run.waiting).text_or_null("schritt", run.step);
  const bool counted = !run.waiting && run.steps_total > 0;
  json.field("fertig", counted ? std::optional(run.steps_done) : std::nullopt);
  json.field("gesamt", counted ? std::optional(run.steps_total) : std::nullopt);
  std::string note = run.waiting
                         ? "Die Analyse wartet auf einen freien Platz; die Wartezeit zählt nicht zur Frist."
                         : "Die Analyse rechnet.";
  if (run.keeps_inputs)
    note +=
        " Sie behält Verbrauch und Lastprofil, mit denen sie begonnen wurde. Senden Sie die neuen noch "
        "einmal, "
        "wenn zustand \"fertig\" ist.";
  json.field("hinweis", note);
  json.end_object();
  return accepted(json, retry_s);
}

Response render(const actors::Finished& finished, const AnswerContext&) {
  Response response{.status = 200, .shared_body = finished.body.text};
  return response.with("ETag", etag_of(finished.body.tag));
}

Response render(const actors::ProjectPage& page, const AnswerContext& context) {
  Json json;
  json.begin_object().field("anzahl", static_cast<int>(page.projects.size()));
  json.key("projekte").begin_array();
  for (const actors::ProjectLine& p : page.projects) {
    json.begin_object().field("projekt_id", p.project).field("name", p.name);
    json.text_or_null("strasse", p.street).text_or_null("plz", p.postcode).text_or_null("ort", p.town);
    json.field("lat", p.lat_deg, 7).field("lon", p.lon_deg, 7);
    json.field("analyse_url", context.links.analysis(p.project))
        .field("url", context.links.economics(p.project));
    json.end_object();
  }
  json.end_array();
  json.text_or_null("weiter", page.more
                                  ? context.links.next_page(context.page_limit, page.projects.back().project)
                                  : std::string());
  json.end_object();
  return tagged(json.str());
}

Response render(const actors::MediaList& list, const AnswerContext& context) {
  return tagged(media_list_json(list, context.links));
}

Response render(const actors::Medium& medium, const AnswerContext&) {
  const MediumFile file = file_of(medium);
  Response response{.status = 200, .content_type = file.type, .shared_body = medium.body.text};
  response.with("ETag", etag_of(medium.body.tag));
  return response.with("Content-Disposition", file.disposition);
}

Response render(const actors::Refusal& refusal, const AnswerContext& context) {
  return problem(refusal, context.links, context.request_id);
}

/// A visit is answered with its page, which the front already has.
Response render(const actors::Welcome&, const AnswerContext&) { return {.status = 204}; }

// For the web application's pages; no endpoint asks for them.
Response render(const actors::ProjectRecord&, const AnswerContext&) { return {.status = 204}; }
Response render(const actors::StoredAnalysis&, const AnswerContext&) { return {.status = 204}; }
Response render(const actors::Done&, const AnswerContext&) { return {.status = 204}; }

/// IETF draft "RateLimit header fields for HTTP": the limits of the account and of the calling address, on
/// answers to requests with a key.
void add_limits(Response& response, const actors::Ticket& ticket) {
  constexpr int kHour_s = 3600;
  constexpr int kDay_s = 86400;
  // Without a known account only a 429 says how far the calling address's limits are used up.
  if (ticket.account == 0 && response.status != 429) return;
  std::string policy, state;
  const auto append = [&](const char* name, std::uint32_t limit, std::uint32_t remaining,
                          std::uint32_t reset_s, int window_s) {
    if (limit == 0) return;  // off
    const std::string separator = policy.empty() ? "" : ", ";
    const std::string quoted = std::string("\"") + name + "\"";
    policy += separator + quoted + ";q=" + std::to_string(limit) + ";w=" + std::to_string(window_s);
    state += separator + quoted + ";r=" + std::to_string(remaining) + ";t=" + std::to_string(reset_s);
  };
  append("konto", ticket.limit, ticket.remaining, ticket.reset_s, kHour_s);
  const auto& [hour, day] = ticket.address;
  append("adresse-stunde", hour.limit, hour.remaining, hour.reset_s, kHour_s);
  append("adresse-tag", day.limit, day.remaining, day.reset_s, kDay_s);
  if (!policy.empty()) response.with("RateLimit-Policy", policy).with("RateLimit", state);
}

}  // namespace

Response response_of(const actors::Answer& answer, const AnswerContext& context) {
  Response response =
      caf::visit([&](const auto& outcome) { return render(outcome, context); }, answer.outcome);
  add_limits(response, answer.ticket);
  return response;
}

}  // namespace http
