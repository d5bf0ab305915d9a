// Holds an answer of the running service against the service's own /openapi.json: status, content type,
// header fields and body. Every client of the service tests calls it for every answer, so no test can forget
// it.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "tests/http/service/running_service.hpp"

namespace test {

/// What was asked, as far as an answer depends on it.
struct Asked {
  std::string method;
  std::string target;  ///< below the host, with the query
  Headers headers;
};

class Description {
 public:
  explicit Description(nlohmann::json openapi);

  /// Every fault of the answer, one a line; empty: it is what the description promises.
  std::string faults_of(const Asked& asked, const Reply& reply) const;

  /// The same for bytes that need not be a request: what holds for every answer.
  std::string faults_of_any(const Reply& reply) const;

  const nlohmann::json& document() const { return openapi_; }

 private:
  const nlohmann::json* operations_of(const std::string& path) const;
  std::string faults_of_described(const nlohmann::json& response, const Asked& asked,
                                  const Reply& reply) const;
  std::string faults_of_schema(const nlohmann::json& schema, const std::string& body) const;
  const nlohmann::json& resolved(const nlohmann::json& node) const;

  nlohmann::json openapi_;
  nlohmann::json strict_;  // its components, where no object has fields beyond those named
};

/// What the program under test describes, fetched once from a service of its own.
const Description& description();

}  // namespace test
