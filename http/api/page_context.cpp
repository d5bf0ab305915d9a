#include "http/api/page_context.hpp"

namespace http {

std::string PageContext::filled(std::string_view text) const {
  std::string out(text);
  const auto put = [&out](std::string_view name, const std::string& value) {
    for (auto at = out.find(name); at != std::string::npos; at = out.find(name, at + value.size()))
      out.replace(at, name.size(), value);
  };
  put("{base_url}", links.base_url);
  put("{web_url}", links.web_url);
  return out;
}

}  // namespace http
