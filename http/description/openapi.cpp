// The description for machines: OpenAPI 3.1.0, made from the tables of routes, schemas, errors and limits.
#include <algorithm>
#include <map>
#include <set>

#include "http/api/errors.hpp"
#include "http/api/limit_table.hpp"
#include "http/api/routes.hpp"
#include "http/description/openapi_schemas.hpp"
#include "http/description/pages.hpp"

namespace http {
namespace {

constexpr auto kIntroduction =
    "Zu einer Adresse in Österreich, Deutschland oder der Schweiz bestimmt der Dienst jede Dachfläche des "
    "Grundstücks: "
    "Fläche, Neigung, Ausrichtung, Verschattung, Module und Ertrag. Die Analyse läuft im Hintergrund: "
    "anlegen, abfragen, "
    "bis zustand „fertig“ ist. Das Ergebnis ist eine Vorplanung aus Fernerkundungsdaten, keine "
    "Ausführungsplanung; wer "
    "es weitergibt, nennt die Datenquellen aus dem Feld quellen.";

using ByStatus = std::map<int, std::vector<actors::Code>>;

ByStatus by_status(const std::vector<actors::Code>& codes) {
  ByStatus groups;
  for (const actors::Code code : codes) groups[error_row(code).status].push_back(code);
  return groups;
}

bool has_retry_after(int status) { return status == 202 || status == 429 || status == 503; }

void write_header_reference(Json& json, const char* name) {
  json.key(name).begin_object().field("$ref", std::string("#/components/headers/") + name).end_object();
}

/// An image or a file; it comes with the name to save it under.
bool gives_files(const Route& route) {
  return route.keyed() && std::any_of(route.successes.begin(), route.successes.end(),
                                      [](const Success& success) { return !success.types.empty(); });
}

void write_headers(Json& json, const Route& route, int status) {
  json.key("headers").begin_object();
  write_header_reference(json, "X-Request-Id");
  if (has_retry_after(status)) write_header_reference(json, "Retry-After");
  if (status == 200 || status == 304) write_header_reference(json, "ETag");
  if (status == 200 && gives_files(route)) write_header_reference(json, "Content-Disposition");
  if (status == 401) write_header_reference(json, "WWW-Authenticate");
  if (route.keyed() && status != 401) {
    write_header_reference(json, "RateLimit");
    write_header_reference(json, "RateLimit-Policy");
  }
  json.end_object();
}

void write_json_content(Json& json, const std::vector<std::string_view>& schemas,
                        const PageContext& context) {
  json.key("application/json").begin_object().key("schema");
  if (schemas.size() == 1) {
    write_schema_reference(json, schemas.front());
  } else {
    json.begin_object().key("anyOf").begin_array();
    for (const std::string_view schema : schemas) write_schema_reference(json, schema);
    json.end_array().end_object();
  }
  json.key("examples").begin_object();
  for (const std::string_view schema : schemas)
    json.key(schema)
        .begin_object()
        .key("value")
        .raw(context.filled(example_of(schema_of(schema))))
        .end_object();
  json.end_object().end_object();
}

bool is_text(std::string_view media_type) {
  return media_type.starts_with("text/") || media_type == "application/json" || media_type == "image/svg+xml";
}

void write_success(Json& json, const Route& route, int status, const PageContext& context) {
  std::vector<std::string_view> schemas;
  std::vector<std::string_view> types;
  std::string about;
  for (const Success& success : route.successes) {
    if (success.status != status) continue;
    about += (about.empty() ? "" : " ") + std::string(success.about);
    if (!success.schema.empty()) schemas.push_back(success.schema);
    types.insert(types.end(), success.types.begin(), success.types.end());
  }
  json.key(std::to_string(status)).begin_object().field("description", about);
  write_headers(json, route, status);
  json.key("content").begin_object();
  if (!schemas.empty()) write_json_content(json, schemas, context);
  for (const std::string_view type : types) {
    json.key(type).begin_object().key("schema").begin_object();
    if (type != "application/json") json.field("type", "string");
    // By this word the generators of clients know bytes from text.
    if (!is_text(type)) json.field("format", "binary");
    json.end_object().end_object();
  }
  json.end_object().end_object();
}

void write_refusals(Json& json, const Route& route, int status, const std::vector<actors::Code>& codes) {
  std::string about;
  for (const actors::Code code : codes)
    about += (about.empty() ? "" : " ") + std::string(actors::name_of(code)) + ": " + error_row(code).meldung;
  json.key(std::to_string(status)).begin_object().field("description", about);
  write_headers(json, route, status);
  json.key("content").begin_object().key(kProblemJson).begin_object().key("schema");
  write_schema_reference(json, "Fehler");
  json.key("examples").begin_object();
  for (const actors::Code code : codes) {
    const std::string name = actors::name_of(code);
    json.key(name).begin_object().field("$ref", "#/components/examples/" + name).end_object();
  }
  json.end_object().end_object().end_object().end_object();
}

void write_not_modified(Json& json, const Route& route) {
  json.key("304").begin_object();
  json.field("description", "Unverändert gegenüber dem, was If-None-Match nennt. Zählt wie jede Anfrage.");
  write_headers(json, route, 304);
  json.end_object();
}

void write_responses(Json& json, const Route& route, const PageContext& context) {
  std::set<int> statuses;
  for (const Success& success : route.successes) statuses.insert(success.status);
  json.key("responses").begin_object();
  for (const int status : statuses) write_success(json, route, status, context);
  if (statuses.contains(200)) write_not_modified(json, route);
  for (const auto& [status, codes] : by_status(errors_of(route))) write_refusals(json, route, status, codes);
  json.key("default").begin_object().field("$ref", "#/components/responses/Sonst").end_object();
  json.end_object();
}

/// The answers that any request may get, before or instead of an endpoint's.
void write_default_response(Json& json) {
  using actors::Code;
  json.key("responses").begin_object().key("Sonst").begin_object();
  json.field("description",
             "Jeder andere Fehler: kein solcher Pfad, keine solche Methode, eine Anfrage, die nicht "
             "wohlgeformt, zu groß oder zu langsam ist, ein Fehler im Dienst.");
  json.key("headers").begin_object();
  write_header_reference(json, "X-Request-Id");
  json.end_object().key("content").begin_object().key(kProblemJson).begin_object().key("schema");
  write_schema_reference(json, "Fehler");
  json.key("examples").begin_object();
  for (const Code code :
       {Code::anfrage_ungueltig, Code::pfad_unbekannt, Code::methode_nicht_erlaubt, Code::anfrage_zu_gross,
        Code::anfrage_zu_langsam, Code::dienst_ueberlastet, Code::interner_fehler}) {
    const std::string name = actors::name_of(code);
    json.key(name).begin_object().field("$ref", "#/components/examples/" + name).end_object();
  }
  json.end_object().end_object().end_object().end_object().end_object();
}

void write_parameters(Json& json, const Route& route, const PageContext& context) {
  json.key("parameters").begin_array();
  for (const Parameter& parameter : route.parameters) {
    const bool in_path = parameter.in == Parameter::In::path;
    json.begin_object().field("name", parameter.field.name).field("in", in_path ? "path" : "query");
    json.field("required", parameter.field.required).field("description", parameter.field.about);
    write_field_schema(json.key("schema"), parameter.field, context);
    json.end_object();
  }
  json.end_array();
}

void write_request_body(Json& json, const RequestBody& body, const PageContext& context) {
  if (body.schema.empty()) return;
  json.key("requestBody").begin_object().field("required", body.required).key("content").begin_object();
  write_json_content(json, {body.schema}, context);
  json.end_object().end_object();
}

void write_security(Json& json, const Route& route) {
  json.key("security").begin_array();
  if (route.keyed())
    for (const char* scheme : {"kopfzeile", "adresszeile"})
      json.begin_object().key(scheme).begin_array().end_array().end_object();
  json.end_array();
}

std::string description_of(const Route& route, const PageContext& context) {
  std::string text(route.about);
  if (!route.keyed()) return text + " Ohne Schlüssel.";
  const RateLimit rate = rate_limit(route.limit, context.options);
  return text + " Grenze: " + rate.text() + " (" + std::string(rate.covers) + ").";
}

void write_operation(Json& json, const Route& route, const PageContext& context) {
  std::string method(route.method);
  std::transform(method.begin(), method.end(), method.begin(),
                 [](char c) { return static_cast<char>(c | 0x20); });
  json.key(method).begin_object();
  json.field("operationId", route.id).field("summary", route.summary);
  json.field("description", description_of(route, context));
  write_security(json, route);
  write_parameters(json, route, context);
  write_request_body(json, route.body, context);
  write_responses(json, route, context);
  json.end_object();
}

void write_paths(Json& json, const PageContext& context) {
  std::vector<std::string_view> paths;  // in the table's order, each once
  for (const Route& route : route_table())
    if (std::find(paths.begin(), paths.end(), route.path) == paths.end()) paths.push_back(route.path);
  json.key("paths").begin_object();
  for (const std::string_view path : paths) {
    json.key(path).begin_object();
    for (const Route& route : route_table())
      if (route.path == path) write_operation(json, route, context);
    json.end_object();
  }
  json.end_object();
}

void write_security_schemes(Json& json) {
  const auto scheme = [&json](const char* id, const char* in, const char* name, const char* about) {
    json.key(id).begin_object().field("type", "apiKey").field("in", in).field("name", name);
    json.field("description", about).end_object();
  };
  json.key("securitySchemes").begin_object();
  scheme("kopfzeile", "header", "X-API-Key", "Der API-Schlüssel im Header; der bessere Weg.");
  scheme("adresszeile", "query", "schluessel",
         "Der API-Schlüssel in der Adresse, wenn kein Header möglich ist. Er steht dann in "
         "Zugriffsprotokollen.");
  json.end_object();
}

void write_header_components(Json& json) {
  const auto header = [&json](const char* name, const char* type, const char* about, bool always = false) {
    json.key(name).begin_object().field("description", about).field("required", always);
    json.key("schema").begin_object().field("type", type).end_object().end_object();
  };
  json.key("headers").begin_object();
  header("Retry-After", "integer", "Sekunden bis zum nächsten Versuch.");
  header("X-Request-Id", "string", "Nummer der Anfrage, für Rückfragen.", true);
  header("ETag", "string", "Kennung dieses Inhalts; mit If-None-Match gesendet, kommt 304, solange er gilt.",
         true);
  header("Content-Disposition", "string", "Der Name, unter dem die Datei zu speichern ist.", true);
  header("WWW-Authenticate", "string", "Dass ein API-Schlüssel gebraucht wird.", true);
  header("RateLimit", "string",
         "Was von der Grenze noch bleibt (r) und in wie vielen Sekunden sie wieder wächst (t).");
  header("RateLimit-Policy", "string", "Die Grenze (q) und ihr Zeitraum in Sekunden (w).");
  json.end_object();
}

/// One whole problem document for every code.
void write_error_examples(Json& json, const PageContext& context) {
  constexpr std::uint64_t kProject = 4711;
  constexpr int kRetry_s = 60;
  json.key("examples").begin_object();
  for (const ErrorRow& row : error_table()) {
    const bool waits = row.status == 429 || row.status == 503;
    const actors::Refusal refusal{.code = row.code,
                                  .found = {"Musterstraße 1, 1010 Wien", "Musterstraße 1, 4020 Linz"},
                                  .existing = {1, 2, 3},
                                  .project = kProject,
                                  .retry_after_s = waits ? kRetry_s : 0};
    json.key(actors::name_of(row.code)).begin_object().field("summary", row.title);
    json.key("value").raw(problem(refusal, context.links, "0f1e2d3c4b5a6978").body).end_object();
  }
  json.end_object();
}

}  // namespace

Response openapi_page(const PageContext& context) {
  Json json;
  json.begin_object().field("openapi", "3.1.0");
  json.key("info").begin_object().field("title", "Dachanalyse").field("version", kDescriptionVersion);
  json.field("summary", "Adresse hinein, Dachflächen heraus.")
      .field("description", kIntroduction)
      .end_object();
  json.field("jsonSchemaDialect", "https://json-schema.org/draft/2020-12/schema");
  json.key("servers")
      .begin_array()
      .begin_object()
      .field("url", context.links.base_url)
      .end_object()
      .end_array();
  json.key("externalDocs").begin_object().field("url", context.links.documentation());
  json.field("description", "Dokumentation zum Lesen").end_object();
  write_paths(json, context);
  json.key("components").begin_object();
  write_schemas(json.key("schemas"), context);
  write_security_schemes(json);
  write_header_components(json);
  write_default_response(json);
  write_error_examples(json, context);
  json.end_object();
  json.key("x-grenzen").begin_array();
  for (const LimitRow& row : limit_table(context.options))
    json.begin_object().field("was", row.what).field("grenze", row.value).end_object();
  json.end_array().end_object();
  return {.status = 200, .body = json.str()};
}

}  // namespace http
