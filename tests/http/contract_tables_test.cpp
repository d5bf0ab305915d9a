// Our tables against the contract's: every body field with its type, every status of every endpoint, every
// query parameter. What the contract has and we have not fails here.
#include "tests/http/contract_tables.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "http/api/errors.hpp"
#include "http/api/routes.hpp"
#include "tests/shared_data.hpp"

namespace {

using http::Field;
using test::ContractField;

std::string type_of(const Field& field) {
  switch (field.type) {
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

std::set<int> statuses_of(const http::Route& route) {
  std::set<int> all;
  for (const http::Success& success : route.successes) all.insert(success.status);
  for (const actors::Code code : http::errors_of(route)) all.insert(http::error_row(code).status);
  return all;
}

TEST(ContractCopy, IsTheContractWhereItIsAtHand) {
  std::ifstream contract(test::shared_file("spec.md"));
  if (!contract) GTEST_SKIP() << "the contract is not here (ROOF_SHARED names its directory)";
  const auto written = test::read_contract(contract);
  EXPECT_EQ(written.bodies, test::contract_tables().bodies);
  EXPECT_EQ(written.statuses, test::contract_tables().statuses);
  EXPECT_EQ(written.queries, test::contract_tables().queries);
}

TEST(ContractBodies, HaveExactlyTheContractsFieldsWithTheirTypes) {
  const auto tables = test::contract_tables();
  ASSERT_EQ(tables.bodies.size(), 6U);
  for (const auto& [name, fields] : tables.bodies) {
    std::map<std::string, ContractField> ours;
    for (const Field& field : http::schema_of(name).fields) {
      EXPECT_TRUE(field.required) << name << "." << field.name;
      ours[std::string(field.name)] = {type_of(field), field.nullable, field.uri};
    }
    EXPECT_EQ(ours.size(), fields.size()) << name << " has no field more and none less";
    for (const auto& [field, expected] : fields) {
      ASSERT_TRUE(ours.contains(field)) << name << "." << field;
      EXPECT_EQ(ours[field].type, expected.type) << name << "." << field;
      EXPECT_EQ(ours[field].nullable, expected.nullable) << name << "." << field;
      EXPECT_EQ(ours[field].uri, expected.uri) << name << "." << field;
    }
  }
}

TEST(ContractStatuses, AreAllDescribedAtTheirEndpoints) {
  const auto tables = test::contract_tables();
  ASSERT_EQ(tables.statuses.size(), 5U);
  for (const auto& [endpoint, statuses] : tables.statuses) {
    const auto space = endpoint.find(' ');
    const auto routed = http::find_route(endpoint.substr(0, space), endpoint.substr(space + 1));
    ASSERT_TRUE(routed.route) << endpoint;
    const auto ours = statuses_of(*routed.route);
    for (const int status : statuses) EXPECT_TRUE(ours.contains(status)) << endpoint << " " << status;
  }
}

TEST(ContractQueries, AreTheParametersOfGetAnalyse) {
  std::set<std::string> ours;
  for (const http::Parameter& parameter : http::find_route("GET", "/analyse").route->parameters)
    if (parameter.field.name != "verbrauch")  // the contract names it in another's row
      ours.insert(std::string(parameter.field.name) + (parameter.field.required ? " yes" : " no"));
  EXPECT_EQ(ours, test::contract_tables().queries.at("GET /analyse"));
}

}  // namespace
