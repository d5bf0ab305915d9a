#include "http/web/html_text.hpp"

namespace http::html {

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string breakable(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (c == '/' && !out.empty()) out += "<wbr>";
    out += escaped({&c, 1});
  }
  return out;
}

}  // namespace http::html
