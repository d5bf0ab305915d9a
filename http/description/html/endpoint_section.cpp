#include <map>

#include "http/api/limit_table.hpp"
#include "http/description/html/sections.hpp"
#include "http/description/html/shell.hpp"

namespace http::html {
namespace {

using In = Parameter::In;

/// A field's example as written in a URL or on a command line: text without quotes.
std::string plain_example(const Field& field) {
  const std::string& json = field.example;
  return field.type == Field::Type::text ? json.substr(1, json.size() - 2) : json;
}

std::string example_path(const Route& route) {
  std::string path(route.path);
  for (const Parameter& parameter : route.parameters) {
    if (parameter.in != In::path) continue;
    const std::string placeholder = "{" + std::string(parameter.field.name) + "}";
    if (const auto at = path.find(placeholder); at != std::string::npos)
      path.replace(at, placeholder.size(), plain_example(parameter.field));
  }
  return path;
}

std::string status_chip(int status) {
  return "<span class=\"chip s" + std::to_string(status / 100) + "\">" + std::to_string(status) + "</span>";
}

std::string success_lines(const Route& route) {
  std::string out;
  for (const Success& success : route.successes) {
    out += "<li>" + status_chip(success.status) + escaped(success.about);
    if (!success.schema.empty()) {
      const std::string name(success.schema);
      out += " Inhalt: <a href=\"#feld-" + name + "\">" + name + "</a>";
    }
    for (const std::string_view type : success.types) out += " <code>" + escaped(type) + "</code>";
    out += "</li>\n";
  }
  return out;
}

std::string refusal_lines(const Route& route) {
  std::map<int, std::string> by_status;
  for (const actors::Code code : errors_of(route)) {
    std::string& line = by_status[error_row(code).status];
    const std::string name = actors::name_of(code);
    line += (line.empty() ? "" : ", ") + ("<a href=\"#fehler-" + name + "\">" + name + "</a>");
  }
  std::string out;
  for (const auto& [status, line] : by_status) out += "<li>" + status_chip(status) + line + "</li>\n";
  return out;
}

std::string chips(const Route& route, const PageContext& context) {
  std::string out = "<p class=\"chips\">";
  out += route.keyed() ? "<span class=\"chip\">Schlüssel nötig</span>"
                       : "<span class=\"chip\">ohne Schlüssel</span>";
  if (route.keyed()) {
    const RateLimit rate = rate_limit(route.limit, context.options);
    out += "<span class=\"chip\">" + rate.text() + ": " + escaped(rate.covers) + "</span>";
  }
  return out + "</p>\n";
}

std::string parameter_list(const Route& route) {
  if (route.parameters.empty()) return {};
  std::string out = "<h4>Parameter</h4>\n<dl class=\"fields\">\n";
  for (const Parameter& parameter : route.parameters)
    out += field_entry(parameter.field, parameter.in == In::path ? "im Pfad" : "");
  return out + "</dl>\n";
}

std::string body_list(const Route& route) {
  if (route.body.schema.empty()) return {};
  std::string out = "<h4>Inhalt der Anfrage (JSON";
  out += route.body.required ? ")</h4>\n" : ", freigestellt)</h4>\n";
  out += "<dl class=\"fields\">\n";
  for (const Field& field : schema_of(route.body.schema).fields) out += field_entry(field, {});
  return out + "</dl>\n";
}

/// curl's option that writes an answer to a file; empty for answers to read on the screen.
std::string output_option(const Route& route) {
  const auto& types = route.successes.front().types;
  if (!route.keyed() || types.empty()) return {};
  if (types.front() == "image/svg+xml") return " -o bild.svg";
  if (types.front() == "image/jpeg") return " -o luftbild.jpg";
  return " -o modell.glb";
}

}  // namespace

std::string curl_of(const Route& route, const PageContext& context) {
  std::string query;
  for (const Parameter& parameter : route.parameters)
    if (parameter.in == In::query && parameter.field.required)
      query += " \\\n  --data-urlencode \"" + std::string(parameter.field.name) + "=" +
               plain_example(parameter.field) + "\"";
  std::string out = (query.empty() ? "curl" : "curl -G") + output_option(route);
  if (route.method != "GET") out += " -X " + std::string(route.method);
  if (route.keyed()) out += " -H \"X-API-Key: $SCHLUESSEL\" \\\n ";
  out += " \"" + context.links.base_url + example_path(route) + "\"" + query;
  if (route.body.required)
    out += " \\\n  -H \"Content-Type: application/json\" \\\n  -d '" +
           pretty_json(example_of(schema_of(route.body.schema))) + "'";
  return out;
}

std::string endpoint_card(const Route& route, const PageContext& context) {
  const std::string method(route.method);
  std::string out =
      "<article class=\"card\" id=\"" + std::string(route.id) + "\" data-part>\n<h3><span class=\"chip ";
  out += (method == "GET" ? "get\">" : "post\">") + method + "</span> <code>" + breakable(route.path) +
         "</code></h3>\n";
  out += "<p><strong>" + escaped(route.summary) + ".</strong> " + escaped(route.about) + "</p>\n";
  out += chips(route, context) + code_block(curl_of(route, context));
  out += parameter_list(route) + body_list(route);
  out += "<h4>Antworten</h4>\n<ul class=\"answers\">\n" + success_lines(route) + refusal_lines(route) +
         "</ul>\n";
  return out + "</article>\n";
}

}  // namespace http::html
