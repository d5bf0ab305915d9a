// A project's economics as a page (templates/wirtschaftlichkeit.html) and as a table for spreadsheets.
#pragma once
#include <string>

#include "http/web/economics/economics_input.hpp"
#include "http/web/template.hpp"
#include "http/wire/request.hpp"

namespace http {

/// What the template needs; the layout's own names are not among it. `own_address`: the page's, without a
/// query.
TemplateData economics_page(const EconomicsInput& input, const NameValues& query,
                            const std::string& own_address);

/// Semicolons, decimal commas, UTF-8 with a byte order mark (Excel needs it), every assumption at the top.
std::string economics_csv(const EconomicsInput& input, const NameValues& query);

}  // namespace http
