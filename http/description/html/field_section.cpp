#include "http/description/html/sections.hpp"
#include "http/description/html/shell.hpp"

namespace http::html {
namespace {

const char* type_word(Field::Type type) {
  switch (type) {
    case Field::Type::text:
      return "Text";
    case Field::Type::integer:
      return "ganze Zahl";
    case Field::Type::number:
      return "Zahl";
    case Field::Type::boolean:
      return "true/false";
    case Field::Type::array:
      return "Liste";
    case Field::Type::object:
      break;
  }
  return "Objekt";
}

std::string schema_link(std::string_view name) {
  return "<a href=\"#feld-" + std::string(name) + "\">" + std::string(name) + "</a>";
}

std::string type_text(const Field& field) {
  std::string text;
  if (field.type == Field::Type::array)
    text = "Liste von " +
           (field.schema.empty() ? std::string(type_word(field.items)) : schema_link(field.schema));
  else
    text = field.schema.empty() ? field.uri ? "Adresse (URI)" : type_word(field.type)
                                : schema_link(field.schema);
  return field.nullable ? text + " oder null" : text;
}

std::string whole(double value) { return std::to_string(static_cast<long long>(value)); }

std::string unquoted(std::string json) {
  std::erase(json, '"');
  return json;
}

std::string bounds_text(const Field& field) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (field.above) add("größer als " + whole(*field.above));
  if (field.minimum) add("ab " + whole(*field.minimum));
  if (field.maximum) add("höchstens " + whole(*field.maximum));
  if (field.longest) add("höchstens " + std::to_string(*field.longest) + " Zeichen");
  if (!field.default_value.empty())
    add("Vorgabe <code>" + escaped(unquoted(field.default_value)) + "</code>");
  return text;
}

std::string choices_text(const Field& field) {
  constexpr std::size_t kShown = 12;  // longer lists, such as the error codes, have their own section
  std::string text;
  if (field.one_of.size() < 2 || field.one_of.size() > kShown) return text;
  for (const std::string_view choice : field.one_of)
    text += (text.empty() ? "<br>Einer von: " : " ") + ("<code>" + escaped(choice) + "</code>");
  return text;
}

}  // namespace

std::string field_entry(const Field& field, std::string_view place) {
  std::string out =
      "<div><dt><code>" + escaped(field.name) + "</code> <span class=\"type\">" + type_text(field);
  out += place.empty() ? "" : ", " + std::string(place);
  out += field.required ? "" : ", freigestellt";
  out += "</span></dt><dd>" + escaped(field.about);
  const std::string bounds = bounds_text(field);
  if (!bounds.empty()) out += " <span class=\"subtle\">(" + bounds + ")</span>";
  return out + choices_text(field) + "</dd></div>\n";
}

std::string schema_card(const Schema& schema, const PageContext& context) {
  const std::string name(schema.name);
  std::string out =
      "<div class=\"card\" id=\"feld-" + name + "\" data-part>\n<h3><code>" + name + "</code></h3>\n";
  out += "<p>" + escaped(schema.about) + "</p>\n<dl class=\"fields\">\n";
  for (const Field& field : schema.fields) out += field_entry(field, {});
  out += "</dl>\n<details><summary>Beispiel</summary>\n";
  out += code_block(pretty_json(context.filled(example_of(schema)))) + "</details>\n</div>\n";
  return out;
}

}  // namespace http::html
