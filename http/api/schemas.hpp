// The one table of schemas: every body that the service takes or gives, field by field. The description for
// machines and the documentation for people are made from it, and tests compare real bodies with it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace http {

/// A field of a body or a parameter of a request. Made by the functions below, refined by its own methods:
///   field::text("ort", "Ort", "Wien").or_null()
struct Field {
  enum class Type { text, integer, number, boolean, object, array };

  std::string_view name;
  Type type = Type::text;
  std::string_view about;  ///< German, for people
  std::string
      example;  ///< JSON; empty for objects, whose schema has it. {base_url}, {web_url} stand for ours
  std::string_view schema;    ///< of an object, and of an array's items when they are objects
  Type items = Type::object;  ///< of an array
  int nesting = 1;            ///< of an array: 3 are arrays in arrays in an array
  bool nullable = false;
  bool required = true;
  bool uri = false;
  bool visible = false;  ///< a text that is neither blank nor has control characters (field_checks.cpp)
  std::optional<double> minimum, maximum, above;
  std::optional<std::size_t> longest;  ///< characters
  std::string default_value;           ///< JSON; empty: none
  std::vector<std::string_view> one_of;

  Field or_null() && { return nullable = true, std::move(*this); }
  Field optional() && { return required = false, std::move(*this); }
  Field at_least(double value) && { return minimum = value, std::move(*this); }
  Field at_most(double value) && { return maximum = value, std::move(*this); }
  Field more_than(double value) && { return above = value, std::move(*this); }
  Field up_to(std::size_t characters) && { return longest = characters, std::move(*this); }
  Field not_blank() && { return visible = true, std::move(*this); }
  Field by_default(std::string json) && { return default_value = std::move(json), std::move(*this); }
  Field among(std::vector<std::string_view> values) && {
    return one_of = std::move(values), std::move(*this);
  }
};

namespace field {

Field text(std::string_view name, std::string_view about, std::string_view example);
Field uri(std::string_view name, std::string_view about, std::string_view example);
Field integer(std::string_view name, std::string_view about, std::string_view example);
Field number(std::string_view name, std::string_view about, std::string_view example);
Field boolean(std::string_view name, std::string_view about, bool example);
Field object(std::string_view name, std::string_view schema, std::string_view about);
Field objects(std::string_view name, std::string_view schema, std::string_view about);
/// `example` is a JSON array.
Field texts(std::string_view name, std::string_view about, std::string_view example);
Field integers(std::string_view name, std::string_view about, std::string_view example);
/// GeoJSON's numbers in three levels of arrays.
Field coordinates(std::string_view name, std::string_view about, std::string_view example);
std::vector<std::string_view> load_profile_codes();
/// "lastprofil": one of load_profile_codes().
Field load_profile(std::string_view about);

}  // namespace field

struct Schema {
  std::string_view name;
  std::string_view about;  ///< German
  std::vector<Field> fields;
};

const std::vector<Schema>& schema_table();

/// Every name that one of our tables uses has a schema; a test checks that.
const Schema& schema_of(std::string_view name);

/// A whole body made from its fields' examples, as JSON with {base_url} and {web_url} in it.
std::string example_of(const Schema& schema);

// The table's parts (schemas_requests.cpp and its neighbours).
std::vector<Schema> request_schemas();
std::vector<Schema> project_schemas();
std::vector<Schema> result_schemas();
std::vector<Schema> media_schemas();
std::vector<Schema> error_schemas();

}  // namespace http
