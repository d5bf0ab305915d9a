// Text as HTML, where a page's HTML is not made by its template.
#pragma once
#include <string>
#include <string_view>

namespace http::html {

std::string escaped(std::string_view text);

/// A path with marks where a narrow screen may break it.
std::string breakable(std::string_view path);

}  // namespace http::html
