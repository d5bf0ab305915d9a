// The parts of the documentation, each made from one of the tables.
#pragma once
#include <string>

#include "http/api/errors.hpp"
#include "http/api/page_context.hpp"
#include "http/api/routes.hpp"
#include "http/api/schemas.hpp"

namespace http::html {

/// Endpoints with their parameters, answers and a command to try (endpoint_section.cpp).
std::string endpoint_card(const Route& route, const PageContext& context);
/// The command line of a call: curl, with the key in an environment variable.
std::string curl_of(const Route& route, const PageContext& context);

/// Fields as a definition list (field_section.cpp).
std::string field_entry(const Field& field, std::string_view place);
std::string schema_card(const Schema& schema, const PageContext& context);

/// Errors, limits, load profiles (table_sections.cpp).
std::string error_card(const ErrorRow& row);
std::string limit_list(const PageContext& context);
std::string load_profile_list();
/// What the benchmark of the surfaces measured (accuracy_figures.hpp).
std::string accuracy_list();

}  // namespace http::html
