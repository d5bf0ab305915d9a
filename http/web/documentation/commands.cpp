#include "http/web/documentation/commands.hpp"

#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

namespace http {
namespace {

std::string pretty_json(const std::string& json) {
  rapidjson::Document document;
  document.Parse(json.c_str(), json.size());
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  writer.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  document.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

/// A field's example as written in a URL or on a command line: text without quotes.
std::string plain_example(const Field& field) {
  const std::string& json = field.example;
  return field.type == Field::Type::text ? json.substr(1, json.size() - 2) : json;
}

std::string example_path(const Route& route) {
  std::string path(route.path);
  for (const Parameter& parameter : route.parameters) {
    if (parameter.in != Parameter::In::path) continue;
    const std::string placeholder = "{" + std::string(parameter.field.name) + "}";
    if (const auto at = path.find(placeholder); at != std::string::npos)
      path.replace(at, placeholder.size(), plain_example(parameter.field));
  }
  return path;
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

TemplateData command_data(const std::string& id, std::string_view text) {
  TemplateData data(TemplateData::type::object);
  data.set("befehl_id", id);
  data.set("befehl_text", std::string(text));
  return data;
}

std::string curl_of(const Route& route, const PageContext& context) {
  std::string query;
  for (const Parameter& parameter : route.parameters)
    if (parameter.in == Parameter::In::query && parameter.field.required)
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

std::string example_text(const Schema& schema, const PageContext& context) {
  return pretty_json(context.filled(example_of(schema)));
}

}  // namespace http
