// An operator's plain text as HTML: paragraphs, headings (#), lists (-), tables (|), `code`, web addresses as
// links.
#pragma once
#include <string>
#include <string_view>

namespace http {

std::string html_of_text(std::string_view text);

}  // namespace http
