#include "tests/http/service/description_check.hpp"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <regex>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace test {

using nlohmann::json;

namespace {

constexpr std::string_view kBase = "/api/v1";

std::string header(const Reply& reply, const std::string& name) {
  const auto it = reply.headers.find(name);
  return it == reply.headers.end() ? std::string() : it->second;
}

std::string path_of(const std::string& target) { return target.substr(0, target.find('?')); }

/// "/projekte/{projekt_id}/medien" as a pattern.
std::regex pattern_of(const std::string& path) {
  return std::regex(std::regex_replace(path, std::regex(R"(\{[^}]*\})"), "[^/]+"));
}

std::string media_type(const Reply& reply) {
  const std::string type = header(reply, "content-type");
  return type.substr(0, type.find(';'));
}

std::string key_of(const Asked& asked) {
  for (const auto& [name, value] : asked.headers)
    if (boost::algorithm::to_lower_copy(name) == "x-api-key") return value;
  const auto at = asked.target.find("schluessel=");
  if (at == std::string::npos) return {};
  const auto begin = at + std::string("schluessel=").size();
  return asked.target.substr(begin, asked.target.find('&', begin) - begin);
}

/// No answer repeats a key, and no cache may store the answer to a URL that holds one.
std::string faults_of_secrecy(const Asked& asked, const Reply& reply) {
  std::string faults;
  const std::string key = key_of(asked);
  if (key.size() > 8) {
    if (reply.body.find(key) != std::string::npos) faults += "the body holds the key\n";
    for (const auto& [name, value] : reply.headers)
      if (value.find(key) != std::string::npos) faults += name + " holds the key\n";
  }
  const std::string cache = header(reply, "cache-control");
  if (asked.target.find("schluessel=") != std::string::npos && reply.status != 204 && cache != "no-store")
    faults += "a key came in the URL and Cache-Control is \"" + cache + "\"\n";
  return faults;
}

/// The same wait in up to three places: Retry-After, erneut_in_s and fehler.tu.
std::string faults_of_waiting(const Asked& asked, const Reply& reply) {
  const std::string wait = header(reply, "retry-after");
  if (wait.empty()) {
    const bool needed = reply.status == 202 || reply.status == 429 || reply.code() == "dienst_ueberlastet" ||
                        reply.code() == "dienst_nicht_erreichbar";
    return needed ? "Retry-After is missing\n" : "";
  }
  std::string faults;
  if (!std::all_of(wait.begin(), wait.end(), [](unsigned char c) { return std::isdigit(c); }) || wait == "0")
    return "Retry-After is no number of seconds: " + wait + "\n";
  if (asked.method == "HEAD") return {};
  const json body = reply.json();
  if (reply.status == 202) {
    if (body["erneut_in_s"] != std::stoi(wait)) faults += "erneut_in_s and Retry-After differ\n";
    if (path_of(asked.target) == std::string(kBase) + "/analyse" && std::stoi(wait) < 10)
      faults += "GET /analyse is asked to come back within ten seconds\n";
  } else if (body["fehler"]["tu"].get<std::string>().find(wait) == std::string::npos) {
    faults += "fehler.tu does not name the seconds of Retry-After\n";
  }
  return faults;
}

}  // namespace

Description::Description(json openapi) : openapi_(std::move(openapi)), strict_(openapi_["components"]) {
  for (auto& schema : strict_["schemas"]) schema["additionalProperties"] = false;
}

const json& Description::resolved(const json& node) const {
  if (!node.contains("$ref")) return node;
  return openapi_.at(json::json_pointer(node["$ref"].get<std::string>().substr(1)));
}

const json* Description::operations_of(const std::string& path) const {
  for (const auto& [template_path, operations] : openapi_["paths"].items())
    if (std::regex_match(path, pattern_of(template_path))) return &operations;
  return nullptr;
}

std::string Description::faults_of_schema(const json& schema, const std::string& body) const {
  const json value = json::parse(body, nullptr, false);
  if (value.is_discarded()) return "the body is no JSON\n";
  json root = schema;
  root["components"] = strict_;
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  valijson::Schema parsed;
  valijson::SchemaParser().populateSchema(Adapter(root), parsed);
  valijson::ValidationResults results;
  if (valijson::Validator().validate(parsed, Adapter(value), &results)) return {};
  std::string faults;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& part : error.context) faults += part;
    faults += ": " + error.description + "\n";
  }
  return faults;
}

std::string Description::faults_of_any(const Reply& reply) const {
  std::string faults;
  for (const char* name : {"date", "x-request-id", "connection"})
    if (header(reply, name).empty()) faults += std::string(name) + " is missing\n";
  if (header(reply, "x-content-type-options") != "nosniff") faults += "X-Content-Type-Options is missing\n";
  if (header(reply, "referrer-policy") != "no-referrer") faults += "Referrer-Policy is missing\n";
  if (reply.status < 400) return faults;
  if (media_type(reply) != "application/problem+json")
    faults += "an error of type " + media_type(reply) + "\n";
  if (reply.body.empty()) return faults;  // HEAD
  faults += faults_of_schema(json{{"$ref", "#/components/schemas/Fehler"}}, reply.body);
  if (!faults.empty()) return faults;
  const json body = reply.json();
  if (body["status"] != reply.status) faults += "status in the body and on the wire differ\n";
  if (body["instance"] != "urn:anfrage:" + header(reply, "x-request-id"))
    faults += "instance is not the request's id\n";
  if (body["type"] != body["doku"].get<std::string>() + "#fehler-" + reply.code())
    faults += "type is not the error's section\n";
  if (body["detail"] != body["fehler"]["meldung"]) faults += "detail and meldung differ\n";
  return faults;
}

std::string Description::faults_of_described(const json& response, const Asked& asked,
                                             const Reply& reply) const {
  std::string faults;
  const json headers = response.value("headers", json::object());
  for (const auto& [name, reference] : headers.items()) {
    const std::string value = header(reply, boost::algorithm::to_lower_copy(name));
    if (value.empty() && resolved(reference).value("required", false)) faults += name + " is missing\n";
  }
  if (!response.contains("content"))
    return reply.body.empty() ? faults : faults + "a body where none is described\n";
  const std::string type = media_type(reply);
  if (!response["content"].contains(type)) return faults + "content type " + type + " is not described\n";
  if (asked.method == "HEAD") return faults;
  const json& content = response["content"][type];
  if (type.ends_with("json")) faults += faults_of_schema(content["schema"], reply.body);
  if (reply.status >= 400 && !content["examples"].contains(reply.code()))
    faults += "the code " + reply.code() + " is not described here\n";
  return faults;
}

std::string Description::faults_of(const Asked& asked, const Reply& reply) const {
  std::string faults =
      faults_of_any(reply) + faults_of_secrecy(asked, reply) + faults_of_waiting(asked, reply);
  if (asked.method == "HEAD" && !reply.body.empty()) faults += "HEAD has a body\n";
  const std::string path = path_of(asked.target);
  const json* operations = path.starts_with(kBase) ? operations_of(path.substr(kBase.size())) : nullptr;
  if (!operations) {
    if (reply.status != 404 && reply.status != 400)
      faults += "a path that nothing describes is answered otherwise than 404\n";
    return faults;
  }
  if (asked.method == "OPTIONS") {
    if (reply.status != 204 || header(reply, "allow").empty() || !reply.body.empty()) faults += "OPTIONS\n";
    return faults;
  }
  const std::string method = asked.method == "HEAD" ? "get" : boost::algorithm::to_lower_copy(asked.method);
  if (!operations->contains(method) || asked.method == boost::algorithm::to_lower_copy(asked.method)) {
    if (reply.status != 405 || header(reply, "allow").empty())
      faults += "a method that nothing describes: " + std::to_string(reply.status) + "\n";
    return faults;
  }
  const json& operation = (*operations)[method];
  if (!operation["security"].empty() && header(reply, "cache-control").find("public") != std::string::npos)
    faults += "an account's answer is public\n";
  const json& responses = operation["responses"];
  const std::string status = std::to_string(reply.status);
  return faults + faults_of_described(resolved(responses[responses.contains(status) ? status : "default"]),
                                      asked, reply);
}

const Description& description() {
  static const Description kDescription = [] {
    const RunningService service;
    return Description(service.unchecked("GET", "/api/v1/openapi.json", {}, {}).json());
  }();
  return kDescription;
}

}  // namespace test
