// Commands and bodies to be copied, as data of the part befehl.html.
#pragma once
#include <string>
#include <string_view>

#include "http/api/page_context.hpp"
#include "http/api/routes.hpp"
#include "http/web/template.hpp"

namespace http {

/// `id`: unique in the page; the copy button names it.
TemplateData command_data(const std::string& id, std::string_view text);

/// The command line of a call: curl, with the key in an environment variable.
std::string curl_of(const Route& route, const PageContext& context);

/// An example of a body, indented.
std::string example_text(const Schema& schema, const PageContext& context);

}  // namespace http
