// The machine-readable description: whole, consistent with itself, and made of the tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "http/api/errors.hpp"
#include "http/api/field_checks.hpp"
#include "http/api/routes.hpp"
#include "tests/http/schema_check.hpp"

namespace {

using nlohmann::json;
using test::faults_as;
using test::openapi;

/// Calls `visit` with every object in the document.
void walk(const json& node, const std::function<void(const json&)>& visit) {
  if (node.is_object()) visit(node);
  if (node.is_structured())
    for (const json& child : node) walk(child, visit);
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

TEST(OpenApi, SaysWhatItIs) {
  const json document = openapi();
  EXPECT_EQ(document["openapi"], "3.1.0");
  EXPECT_EQ(document["info"]["version"], "1.1.0");
  EXPECT_EQ(document["servers"][0]["url"], "https://dach.example/api/v1");
}

TEST(OpenApi, ResolvesEveryReference) {
  const json document = openapi();
  std::size_t references = 0;
  walk(document, [&](const json& object) {
    if (!object.contains("$ref")) return;
    ++references;
    const std::string reference = object["$ref"];
    ASSERT_TRUE(reference.starts_with("#/")) << reference;
    EXPECT_TRUE(document.contains(json::json_pointer(reference.substr(1)))) << reference;
  });
  EXPECT_GT(references, 100U);
}

TEST(OpenApi, UsesEverySchemaItHas) {
  const json document = openapi();
  std::set<std::string> used;
  walk(document, [&](const json& object) {
    if (object.contains("$ref")) used.insert(object["$ref"].get<std::string>());
  });
  ASSERT_FALSE(document["components"]["schemas"].empty());
  for (const auto& [name, schema] : document["components"]["schemas"].items())
    EXPECT_TRUE(used.contains("#/components/schemas/" + name)) << name;
}

TEST(OpenApi, HasEveryRouteWithItsAnswersAndErrors) {
  const json document = openapi();
  std::size_t operations = 0;
  for (const auto& [path, methods] : document["paths"].items()) operations += methods.size();
  EXPECT_EQ(operations, http::route_table().size());
  for (const http::Route& route : http::route_table()) {
    const json& operation = document["paths"][std::string(route.path)][lower(route.method)];
    ASSERT_TRUE(operation.is_object()) << route.path;
    EXPECT_EQ(operation["operationId"], std::string(route.id));
    EXPECT_EQ(operation["security"].size(), route.keyed() ? 2U : 0U);
    EXPECT_EQ(operation["parameters"].size(), route.parameters.size());
    EXPECT_EQ(operation.contains("requestBody"), !route.body.schema.empty());
    for (const http::Success& success : route.successes)
      EXPECT_TRUE(operation["responses"].contains(std::to_string(success.status))) << route.path;
    for (const actors::Code code : http::errors_of(route)) {
      const json& response = operation["responses"][std::to_string(http::error_row(code).status)];
      EXPECT_TRUE(response["content"]["application/problem+json"]["examples"].contains(actors::name_of(code)))
          << route.path << " " << actors::name_of(code);
    }
  }
}

TEST(OpenApi, DescribesNotModifiedWhereverThereIsATagAndOtherFaultsEverywhere) {
  const json document = openapi();
  ASSERT_FALSE(document["paths"].empty());
  for (const auto& [path, methods] : document["paths"].items())
    for (const auto& [method, operation] : methods.items()) {
      const json& responses = operation["responses"];
      EXPECT_TRUE(responses.contains("default")) << path;
      EXPECT_EQ(responses.contains("200"), responses.contains("304")) << method << path;
      for (const char* status : {"200", "304"})
        if (responses.contains(status)) {
          EXPECT_TRUE(responses[status]["headers"].contains("ETag")) << path;
        }
    }
}

TEST(OpenApi, HasEveryErrorCode) {
  const json document = openapi();
  const json& codes = document["components"]["schemas"]["Fehlerangaben"]["properties"]["code"]["enum"];
  EXPECT_EQ(codes.size(), actors::kCodes);
  for (const http::ErrorRow& row : http::error_table()) {
    const std::string name = actors::name_of(row.code);
    EXPECT_NE(std::find(codes.begin(), codes.end(), name), codes.end()) << name;
    EXPECT_TRUE(document["components"]["examples"].contains(name)) << name;
  }
}

TEST(OpenApi, DescribesThePathParametersOfEachPath) {
  const json document = openapi();
  int described = 0;
  for (const auto& [path, methods] : document["paths"].items())
    for (const json& operation : methods)
      for (const json& parameter : operation["parameters"])
        if (parameter["in"] == "path") {
          ++described;
          EXPECT_NE(path.find("{" + parameter["name"].get<std::string>() + "}"), std::string::npos) << path;
          EXPECT_EQ(parameter["required"], true);
        }
  EXPECT_GT(described, 5);
}

TEST(OpenApi, ShowsTheConfiguredLimits) {
  http::PageContext context = test::page_context();
  context.options.limits.status_per_hour = 12345;
  EXPECT_THAT(http::openapi_page(context).body, testing::HasSubstr("12345 je Stunde"));
}

TEST(OpenApi, GivesTheContractsBoundsOfRequests) {
  const json schemas = openapi()["components"]["schemas"];
  const json& create = schemas["ProjektAnlegen"]["properties"];
  EXPECT_EQ(create["name"]["maxLength"], 150);
  EXPECT_EQ(create["adresse"]["maxLength"], 200);
  EXPECT_EQ(create["jahresverbrauch_kwh"]["exclusiveMinimum"], 0);
  EXPECT_EQ(create["jahresverbrauch_kwh"]["maximum"], 100'000'000);
  EXPECT_EQ(create["lastprofil"]["enum"].size(), 11U);
  EXPECT_EQ(schemas["ProjektAnlegen"]["required"].size(), 4U);
  EXPECT_TRUE(schemas["AnalyseNeu"]["required"].empty());
}

TEST(OpenApi, DescribesTheTextsThatTheFormsTake) {
  const json create = openapi()["components"]["schemas"]["ProjektAnlegen"]["properties"];
  using namespace std::string_literals;
  int taken = 0;
  for (const std::string& text : {"Weg 1"s, " \tWeg"s, "Weg\r\n"s, "Straße"s, "ß"s, "\u0080"s, "🏠"s, ""s,
                                  " \t\r\n"s, "a\0"s, "\x01"s, "a\x1f"s, "a\x7f"s, "a\vb"s, "\f"s}) {
    for (const char* field : {"name", "adresse"})
      EXPECT_EQ(std::regex_search(text, std::regex(create[field]["pattern"].get<std::string>())),
                http::checked_name(text).has_value())
          << field << ": " << text;
    EXPECT_EQ(http::checked_address(text).has_value(), http::checked_name(text).has_value());
    taken += http::checked_name(text).has_value();
  }
  EXPECT_EQ(taken, 7);
}

TEST(OpenApi, TellsBytesFromTextAndTheNameToSaveThemUnder) {
  const json paths = openapi()["paths"];
  const json image = paths["/projekte/{projekt_id}/bilder/uebersicht"]["get"]["responses"]["200"];
  EXPECT_EQ(image["content"]["image/png"]["schema"]["format"], "binary");
  EXPECT_FALSE(image["content"]["image/svg+xml"]["schema"].contains("format"));
  EXPECT_TRUE(image["headers"].contains("Content-Disposition"));
  const json model = paths["/projekte/{projekt_id}/modell"]["get"]["responses"]["200"];
  EXPECT_EQ(model["content"]["model/gltf-binary"]["schema"]["format"], "binary");
  const json page = paths["/doku"]["get"]["responses"]["200"];
  EXPECT_FALSE(page["content"]["text/html"]["schema"].contains("format"));
  EXPECT_FALSE(page["headers"].contains("Content-Disposition"));
}

TEST(OpenApi, DescribesTheChallengeOfEvery401) {
  int described = 0;
  const json paths = openapi()["paths"];
  for (const auto& methods : paths)
    for (const auto& operation : methods)
      if (operation["responses"].contains("401")) {
        ++described;
        EXPECT_TRUE(operation["responses"]["401"]["headers"].contains("WWW-Authenticate"));
      }
  EXPECT_EQ(described, 10);
}

TEST(OpenApi, WritesNullabilityAsATypeOfItsOwn) {
  const json properties = openapi()["components"]["schemas"]["Laufstand"]["properties"];
  EXPECT_EQ(properties["schritt"]["type"], json({"string", "null"}));
  EXPECT_EQ(properties["wartet"]["type"], "boolean");
}

TEST(Schemas, FitTheirOwnExamples) {
  for (const http::Schema& schema : http::schema_table()) {
    const std::string example = test::page_context().filled(http::example_of(schema));
    EXPECT_EQ(faults_as(std::string(schema.name), json::parse(example)), "");
  }
}

TEST(Schemas, RefuseWhatDoesNotFit) {
  json run = json::parse(http::example_of(http::schema_of("Laufstand")));
  EXPECT_EQ(faults_as("Laufstand", run), "");
  run["wartet"] = "ja";
  EXPECT_NE(faults_as("Laufstand", run), "");
  run["wartet"] = true;
  run["zugabe"] = 1;
  EXPECT_NE(faults_as("Laufstand", run), "");
  run.erase("zugabe");
  run.erase("hinweis");
  EXPECT_NE(faults_as("Laufstand", run), "");
}

TEST(Schemas, HaveNamesOfTheirOwnAndFieldsToo) {
  std::set<std::string_view> names;
  for (const http::Schema& schema : http::schema_table()) {
    EXPECT_TRUE(names.insert(schema.name).second) << schema.name;
    std::set<std::string_view> fields;
    for (const http::Field& field : schema.fields) {
      EXPECT_TRUE(fields.insert(field.name).second) << schema.name << "." << field.name;
      EXPECT_FALSE(field.about.empty()) << schema.name << "." << field.name;
    }
  }
}

TEST(Schemas, FitEveryProblemDocument) {
  for (const http::ErrorRow& row : http::error_table()) {
    const actors::Refusal refusal{
        .code = row.code, .found = {"a"}, .existing = {1}, .project = 7, .retry_after_s = 5};
    EXPECT_EQ(faults_as("Fehler", json::parse(http::problem(refusal, test::page_context().links, "id").body)),
              "");
  }
}

TEST(Schemas, FitThePublicLoadProfiles) {
  const json body = json::parse(http::load_profiles_page(test::page_context()).body);
  EXPECT_EQ(faults_as("Lastprofile", body), "");
  EXPECT_EQ(body["profile"].size(), 11U);
  EXPECT_EQ(body["vorgabe"], "H0");
}

}  // namespace
