#include "http/api/schemas.hpp"

#include <stdexcept>

#include "http/api/json.hpp"
#include "http/api/load_profiles.hpp"

namespace http {
namespace {

Field made(std::string_view name, Field::Type type, std::string_view about, std::string example) {
  Field field;
  field.name = name;
  field.type = type;
  field.about = about;
  field.example = std::move(example);
  return field;
}

std::string quoted(std::string_view value) { return Json().text(value).str(); }

void write_example(Json& json, const Field& field) {
  using Type = Field::Type;
  if (field.schema.empty()) {
    json.raw(field.example);
  } else if (field.type == Type::array) {
    json.begin_array().raw(example_of(schema_of(field.schema))).end_array();
  } else {
    json.raw(example_of(schema_of(field.schema)));
  }
}

}  // namespace

namespace field {

Field text(std::string_view name, std::string_view about, std::string_view example) {
  return made(name, Field::Type::text, about, quoted(example));
}

Field uri(std::string_view name, std::string_view about, std::string_view example) {
  Field field = text(name, about, example);
  field.uri = true;
  return field;
}

Field integer(std::string_view name, std::string_view about, std::string_view example) {
  return made(name, Field::Type::integer, about, std::string(example));
}

Field number(std::string_view name, std::string_view about, std::string_view example) {
  return made(name, Field::Type::number, about, std::string(example));
}

Field boolean(std::string_view name, std::string_view about, bool example) {
  return made(name, Field::Type::boolean, about, example ? "true" : "false");
}

Field object(std::string_view name, std::string_view schema, std::string_view about) {
  Field field = made(name, Field::Type::object, about, {});
  field.schema = schema;
  return field;
}

Field objects(std::string_view name, std::string_view schema, std::string_view about) {
  Field field = object(name, schema, about);
  field.type = Field::Type::array;
  return field;
}

Field texts(std::string_view name, std::string_view about, std::string_view example) {
  Field field = made(name, Field::Type::array, about, std::string(example));
  field.items = Field::Type::text;
  return field;
}

Field integers(std::string_view name, std::string_view about, std::string_view example) {
  Field field = made(name, Field::Type::array, about, std::string(example));
  field.items = Field::Type::integer;
  return field;
}

Field coordinates(std::string_view name, std::string_view about, std::string_view example) {
  Field field = made(name, Field::Type::array, about, std::string(example));
  field.items = Field::Type::number;
  field.nesting = 3;
  return field;
}

std::vector<std::string_view> load_profile_codes() {
  std::vector<std::string_view> codes;
  for (const LoadProfile& profile : kLoadProfiles) codes.push_back(profile.code);
  return codes;
}

Field load_profile(std::string_view about) {
  return text("lastprofil", about, kDefaultLoadProfile).among(load_profile_codes());
}

}  // namespace field

const std::vector<Schema>& schema_table() {
  static const std::vector<Schema> kTable = [] {
    std::vector<Schema> all;
    for (auto* part : {request_schemas, project_schemas, result_schemas, media_schemas, error_schemas})
      for (Schema& schema : part()) all.push_back(std::move(schema));
    return all;
  }();
  return kTable;
}

const Schema& schema_of(std::string_view name) {
  for (const Schema& schema : schema_table())
    if (schema.name == name) return schema;
  throw std::out_of_range("there is no schema " + std::string(name));
}

std::string example_of(const Schema& schema) {
  Json json;
  json.begin_object();
  for (const Field& field : schema.fields) {
    if (field.required) write_example(json.key(field.name), field);
  }
  return json.end_object().str();
}

}  // namespace http
