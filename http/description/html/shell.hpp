// What the HTML pages share: escaping, the frame of a page, and a Content-Security-Policy that allows only
// the page's own style and script.
#pragma once
#include <string>
#include <string_view>

#include "http/wire/response.hpp"

namespace http::html {

std::string escaped(std::string_view text);

/// A path with marks where a narrow screen may break it.
std::string breakable(std::string_view path);

/// A command or a body to be copied.
std::string code_block(std::string_view code);

/// JSON, indented.
std::string pretty_json(const std::string& json);

struct Page {
  std::string title;
  std::string summary;      ///< for search engines and link previews
  std::string body;         ///< HTML
  std::string_view script;  ///< empty: none
};

Response page_response(const Page& page);

/// style.cpp and script.cpp.
std::string_view style_sheet();
std::string_view documentation_script();

}  // namespace http::html
