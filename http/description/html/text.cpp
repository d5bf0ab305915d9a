#include "http/description/html/text.hpp"

#include <stdexcept>

#include "http/api/errors.hpp"
#include "http/api/limit_table.hpp"
#include "http/description/html/sections.hpp"
#include "http/description/html/shell.hpp"

namespace http::html {
namespace {

const Route& route_of(const std::string& id) {
  for (const Route& route : route_table())
    if (route.id == id) return route;
  throw std::out_of_range("there is no endpoint " + id);
}

std::string error_link(const std::string& code, const PageContext& context) {
  if (actors::name_of(actors::code_of(code)) != code) throw std::out_of_range("there is no error " + code);
  return "<a href=\"" + escaped(context.links.error(code)) + "\"><code>" + code + "</code></a>";
}

std::string answer_example(const std::string& schema, const PageContext& context) {
  return "<details><summary>So sieht die Antwort aus</summary>\n" +
         code_block(pretty_json(context.filled(example_of(schema_of(schema))))) + "</details>\n";
}

}  // namespace

Values page_values(const PageContext& context) {
  const auto constant = [](const std::string& value) {
    return [value = escaped(value)](const std::string&) { return value; };
  };
  return {
      {"base", constant(context.links.base_url)},
      {"web", constant(context.links.web_url)},
      {"doku", constant(context.links.documentation())},
      {"anleitung", constant(context.links.guide())},
      {"openapi", constant(context.links.description())},
      {"fassung", constant(kDescriptionVersion)},
      {"frist", constant(std::to_string(kPollingDeadline_s))},
      {"abstand", constant(std::to_string(kSingleCallPace_s))},
      {"adresse", [&context](const std::string&) { return code_block(context.links.base_url); }},
      // A line to be copied.
      {"befehl", [&context](const std::string& line) { return code_block(context.filled(line)); }},
      // An endpoint's command, by its id.
      {"curl", [&context](const std::string& id) { return code_block(curl_of(route_of(id), context)); }},
      // An example of a body, by its schema.
      {"antwort", [&context](const std::string& schema) { return answer_example(schema, context); }},
      // A link to an error, by its code.
      {"fehler", [&context](const std::string& code) { return error_link(code, context); }},
  };
}

std::string filled_in(std::string_view text, const Values& values) {
  std::string out;
  for (auto at = text.find("{{"); at != std::string_view::npos; at = text.find("{{")) {
    const auto end = text.find("}}", at);
    const std::string_view placeholder = text.substr(at + 2, end - at - 2);
    const auto space = placeholder.find(' ');
    const std::string argument(space == std::string_view::npos ? std::string_view()
                                                               : placeholder.substr(space + 1));
    const auto value = values.find(placeholder.substr(0, space));
    if (value == values.end()) throw std::out_of_range("nothing to put for " + std::string(placeholder));
    out.append(text.substr(0, at)).append(value->second(argument));
    text.remove_prefix(end + 2);
  }
  return out.append(text);
}

}  // namespace http::html
