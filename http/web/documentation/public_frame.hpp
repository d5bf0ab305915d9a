// The frame of the API's public pages: the web application's, the same for everybody, so that caches may keep
// it. Their own addresses may be on another host than the application's.
#pragma once
#include <string>

#include "http/api/page_context.hpp"
#include "http/web/template.hpp"
#include "http/wire/response.hpp"

namespace http {

struct PublicPage {
  std::string name;  ///< of the template
  std::string title;
  std::string summary;  ///< for search engines and link previews
  TemplateData data{TemplateData::type::object};
};

/// Throws TemplateError for a template that asks for what there is not: there is no such endpoint, schema or
/// error.
Response framed(PublicPage page, const PageContext& context);

}  // namespace http
