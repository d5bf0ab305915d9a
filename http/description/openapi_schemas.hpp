// Our schemas as JSON Schema 2020-12, the dialect of OpenAPI 3.1.
#pragma once
#include "http/api/json.hpp"
#include "http/api/page_context.hpp"
#include "http/api/schemas.hpp"

namespace http {

/// A field's or a parameter's schema object.
void write_field_schema(Json& json, const Field& field, const PageContext& context);

/// The object of all schemas by name, for components.schemas.
void write_schemas(Json& json, const PageContext& context);

/// {"$ref": "#/components/schemas/NAME"}
void write_schema_reference(Json& json, std::string_view name);

}  // namespace http
