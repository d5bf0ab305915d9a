// Holds JSON against the schemas of our own machine-readable description (Valijson does the checking).
#pragma once
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "http/description/pages.hpp"

namespace test {

inline http::PageContext page_context() {
  return {{"https://dach.example/api/v1", "https://app.example"}, {}};
}

inline nlohmann::json openapi() { return nlohmann::json::parse(http::openapi_page(page_context()).body); }

/// Every fault of `value` against the description's schema `name`, one a line; empty when there is none. A
/// field that the description does not name is a fault as well: the contract's bodies have no others.
inline std::string faults_as(const std::string& name, const nlohmann::json& value) {
  nlohmann::json root{{"$ref", "#/components/schemas/" + name}, {"components", openapi()["components"]}};
  for (auto& schema : root["components"]["schemas"]) schema["additionalProperties"] = false;
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(Adapter(root), schema);
  valijson::ValidationResults results;
  if (valijson::Validator().validate(schema, Adapter(value), &results)) return {};
  std::string faults = name + " does not fit:\n";
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& part : error.context) faults += part;
    faults += ": " + error.description + "\n";
  }
  return faults;
}

}  // namespace test
