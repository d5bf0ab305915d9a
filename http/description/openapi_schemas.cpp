#include "http/description/openapi_schemas.hpp"

namespace http {
namespace {

/// What a text of a request may be: white space, a character, and more of both; no control characters.
/// Written so that every dialect of regular expressions reads it the same.
constexpr auto kVisibleText = R"(^[\t\n\r ]*[^\x00-\x20\x7f][^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$)";

const char* type_name(Field::Type type) {
  switch (type) {
    case Field::Type::text:
      return "string";
    case Field::Type::integer:
      return "integer";
    case Field::Type::number:
      return "number";
    case Field::Type::boolean:
      return "boolean";
    case Field::Type::array:
      return "array";
    case Field::Type::object:
      break;
  }
  return "object";
}

void write_type(Json& json, const Field& field) {
  json.key("type");
  if (field.nullable)
    json.begin_array().text(type_name(field.type)).text("null").end_array();
  else
    json.text(type_name(field.type));
}

void write_bound(Json& json, std::string_view name, const std::optional<double>& bound) {
  if (!bound) return;
  json.key(name).integer(static_cast<std::int64_t>(*bound));  // all our bounds are whole
}

void write_items(Json& json, const Field& field, int nesting) {
  json.key("items");
  if (!field.schema.empty()) return write_schema_reference(json, field.schema);
  json.begin_object();
  if (nesting > 1) {
    json.field("type", "array");
    write_items(json, field, nesting - 1);
  } else {
    json.field("type", type_name(field.items));
  }
  json.end_object();
}

void write_choices(Json& json, const Field& field) {
  if (field.one_of.empty()) return;
  json.key("enum").begin_array();
  for (const std::string_view choice : field.one_of) json.text(choice);
  json.end_array();
}

/// An object that may be null: a reference or null.
void write_object_reference(Json& json, const Field& field) {
  if (field.nullable) {
    json.key("anyOf").begin_array();
    write_schema_reference(json, field.schema);
    json.begin_object().field("type", "null").end_object().end_array();
  } else {
    json.field("$ref", "#/components/schemas/" + std::string(field.schema));
  }
}

}  // namespace

void write_schema_reference(Json& json, std::string_view name) {
  json.begin_object().field("$ref", "#/components/schemas/" + std::string(name)).end_object();
}

void write_field_schema(Json& json, const Field& field, const PageContext& context) {
  json.begin_object();
  if (field.type == Field::Type::object) {
    write_object_reference(json, field);
  } else {
    write_type(json, field);
    if (field.uri) json.field("format", "uri");
    if (field.visible) json.field("pattern", kVisibleText);
    if (field.longest) json.field("maxLength", static_cast<int>(*field.longest));
    write_bound(json, "minimum", field.minimum);
    write_bound(json, "maximum", field.maximum);
    write_bound(json, "exclusiveMinimum", field.above);
    write_choices(json, field);
    if (field.type == Field::Type::array) write_items(json, field, field.nesting);
    if (!field.default_value.empty()) json.key("default").raw(field.default_value);
    if (!field.example.empty())
      json.key("examples").begin_array().raw(context.filled(field.example)).end_array();
  }
  json.field("description", field.about).end_object();
}

void write_schemas(Json& json, const PageContext& context) {
  json.begin_object();
  for (const Schema& schema : schema_table()) {
    json.key(schema.name).begin_object().field("type", "object").field("description", schema.about);
    json.key("properties").begin_object();
    for (const Field& field : schema.fields) write_field_schema(json.key(field.name), field, context);
    json.end_object().key("required").begin_array();
    for (const Field& field : schema.fields)
      if (field.required) json.text(field.name);
    json.end_array().end_object();
  }
  json.end_object();
}

}  // namespace http
