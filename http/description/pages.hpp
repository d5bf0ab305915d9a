// Public pages: answers that need no key and no actor, made once when the program starts.
#pragma once
#include "http/api/page_context.hpp"
#include "http/wire/response.hpp"

namespace http {

Response load_profiles_page(const PageContext& context);
Response openapi_page(const PageContext& context);
// For people: http/web/documentation.
Response documentation_page(const PageContext& context);
Response guide_page(const PageContext& context);

}  // namespace http
