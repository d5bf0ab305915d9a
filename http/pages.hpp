// Public pages: answers that need no key and no actor.
#pragma once
#include "http/links.hpp"
#include "http/response.hpp"

namespace http {

Response load_profiles_page(const Links& links);

}  // namespace http
