#include "http/web/documentation/commands.hpp"
#include "http/web/documentation/documentation_data.hpp"
#include "http/web/pages/page_data.hpp"

namespace http {
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

std::string plain_type(const Field& field) {
  if (field.type == Field::Type::array) return type_word(field.items);
  return field.uri ? "Adresse (URI)" : type_word(field.type);
}

std::string whole(double value) { return std::to_string(static_cast<long long>(value)); }

/// "ab 1, höchstens 200"
std::string bounds_text(const Field& field) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (field.above) add("größer als " + whole(*field.above));
  if (field.minimum) add("ab " + whole(*field.minimum));
  if (field.maximum) add("höchstens " + whole(*field.maximum));
  if (field.longest) add("höchstens " + std::to_string(*field.longest) + " Zeichen");
  if (field.visible) add("nicht leer, ohne Steuerzeichen (Tabulator und Zeilenumbruch sind erlaubt)");
  return text;
}

std::string unquoted(std::string json) {
  std::erase(json, '"');
  return json;
}

/// Longer lists, such as the error codes, have their own section.
bool choices_are_shown(const Field& field) {
  constexpr std::size_t kShown = 12;
  return field.one_of.size() >= 2 && field.one_of.size() <= kShown;
}

TemplateData choice_list(const Field& field) {
  TemplateData choices = list();
  if (!choices_are_shown(field)) return choices;
  for (const std::string_view choice : field.one_of) {
    TemplateData one = object();
    one.set("auswahl", std::string(choice));
    choices << one;
  }
  return choices;
}

}  // namespace

TemplateData field_data(const Field& field, std::string_view place) {
  TemplateData data = object();
  data.set("feld_name", std::string(field.name));
  data.set("feld_liste", flag(field.type == Field::Type::array));
  data.set("feld_schema", text_or_none(std::string(field.schema)));
  data.set("feld_typ", plain_type(field));
  data.set("feld_oder_null", flag(field.nullable));
  data.set("feld_ort", text_or_none(std::string(place)));
  data.set("feld_noetig", flag(field.required));
  data.set("feld_text", std::string(field.about));
  data.set("feld_grenzen", text_or_none(bounds_text(field)));
  data.set("feld_vorgabe", text_or_none(unquoted(field.default_value)));
  data.set("feld_hat_auswahl", flag(choices_are_shown(field)));
  data.set("feld_auswahl", choice_list(field));
  return data;
}

TemplateData schema_list(const PageContext& context) {
  TemplateData schemas = list();
  for (const Schema& schema : schema_table()) {
    const std::string name(schema.name);
    TemplateData data = command_data("beispiel-" + name, example_text(schema, context));
    data.set("schema_name", name);
    data.set("schema_text", std::string(schema.about));
    TemplateData fields = list();
    for (const Field& field : schema.fields) fields << field_data(field);
    data.set("schema_felder", fields);
    schemas << data;
  }
  return schemas;
}

}  // namespace http
