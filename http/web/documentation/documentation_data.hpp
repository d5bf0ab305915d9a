// The documentation's parts as data of doku.html, each made from one of the tables.
#pragma once
#include "http/api/errors.hpp"
#include "http/api/page_context.hpp"
#include "http/api/routes.hpp"
#include "http/api/schemas.hpp"
#include "http/web/template.hpp"

namespace http {

/// Endpoints with their parameters, answers and a command to try (endpoint_data.cpp).
TemplateData endpoint_list(const PageContext& context);

/// A field's line, as doku_feld.html shows it (field_data.cpp). `place`: "im Pfad", or nothing.
TemplateData field_data(const Field& field, std::string_view place = {});
TemplateData schema_list(const PageContext& context);

/// Errors, limits, load profiles (table_data.cpp).
TemplateData error_list();
TemplateData limit_list(const PageContext& context);
TemplateData load_profile_list();
/// What the benchmark of the surfaces measured (accuracy_figures.hpp).
TemplateData accuracy_list();
/// The same of real buildings.
TemplateData real_accuracy_list();
/// How many of their true errors lie within the stated ones.
TemplateData honesty_list();

}  // namespace http
